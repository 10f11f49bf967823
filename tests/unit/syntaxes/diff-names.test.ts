/** The names in the head of a unified diff. */
import { expect, test } from "vitest";
import { isBlock } from "../../../src/core/block.ts";
import { read } from "../../../src/syntaxes/index.ts";

test.each([
  ["a/notes (old)", "b/notes (old)", "notes (old)"],
  ["notes (new)", "notes (new)", "notes (new)"],
  ["notes.orig", "notes.orig", "notes.orig"],
  ["a/notes (old)", "b/notes (new)", "notes"],
  ["notes (old)", "notes", "notes"],
  ["notes.orig (original)", "notes (updated)", "notes"],
  ["a/notes (old)\t2024-01-01 00:00:00", "b/notes (old)\t2024-01-02 00:00:00", "notes (old)"],
])("%s and %s name %s", (oldName, newName, path) => {
  const { items } = read(`--- ${oldName}\n+++ ${newName}\n@@ -1 +1 @@\n-one\n+two\n`, { format: "unified-diff" });
  expect(items.filter(isBlock).map(({ block }) => block.properties["path"])).toEqual([path]);
});
