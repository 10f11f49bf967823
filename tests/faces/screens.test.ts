/** What a person sees in twelve moments: docs/screens.md is the expectation, and `-u` writes it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../support/documents.ts";
import { hasSandbox } from "../support/programs.ts";
import { hasTmux } from "../support/tmux.ts";
import { moments } from "./screens/moments.ts";
import { HEAD, type Screens, sectionOf, sectionsOf } from "./screens/page.ts";
import { commitProject, play, type Setting } from "./screens/stage.ts";

const file = join(projectRoot, "docs/screens.md");
const update = process.env["LOAF_UPDATE_CASES"] === "yes";

const settings: Readonly<Record<string, Setting>> = {
  "80 columns": { columns: 80, hasColor: true },
  "120 columns": { columns: 120 },
  "Dumb terminal": { columns: 80, hasColor: true, isDumb: true },
  Pipe: { columns: 80, hasColor: true, isPiped: true },
};

describe.skipIf(!hasTmux)("docs/screens.md", () => {
  test.for(moments)("$title", { timeout: 120_000 }, async (moment, { skip }) => {
    if (moment.needsSandbox === true) skip(!hasSandbox);
    const commits = commitProject();
    const screens: Screens = Object.fromEntries(await Promise.all(Object.entries(settings).map(async ([name, setting]) => [name, await play(moment, setting, commits)] as const)));
    const section = sectionOf(moment, screens);
    if (update) write(moment.title, section);
    expect(section).toBe(sectionsOf(readFileSync(file, "utf8")).get(moment.title));
    const all = Object.entries(screens).flatMap(([name, captured]) => captured.map((screen) => ({ name, ...screen })));
    expect(all.flatMap(({ name, broken }) => (name === "Pipe" ? [] : broken)), "lines that are wider than the terminal").toEqual([]);
    expect(all.flatMap(({ name, styled }) => (name === "120 columns" || name === "Dumb terminal" ? styled : [])), "colours where there must be none").toEqual([]);
    expect(all.flatMap(({ styled }) => styled.filter(([style]) => style.includes("code"))), "colours for one background only").toEqual([]);
    expect(all.filter(({ isCursorVisible }) => !isCursorVisible), "screens without a cursor").toEqual([]);
  });

  test("holds nothing else", () => {
    const page = readFileSync(file, "utf8");
    expect(page.slice(0, page.indexOf("\n## "))).toBe(HEAD);
    expect([...sectionsOf(page).keys()]).toEqual(moments.map(({ title }) => title));
  });
});

function write(changed: string, section: string): void {
  const old = sectionsOf(readFileSync(file, "utf8"));
  const sections = moments.flatMap(({ title }) => (title === changed ? [section] : (old.get(title) ?? [])));
  writeFileSync(file, [HEAD, ...sections].join("\n"));
}
