import { describe, expect, test } from "vitest";
import { actions } from "../../../src/actions/index.ts";
import { Failed } from "../../../src/core/failure.ts";
import { AttemptRollback } from "../../../src/core/attempt-rollback.ts";
import { type Config, Loaf } from "../../../src/index.ts";
import { MemoryBudget, resultInTime, timeLimit, type TimeLimit, untilSignal } from "../../../src/run/limits.ts";
import { createFolder } from "../../support/folder.ts";
import { block } from "../../support/hostile.ts";
import { isLong } from "../../support/tries.ts";
import { measureWork } from "../../support/work.ts";

function clockOf(limit: number, more: Partial<TimeLimit> = {}) {
  return timeLimit({ limit, undo: new AttemptRollback(), isStopped: () => false, restore: async () => {}, ...more });
}

const forever = (): never => {
  for (;;);
};

const codeOf = (promise: Promise<unknown>): Promise<string> => promise.then(() => "done", (thrown: unknown) => (thrown instanceof Failed ? thrown.failure.code : String(thrown)));

describe("an action keeps within its time", () => {
  test("what is done in time comes back, and what it throws is thrown", async () => {
    expect(await clockOf(1_000)(() => 7)).toBe(7);
    expect(await clockOf(1_000)(async () => 7)).toBe(7);
    expect(await codeOf(clockOf(1_000)(() => { throw new Failed({ code: "paths/none" }); }))).toBe("paths/none");
  });

  test.each([["a loop", forever], ["a regular expression", () => /^(a+)+$/.test(`${"a".repeat(50)}b`)]])("102: %s without an end is ended, and what it changed is taken back", async (_, act) => {
    const undo = new AttemptRollback();
    const changed = [1];
    const changing = (): unknown => {
      undo.note(() => (changed.length = 1));
      changed.push(2);
      return act();
    };
    expect(await codeOf(clockOf(100, { undo })(changing))).toBe("limit/time");
    expect(changed).toEqual([1]);
  });

  test("a later stretch has the time that is left", async () => {
    const inTime = clockOf(200);
    const busyFor = (time: number) => () => {
      const end = performance.now() + time;
      while (performance.now() < end);
    };
    await inTime(busyFor(50));
    expect(await codeOf(inTime(busyFor(1_000)))).toBe("limit/time");
    expect(await codeOf(inTime(() => 7))).toBe("limit/time");
  });

  test("a stop that came meanwhile is seen before it is tried again", async () => {
    let isStopped = false;
    const stopped = (): never => {
      isStopped = true;
      return forever();
    };
    expect(await codeOf(clockOf(10_000, { isStopped: () => isStopped })(stopped))).toBe("skip/stopped");
  });

  test("what takes longer than the first try is tried again, after what it may have broken was loaded anew", async () => {
    const seen: string[] = [];
    const slow = (): string => {
      seen.push("try");
      if (seen.length === 1) forever();
      return "done";
    };
    expect(await clockOf(10_000, { restore: async () => void seen.push("restored") })(slow)).toBe("done");
    expect(seen).toEqual(["try", "restored", "try"]);
  });

  test("Ctrl-C ends the second try, and whoever handles it hears of it", async () => {
    let heard = 0;
    const onInterrupt = (): void => void (heard += 1);
    process.on("SIGINT", onInterrupt);
    let tries = 0;
    const interrupted = (): never => {
      tries += 1;
      if (tries >= 2) process.kill(process.pid, "SIGINT");
      return forever();
    };
    try {
      expect(await codeOf(clockOf(20_000)(interrupted))).toBe("skip/stopped");
      expect(untilSignal(() => interrupted())).toBeUndefined();
    } finally {
      process.off("SIGINT", onInterrupt);
    }
    expect(heard).toBe(2);
  });

  test("what no action asks for is not told where it takes too long", () => {
    expect(resultInTime(() => 7, 1_000)).toBe(7);
    expect(resultInTime(forever, 50)).toBeUndefined();
  });
});

const open = (root: string, action_time: number) => Loaf.create({ repoPath: root, config: { relative_paths: true, edits: { match: "tolerant" }, limits: { action_time }, git: { commit: false } } });

