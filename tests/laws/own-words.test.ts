/** Law of what a report says: it speaks of Loaf's actions and of NESL only where the answer does. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fullReport, Loaf } from "../../src/index.ts";
import { actions } from "../../src/actions/index.ts";
import { createFolder } from "../support/folder.ts";
import { shared } from "../support/shared.ts";
import { freeTries } from "../support/tries.ts";
import { answer, print } from "./random-answers.ts";

const FILES = { "a.txt": "one\ntwo\none\n", "b.txt": "three\n", "sub/a.txt": "one two\n", "bin.txt": "\0\0" };

/** What tools teach their models today: each call, with its files. */
const today: ReadonlyArray<{ readonly files: Readonly<Record<string, string>>; readonly answer: string }> =
  shared === undefined ? [] : JSON.parse(readFileSync(join(shared, "conformance/today/formats.json"), "utf8"));

/** An answer in one syntax of other tools. CSL's and the replacer's edits are told in the words of Loaf's actions. */
const foreign = answer.map(print).filter((text) => !/#!nesl|<---[A-Z]|<<<[A-Z]/.test(text));

/** What goes wrong in answers: a line is lost, doubled or another one, the text ends early, a name or a path differs. */
const damage = fc.constantFrom<Array<(lines: readonly string[], at: number) => readonly string[]>>(
  (lines) => lines,
  (lines, at) => lines.toSpliced(at, 1),
  (lines, at) => lines.toSpliced(at, 0, lines[at] ?? ""),
  (lines, at) => lines.with(at, "something else"),
  (lines, at) => lines.slice(0, at),
  (lines) => lines.map((line) => line.replace(/"(?:Edit|Write)"/, '"Refactor"')),
  (lines) => lines.map((line) => line.replace(/"(?:old_string|content)":"[^"]*",?/, "")),
  (lines) => lines.map((line) => line.replaceAll(/\b(?:sub\/)?a\.txt/g, "../a.txt")),
  (lines) => lines.map((line) => line.replaceAll(/\b(?:sub\/)?a\.txt/g, "none/at/all.txt")),
  (lines) => lines.map((line) => line.replaceAll(/\b(?:sub\/)?a\.txt/g, ".git/config")),
  (lines) => lines.map((line) => line.replaceAll(/\b(?:sub\/)?a\.txt/g, ".github/workflows/ci.yml")),
  (lines) => lines.map((line) => line.replaceAll(/\b(?:sub\/)?a\.txt/g, "bin.txt")),
  (lines) => lines.map((line) => line.replaceAll("one", "o\u200bne")),
  (lines) => lines.map((line) => line.replace(/two(?=$|\\n)/, "// ... rest of the file")),
);
function damaged(answers: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(answers, damage, fc.nat()).map(([text, harm, at]) => {
    const lines = text.split("\n");
    return harm(lines, at % lines.length).join("\n");
  });
}

const NAMES = new RegExp(String.raw`\bNESL\b|#!|\b(?:${actions.map(({ name }) => name).filter((name) => name.includes("_")).join("|")}|(?:old|new)_(?:lines|text))\b`, "g");

/** Returns the sentences of a report: what stands in its rows beside names of actions, its notes, warnings and hints. */
function sentencesOf(report: string): string[] {
  const said = /^\S+ (?:❌|⚠️|✅) .*?(?: - |ERROR: )(.*)$|^ +- (.*)$|^(?:note|warning|hint): (.*)$|^((?:continue|Send|Was|Paste) .*)$/;
  return report.split("\n").flatMap((line) => said.exec(line)?.slice(1).filter((part) => part !== undefined) ?? []);
}

/** Returns the words for Loaf's actions and parameters, and of NESL, that an answer does not have itself. */
async function strangeWords(text: string, files: Readonly<Record<string, string>>): Promise<{ readonly strange: readonly string[]; readonly report: string; readonly count: number }> {
  const loaf = await Loaf.create({ repoPath: createFolder(files), config: { relative_paths: true, edits: { match: "tolerant" } }, gitCommit: false });
  const report = fullReport(await loaf.execute(text), loaf);
  const rows = [...report.matchAll(/^\S+ (?:❌|⚠️|✅) (\S+)/gm)].map(([, word = ""]) => word);
  const sentences = sentencesOf(report);
  const strange = [...rows, ...sentences].flatMap((said) => said.match(NAMES) ?? []).filter((word) => !text.includes(word));
  return { strange, report, count: sentences.length };
}

test("a report on an answer in another syntax names no action of Loaf's, and not NESL", async () => {
  let spoken = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(damaged(foreign), { minLength: 1, maxLength: 3 }), async (parts) => {
      const { strange, report, count } = await strangeWords(["I do it.", ...parts, ""].join("\n\n"), FILES);
      expect(strange, report).toEqual([]);
      spoken += count;
    }),
    freeTries(150, 5_000),
  );
  expect(spoken).toBeGreaterThan(300);
});

test.skipIf(shared === undefined)("nor does one on a call of today's tools, whole or damaged (skipped where LOAF_SHARED is not set)", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...today).chain(({ answer: text, files }) => fc.record({ files: fc.constant(files), text: damaged(fc.constant(text)) })), async ({ files, text }) => {
      const { strange, report } = await strangeWords(text, files);
      expect(strange, `${text}\n${report}`).toEqual([]);
    }),
    freeTries(300, 10_000),
  );
});

const LONG = { old: "one thing", now: "another thing of some length" };
const REPEATED = {
  "SEARCH/REPLACE": `a.txt\n<<<<<<< SEARCH\n${LONG.old}\n=======\n${LONG.now}\n>>>>>>> REPLACE\n`,
  "a diff": `\`\`\`diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-${LONG.old}\n+${LONG.now}\n\`\`\`\n`,
  "a call": `${JSON.stringify({ name: "Edit", input: { file_path: "a.txt", old_string: LONG.old, new_string: LONG.now } })}\n`,
  "a list in a call": `<invoke name="MultiEdit">\n<parameter name="file_path">a.txt</parameter>\n<parameter name="edits">${JSON.stringify([{ old_string: LONG.old, new_string: LONG.now }])}</parameter>\n</invoke>\n`,
};

describe.each(Object.entries(REPEATED))("nor does one on %s that the answer gives twice", (_, edit) => {
  test.each([
    ["as it was", edit, "hint: block e1 of this answer is the same edit: do not send it again"],
    ["with another old text", edit.replace(LONG.old, "nothing"), "hint: already applied? "],
  ])("%s", async (_how, again, hint) => {
    const { strange, report } = await strangeWords(`${edit}\nTo recap:\n\n${again}`, { "a.txt": `${LONG.old}\n` });
    expect(strange, report).toEqual([]);
    expect(report).toContain(hint);
  });
});
