/** What the way to the disk does when a system call fails at the worst moment, or somebody acts between two of them. */
import type * as Fs from "node:fs";
import { closeSync, constants, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { lookOrThrow } from "../../../src/disk/look.ts";
import { systemError } from "../../../src/disk/system-error.ts";
import { Changed } from "../../../src/disk/volume.ts";
import { Journal } from "../../../src/journal/journal.ts";
import { LogWriter } from "../../../src/journal/log-writer.ts";
import { isUnfinished } from "../../../src/journal/recover.ts";
import { type Log, logPath, readLog } from "../../../src/journal/log.ts";
import { recoverRuns as recover } from "../../../src/history/recover.ts";
import { type Operation, plannedFor } from "../../support/planned.ts";
import { createFolder } from "../../support/folder.ts";
import { rollBack } from "../../support/roll-back.ts";

/** Is told of each call, by its name and paths, before it happens; may throw in its place. */
const calls = vi.hoisted(() => ({ on: (_name: string, _paths: readonly string[], _flags: number): void => {} }));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof Fs>();
  const pathOf = (given: unknown): string => {
    const at = typeof given === "number" ? `/proc/self/fd/${given}` : String(given);
    return at.replace(/^\/proc\/\w+\/fd\/\d+/, (link) => fs.readlinkSync(link));
  };
  const told = (name: "openSync" | "renameSync" | "unlinkSync" | "writeSync") => {
    const call = fs[name] as (...args: unknown[]) => unknown;
    return (...args: unknown[]): unknown => {
      calls.on(name, (name === "renameSync" ? args.slice(0, 2) : args.slice(0, 1)).map(pathOf), Number(args[1]));
      return call(...args);
    };
  };
  const fsync = (file: number, done: (error: unknown) => void): void => {
    try {
      calls.on("fsync", [pathOf(file)], 0);
    } catch (thrown) {
      // The caller gave the descriptor away with the call.
      return void setImmediate(done, thrown);
    }
    fs.fsync(file, done);
  };
  return { ...fs, openSync: told("openSync"), renameSync: told("renameSync"), unlinkSync: told("unlinkSync"), writeSync: told("writeSync"), fsync };
});

let root: string;
let runs: string;
beforeEach(() => ([root, runs] = [createFolder({ "a.txt": "old a", "b.txt": "old b", "c.txt": "old c" }), createFolder()]));
afterEach(() => void (calls.on = () => {}));

const at = (name: string): string => join(root, name);
const files = () => Object.fromEntries(readdirSync(root).map((name) => [name, readFileSync(at(name), "utf8")]));
const OLD = { "a.txt": "old a", "b.txt": "old b", "c.txt": "old c" };
const log = (sequence = 1): Log => readLog(logPath(runs, sequence)) as Log;
const open = (): Journal => new Journal(runs, { kind: "run", root });
const write = (name: string, content: string): Operation => ({ kind: "write", path: at(name), content: Buffer.from(content), basis: lookOrThrow(at(name))?.state ?? null });
const remove = (name: string): Operation => ({ kind: "unlink", path: at(name), basis: lookOrThrow(at(name))?.state ?? null });
const codes = ({ outcomes }: Awaited<ReturnType<Journal["commit"]>>) => outcomes.map(({ failure }) => (failure === undefined ? "ok" : "errno" in failure ? failure.errno : failure.code));
const refuse = (name: string, path: string): never => {
  throw systemError("EIO", name === "fsync" ? "fsync" : "rename", path);
};
/** Nothing that is renamed to this name is. */
const refuseRename = (to: string) => (name: string, paths: readonly string[]) => void (name === "renameSync" && basename(paths[1] ?? "") === to && refuse(name, at(to)));
/** Once a file is in its place, its directory cannot be synced. */
function refuseSyncOnceRenamed(): void {
  let isRenamed = false;
  calls.on = (name, [path = ""]) => {
    isRenamed ||= name === "renameSync";
    if (name === "fsync" && isRenamed && path === root) refuse(name, path);
  };
}

/** As a kill leaves it that comes at a record: what stood before that in the log, and files to be put there. */
function cutLog(record: string, now: Readonly<Record<string, string>> = {}): void {
  const bytes = readFileSync(logPath(runs, 1));
  truncateSync(logPath(runs, 1), bytes.lastIndexOf("\n", bytes.lastIndexOf(`"type":"${record}"`)) + 1);
  for (const [name, content] of Object.entries(now)) writeFileSync(at(name), content);
}