test("102: an action that was ended has changed nothing, what came before it stays, and the next ones run", async () => {
  const count = 3_000;
  const paths = Array.from({ length: count }, (_, index) => `f${index}`);
  const root = createFolder(Object.fromEntries(paths.map((path) => [path, "x"])));
  const loaf = await open(root, 20);
  const { results } = await loaf.execute(block({ action: "file_write", path: "f0", content: "before" }) + block({ action: "files_replace_all_text", paths: paths.join("\n"), old_text: "x", new_text: "y" }, "abd") + block({ action: "file_write", path: "next", content: "z" }, "abe"));
  expect(results.map(({ success, error }) => error ?? success)).toEqual([true, "Stopped after 0.02 s, the time limit of one action (limits.action_time)", true]);
  expect([loaf.peek("f0")?.text, loaf.peek("f1")?.text, loaf.peek("next")?.text]).toEqual(["before", "x", "z"]);
});

const TEXTS = ["a<", "ab ", "\n", "(", "namespace a { ", "@@a", "*a", "a/", "- ", "[a,", "&a ", "\u200b", "$&", "old_text\n"].map((piece) => piece.repeat(Math.ceil(100_000 / piece.length)));
const FILES = ["a.ts", "a.cpp", "a.py", "a.json", "a.yml", "a.md"];
const LIMIT = 1_500;

test.each(actions.filter(({ runs, isInternal }) => runs === undefined && isInternal !== true).map((action) => [action.name, action] as const))("102: %s with any text made to be slow ends within its time, and what follows it runs", { timeout: 240_000 }, async (_, { name, example, params: { shape } }) => {
  const root = createFolder({ ...Object.fromEntries(FILES.map((file, index) => [file, (TEXTS[index * 2] ?? "").repeat(isLong ? 5 : 1)])), "src/app.js": TEXTS.join("\n"), "README.md": TEXTS.join("\n") });
  const at = (value: string): string => value.replaceAll("/project", root);
  const given = Object.fromEntries(Object.entries(example).map(([key, value]) => [key, at(value)]));
  const keys = Object.keys(shape);
  const withText = keys.flatMap((key) => TEXTS.map((text) => ({ ...given, action: name, [key]: text })));
  const withFile = keys.flatMap((key) => (/path/.test(key) ? FILES.map((file) => ({ ...given, action: name, [key]: `${root}/${file}@@nope` })) : []));
  const answer = [...withText, ...withFile].map((properties) => block(properties)).join("") + block({ action: "file_write", path: "next", content: "z" });
  const worked = measureWork();
  let [last, longest] = [worked(), 0];
  const onEvent = (): void => {
    longest = Math.max(longest, worked() - last);
    last = worked();
  };
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, edits: { match: "tolerant" }, limits: { action_time: LIMIT }, git: { commit: false } }, dryRun: true, onEvent });
  const { results } = await loaf.execute(answer);
  expect(results.at(-1)?.error).toBeUndefined();
  expect(longest).toBeLessThan(LIMIT + 2_000);
});

describe("what is kept in memory", () => {
  const write = (path: string, id: string) => block({ action: "file_write", path, content: "123456" }, id);
  const openWith = (config: Config, dryRun = false) => Loaf.create({ repoPath: createFolder(), config: { relative_paths: true, limits: { action_memory: 10 }, git: { commit: false }, ...config }, dryRun });
  const RUN = "A dry run, or one with transaction: all-or-nothing, keeps its changes in memory, and these would exceed 10 bytes (limits.action_memory): change fewer files in one run";
  const errors = async (loaf: Loaf) => (await loaf.execute(write("a", "abc") + write("b", "abd"))).results.map(({ success, error }) => error ?? success);

  test("102: is bounded for each action, and in a dry run or one that is all or nothing for all of them", async () => {
    expect(await errors(await openWith({}))).toEqual([true, true]);
    expect(await errors(await openWith({}, true))).toEqual([true, RUN]);
    expect((await errors(await openWith({ transaction: "all-or-nothing" })))[1]).toBe(RUN);
  });

  test("102: what is written to one file again and again counts each time, but not what was taken back", () => {
    const undo = new AttemptRollback();
    const budget = new MemoryBudget({ limit: 10, undo, waiting: () => undefined });
    undo.begin();
    budget.hold(10);
    undo.rewind();
    budget.hold(10);
    expect(() => budget.hold(1)).toThrow("limit/memory");
    budget.begin();
    expect(() => budget.hold(10)).not.toThrow();
  });
});
