import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Disk } from "../../../src/disk/disk.ts";
import { Journal } from "../../../src/journal/journal.ts";
import { encodeRecord } from "../../../src/journal/log.ts";
import { LogWriter } from "../../../src/journal/log-writer.ts";
import { Overlay } from "../../../src/disk/overlay.ts";
import { donePuts } from "../../../src/journal/change-set.ts";
import { listSequences, logPath, readLog } from "../../../src/journal/log.ts";
import { recoverRuns as recover } from "../../../src/history/recover.ts";
import { createFolder } from "../../support/folder.ts";
import { snapshot } from "../../support/sandbox.ts";

function never(): never {
  throw new Error("no log");
}

interface Killed {
  readonly root: string;
  readonly runs: string;
  at(name: string): string;
}

/**
 * A run that changes a.txt and b.txt and makes c.txt, as a kill leaves it before it renames any of these.
 *
 * @param waiting those of them whose new file still waits
 */
async function killed(waiting: readonly string[], { atomic = false } = {}): Promise<Killed> {
  const [root, runs] = [createFolder({ "a.txt": "old a", "b.txt": "old b" }), createFolder()];
  const at = (name: string): string => join(root, name);
  const overlay = new Overlay(new Disk());
  for (const [author, name] of ["a.txt", "b.txt", "c.txt"].entries()) {
    overlay.author = author;
    overlay.writeFile(at(name), Buffer.from(`new ${name[0]}`));
  }
  const journal = new Journal(runs, { kind: "run", root });
  await journal.commit(overlay.take(), { atomic });
  journal.finish();
  const log = readLog(logPath(runs, 1));
  for (const { path, temporary } of log?.groups[0]?.puts ?? []) {
    if (temporary === undefined || !waiting.some((name) => path === at(name))) continue;
    renameSync(path, temporary);
    if (!path.endsWith("c.txt")) writeFileSync(path, `old ${path.at(-5)}`);
  }
  const bytes = readFileSync(logPath(runs, 1));
  truncateSync(logPath(runs, 1), bytes.indexOf("\n", bytes.indexOf('"prepared"')) + 1);
  return { root, runs, at };
}

test("goes on where the run was killed", async () => {
  const { root, runs } = await killed(["b.txt", "c.txt"]);
  expect(await recover(runs)).toEqual([{ sequence: 1, kind: "run", state: "done", operations: 3, conflicts: [] }]);
  expect(snapshot(root)).toEqual({ "a.txt": "644 new a", "b.txt": "644 new b", "c.txt": "644 new c" });
  expect(await recover(runs)).toEqual([]);
});

test("leaves what somebody has changed since, says so, and goes on with the rest", async () => {
  const { root, runs, at } = await killed(["b.txt", "c.txt"]);
  writeFileSync(at("b.txt"), "theirs");
  expect(await recover(runs)).toMatchObject([{ state: "done", operations: 2, conflicts: [{ path: at("b.txt") }] }]);
  expect(snapshot(root)).toEqual({ "a.txt": "644 new a", "b.txt": "644 theirs", "c.txt": "644 new c" });
});

test("takes a pipe in the place of a file for a change of somebody's, and does not open it", async () => {
  const { runs, at } = await killed(["b.txt", "c.txt"]);
  rmSync(at("b.txt"));
  execFileSync("mkfifo", [at("b.txt")]);
  expect(await recover(runs)).toMatchObject([{ state: "done", operations: 2, conflicts: [{ path: at("b.txt") }] }]);
  expect(await recover(runs)).toEqual([]);
});

test("all or nothing: what somebody has changed since stays, and the rest is taken back", async () => {
  const { root, runs, at } = await killed(["b.txt", "c.txt"], { atomic: true });
  writeFileSync(at("b.txt"), "theirs");
  expect(await recover(runs)).toMatchObject([{ state: "undone", operations: 0, conflicts: [{ path: at("b.txt") }] }]);
  expect(snapshot(root)).toEqual({ "a.txt": "644 old a", "b.txt": "644 theirs" });
  expect(await recover(runs)).toEqual([]);
});

test("all or nothing: what the log keeps of a file and is damaged bars the way to nobody: that stays, is named, and the rest is taken back", async () => {
  const { root, runs, at } = await killed(["b.txt", "c.txt"], { atomic: true });
  writeFileSync(at("b.txt"), "theirs");
  const { before } = readLog(logPath(runs, 1))?.groups[0]?.puts.find(({ path }) => path === at("a.txt")) ?? {};
  const bytes = readFileSync(logPath(runs, 1));
  if (before?.kind !== "file" || before.image === undefined) throw new Error("no image");
  bytes.write("x", before.image.offset);
  writeFileSync(logPath(runs, 1), bytes);
  const conflicts = [{ path: at("b.txt"), reason: "it has changed since" }, { path: at("a.txt"), reason: `its pre-image in ${logPath(runs, 1)} is damaged`, isLost: true }];
  expect(await recover(runs)).toMatchObject([{ state: "done", operations: 1, conflicts }]);
  expect(snapshot(root)).toEqual({ "a.txt": "644 new a", "b.txt": "644 theirs" });
  expect(await recover(runs)).toEqual([]);
  expect(listSequences(runs)).toEqual([1]);
});

