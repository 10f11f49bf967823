import { createHash } from "node:crypto";
import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acquireLock } from "../../../src/state/lock.ts";
import { projectStateFolder } from "../../../src/state/places.ts";
import { Loaf } from "../../../src/loaf.ts";
import { lastRunIn } from "../../../src/history/past-runs.ts";
import { journalFolder } from "../../../src/history/turn.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { LogWriter } from "../../../src/journal/log-writer.ts";
import { logPath } from "../../../src/journal/log.ts";
import { createFolder } from "../../support/folder.ts";

const write = (path: string, content: string): string => printBlock("wrt", { action: "file_write", path, content });

test("the last run is found without reading older logs, also below undos of older ones", async () => {
  const root = createFolder();
  const loaf = await Loaf.create({ repoPath: root });
  const last = () => lastRunIn(journalFolder(loaf.root));
  expect(last()).toBeUndefined();
  for (let number = 1; number <= 6; number++) await loaf.execute(write(join(root, "own.txt"), `${number}\n`));
  expect(last()).toMatchObject({ run: 6, state: "done" });
  await loaf.undo({ last: 5 });
  expect(last()).toMatchObject({ run: 6, state: "undone" });
  writeFileSync(logPath(journalFolder(loaf.root), 1), "unreadable");
  expect(last()).toMatchObject({ run: 6, state: "undone" });
});

async function opened() {
  const root = createFolder();
  const loaf = await Loaf.create({ repoPath: root });
  for (const content of ["one\n", "two\n"]) expect(await loaf.execute(write(join(root, "own.txt"), content))).toMatchObject({ success: true });
  return { root: loaf.root, loaf, runs: journalFolder(loaf.root) };
}

/** Leaves the log of a process killed after preparing a group and before changing anything. */
function interrupted(root: string, runs: string, newest: number): string {
  const [path, temporary] = [join(root, "other.txt"), join(root, ".loaf-0123")];
  writeFileSync(temporary, "other\n");
  writeFileSync(logPath(runs, newest), "");
  const log = LogWriter.create(runs, { kind: "run", started: new Date().toISOString(), root });
  log.append({ type: "group", isAtomic: false, continues: false, isRollback: false });
  log.append({ type: "put", path, authors: [1], before: null, after: { kind: "file", size: 6, sha256: createHash("sha256").update("other\n").digest("hex") }, temporary });
  log.append({ type: "prepared" });
  log.flush();
  log.close();
  return path;
}

test("a run interrupted in another process since is finished first, whatever its number", async () => {
  const { root, loaf, runs } = await opened();
  const lock = await acquireLock(join(projectStateFolder(root), "lock"));
  const path = interrupted(root, runs, 5);
  lock.release();
  expect(await loaf.execute(write(join(root, "own.txt"), "three\n"))).toMatchObject({ success: true, run: 7 });
  expect(readFileSync(path, "utf8")).toBe("other\n");
});

test("the next run is numbered after the logs of others, also after a turn without changes", async () => {
  const { root, loaf, runs } = await opened();
  const lock = await acquireLock(join(projectStateFolder(root), "lock"));
  // An undo and its redo in between were dropped.
  writeFileSync(logPath(runs, 4), "");
  LogWriter.create(runs, { kind: "run", started: new Date().toISOString(), root }).close();
  lock.release();
  expect(await loaf.execute(printBlock("red", { action: "file_read", path: join(root, "own.txt") }))).toMatchObject({ success: true });
  expect(await loaf.execute(write(join(root, "own.txt"), "three\n"))).toMatchObject({ success: true, run: 6 });
});

test("an interrupted run is finished first also if the lock shows no other turn", async () => {
  const { root, loaf, runs } = await opened();
  const path = interrupted(root, runs, 2);
  expect(await loaf.execute(write(join(root, "own.txt"), "three\n"))).toMatchObject({ success: true, run: 4 });
  expect(readFileSync(path, "utf8")).toBe("other\n");
});

test("an interrupted run whose log replaced the last log under the same number is finished first", async () => {
  const { root, loaf, runs } = await opened();
  unlinkSync(logPath(runs, 2));
  const path = interrupted(root, runs, 1);
  expect(await loaf.execute(write(join(root, "own.txt"), "three\n"))).toMatchObject({ success: true, run: 3 });
  expect(readFileSync(path, "utf8")).toBe("other\n");
});

test("if the last log is gone, the next run takes its number", async () => {
  const { root, loaf, runs } = await opened();
  unlinkSync(logPath(runs, 2));
  expect(await loaf.execute(write(join(root, "own.txt"), "three\n"))).toMatchObject({ success: true, run: 2 });
});

test("a finished run is reported, also if the turn drops its log", async () => {
  const { root, runs } = await opened();
  const lock = await acquireLock(join(projectStateFolder(root), "lock"));
  const undo = LogWriter.create(runs, { kind: "undo", of: 2, started: new Date().toISOString(), root });
  undo.append({ type: "group", isAtomic: false, continues: false, isRollback: false });
  undo.append({ type: "done", outcomes: [] });
  undo.flush();
  undo.close();
  lock.release();
  const loaf = await Loaf.create({ repoPath: root, config: { history: { max_size: 1 } } });
  const { run, notices } = await loaf.execute(write(join(root, "own.txt"), "three\n"));
  expect([run, ...(notices ?? [])]).toEqual([4, expect.stringContaining("The interrupted undo of run 2"), expect.stringContaining("Runs 1 to 3 were dropped")]);
});
