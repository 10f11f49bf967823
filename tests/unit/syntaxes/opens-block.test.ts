import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "../../../src/answer/read-answer.ts";
import { opensBlock } from "../../../src/syntaxes/index.ts";
import { nearCsl, nearReplacer } from "./near-csl.ts";
import { nearNesl, runs } from "./near-nesl.ts";

test.each([
  "#!nesl [@three-char-SHA-256: k7m]",
  "#!SHAM [@three-char-SHA-256: k7m]",
  "  #!nesl [@three-char-SHA-256: k7m]",
  "\uFEFF#!nesl [@three-char-SHA-256: k7m]",
  "#!nesl oops",
  "#!nesl [@x: toolongid]",
  '<---WRITE file="p"--->',
  "<---RUN--->",
  "<---SEARCH",
  "<---TASKS--->",
  "  <---TASKS--->",
  "<<<FILE>>>",
])("%s opens a block, or claims to", (line) => {
  expect(opensBlock(line)).toBe(true);
});

test.each(["", "#!nesl", "#!nesl ", "#!NESL [@x: abc]", "say #!nesl [@x: abc]", "#!end_abc", "⁞ #!nesl [@x: abc]", "<---END--->", "<<<SEARCH>>>", "k = \"v\""])("%s does not", (line) => {
  expect(opensBlock(line)).toBe(false);
});

test("custom delimiters of CSL count in addition to the default ones", () => {
  const delimiters = { start: "[[", end: "]]" };
  expect(["[[WRITE]]", " [[TASKS", "<---RUN--->"].map((line) => opensBlock(line, delimiters))).toEqual([true, true, true]);
  expect(["[[END]]", "[[other]]"].map((line) => opensBlock(line, delimiters))).toEqual([false, false]);
  expect(opensBlock("[[WRITE]]")).toBe(false);
});

test("a text without such a line has no blocks and no errors", () => {
  fc.assert(
    fc.property(fc.oneof(nearNesl, nearCsl, nearReplacer), (text) => {
      const harmless = text.split(/\r?\n|\r/).filter((line) => !opensBlock(line)).join("\n");
      expect(parse(harmless)).toEqual({ blocks: [], errors: [] });
    }),
    runs,
  );
});