test("71: before a group that makes files and deletes others changes anything, the log is safe on the disk with its last record", async () => {
  const events: string[] = [];
  calls.on = (name, paths) => void (["writeSync", "fsync", "renameSync", "unlinkSync"].includes(name) && events.push(`${name} ${basename(paths.at(-1) ?? "")}`));
  const journal = open();
  expect(codes(await journal.commit(plannedFor(write("a.txt", "new"), remove("b.txt")), { atomic: false }))).toEqual(["ok", "ok"]);
  const before = events.slice(0, events.findIndex((event) => /^(renameSync|unlinkSync) /.test(event)));
  expect(before.findLastIndex((event) => event === "fsync 1.log")).toBeGreaterThan(before.findLastIndex((event) => event === "writeSync 1.log"));
});

describe("75: a directory that cannot be synced once the files are in place", () => {
  test("fails what was done, which is taken back by the next command where that cannot be done now", async () => {
    refuseSyncOnceRenamed();
    const journal = open();
    expect(codes(await journal.commit(plannedFor(write("a.txt", "new a")), { atomic: false }))).toEqual(["EIO"]);
    journal.finish();
    expect(isUnfinished(log())).toBe(true);
    calls.on = () => {};
    expect(await recover(runs)).toMatchObject([{ state: "undone", conflicts: [] }]);
    expect(files()).toEqual(OLD);
  });

  test("stops a recovery, which does not say that it is done, and the next one ends it", async () => {
    const journal = open();
    await journal.commit(plannedFor(write("a.txt", "new a"), write("b.txt", "new b")), { atomic: false });
    journal.finish();
    const waiting = log().groups[0]?.puts.map(({ temporary = "" }) => temporary) ?? [];
    renameSync(at("b.txt"), waiting[1] ?? "");
    cutLog("done", { "b.txt": "old b" });
    refuseSyncOnceRenamed();
    await expect(recover(runs)).rejects.toThrow("EIO");
    expect(isUnfinished(log())).toBe(true);
    calls.on = () => {};
    expect(await recover(runs)).toMatchObject([{ state: "done", operations: 2 }]);
    expect(files()).toEqual({ ...OLD, "a.txt": "new a", "b.txt": "new b" });
  });
});

test("a recovery that the system keeps from renaming does not say that it is done", async () => {
  const journal = open();
  await journal.commit(plannedFor(write("a.txt", "new a"), write("b.txt", "new b")), { atomic: false });
  journal.finish();
  renameSync(at("b.txt"), log().groups[0]?.puts[1]?.temporary ?? "");
  cutLog("done", { "b.txt": "old b" });
  calls.on = refuseRename("b.txt");
  await expect(recover(runs)).rejects.toThrow("EIO");
  calls.on = () => {};
  expect(await recover(runs)).toMatchObject([{ state: "done", operations: 2 }]);
  expect(files()).toEqual({ ...OLD, "a.txt": "new a", "b.txt": "new b" });
});

