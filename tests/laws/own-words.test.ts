/** Law of what a report says: it speaks of Loaf's actions and of NESL only where the answer does. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { fullReport, Loaf } from "../../src/index.ts";
import { actions } from "../../src/actions/index.ts";
import { createFolder } from "../support/folder.ts";
import { freeTries } from "../support/tries.ts";
import { answer, print } from "./random-answers.ts";

const FILES = { "a.txt": "one\ntwo\none\n", "b.txt": "three\n", "sub/a.txt": "one two\n", "bin.txt": "\0\0" };

/** An answer in one syntax other than NESL. */
const foreign = answer.map(print).filter((text) => !text.includes("#!nesl"));

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
const damaged = fc.tuple(foreign, damage, fc.nat()).map(([text, harm, at]) => {
  const lines = text.split("\n");
  return harm(lines, at % lines.length).join("\n");
});

const NAMES = new RegExp(String.raw`\bNESL\b|#!|\b(?:${actions.map(({ name }) => name).filter((name) => name.includes("_")).join("|")}|old_lines|new_lines)\b`);

/** Returns the sentences of a report: what stands in its rows beside names of actions, its notes, warnings and hints. */
function sentencesOf(report: string): string[] {
  const said = /^\S+ (?:❌|⚠️|✅) .*?(?: - |ERROR: )(.*)$|^ +- (.*)$|^(?:note|warning|hint): (.*)$|^((?:continue|Send|Was|Paste) .*)$/;
  return report.split("\n").flatMap((line) => said.exec(line)?.slice(1).filter((part) => part !== undefined) ?? []);
}

test("a report on an answer in another syntax names no action of Loaf's, and not NESL", async () => {
  let spoken = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(damaged, { minLength: 1, maxLength: 3 }), async (parts) => {
      const loaf = await Loaf.create({ repoPath: createFolder(FILES), config: { relative_paths: true, edits: { match: "tolerant" } }, gitCommit: false });
      const report = fullReport(await loaf.execute(["I do it.", ...parts, ""].join("\n\n")), loaf);
      const sentences = sentencesOf(report);
      expect(sentences.filter((sentence) => NAMES.test(sentence)), report).toEqual([]);
      spoken += sentences.length;
    }),
    freeTries(150, 5_000),
  );
  expect(spoken).toBeGreaterThan(300);
});
