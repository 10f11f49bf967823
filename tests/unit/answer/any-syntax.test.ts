/** A change that a model may write in any tool's format leaves the same tree in each, and undo brings the old one back. */
import { structuredPatch } from "diff";
import fc from "fast-check";
import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Loaf } from "../../../src/index.ts";
import { createFolder } from "../../support/folder.ts";
import { snapshot } from "../../support/sandbox.ts";

type Tree = Readonly<Record<string, string>>;

/** Lines of a file before and after, with one unchanged line around each change where there is one. */
interface Hunk {
  readonly path: string;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  readonly lines: readonly string[];
  readonly head: string;
}

function hunksOf(before: Tree, after: Tree): Hunk[] {
  return Object.keys(after).flatMap((path) => {
    const old = before[path];
    if (old === undefined || old === after[path]) return [];
    const { hunks } = structuredPatch(path, path, plain(old), plain(after[path] as string), undefined, undefined, { context: 1 });
    return hunks.map(({ lines, oldStart, oldLines, newStart, newLines }) => {
      const of = (signs: string) => lines.filter((line) => signs.includes(line.charAt(0))).map((line) => line.slice(1));
      return { path, lines, oldLines: of(" -"), newLines: of(" +"), head: `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@` };
    });
  });
}

const plain = (text: string): string => text.replaceAll("\r\n", "\n");
const linesOf = (text: string): string => plain(text).replace(/\n$/, "");
const added = (before: Tree, after: Tree): Array<readonly [string, string]> => Object.entries(after).filter(([path]) => before[path] === undefined);
const block = (...lines: readonly string[]): string => lines.join("\n");

/** Writes a change in a format; files are only edited and created. */
const formats: Readonly<Record<string, (before: Tree, after: Tree) => string>> = {
  "search-replace": (before, after) =>
    block(
      ...hunksOf(before, after).map(({ path, oldLines, newLines }) => block("", path, "```", "<<<<<<< SEARCH", ...oldLines, "=======", ...newLines, ">>>>>>> REPLACE", "```")),
      ...added(before, after).map(([path, text]) => block("", `**${path}**`, "", "<<<<<<< SEARCH", "=======", linesOf(text), ">>>>>>> REPLACE")),
    ),
  patch: (before, after) =>
    block(
      "*** Begin Patch",
      ...hunksOf(before, after).map(({ path, lines }) => block(`*** Update File: ${path}`, "@@", ...lines.filter((line) => !line.startsWith("\\")))),
      ...added(before, after).map(([path, text]) => block(`*** Add File: ${path}`, ...linesOf(text).split("\n").map((line) => `+${line}`))),
      "*** End Patch",
    ),
  "unified-diff": (before, after) =>
    block(
      "```diff",
      ...hunksOf(before, after).map(({ path, head, lines }) => block(`--- a/${path}`, `+++ b/${path}`, head, ...lines)),
      ...added(before, after).map(([path, text]) => block("--- /dev/null", `+++ b/${path}`, "@@ -0,0 +1 @@", ...linesOf(text).split("\n").map((line) => `+${line}`))),
      "```",
    ),
  "tool-calls": (before, after) =>
    block(
      ...hunksOf(before, after).map(({ path, oldLines, newLines }) => JSON.stringify({ type: "tool_use", name: "Edit", input: { file_path: path, old_string: oldLines.join("\n"), new_string: newLines.join("\n") } })),
      ...added(before, after).map(([path, text]) => `<tool_call>\n${JSON.stringify({ name: "Write", arguments: { file_path: path, content: text } })}\n</tool_call>`),
    ),
  "whole-file": (before, after) =>
    block(...Object.entries(after).filter(([path, text]) => before[path] !== text).map(([path, text]) => block("", `### \`${path}\``, "", "~~~~", linesOf(text), "~~~~"))),
};

/** A file of ten lines, each of which it has once, and up to three changes of up to two lines. */
const changedFile = fc
  .record({
    path: fc.constantFrom("a.txt", "src/b.ts", "src/deep/c d.py"),
    words: fc.shuffledSubarray(["one", "  two", "three()", "\tfour {", "}", "'fünf 😀'", "six \\n", "7 =", "<eight>", "nine\\", "+ten", "-11", "@@twelve", "# 13"], { minLength: 10, maxLength: 10 }),
    steps: fc.array(fc.record({ at: fc.nat(9), removed: fc.nat(1), added: fc.array(fc.constantFrom("new", "    newer(); // x", "-- minus", "++ plus", ""), { maxLength: 2 }) }), { maxLength: 3 }),
    ending: fc.constantFrom("\n", "\r\n"),
    isOpen: fc.boolean(),
  })
  .map(({ path, words, steps, ending, isOpen }) => {
    const lines = [...words];
    for (const { at, removed, added: more } of steps) lines.splice(Math.min(at, lines.length), removed, ...more);
    const text = (all: readonly string[]): string => all.join(ending) + (isOpen ? "" : ending);
    return { path, before: text(words), after: text(lines), last: lines.at(-1) };
  })
  // The absence of a final newline is kept, and so cannot be told from an empty last line.
  .filter(({ last }) => last !== "");

const change = fc
  .record({ files: fc.uniqueArray(changedFile, { minLength: 1, maxLength: 2, selector: ({ path }) => path }), created: fc.option(fc.constantFrom("new\n", "new/é.md\nsecond line\n")) })
  .map(({ files, created }) => {
    const before = Object.fromEntries(files.map(({ path, before: text }) => [path, text]));
    const after = { ...Object.fromEntries(files.map(({ path, after: text }) => [path, text])), ...(created !== null && { "docs/new.md": created }) };
    return { before, after };
  })
  .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));

/** Whether files only lose lines at their start or end, which a whole file cannot say: it looks like an excerpt. */
function isExcerpt(before: Tree, after: Tree): boolean {
  const significant = (text: string): string => `\n${text.split(/\r?\n/).filter((line) => line.trim() !== "").join("\n")}\n`;
  return Object.entries(after).some(([path, text]) => {
    const [old, own] = [significant(before[path] ?? ""), significant(text)];
    return old !== own && old.includes(own);
  });
}

describe("a random change of a random tree, written by a model", () => {
  test.each(Object.entries(formats))("in %s", async (format, write) => {
    await fc.assert(
      fc.asyncProperty(change, async ({ before, after }) => {
        fc.pre(format !== "whole-file" || !isExcerpt(before, after));
        const [root, wanted] = [createFolder(before), createFolder(after)];
        try {
          const old = snapshot(root);
          const answer = `I change this.\n\n${write(before, after)}\n\nDone.\n`;
          const loaf = await Loaf.create({ repoPath: root, config: { edits: { match: "tolerant" }, syntaxes: [format] } });
          const { results, parseErrors, findings = [] } = await loaf.execute(answer);
          expect({ parseErrors, findings, failed: results.filter(({ success }) => !success).map(({ error, hint }) => [error, hint]), answer }).toEqual({ parseErrors: [], findings: [], failed: [], answer });
          expect(snapshot(root)).toEqual(snapshot(wanted));
          await loaf.undo();
          expect(snapshot(root)).toEqual(old);
        } finally {
          rmSync(root, { recursive: true });
          rmSync(wanted, { recursive: true });
        }
      }),
      { numRuns: 60, interruptAfterTimeLimit: 8_000 },
    );
  });
});