describe("all or nothing", () => {
  test("stops at the first failure: what comes after it is never put in place", async () => {
    const renamed: string[] = [];
    calls.on = (name, paths) => {
      if (name === "renameSync") renamed.push(basename(paths[1] ?? ""));
      refuseRename("b.txt")(name, paths);
    };
    const journal = open();
    expect(codes(await journal.commit(plannedFor(write("a.txt", "1"), write("b.txt", "1"), write("c.txt", "1")), { atomic: true }))).toEqual(["run/not-whole", "EIO", "run/not-whole"]);
    expect(renamed).not.toContain("c.txt");
    expect(files()).toEqual(OLD);
  });

  test("prepares nothing after an operation that is refused", async () => {
    const operations = plannedFor(write("a.txt", "1"), write("b.txt", "1"));
    writeFileSync(at("a.txt"), "theirs");
    const made: string[] = [];
    calls.on = (name, [path = ""], flags) => void (name === "openSync" && (flags & constants.O_CREAT) !== 0 && path.startsWith(root) && made.push(path));
    expect(codes(await open().commit(operations, { atomic: true }))).toEqual(["file/changed", "run/not-whole"]);
    expect(made).toEqual([]);
  });

  test("what cannot be taken back now is left to recovery, which takes it back", async () => {
    const journal = open();
    await journal.commit(plannedFor(write("a.txt", "1")), { atomic: true, continues: true });
    calls.on = refuseRename("a.txt");
    expect(await rollBack(journal)).toMatchObject({ kept: [], failure: { errno: "EIO" } });
    journal.finish();
    expect([isUnfinished(log()), log().groups.some(({ isUndone }) => isUndone)]).toEqual([true, false]);
    // Neither does a recovery say that it has taken back what it has not.
    await expect(recover(runs)).rejects.toThrow("EIO");
    expect(isUnfinished(log())).toBe(true);
    calls.on = () => {};
    expect(await recover(runs)).toMatchObject([{ state: "undone", operations: 0, conflicts: [] }]);
    expect(files()).toEqual(OLD);
  });

  test("taking back stops where the system refuses a step, so that recovery finds that and those before it", async () => {
    const journal = open();
    await journal.commit(plannedFor(write("a.txt", "1"), write("b.txt", "1")), { atomic: true, continues: true });
    await journal.commit(plannedFor(write("a.txt", "2")), { atomic: true, continues: true });
    calls.on = refuseRename("a.txt");
    expect(await rollBack(journal)).toMatchObject({ failure: { errno: "EIO" } });
    journal.finish();
    calls.on = () => {};
    expect(await recover(runs)).toMatchObject([{ state: "undone", conflicts: [] }]);
    expect(files()).toEqual(OLD);
  });

  test("is taken back also where the log can take no more: what that needs is in it", async () => {
    const journal = open();
    await journal.commit(plannedFor(write("a.txt", "1")), { atomic: true, continues: true });
    calls.on = (name, [path = ""]) => void (name === "fsync" && basename(path) === "1.log" && refuse(name, path));
    expect(await rollBack(journal)).toEqual({ kept: [] });
    expect(files()).toEqual(OLD);
  });

  test("109: taking back replaces no newer file", async () => {
    const journal = open();
    await journal.commit(plannedFor(write("a.txt", "1"), write("b.txt", "1")), { atomic: true, continues: true });
    writeFileSync(at("a.txt"), "newer");
    expect(await rollBack(journal)).toEqual({ kept: [{ path: at("a.txt"), reason: "it has changed since" }] });
    expect(files()).toEqual({ ...OLD, "a.txt": "newer" });
  });

  test("71: killed when a later part of it was dropped, the parts before are taken back", async () => {
    const journal = open();
    await journal.commit(plannedFor(write("a.txt", "1")), { atomic: true, continues: true });
    const writer = LogWriter.resume(log());
    writer.append({ type: "group", isAtomic: true, continues: false, isRollback: false });
    writer.append({ type: "dropped" });
    writer.flush();
    writer.close();
    expect(isUnfinished(log())).toBe(true);
    expect(await recover(runs)).toMatchObject([{ state: "undone", operations: 0, conflicts: [] }]);
    expect(files()).toEqual(OLD);
  });
});

describe("what recovery sees", () => {
  test("a file that was to become what it is already is no proof that a group was begun", async () => {
    const journal = open();
    await journal.commit(plannedFor(write("a.txt", "old a"), write("b.txt", "new b")), { atomic: false });
    journal.finish();
    cutLog("prepared", { "b.txt": "old b" });
    expect(await recover(runs)).toMatchObject([{ state: "undone", operations: 0, conflicts: [] }]);
    expect(files()).toEqual(OLD);
  });

  test("a file that somebody has changed after it was put in place was made: it is the run's, and undo judges it", async () => {
    const journal = open();
    await journal.commit(plannedFor(write("a.txt", "new a"), write("b.txt", "new b")), { atomic: false });
    journal.finish();
    cutLog("done", { "a.txt": "theirs" });
    expect(await recover(runs)).toMatchObject([{ state: "done", operations: 2, conflicts: [] }]);
    expect(files()).toEqual({ ...OLD, "a.txt": "theirs", "b.txt": "new b" });
  });
});

/** A second file system, to move to. */
const elsewhere = "/dev/shm";
const isElsewhere = existsSync(elsewhere) && statSync(elsewhere).dev !== statSync(tmpdir()).dev;