test("removes the new files of a group that was given up, also where the kill came before that could be done", async () => {
  const { root, runs } = await killed(["a.txt", "b.txt", "c.txt"]);
  const { puts = [] } = readLog(logPath(runs, 1))?.groups[0] ?? {};
  // An undo goes on with what comes after such a group.
  const undo = LogWriter.create(runs, { kind: "undo", of: 1, started: "2026-01-01T00:00:00.000Z", root });
  undo.append({ type: "group", isAtomic: false, continues: false, isRollback: false });
  undo.append({ type: "done", outcomes: [] });
  undo.append({ type: "group", isAtomic: false, continues: false, isRollback: false });
  for (const put of puts) undo.append(put);
  undo.append({ type: "dropped" });
  undo.flush();
  undo.close();
  expect(Object.keys(snapshot(root))).toHaveLength(5);
  expect(await recover(runs)).toMatchObject([{ sequence: 2 }]);
  expect(snapshot(root)).toEqual({ "a.txt": "644 old a", "b.txt": "644 old b" });
});

test("puts no new file in place that is not whole", async () => {
  const { root, runs } = await killed(["b.txt"]);
  const waiting = readLog(logPath(runs, 1))?.groups[0]?.puts.find(({ path }) => path.endsWith("b.txt"))?.temporary ?? "";
  writeFileSync(waiting, "new");
  expect(await recover(runs)).toMatchObject([{ state: "done", operations: 2 }]);
  expect(snapshot(root)).toEqual({ "a.txt": "644 new a", "b.txt": "644 old b", "c.txt": "644 new c" });
});

test("looks only at the newest log, and removes one that has not even begun", async () => {
  const { root, runs, at } = await killed(["b.txt"]);
  writeFileSync(logPath(runs, 2), "");
  expect(await recover(runs)).toMatchObject([{ sequence: 1 }]);
  expect(listSequences(runs)).toEqual([1]);
  rmSync(at("b.txt"));
  const { line } = encodeRecord({ type: "header", version: 3, sequence: 3, kind: "run", started: "", root }, "");
  writeFileSync(logPath(runs, 3), line);
  expect(await recover(runs)).toEqual([]);
  expect(await recover(join(runs, "missing"))).toEqual([]);
});

test("an undo whose run is in the log no more, as somebody has deleted it, ends with what is done: it bars the way to nobody", async () => {
  const [root, runs] = [createFolder(), createFolder()];
  LogWriter.create(runs, { kind: "run", started: "2026-01-01T00:00:00.000Z", root }).close();
  const undo = LogWriter.create(runs, { kind: "undo", of: 1, started: "2026-01-01T00:00:00.000Z", root });
  undo.append({ type: "group", isAtomic: false, continues: false, isRollback: false });
  undo.append({ type: "done", outcomes: [] });
  undo.flush();
  undo.close();
  rmSync(logPath(runs, 1));
  expect(await recover(runs)).toEqual([{ sequence: 2, kind: "undo", of: 1, state: "undone", operations: 0, conflicts: [{ path: root, reason: "the log of run 1 is gone, so the rest of it cannot be undone" }] }]);
  expect(await recover(runs)).toEqual([]);
});

