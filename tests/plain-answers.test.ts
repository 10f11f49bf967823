/** Plain answers as chats write them. What lands is what a careful person would make of each; the rest is named. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fullReport, Loaf } from "../src/index.ts";
import { createFolder } from "./support/folder.ts";
import { filesBelow } from "./support/intake.ts";

const folder = join(import.meta.dirname, "plain-answers");

interface Case {
  readonly title: string;
  readonly answer: string;
  readonly expected: Readonly<Record<string, string>>;
  /** Whether something of the answer is not made, and so has to be named. */
  readonly isNamed: boolean;
}

/** A document has lines `@@ kind what`, each above its text: files, then cases, each followed by what it changes. */
function read(text: string): { readonly files: Readonly<Record<string, string>>; readonly cases: readonly Case[] } {
  const parts = text.split(/^@@ (?=(?:file|case|change|to|new|gone|nothing|also)\b)/m).slice(1).map((part) => {
    const [, kind = "", what = "", body = ""] = /^(\w+) ?([^\n]*)\n([^]*)$/.exec(part) ?? [];
    return { kind, what, body };
  });
  const files: Record<string, string> = {};
  const cases: Case[] = [];
  for (const [index, { kind, what, body }] of parts.entries()) {
    const last = cases.at(-1);
    const replace = (expected: Readonly<Record<string, string>>, isNamed = false) => {
      if (last === undefined) throw new Error(`no case for '${kind} ${what}'`);
      cases[cases.length - 1] = { ...last, expected, isNamed: last.isNamed || isNamed };
    };
    switch (kind) {
      case "file":
        files[what] = body;
        break;
      case "case":
        cases.push({ title: what, answer: body, expected: files, isNamed: false });
        break;
      case "change": {
        const now = parts[index + 1]?.body ?? "";
        const pieces = last?.expected[what]?.split(now === "" ? body : body.slice(0, -1)) ?? [];
        if (pieces.length !== 2) throw new Error(`${last?.title}: ${what} has the text to change ${pieces.length - 1} times`);
        replace({ ...last?.expected, [what]: pieces.join(now.slice(0, -1)) });
        break;
      }
      case "to":
        break;
      case "new":
        replace({ ...last?.expected, [what]: body });
        break;
      case "gone":
        replace(Object.fromEntries(Object.entries(last?.expected ?? {}).filter(([path]) => path !== what)));
        break;
      case "nothing":
      case "also":
        replace({ ...last?.expected }, true);
        break;
      default:
        throw new Error(`unknown: @@ ${kind}`);
    }
  }
  return { files, cases };
}

describe.each(readdirSync(folder))("%s", (name) => {
  const { files, cases } = read(readFileSync(join(folder, name), "utf8"));

  test.each(cases.map((one) => [one.title, one] as const))("%s", async (_, { answer, expected, isNamed }) => {
    const root = createFolder({ ...files });
    const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, edits: { match: "tolerant" } }, approve: () => "once" });
    const report = fullReport(await loaf.execute(answer), loaf);
    expect(filesBelow(root), report).toEqual(expected);
    if (isNamed) expect(report).toMatch(/^note: (?:not (?:read|run)|.*it was not read$)|^\S+ ❌|^Nothing to run found/m);
    else expect(report).not.toMatch(/❌/);
  });
});
