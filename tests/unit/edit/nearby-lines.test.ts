import { expect, test } from "vitest";
import { lineStartAway } from "../../../src/edit/hints/closest.ts";

test.each([
  [0, 4],
  [1, 6],
  [-1, 2],
  [-2, 0],
  [-3, undefined],
  [2, undefined],
])("the line at a distance of %i", (distance, start) => {
  expect(lineStartAway(Buffer.from("a\nb\nc\nd\n"), 5, distance)).toBe(start);
});
