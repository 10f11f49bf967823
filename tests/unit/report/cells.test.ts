import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cellsOf, cutPath, cutToCells, wrapText, wrapToCells } from "../../../src/report/cells.ts";

test.each([
  ["plain", 5],
  ["日本", 4],
  ["ｆｕｌｌ", 8],
  ["한글", 4],
  ["e\u0301", 1],
  ["🎉", 2],
  ["👨‍👩‍👧", 2],
  ["👍🏽", 2],
  ["🇩🇪", 2],
  ["⚠️", 2],
  ["✅ ok", 5],
  ["→ … −", 5],
])("%s takes %d cells", (text, cells) => {
  expect(cellsOf(text)).toBe(cells);
});

describe("a path that is too long", () => {
  const path = "src/components/checkout/summary/index.test.ts";
  test.each([
    [45, path],
    [40, "src/…/checkout/summary/index.test.ts"],
    [30, "src/…/summary/index.test.ts"],
    [20, "src/…/index.test.ts"],
    [16, "…/index.test.ts"],
    [10, "index.tes…"],
  ])("in %d cells", (most, short) => {
    expect(cutPath(path, most)).toBe(short);
  });
});

test("cutting and wrapping never exceed the cells, and wrapping loses nothing but spaces", () => {
  const text = fc.stringMatching(/^[a-z 日本🎉é/]{0,60}$/u);
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 30 }), (line, most) => {
      expect(cellsOf(cutToCells(line, most))).toBeLessThanOrEqual(most);
      expect(cellsOf(cutPath(line, most))).toBeLessThanOrEqual(most);
      const wrapped = wrapToCells(line, most);
      expect(Math.max(...wrapped.map(cellsOf))).toBeLessThanOrEqual(most);
      expect(wrapped.join("").replaceAll(" ", "")).toBe(line.replaceAll(" ", ""));
    }),
  );
});

describe("sentences that are wider than the terminal", () => {
  test.each([
    ["break between words", "one two three", "one two\nthree"],
    ["keep lines that fit", "one two\nthree", "one two\nthree"],
    ["keep an indentation", "  one two three", "  one two\n  three"],
    ["stay right of a number", "1. one two three", "1. one two\n   three"],
    ["stay in the last column", "  q  one two three", "  q  one\n     two\n     three"],
    ["leave a column in which a word has no room", "name  abcdefgh", "name\n  abcdefgh"],
    ["count no cells for colours", "\u001b[1mone\u001b[22m two three", "\u001b[1mone\u001b[22m two\nthree"],
  ])("%s", (_, text, wrapped) => {
    expect(wrapText(text, 10)).toBe(wrapped);
  });

  test("lose nothing but spaces, and never exceed the width", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z 日🎉.1\n]{0,80}$/u), fc.integer({ min: 8, max: 40 }), (text, width) => {
        const wrapped = wrapText(text, width);
        expect(Math.max(...wrapped.split("\n").map(cellsOf))).toBeLessThanOrEqual(width);
        expect(wrapped.replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
      }),
    );
  });
});
