/** Texts in other tools' formats that were read wrongly, or took seconds. */
import { expect, test } from "vitest";
import { isBlock } from "../../../src/core/block.ts";
import { readPatch } from "../../../src/syntaxes/patch/read.ts";
import { readSearchReplace } from "../../../src/syntaxes/search-replace/read.ts";
import { Source } from "../../../src/syntaxes/source.ts";
import { readUnifiedDiff } from "../../../src/syntaxes/unified-diff/read.ts";
import { readWholeFiles } from "../../../src/syntaxes/whole-file/read.ts";

type Read = typeof readPatch;

const properties = (read: Read, text: string): unknown[] => read(new Source(text)).items.map((item) => (isBlock(item) ? { ...item.properties } : item.code));
const codes = (read: Read, text: string): string[] => read(new Source(text)).items.flatMap((item) => (isBlock(item) ? item.diagnostics.map(({ code }) => code) : [item.code]));

test("a patch of which only the markers are indented is refused: nobody can tell what its lines begin with", () => {
  const text = " *** Begin Patch\n *** Update File: a.py\n@@\n   a = 1\n+  b = 2\n *** End Patch\n";
  expect(properties(readPatch, text)).toEqual([{}, {}, {}, {}]);
  expect(codes(readPatch, text)).toContain("MISPLACED_MARKER");
});

test("a patch that is indented as a whole is read without the indentation", () => {
  const text = "  *** Begin Patch\n  *** Update File: a.py\n  @@\n     a = 1\n  +  b = 2\n\n  *** End Patch\n";
  expect(properties(readPatch, text)).toMatchObject([{ old_lines: "  a = 1\n", new_lines: "  a = 1\n  b = 2\n" }]);
});

test("only the fence of a diff is indented: its lines keep their own indentation", () => {
  const text = " ```diff\n--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n   c = 1\n+  d = 3\n ```\n";
  expect(properties(readUnifiedDiff, text)).toMatchObject([{ old_lines: "  c = 1\n", new_lines: "  c = 1\n  d = 3\n" }]);
});

test("a note behind a name is part of it unless it tells two versions of one file apart", () => {
  const diff = (old: string, next: string): string => `--- a/${old}\n+++ b/${next}\n@@ -1 +1 @@\n-one\n+two\n`;
  expect(properties(readUnifiedDiff, diff("notes (old)", "notes (old)"))).toMatchObject([{ path: "notes (old)" }]);
  expect(properties(readUnifiedDiff, diff("notes (old)", "notes (new)"))).toMatchObject([{ path: "notes" }]);
});

test("the marks of CDATA come off where both are there, on whatever line, and one alone is refused", () => {
  for (const [open, close] of [["<![CDATA[", "]]></file>"], ["<![CDATA[", "]]>\n</file>"], ["\n<![CDATA[", "]]></file>"], ["\n<![CDATA[", "]]>\n</file>"]] as const)
    expect(properties(readWholeFiles, `<file path="a.txt">${open}\none\n${close}\n`)).toMatchObject([{ content: "one\n" }]);
  const inner = "<![CDATA[\none\n]]>\n";
  expect(properties(readWholeFiles, `<file path="a.txt"><![CDATA[\n${inner}]]></file>\n`)).toMatchObject([{ content: inner }]);
  expect(codes(readWholeFiles, '<file path="a.txt">\none\n]]></file>\n')).toEqual(["MISPLACED_MARKER"]);
  expect(codes(readWholeFiles, '<file path="a.txt"><![CDATA[\none\n</file>\n')).toEqual(["MISPLACED_MARKER"]);
});

test.each<[string, Read, string, number]>([
  ["a line of spaces above SEARCH", readSearchReplace, `${" ".repeat(50_000)}x\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n`, 1],
  ["blank lines in a fence", readWholeFiles, `### \`a.txt\`\n\n\`\`\`\n${"\n".repeat(50_000)}\`\`\`\n`, 1],
  ["spaces behind a tag", readWholeFiles, `<file path="a.txt">${" ".repeat(100_000)}x\n`, 0],
  ["fences with a path in a comment", readWholeFiles, "```js\n// a/b.js\nf();\n```\n".repeat(40_000), 40_000],
])("%s take linear time", { timeout: 20_000 }, (_, read, text, count) => {
  expect(read(new Source(text)).items).toHaveLength(count);
});

test("each labelled fence of a diff has its own path, and a hunk's head outside of them is text", () => {
  const fence = (path: string): string => `${path}\n\`\`\`diff\n@@\n-one\n+two\n\`\`\`\n`;
  expect(properties(readUnifiedDiff, `${fence("a.py")}\n${fence("b.py")}\n@@ is the head of a hunk.\n`)).toMatchObject([{ path: "a.py" }, { path: "b.py" }]);
});

test("a renaming of a patch spans the last line of its section", () => {
  const text = "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@\n-one\n+two\n*** End Patch\n";
  expect(readPatch(new Source(text)).items.filter(isBlock).map(({ span }) => text.slice(span.start, span.end).trimEnd())).toEqual([expect.stringMatching(/^@@|^-one/), "+two"]);
});

test("a whole file may stand directly below another", () => {
  const fence = "```\n";
  const text = `a.txt\n${fence}one\n${fence}b.txt\n${fence}two\n${fence}`;
  expect(properties(readWholeFiles, text)).toMatchObject([{ path: "a.txt" }, { path: "b.txt" }]);
});

test("the last line in a fence that is never closed is no heading", () => {
  const text = "a.md\n```\none\n# Deleted file: `b.txt`";
  expect(properties(readWholeFiles, text)).toEqual([{ path: "a.md" }]);
});
