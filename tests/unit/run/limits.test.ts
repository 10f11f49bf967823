import { describe, expect, test } from "vitest";
import { Failed } from "../../../src/core/failure.ts";
import { inTime, type TimeLimit } from "../../../src/run/in-time.ts";
import { type ActionResult, Loaf } from "../../../src/index.ts";
import { createFolder } from "../../support/folder.ts";
import { block } from "../../support/hostile.ts";

function limitOf(time: number, more: Partial<TimeLimit> = {}): TimeLimit {
  return { time, limit: time, isStopped: () => false, whileBusy: (act) => act(), takeBack: () => {}, ...more };
}

const forever = (): never => {
  for (;;);
};

const codeOf = (promise: Promise<unknown>): Promise<string> => promise.then(() => "done", (thrown: unknown) => (thrown instanceof Failed ? thrown.failure.code : String(thrown)));

describe("P8: an action keeps within its time", () => {
  test("what is done in time comes back, and what it throws is thrown", async () => {
    expect(await inTime(() => 7, limitOf(1_000))).toBe(7);
    expect(await inTime(async () => 7, limitOf(1_000))).toBe(7);
    expect(await codeOf(inTime(() => { throw new Failed({ code: "paths/none" }); }, limitOf(1_000)))).toBe("paths/none");
  });

  test.each([["a loop", forever], ["a regular expression", () => /^(a+)+$/.test(`${"a".repeat(50)}b`)]])("%s without an end is ended, and what it changed is taken back", async (_, act) => {
    let taken = 0;
    expect(await codeOf(inTime<unknown>(act, limitOf(100, { takeBack: () => void (taken += 1) })))).toBe("limit/time");
    expect(taken).toBe(1);
  });

  test("what waits too long is not waited for", async () => {
    expect(await codeOf(inTime(() => new Promise(() => {}), limitOf(50)))).toBe("limit/time");
  });

  test("a stop that came meanwhile is seen before it is tried again", async () => {
    let isStopped = false;
    setImmediate(() => void (isStopped = true));
    expect(await codeOf(inTime(forever, limitOf(10_000, { isStopped: () => isStopped })))).toBe("skip/stopped");
  });

  test("what takes longer than the first try is tried again, while signals end the process", async () => {
    let tries = 0;
    let busy = 0;
    const slow = (): string => {
      tries += 1;
      if (tries === 1) forever();
      return "done";
    };
    const whileBusy: TimeLimit["whileBusy"] = (act) => {
      busy += 1;
      return act();
    };
    expect(await inTime(slow, limitOf(10_000, { whileBusy }))).toBe("done");
    expect({ tries, busy }).toEqual({ tries: 2, busy: 1 });
  });
});

test("P8: of many paths those are done that there was time for, the others say why not, and the next action runs", async () => {
  const count = 3_000;
  const root = createFolder(Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, "x"])));
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, limits: { action_time: 100 } } });
  const paths = Array.from({ length: count }, (_, index) => `f${index}`).join("\n");
  const { results } = await loaf.execute(block({ action: "files_replace_all_text", paths, old_text: "x", new_text: "y" }) + block({ action: "file_write", path: "next", content: "z" }, "abd"));
  const [{ data }] = results as [ActionResult];
  const { results: done } = data as { results: Array<{ replacements: number; error?: string }> };
  const isLate = ({ error }: { error?: string }): boolean => error === "Took longer than 0.1 s, the limit of one action (limits.action_time), and was ended";
  expect(results.map(({ success }) => success)).toEqual([false, true]);
  expect(done.filter(isLate).length).toBeGreaterThan(0);
  expect(done.filter(({ replacements }) => replacements === 1).length + done.filter(isLate).length).toBe(count);
});
