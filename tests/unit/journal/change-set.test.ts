import { expect, test } from "vitest";
import { isSame, type Put, type State } from "../../../src/core/change-set.ts";
import { compose } from "../../../src/journal/change-set.ts";
import type { DonePut } from "../../../src/journal/change-set.ts";

/** A file that holds a word, which stands for its digest as well. */
const file = (word: string, mode = 0o644) => ({ kind: "file", size: word.length, sha256: word, mode }) as const;
const directory = { kind: "directory", mode: 0o755, uid: 0, gid: 0, identity: "1:1" } as const;
const put = (path: string, before: State | null, after: State | null, more: Partial<DonePut> = {}): DonePut => ({ type: "put", authors: [1], path, before, after, ...more });
const write = (path: string, before: string | null, after: string, mode = 0o644) => [put(path, before === null ? null : file(before), file(after, mode))];
const unlink = (path: string, before: string) => [put(path, file(before), null)];
const move = (from: string, to: string, moved: State, before: State | null = null) => [put(to, before, moved, { from, isRename: true }), put(from, moved, null)];
const make = (path: string) => [put(path, null, directory)];
const removeDirectory = (path: string) => [put(path, directory, null)];

/** `+ /a: x` made, `- /a: x` gone, `/a: x > y` changed, `/a => /b: x` moved. */
const told = (...puts: DonePut[][]) => compose(puts.flat()).map(line);
function line({ path, from, before, after }: Put): string {
  const word = (standing: Put["after"]) => (standing?.kind === "file" ? standing.sha256 : (standing?.kind ?? ""));
  const words = before === null ? word(after) : after === null || word(before) === word(after) ? word(before) : `${word(before)} > ${word(after)}`;
  return `${before === null ? "+ " : after === null ? "- " : ""}${from === undefined ? "" : `${from} => `}${path}: ${words}`;
}

test("a file that was made, changed, deleted", () => {
  expect(told(write("/b", null, "new"), write("/a", "old", "new"), unlink("/c", "old"))).toEqual(["/a: old > new", "+ /b: new", "- /c: old"]);
});

test("several writes of one file are one change, and writing it back is none", () => {
  expect(told(write("/a", "old", "x"), write("/a", "x", "new"))).toEqual(["/a: old > new"]);
  expect(told(write("/a", "old", "x"), write("/a", "x", "old", 0o644))).toEqual([]);
});

test("a mode is a change too", () => {
  expect(told(write("/a", "old", "old", 0o755))).toEqual(["/a: old"]);
});

test("what is made and removed again is no change", () => {
  expect(told(make("/d"), write("/d/a", null, "x"), unlink("/d/a", "x"), removeDirectory("/d"))).toEqual([]);
});

test("a file deleted and made again was changed", () => {
  expect(told(unlink("/a", "old"), write("/a", null, "new"))).toEqual(["/a: old > new"]);
});

test("a file that was moved, and changed before or after", () => {
  expect(told(move("/a", "/b", file("old")))).toEqual(["/a => /b: old"]);
  expect(told(move("/a", "/b", file("old")), write("/b", "old", "new"))).toEqual(["/a => /b: old > new"]);
  expect(told(write("/a", "old", "new"), move("/a", "/b", file("new")))).toEqual(["/a => /b: old > new"]);
  expect(told(move("/a", "/b", file("old")), move("/b", "/c", file("old")))).toEqual(["/a => /c: old"]);
  expect(told(move("/a", "/b", file("old")), move("/b", "/a", file("old")))).toEqual([]);
});

test("a file made and moved is a new one where it is", () => {
  expect(told(write("/a", null, "new"), move("/a", "/b", file("new")))).toEqual(["+ /b: new"]);
});

test("a file moved over another one: that was changed, and the first is gone", () => {
  expect(told(move("/a", "/b", file("one"), file("two")))).toEqual(["- /a: one", "/b: two > one"]);
});

test("a file moved away, and another one made in its place", () => {
  expect(told(move("/a", "/b", file("old")), write("/a", null, "new"))).toEqual(["+ /a: new", "/a => /b: old"]);
});

test("two files that changed places", () => {
  expect(told(move("/a", "/t", file("one")), move("/b", "/a", file("two")), move("/t", "/b", file("one")))).toEqual(["/a: one > two", "/b: two > one"]);
});

const moveDirectory = (from: string, to: string) => [put(to, null, directory, { from }), put(from, directory, null)];

test("of a directory that was moved, only what else was changed in it is told", () => {
  const entry = (name: string) => move(`/d/${name}`, `/e/${name}`, file(name));
  expect(told(moveDirectory("/d", "/e"), entry("a"))).toEqual(["/d => /e: directory"]);
  expect(told(moveDirectory("/d", "/e"), move("/d/a", "/e/a", file("old")), write("/e/a", "old", "new"))).toEqual(["/d => /e: directory", "/d/a => /e/a: old > new"]);
  expect(told(unlink("/d/b", "b"), moveDirectory("/d", "/e"), entry("a"))).toEqual(["- /d/b: b", "/d => /e: directory"]);
  expect(told(moveDirectory("/d", "/e"), moveDirectory("/d/s", "/e/s"), move("/d/s/a", "/e/s/b", file("a")))).toEqual(["/d => /e: directory", "/d/s/a => /e/s/b: a"]);
});

test("a link in a file's place", () => {
  expect(told([put("/a", file("old"), { kind: "link", target: "b" })])).toEqual(["/a: old > link"]);
});

test("an unknown mode is like any", () => {
  const { mode: _, ...unknown } = file("a");
  expect([isSame(unknown, file("a")), isSame(file("a"), unknown), isSame(file("a", 0o600), file("a"))]).toEqual([true, true, false]);
});
