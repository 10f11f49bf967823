import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { State } from "../../../src/core/change-set.ts";
import { look } from "../../../src/disk/look.ts";
import { pastLogs, redoable, undoable, undoneBy, type Logged } from "../../../src/history/past-runs.ts";
import { Journal } from "../../../src/journal/journal.ts";
import { createFolder } from "../../support/folder.ts";
import { plannedFor } from "../../support/planned.ts";
import { rollBack } from "../../support/roll-back.ts";

/**
 * Builds a history from letters: `r` a run, `u` an undo, `d` a redo. Logs nothing if there is nothing to undo or redo.
 */
function logsOf(steps: string): Logged[] {
  const logs: Logged[] = [];
  for (const step of steps) {
    const sequence = logs.length + 1;
    const taken = step === "u" ? undoable(logs)[0] : redoable(logs);
    if (step === "r") logs.push({ sequence, kind: "run" });
    else if (taken !== undefined) logs.push({ sequence, kind: "undo", of: taken.sequence });
  }
  return logs;
}
const standing = (steps: string) => undoable(logsOf(steps)).map(({ sequence }) => sequence);

describe("undo", () => {
  test.each([
    ["", []],
    ["rrr", [3, 2, 1]],
    ["rrru", [2, 1]],
    ["rrruu", [1]],
    ["rrrud", [3, 2, 1]],
    ["rrruudd", [3, 2, 1]],
    ["ruduu", []],
    ["rrur", [4, 1]],
    ["rruru", [1]],
    ["rruruu", []],
  ])("after %s there is %j to undo", (steps, runs) => {
    expect(standing(steps)).toEqual(runs);
  });
});

describe("redo", () => {
  test.each([
    ["", undefined],
    ["rr", undefined],
    ["rru", 2],
    ["rruu", 1],
    ["rruud", 2],
    ["rruudd", undefined],
    ["rudu", 1],
    ["rur", undefined],
    ["ruru", 3],
    ["ruruu", 3],
  ])("after %s it restores %j", (steps, run) => {
    expect(redoable(logsOf(steps))?.of).toBe(run);
  });

  test("a run that was undone before a later one stays undone", () => {
    expect(standing("rururud")).toEqual([5]);
    expect(redoable(logsOf("rrurud"))).toBeUndefined();
  });
});

test("a run that was rolled back is no part of history, and one that changed a file and changed it back is", async () => {
  const [root, runs] = [createFolder({ "a.txt": "old" }), createFolder()];
  const path = join(root, "a.txt");
  const write = (content: string) => plannedFor({ kind: "write", path, content: Buffer.from(content), basis: look(path)?.state as State });
  const run = async (act: (journal: Journal) => Promise<unknown>): Promise<void> => {
    const journal = new Journal(runs, { kind: "run", root });
    await act(journal);
    journal.finish();
  };
  await run((journal) => journal.commit(write("one"), { atomic: true }));
  await run(async (journal) => {
    await journal.commit(write("two"), { atomic: true, continues: true });
    expect(await rollBack(journal)).toEqual({ kept: [] });
  });
  await run(async (journal) => {
    await journal.commit(write("three"), { atomic: false });
    await journal.commit(write("one"), { atomic: false });
  });
  expect(readFileSync(path, "utf8")).toBe("one");
  expect(pastLogs(runs).map(({ sequence }) => sequence)).toEqual([1, 3]);
});

test("finds the last undo of a run, also after a redo in between", () => {
  expect([...undoneBy(logsOf("rudu")).entries()].map(([run, { sequence }]) => [run, sequence])).toEqual([[1, 4], [2, 3]]);
});

test("an undo whose run was dropped from the log cannot be redone", () => {
  expect(redoable([{ sequence: 9, kind: "undo", of: 3 }])).toBeUndefined();
});

test("undo and redo behave like the two stacks of an editor", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("r", "u", "d"), { maxLength: 40 }), (steps) => {
      const [done, taken]: [number[], number[]] = [[], []];
      let sequence = 0;
      for (const step of steps) {
        const run = step === "r" ? sequence + 1 : (step === "u" ? done : taken).pop();
        if (run === undefined) continue;
        sequence += 1;
        (step === "u" ? taken : done).push(run);
        if (step === "r") taken.length = 0;
      }
      const logs = logsOf(steps.join(""));
      expect(undoable(logs).map((log) => log.sequence)).toEqual(done.toReversed());
      expect(redoable(logs)?.of).toBe(taken.at(-1));
    }),
    { numRuns: 1_000 },
  );
});
