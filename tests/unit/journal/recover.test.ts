import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Disk } from "../../../src/disk/disk.ts";
import { Journal } from "../../../src/journal/journal.ts";
import { encodeRecord } from "../../../src/journal/log-record.ts";
import { LogWriter } from "../../../src/journal/log-writer.ts";
import { Overlay } from "../../../src/disk/overlay.ts";
import { listSequences, logPath, readLog } from "../../../src/journal/read-log.ts";
import { recover } from "../../../src/journal/recover.ts";
import { createFolder } from "../../support/folder.ts";
import { snapshot } from "../../support/sandbox.ts";

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
  const journal = new Journal(runs, { kind: "run", root, transaction: atomic ? "all-or-nothing" : "keep" });
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
  expect(await recover(runs)).toMatchObject([{ state: "undone", operations: 0, conflicts }]);
  expect(snapshot(root)).toEqual({ "a.txt": "644 new a", "b.txt": "644 theirs" });
  expect(await recover(runs)).toEqual([]);
  expect(listSequences(runs)).toEqual([1]);
});

test("removes the new files of a group that was given up, also where the kill came before that could be done", async () => {
  const { root, runs } = await killed(["a.txt", "b.txt", "c.txt"]);
  const { puts = [] } = readLog(logPath(runs, 1))?.groups[0] ?? {};
  // An undo goes on with what comes after such a group.
  const undo = LogWriter.create(runs, { kind: "undo", of: 1, started: "2026-01-01T00:00:00.000Z", root, transaction: "keep" });
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
  const { line } = encodeRecord({ type: "header", version: 3, sequence: 3, kind: "run", started: "", root, transaction: "keep" }, "");
  writeFileSync(logPath(runs, 3), line);
  expect(await recover(runs)).toEqual([]);
  expect(await recover(join(runs, "missing"))).toEqual([]);
});

test("an undo whose run is in the log no more, as somebody has deleted it, ends with what is done: it bars the way to nobody", async () => {
  const [root, runs] = [createFolder(), createFolder()];
  LogWriter.create(runs, { kind: "run", started: "2026-01-01T00:00:00.000Z", root, transaction: "keep" }).close();
  const undo = LogWriter.create(runs, { kind: "undo", of: 1, started: "2026-01-01T00:00:00.000Z", root, transaction: "keep" });
  undo.append({ type: "group", isAtomic: false, continues: false, isRollback: false });
  undo.append({ type: "done", outcomes: [] });
  undo.flush();
  undo.close();
  rmSync(logPath(runs, 1));
  expect(await recover(runs)).toEqual([{ sequence: 2, kind: "undo", of: 1, state: "undone", operations: 0, conflicts: [{ path: root, reason: "the log of run 1 is gone, so the rest of it cannot be undone" }] }]);
  expect(await recover(runs)).toEqual([]);
});

test.each([
  ["once its parts were made", '"done"'],
  ["before the log has that its parts were made", '"takesBack"'],
])("takes back the rest of an action that failed in part, where the kill came %s", async (_, last) => {
  const [root, runs] = [createFolder({ "a.txt": "old a", "b.txt": "old b", "c.txt": "old c" }), createFolder()];
  const at = (name: string): string => join(root, name);
  const overlay = new Overlay(new Disk());
  for (const [author, names] of [["a.txt", "b.txt"], ["c.txt"]].entries()) {
    overlay.author = author + 1;
    for (const name of names) {
      overlay.readFile(at(name));
      overlay.writeFile(at(name), Buffer.from("new"));
    }
  }
  writeFileSync(at("b.txt"), "theirs");
  const journal = new Journal(runs, { kind: "run", root, transaction: "keep" });
  await journal.commit(overlay.take(), { atomic: false });
  journal.finish();
  const left = { "a.txt": "644 old a", "b.txt": "644 theirs", "c.txt": "644 new" };
  expect(snapshot(root)).toEqual(left);
  const bytes = readFileSync(logPath(runs, 1));
  truncateSync(logPath(runs, 1), bytes.indexOf("\n", bytes.indexOf(last)) + 1);
  writeFileSync(at("a.txt"), "new");
  expect(await recover(runs)).toMatchObject([{ state: "done", conflicts: [] }]);
  expect(snapshot(root)).toEqual(left);
  expect(await recover(runs)).toEqual([]);
});

test("does not touch the log of another version of Loaf", async () => {
  const runs = createFolder();
  const { line } = encodeRecord({ type: "header", version: 2 } as never, "");
  writeFileSync(logPath(runs, 1), line);
  expect(await recover(runs)).toEqual([]);
  expect(existsSync(logPath(runs, 1))).toBe(true);
});
