import { expect, test } from "vitest";
import { closest } from "../../../src/config/closest.ts";

const keys = ["version", "allowed-actions", "relative_paths", "fs-guard", "read"];

test.each([
  ["alowed-actions", "allowed-actions"],
  ["relative-paths", "relative_paths"],
  ["RelativePaths", "relative_paths"],
  ["fs_guard", "fs-guard"],
  ["raed", "read"],
])("%s probably means %s", (word, meant) => {
  expect(closest(word, keys)).toBe(meant);
});

test.each([["colour"], [""], ["x".repeat(10_000)]])("%s is similar to none", (word) => {
  expect(closest(word, keys)).toBeUndefined();
});
