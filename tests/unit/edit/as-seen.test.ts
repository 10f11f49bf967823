/** Files whose lines end with a lone CR, and texts that begin with a byte order mark. */
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { failureOf } from "../../../src/core/failure.ts";
import { spliceBytes, withoutMark } from "../../../src/edit/codec.ts";
import { replaceHunk } from "../../../src/edit/hunk.ts";
import { replaceAll, replaceOnce, replaceRange } from "../../../src/edit/replace.ts";
import type { Edit } from "../../../src/edit/splice.ts";
import { startWorkBudget } from "../../../src/edit/work-budget.ts";

// Most of the random edits miss, and the budget is the process's.
afterAll(startWorkBudget);

/** Returns the text that an edit leaves, or the code of its failure. */
function edited(text: string, edit: (bytes: Buffer) => Edit): string {
  try {
    const bytes = Buffer.from(text);
    return spliceBytes(bytes, edit(withoutMark(bytes)).splices, "/f").toString();
  } catch (thrown) {
    return failureOf(thrown).code;
  }
}

const hunk = (oldLines: string, newLines: string) => ({ oldLines, newLines, scopes: [], isAtEnd: false });

describe("lines that end with a lone CR", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "  c", "d ", ""), { minLength: 1, maxLength: 6 });
  const text = fc.tuple(lines, fc.boolean()).map(([lines, isOpen]) => lines.join("\n") + (isOpen ? "" : "\n"));
  const match = fc.constantFrom("exact" as const, "tolerant" as const);

  test("are edited like lines that end with LF", () => {
    const withCr = (one: string): string => one.replaceAll("\n", "\r");
    fc.assert(
      fc.property(text, text, text, text, match, (file, old, end, fresh, match) => {
        fc.pre(file.includes("\n"));
        for (const edit of [
          (bytes: Buffer) => replaceOnce(bytes, old, fresh, match),
          (bytes: Buffer) => replaceAll(bytes, old, fresh),
          (bytes: Buffer) => replaceRange(bytes, old, end, fresh, match),
          (bytes: Buffer) => replaceHunk(bytes, hunk(`${old}\n`, `${fresh}\n`), match),
        ])
          expect(edited(withCr(file), edit)).toBe(withCr(edited(file, edit)));
      }),
      { numRuns: 300 },
    );
  });

  test.each<[string, (bytes: Buffer) => Edit, string]>([
    ["a text with CR", (bytes) => replaceOnce(bytes, "a\rb", "x\ry"), "x\ry\rc\r"],
    ["a text with CR by one with LF", (bytes) => replaceOnce(bytes, "a\rb\r", "x\ny\n"), "x\ny\nc\r"],
    ["all CR by LF", (bytes) => replaceAll(bytes, "\r", "\n"), "a\nb\nc\n"],
  ])("are replaced as written: %s", (_, edit, expected) => {
    expect(edited("a\rb\rc\r", edit)).toBe(expected);
  });

  test("are content in a file that has LF too", () => {
    expect(edited("a\nb\rc\nd\n", (bytes) => replaceHunk(bytes, hunk("b\rc\n", "x\n"), "exact"))).toBe("a\nx\nd\n");
    expect(edited("a\nb\rc\nd\n", (bytes) => replaceOnce(bytes, "b\nc", "x"))).toBe("text/not-found");
  });
});

describe("a byte order mark before the text to find", () => {
  const mark = "\ufeff";
  const edits = (old: string, fresh: string): Array<(bytes: Buffer) => Edit> => [
    (bytes) => replaceOnce(bytes, old, fresh, "exact"),
    (bytes) => replaceOnce(bytes, old, fresh, "tolerant"),
    (bytes) => replaceAll(bytes, old, fresh, 1),
    (bytes) => replaceRange(bytes, old, "\nb", `${fresh}\nb`),
    (bytes) => replaceHunk(bytes, hunk(`${old}\n`, `${fresh}\n`), "exact"),
  ];

  test.each<[string, string, string]>([
    ["with the file's own", `${mark}a\nb\n`, `${mark}x\nb\n`],
    ["in a file without one", "a\nb\n", "x\nb\n"],
    ["below the start of the file", `${mark}0\na\nb\n`, `${mark}0\nx\nb\n`],
  ])("is not part of it: %s", (_, file, expected) => {
    for (const edit of [...edits(`${mark}a`, `${mark}x`), ...edits(`${mark}a`, "x")]) expect(edited(file, edit)).toBe(expected);
  });

  test("is a character where only the middle of the file has it", () => {
    for (const edit of edits(`${mark}a`, "x")) expect(edited(`${mark}0\n${mark}a\nb\n`, edit)).toBe(`${mark}0\nx\nb\n`);
  });

  test("is a character in the middle of a file without one, also where the file begins with the text", () => {
    for (const edit of edits(`${mark}a`, "x")) expect(edited(`a\n0\n${mark}a\nb\n`, edit)).toBe("a\n0\nx\nb\n");
  });

  test("does not tell two places apart", () => {
    expect(edited(`${mark}a\n0\n${mark}a\n`, (bytes) => replaceOnce(bytes, `${mark}a`, "x"))).toBe("text/ambiguous");
  });
});
