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

/** Cases of the document that was written last, which are still edited wrongly, or refused though they are clear. */
const OPEN: readonly string[] = [
  "lands: a German answer with a whole method",
  "lands: an import that grows, and what uses it",
  "the phone's card, the media query told",
  "a card rule that no one can place",
  "a version to raise in both jobs, by words",
  "a job in part, with a mark",
  "the last step of a job",
  "Portuguese: wrong and right",
  "a method that stays, with an empty body",
  "the complete code at the end repeats the steps",
  "the complete code at the end differs from the step",
  "a component that lost what it renders, without a mark",
  "a Rust method that lost its check, without a mark",
  "same as before, below a new line",
  "two fragments of one method",
  "two versions of one method that do not fit together",
  "a rename by words",
  "a line before a call, by words",
  "a diff in prose, as two inline lines",
  "two options, one of them recommended",
  "a Server section, the parent told",
  "a section with a fence inside, three backticks around",
  "a section with its subsections left out",
  "a new section, its place told",
  "an overload to add, none to replace",
  "two effects, one to change",
  "a column more, in the migration that has not run",
];

describe.each(readdirSync(folder))("%s", (name) => {
  const { files, cases } = read(readFileSync(join(folder, name), "utf8"));

  // A case that passes has to leave the list.
  const isOpen = ({ title }: Case): boolean => name === "third-traps.md" && OPEN.includes(title);
  for (const one of cases.filter(isOpen)) test.fails(`still open: ${one.title}`, () => check(one));

  test.each(cases.filter((one) => !isOpen(one)).map((one) => [one.title, one] as const))("%s", async (_, one) => check(one));

  async function check({ answer, expected, isNamed }: Case): Promise<void> {
    const root = createFolder({ ...files });
    const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, edits: { match: "tolerant" } }, approve: () => "once" });
    const report = fullReport(await loaf.execute(answer), loaf);
    expect(filesBelow(root), report).toEqual(expected);
    if (isNamed) expect(report).toMatch(/^note: not (?:read|run)|^\S+ ❌|^Nothing to run found/m);
    else expect(report).not.toMatch(/❌/);
  }
});
