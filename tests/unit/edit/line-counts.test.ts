import { spawnSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { countChangedLines } from "../../../src/edit/changed-lines.ts";
import { createFolder } from "../../support/folder.ts";

const count = (before: string | undefined, after: string | undefined) => countChangedLines([{ before: before === undefined ? undefined : Buffer.from(before), after: after === undefined ? undefined : Buffer.from(after) }]);

test.each([
  ["a new file", undefined, "a\nb\n", 2, 0],
  ["a deleted file", "a\nb", undefined, 0, 2],
  ["a changed line", "a\nb\nc\n", "a\nx\nc\n", 1, 1],
  ["a lost final newline", "a\nb\n", "a\nb", 1, 1],
  ["a line between", "a\nc\n", "a\nb\nc\n", 1, 0],
  ["the same", "a\n", "a\n", 0, 0],
  ["a binary file", "a\0", "b\0\n", 0, 0],
])("%s", (_, before, after, added, removed) => {
  expect(count(before, after)).toEqual({ added, removed });
});

test("two files add up", () => {
  expect(countChangedLines([{ before: undefined, after: Buffer.from("a\n") }, { before: Buffer.from("b\n"), after: Buffer.from("c\n") }])).toEqual({ added: 2, removed: 1 });
});

test("no count that nobody would wait for", () => {
  let time = 0;
  const slow = () => (time += 200);
  const file = { before: undefined, after: Buffer.from("a\n") };
  expect(countChangedLines([file, file], slow)).toEqual({ added: 2, removed: 0 });
  expect(countChangedLines([file, file, file], slow)).toBeUndefined();
});

test("as many as git counts, or fewer where git does not find the least", () => {
  const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "\n"), { maxLength: 12 }).map((lines) => lines.join(""));
  const pairs = fc.sample(fc.tuple(text, text), 200);
  const root = createFolder(Object.fromEntries(pairs.flatMap(([before, after], index) => [[`before/${index}`, before], [`after/${index}`, after]])));
  const { stdout } = spawnSync("git", ["diff", "--no-index", "--no-renames", "--numstat", "--minimal", "-z", "before", "after"], { cwd: root, encoding: "utf8" });
  const counted = new Map([...stdout.matchAll(/(\d+)\t(\d+)\t\0before\/(\d+)\0/g)].map(([, added, removed, index]) => [Number(index), { added: Number(added), removed: Number(removed) }]));
  expect(counted.size).toBeGreaterThan(100);
  const fewer = pairs.filter(([before, after], index) => {
    const own = count(before, after) ?? { added: NaN, removed: NaN };
    const git = counted.get(index) ?? { added: 0, removed: 0 };
    expect(own.added - own.removed).toBe(git.added - git.removed);
    expect(own.added).toBeLessThanOrEqual(git.added);
    return own.added < git.added;
  });
  expect(fewer.length).toBeLessThan(5);
});
