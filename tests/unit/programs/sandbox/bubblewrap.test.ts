import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bubblewrap } from "../../../../src/programs/sandbox/bubblewrap.ts";

const { settle } = bubblewrap("/nowhere/bwrap");

test("58: it is settled when the first process inside is gone, and no sooner", async () => {
  const child = spawn("sleep", ["0.5"]);
  expect(await settle(`{ "child-pid": ${child.pid} }\n{ "exit-code": 0 }\n`)).toBe(true);
  const isAlive = () => !/\) [ZX]/.test(readFileSync(`/proc/${child.pid}/stat`, "latin1"));
  expect(child.exitCode !== null || !isAlive()).toBe(true);
});

test("what was never started is told from what has ended", async () => {
  expect([await settle(""), await settle('{ "child-pid": 999999999 }\n')]).toEqual([false, false]);
});
