import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { pruneShownFiles, shownFile, ShownFiles } from "../../../src/context/shown-files.ts";
import { linesChangedSince } from "../../../src/edit/changed-lines.ts";
import { projectStateFolder } from "../../../src/state/places.ts";
import { createFolder } from "../../support/folder.ts";

/** Says whether a version is still kept, by comparing another text with it. */
function isKept(root: string, path: string, text: string): boolean {
  const { base } = shownFile(path, text);
  return new ShownFiles(root).changesSince(path, { base }, () => shownFile(path, "now\n"))?.includes("has changed since it was shown") === true;
}

const keptIn = (root: string): string[] => readdirSync(join(projectStateFolder(root), "shown"));
const show = (root: string, path: string, text: string): void => new ShownFiles(root).remember([shownFile(path, text)]);

test("the oldest of many versions are dropped with their texts, and one shown again is not the oldest", () => {
  const root = createFolder({});
  const text = (version: number): string => `version ${version}\n`;
  new ShownFiles(root).remember(Array.from({ length: 500 }, (_, version) => shownFile("a.txt", text(version))));
  show(root, "a.txt", text(0));
  show(root, "b.txt", text(500));
  expect([0, 1, 2, 499].map((version) => isKept(root, "a.txt", text(version)))).toEqual([true, false, true, true]);
  expect(keptIn(root)).toHaveLength(500);
});

test("the texts of a project stay within 16 million characters, and none has more than a million", () => {
  const root = createFolder({});
  const large = (version: number): string => `${version}\n`.padEnd(900_000, "x");
  for (let version = 0; version < 20; version++) show(root, "a.txt", large(version));
  show(root, "b.txt", "x".repeat(1_000_001));
  const bytes = keptIn(root).reduce((sum, name) => sum + statSync(join(projectStateFolder(root), "shown", name)).size, 0);
  expect([keptIn(root).length, bytes]).toEqual([17, 17 * 900_000]);
  expect([2, 3].map((version) => isKept(root, "a.txt", large(version)))).toEqual([false, true]);
});

test("equal texts of several files are stored once", () => {
  const root = createFolder({});
  new ShownFiles(root).remember(["a.txt", "b.txt"].map((path) => shownFile(path, "same\n")));
  expect(keptIn(root)).toHaveLength(1);
  expect(["a.txt", "b.txt"].map((path) => isKept(root, path, "same\n"))).toEqual([true, true]);
});

test("what was last shown longer ago than the history goes back is deleted, with its text", () => {
  const root = createFolder({});
  vi.useFakeTimers({ now: new Date("2026-01-01") });
  show(root, "old.txt", "old\n");
  show(root, "again.txt", "again\n");
  vi.setSystemTime(new Date("2026-02-01"));
  show(root, "again.txt", "again\n");
  pruneShownFiles(root, 30);
  vi.useRealTimers();
  expect([isKept(root, "old.txt", "old\n"), isKept(root, "again.txt", "again\n")]).toEqual([false, true]);
  expect(keptIn(root)).toHaveLength(1);
  pruneShownFiles(createFolder({}), 30);
});

test.each([
  ["a\nb\nc\n", "a\nX\nc\n", "2"],
  ["a\nb\nc\n", "0\na\nb\nc\nd\n", "1, 5"],
  ["a\nb\nc\n", "a\nc\n", "2"],
  ["a\nb\nc\n", "a\nb\n", "2"],
  ["a\n", "", "1"],
  ["", "a\nb\n", "1-2"],
  ["a\r\nb\r\n", "a\r\nB\r\n", "2"],
  ["ä\nö\nü", "ä\nö\nÜ", "3"],
])("of %j and %j, the changed lines are %s", (before, after, lines) => expect(linesChangedSince(before, after)).toBe(lines));

test("of more than twelve changed places, the rest is counted", () => {
  const text = (mark: string): string => Array.from({ length: 40 }, (_, line) => (line % 2 === 0 ? `${mark}${line}` : `${line}`)).join("\n");
  expect(linesChangedSince(text("a"), text("b"))).toMatch(/^1, 3, .*, 23 and 8 more places$/);
});

test("lines outside the named ones are those of the earlier text, in its order", () => {
  const line = fc.constantFrom("a", "b", "c", "");
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.array(line, { maxLength: 12 }), (before, after) => {
      const named = linesChangedSince(before.map((one) => `${one}\n`).join(""), after.map((one) => `${one}\n`).join(""));
      const changed = named.split(", ").filter((range) => range !== "").map((range) => range.split("-").map(Number));
      const unchanged = after.filter((_, index) => !changed.some(([first = 0, last = first]) => index + 1 >= first && index + 1 <= last));
      let from = 0;
      for (const one of unchanged) {
        from = before.indexOf(one, from) + 1;
        expect(from).toBeGreaterThan(0);
      }
      if (named === "") expect(after).toEqual(before);
    }),
  );
});