describe("an action that failed in part", () => {
  const NEW = { "a.txt": "644 new", "b.txt": "644 new", "c.txt": "644 new" };

  /** One action writes a.txt and b.txt, and another one c.txt. Somebody changes a file of the first, once all is prepared. */
  async function run(): Promise<Pick<Killed, "root" | "runs" | "at">> {
    const [root, runs] = [createFolder({ "a.txt": "old a", "b.txt": "old b", "c.txt": "old c" }), createFolder()];
    const at = (name: string): string => join(root, name);
    const overlay = new Overlay(new Disk());
    for (const [author, names] of [["a.txt", "b.txt"], ["c.txt"]].entries()) {
      overlay.author = author + 1;
      for (const name of names) overlay.writeFile(at(name), Buffer.from("new"));
    }
    const journal = new Journal(runs, { kind: "run", root });
    await journal.commit(overlay.take(), { atomic: false });
    journal.finish();
    expect(snapshot(root)).toEqual(NEW);
    return { root, runs, at };
  }

  test("is taken back where it was killed before it knew that", async () => {
    const { root, runs, at } = await run();
    const bytes = readFileSync(logPath(runs, 1));
    const { temporary = "" } = readLog(logPath(runs, 1))?.groups[0]?.puts.find(({ path }) => path === at("b.txt")) ?? {};
    truncateSync(logPath(runs, 1), bytes.indexOf("\n", bytes.indexOf('"prepared"')) + 1);
    renameSync(at("b.txt"), temporary);
    writeFileSync(at("b.txt"), "theirs");
    expect(await recover(runs)).toMatchObject([{ state: "done", operations: 1, conflicts: [{ path: at("b.txt") }] }]);
    expect(snapshot(root)).toEqual({ "a.txt": "644 old a", "b.txt": "644 theirs", "c.txt": "644 new" });
    expect(await recover(runs)).toEqual([]);
  });

  test("is taken back where it was killed while it was taken back", async () => {
    const { root, runs, at } = await run();
    const log = readLog(logPath(runs, 1));
    const puts = log?.groups[0]?.puts ?? [];
    const bytes = readFileSync(logPath(runs, 1));
    truncateSync(logPath(runs, 1), bytes.lastIndexOf("\n", bytes.indexOf('"type":"done"')) + 1);
    const writer = LogWriter.resume(readLog(logPath(runs, 1)) ?? never());
    writer.append({ type: "done", outcomes: puts.map(({ path }) => (path === at("b.txt") ? { failure: { code: "run/not-whole" } } : {})) });
    writer.append({ type: "group", isAtomic: false, continues: false, isRollback: true });
    writer.flush();
    writer.close();
    writeFileSync(at("b.txt"), "old b");
    expect(await recover(runs)).toMatchObject([{ state: "done", operations: 1, conflicts: [] }]);
    expect(snapshot(root)).toEqual({ "a.txt": "644 old a", "b.txt": "644 old b", "c.txt": "644 new" });
    expect(await recover(runs)).toEqual([]);
  });

  test("before anything was made is not made at all", async () => {
    const [root, runs] = [createFolder({ "a.txt": "old a", "b.txt": "old b", "c.txt": "old c" }), createFolder()];
    const overlay = new Overlay(new Disk());
    for (const [author, names] of [["a.txt", "b.txt"], ["c.txt"]].entries()) {
      overlay.author = author + 1;
      for (const name of names) {
        overlay.readFile(join(root, name));
        overlay.writeFile(join(root, name), Buffer.from("new"));
      }
    }
    writeFileSync(join(root, "b.txt"), "theirs");
    const journal = new Journal(runs, { kind: "run", root });
    const { outcomes } = await journal.commit(overlay.take(), { atomic: false });
    journal.finish();
    expect(outcomes.map(({ failure }) => failure?.code)).toEqual(["run/depends", "file/changed", undefined]);
    expect(snapshot(root)).toEqual({ "a.txt": "644 old a", "b.txt": "644 theirs", "c.txt": "644 new" });
    expect(donePuts(readLog(logPath(runs, 1)) ?? never()).map(({ path }) => path)).toEqual([join(root, "c.txt")]);
  });

  test("in a later stage is taken back with the stages before, where the kill came between them", async () => {
    const [root, runs] = [createFolder({ a: "a file", "b.txt": "old b" }), createFolder()];
    const overlay = new Overlay(new Disk());
    overlay.author = 1;
    overlay.unlink(join(root, "a"));
    overlay.makeDirectory(join(root, "a"));
    overlay.writeFile(join(root, "a/in.txt"), Buffer.from("new"));
    const journal = new Journal(runs, { kind: "run", root });
    await journal.commit(overlay.take(), { atomic: false });
    journal.finish();
    const bytes = readFileSync(logPath(runs, 1));
    truncateSync(logPath(runs, 1), bytes.indexOf("\n", bytes.indexOf('"type":"done"')) + 1);
    rmSync(join(root, "a"), { recursive: true });
    expect(await recover(runs)).toMatchObject([{ state: "undone", operations: 0, conflicts: [] }]);
    expect(snapshot(root)).toEqual({ a: "644 a file", "b.txt": "644 old b" });
    expect(await recover(runs)).toEqual([]);
  });
});

test("does not touch the log of another version of Loaf", async () => {
  const runs = createFolder();
  const { line } = encodeRecord({ type: "header", version: 2 } as never, "");
  writeFileSync(logPath(runs, 1), line);
  expect(await recover(runs)).toEqual([]);
  expect(existsSync(logPath(runs, 1))).toBe(true);
});