describe("76: a move", () => {
  const move = (from: string, to: string): Operation => ({ kind: "rename", from: at(from), to, basis: lookOrThrow(at(from))?.state ?? null, replaced: null });
  const placeFor = (isAcross: boolean): string => {
    if (!isAcross) return at("moved");
    const there = mkdtempSync(join(elsewhere, "loaf-test-"));
    onTestFinished(() => rmSync(there, { recursive: true }));
    return join(there, "moved");
  };
  /** Acts once before the first rename, when everything is prepared. */
  const whenPrepared = (act: () => void): void => {
    let isDone = false;
    calls.on = (name, paths) => {
      if (name !== "fsync" || basename(paths[0] ?? "") !== "1.log" || isDone) return;
      isDone = true;
      act();
    };
  };

  test.runIf(isElsewhere)("68: to another file system that fails half-way leaves the original where it was", async () => {
    const to = placeFor(true);
    calls.on = refuseRename("moved");
    expect(codes(await open().commit(plannedFor(move("a.txt", to)), { atomic: false }))).toEqual(["EIO", "run/depends"]);
    expect([files(), readdirSync(dirname(to))]).toEqual([OLD, []]);
  });

  test.runIf(isElsewhere)("68: to another file system whose original cannot be removed is taken back", async () => {
    const to = placeFor(true);
    calls.on = (name, [path = ""]) => void (name === "unlinkSync" && path === at("a.txt") && refuse(name, path));
    expect(codes(await open().commit(plannedFor(move("a.txt", to)), { atomic: false }))).toEqual(["run/depends", "EIO"]);
    expect([files(), readdirSync(dirname(to))]).toEqual([OLD, []]);
  });

  test.each([
    ["within a file system", false],
    ...(isElsewhere ? [["to another file system", true] as const] : []),
  ] as const)("%s leaves a file alone that is changed after it was looked at", async (_, isAcross) => {
    const to = placeFor(isAcross);
    whenPrepared(() => writeFileSync(at("a.txt"), "theirs"));
    expect(codes(await open().commit(plannedFor(move("a.txt", to)), { atomic: false }))).toContain("file/changed");
    expect([files(), existsSync(to)]).toEqual([{ ...OLD, "a.txt": "theirs" }, false]);
  });

  test.each([
    ["within a file system", false],
    ...(isElsewhere ? [["to another file system", true] as const] : []),
  ] as const)("%s leaves a file alone that somebody has put at the new place meanwhile", async (_, isAcross) => {
    const to = placeFor(isAcross);
    whenPrepared(() => writeFileSync(to, "theirs"));
    expect(codes(await open().commit(plannedFor(move("a.txt", to)), { atomic: false }))).toContain("file/changed");
    expect([readFileSync(to, "utf8"), readFileSync(at("a.txt"), "utf8")]).toEqual(["theirs", OLD["a.txt"]]);
  });
});

test("16: a pipe that takes a file's place between looking and opening is not waited for, and is a change", () => {
  const held: number[] = [];
  calls.on = (name, [path], flags) => {
    if (name !== "openSync" || path !== at("a.txt") || held.length > 0) return;
    rmSync(at("a.txt"));
    execFileSync("mkfifo", [at("a.txt")]);
    // Nobody has to wait for the other end, so that a defect fails this test and does not hang it.
    held.push(0);
    held.push(openSync(at("a.txt"), constants.O_RDWR | constants.O_NONBLOCK));
    expect(flags & constants.O_NONBLOCK).not.toBe(0);
  };
  expect(() => lookOrThrow(at("a.txt"))).toThrow(Changed);
  expect(held).toHaveLength(2);
  closeSync(held[1] ?? -1);
});

test.runIf(process.geteuid?.() === 0)("83: a directory comes back with its owner", async () => {
  mkdirSync(at("d"));
  execFileSync("chown", ["1234:2345", at("d")]);
  const journal = open();
  expect(codes(await journal.commit(plannedFor({ kind: "removeDirectory", path: at("d") }), { atomic: true, continues: true }))).toEqual(["ok"]);
  await journal.rollBack();
  journal.finish();
  expect(lookOrThrow(at("d"))?.state).toMatchObject({ kind: "directory", uid: 1234, gid: 2345 });
});
