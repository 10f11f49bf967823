import { expect, test } from "vitest";
import { rememberAnswer, whenRan } from "../../../../src/faces/watch/ran-answers.ts";
import { writeStateFile } from "../../../../src/state/state-file.ts";
import { createFolder } from "../../../support/folder.ts";

const actions = (...hashes: readonly string[]) => hashes.map((hash) => ({ hash, isAction: true }));
const NOON = new Date("2026-11-24T12:00:00Z");
const LATER = new Date("2026-11-24T13:00:00Z");

test("recognises an answer, and a part of it, but not more than it", () => {
  const root = createFolder();
  rememberAnswer(root, actions("a", "b"), NOON);
  expect([actions("a", "b"), actions("b"), actions("b", "a"), actions("a", "b", "c"), actions("c")].map((items) => whenRan(root, items))).toEqual([NOON, NOON, NOON, undefined, undefined]);
});

test("blocks of different answers are together a new answer", () => {
  const root = createFolder();
  rememberAnswer(root, actions("a"), NOON);
  rememberAnswer(root, actions("b"), NOON);
  expect(whenRan(root, actions("a", "b"))).toBeUndefined();
});

test("errors do not count: only with one that has been fixed is it a new answer", () => {
  const root = createFolder();
  rememberAnswer(root, [...actions("a"), { hash: "broken", isAction: false }], NOON);
  expect(whenRan(root, [...actions("a"), { hash: "also broken", isAction: false }])).toEqual(NOON);
  expect(whenRan(root, actions("a", "broken"))).toBeUndefined();
  expect(whenRan(root, [{ hash: "broken", isAction: false }])).toBeUndefined();
});

test("tells the last time that the same answer ran", () => {
  const root = createFolder();
  rememberAnswer(root, actions("a"), NOON);
  rememberAnswer(root, actions("b"), NOON);
  rememberAnswer(root, actions("a"), LATER);
  expect([whenRan(root, actions("a")), whenRan(root, actions("b"))]).toEqual([LATER, NOON]);
});

test("keeps 2,000 blocks of earlier answers, and the last answer whatever its size", () => {
  const root = createFolder();
  const many = (name: string, count: number) => actions(...Array.from({ length: count }, (_, index) => `${name}${index}`));
  for (const [name, count] of [["a", 1_000], ["b", 1_000], ["c", 1_000], ["d", 5_000]] as const) rememberAnswer(root, many(name, count), NOON);
  expect(["a", "b", "c", "d"].map((name) => whenRan(root, actions(`${name}0`)) !== undefined)).toEqual([false, true, true, true]);
});

test.each([["{"], ["{}"], ["null"], ['[{"at": "never", "blocks": ["a"]}, 1, null, {"at": "2026-11-24T12:00:00Z", "blocks": "a"}]']])("a damaged file is as good as none: %s", (text) => {
  const root = createFolder();
  writeStateFile(root, "answers", text);
  expect(whenRan(root, actions("a"))).toBeUndefined();
  rememberAnswer(root, actions("a"), NOON);
  expect(whenRan(root, actions("a"))).toEqual(NOON);
});
