import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cellsOf, cutPath, cutToCells, wrapToCells } from "../../../src/report/cells.ts";

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
