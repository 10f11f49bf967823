/** The names in the head of a unified diff. */
import { expect, test } from "vitest";
import { isBlock } from "../../../src/core/block.ts";
import { parse, read } from "../../../src/answer/read-answer.ts";

test.each([
  ["a/notes (old)", "b/notes (old)", "notes (old)"],
  ["notes (new)", "notes (new)", "notes (new)"],
  ["notes.orig", "notes.orig", "notes.orig"],
  ["a/notes (old)", "b/notes (new)", "notes"],
  ["notes (old)", "notes", "notes"],
  ["notes.orig (original)", "notes (updated)", "notes"],
  // Git quotes names with bytes beyond ASCII, and escapes them.
  ['"a/\\303\\251t\\303\\251.txt"', '"b/\\303\\251t\\303\\251.txt"', "été.txt"],
  ['"a/one\\ttwo \\"x\\" \\\\"', '"b/one\\ttwo \\"x\\" \\\\"', 'one\ttwo "x" \\'],
  ['"\\a\\b\\f\\v\\r\\n"', '"\\a\\b\\f\\v\\r\\n"', "\u0007\b\f\v\r\n"],
  ['"', '"', '"'],
  ["notes.old", "notes", "notes"],
  ["notes.bak", "notes", "notes"],
  ['"notes', '"notes', '"notes'],
  ['notes"', 'notes"', 'notes"'],
  // Other prefixes of git: index, work tree, commit, object.
  ["i/notes", "w/notes", "notes"],
  ["c/notes", "w/notes", "notes"],
  ["c/notes", "i/notes", "notes"],
  ["o/notes", "w/notes", "notes"],
  ["w/notes", "i/notes", "notes"],
  ["a/notes", "o/notes", "notes"],
  // A folder of that name is in both.
  ["a/notes", "a/notes", "a/notes"],
  ["x/notes", "x/notes", "x/notes"],
  ["notes", "notes", "notes"],
  ["a/notes (old)\t2024-01-01 00:00:00", "b/notes (old)\t2024-01-02 00:00:00", "notes (old)"],
])("%s and %s name %s", (oldName, newName, path) => {
  const { items } = read(`--- ${oldName}\n+++ ${newName}\n@@ -1 +1 @@\n-one\n+two\n`, { format: "unified-diff" });
  expect(items.filter(isBlock).map(({ properties }) => properties["path"])).toEqual([path]);
});

test.each([
  ["a/notes", "x/notes"],
  ["x/notes", "b/notes"],
  ["notes", "b/notes"],
  ["a/notes", "notes"],
])("%s and %s are two files", (oldName, newName) => {
  const { items } = read(`--- ${oldName}\n+++ ${newName}\n@@ -1 +1 @@\n-one\n+two\n`, { format: "unified-diff" });
  expect(items.filter(isBlock).flatMap(({ diagnostics }) => diagnostics.map(({ message }) => message))).toEqual([
    `The diff names two files, '${oldName}' and '${newName}', without a rename from and a rename to`,
  ]);
});

test("a file is renamed from and to names in git's quotes", () => {
  const diff = 'diff --git "a/\\303\\251.txt" "b/\\303\\252.txt"\nsimilarity index 100%\nrename from "\\303\\251.txt"\nrename to "\\303\\252.txt"\n';
  expect(read(diff, { format: "unified-diff" }).items.filter(isBlock).map(({ properties }) => ({ ...properties }))).toEqual([
    { action: "file_move", old_path: "é.txt", new_path: "ê.txt" },
  ]);
});

test.each([
  ["a/notes b/notes", "notes"],
  ["a/my notes b/my notes", "my notes"],
  ['"a/\\303\\251 x" "b/\\303\\251 x"', "é x"],
])("an empty file is created and deleted by the names in git's line: %s", (names, path) => {
  const actionsIn = (mode: string): unknown[] => read(`diff --git ${names}\n${mode} file mode 100644\n`, { format: "unified-diff" }).items.filter(isBlock).map(({ properties }) => ({ ...properties }));
  expect(actionsIn("new")).toEqual([{ action: "file_create", path, content: "" }]);
  expect(actionsIn("deleted")).toEqual([{ action: "file_delete", path }]);
});

test("a date in the name of a renamed file is part of it", () => {
  const diff = "diff --git a/notes 2024-01-02 log.md b/notes 2024-01-03 log.md\nsimilarity index 100%\nrename from notes 2024-01-02 log.md\nrename to notes 2024-01-03 log.md\n";
  expect(parse(diff).blocks.map(({ properties }) => [properties["old_path"], properties["new_path"]])).toEqual([["notes 2024-01-02 log.md", "notes 2024-01-03 log.md"]]);
});
