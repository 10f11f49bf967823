import { chmodSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LogWriter } from "../../../src/journal/log-writer.ts";
import { isPruningDue, prune } from "../../../src/history/turn.ts";
import { listSequences, logPath } from "../../../src/journal/log.ts";
import { createFolder } from "../../support/folder.ts";
import { asOrdinaryUser } from "../../support/ordinary-user.ts";

/** A folder of logs, from 1 on: each of a run, or of an undo of another one. */
function createLogs(...kinds: ReadonlyArray<"run" | number>): string {
  const folder = createFolder();
  for (const kind of kinds) LogWriter.create(folder, { ...(kind === "run" ? { kind } : { kind: "undo", of: kind }), started: "2026-01-01T00:00:00.000Z", root: "/p" }).close();
  return folder;
}

const LARGE = 2 ** 30;

test("the oldest go, and never the last run and what came after it", () => {
  const runs = createLogs("run", "run", "run", 3);
  expect(prune(runs, { max_age: 365, max_size: LARGE })).toEqual([]);
  expect(prune(runs, { max_age: 365, max_size: 0 })).toEqual([1, 2]);
  expect(listSequences(runs)).toEqual([3, 4]);
  expect(prune(join(runs, "missing"), { max_age: 0, max_size: 0 })).toEqual([]);
});

test("what is older than it may be goes, but for what is younger and what came after that", () => {
  const runs = createLogs("run", "run", "run", "run");
  for (const [sequence, days] of [[1, 31], [2, 29], [3, 31]] as const) {
    const time = new Date(Date.now() - days * 24 * 60 * 60 * 1000);
    utimesSync(logPath(runs, sequence), time, time);
  }
  expect(prune(runs, { max_age: 30, max_size: LARGE })).toEqual([1]);
  expect(prune(runs, { max_age: 28, max_size: LARGE })).toEqual([2, 3]);
  expect(listSequences(runs)).toEqual([4]);
});

test("undos that were redone go with their redos, however often that was done since the last run", () => {
  const runs = createLogs("run", "run", 2, 3, 2, 5, 2, 7);
  expect(prune(runs, { max_age: 365, max_size: LARGE })).toEqual([]);
  expect(prune(runs, { max_age: 365, max_size: 0 })).toEqual([1]);
  // The newest stays, and with it what it has taken back.
  expect(listSequences(runs)).toEqual([2, 7, 8]);
});

test("undos that were not redone stay", () => {
  const runs = createLogs("run", "run", 2, 1, 4, 3, 2, 1);
  expect(prune(runs, { max_age: 365, max_size: 0 })).toEqual([1]);
  expect(listSequences(runs)).toEqual([2, 7, 8]);
});

test.each([
  ["nothing was logged", 4, 1_000_000, false],
  ["a small log was added", 3, 1_000_000, false],
  ["one was added that is a tenth of what is kept", 3, 1_000, true],
  ["the sixty-fourth was added", 63, 1_000_000, true],
])("it is due after a turn in which %s: %s of %s bytes: %s", (_, newest, max_size, isDue) => {
  const runs = createFolder({ "4.log": "x".repeat(100), "64.log": "x".repeat(100) });
  expect(isPruningDue(runs, newest, { max_age: 30, max_size })).toBe(isDue);
});

test("it is not due where the folder cannot be looked at: what the turn has done is told all the same", async () => {
  const runs = createFolder({ "64.log": "x" });
  await asOrdinaryUser(runs, async () => {
    chmodSync(runs, 0);
    expect(isPruningDue(runs, 63, { max_age: 30, max_size: 1 })).toBe(false);
    chmodSync(runs, 0o700);
  });
});
