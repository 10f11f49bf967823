import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "../../../src/syntax/nesl.ts";
import { opensBlock } from "../../../src/syntax/opens-block.ts";
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

test("without a line that opens one there is no block, and nothing to complain of", () => {
  fc.assert(
    fc.property(nearNesl, (text) => {
      const harmless = text.split("\n").filter((line) => !opensBlock(line)).join("\n");
      expect(parse(harmless)).toEqual({ blocks: [], errors: [] });
    }),
    runs,
  );
});
