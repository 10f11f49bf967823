/**
 * Loaf is killed while a command runs, and at every place of telling the log what the command has changed: recovery tells it, and undo takes it back. All
 * that is written then is the log, so that to cut it off anywhere is to be killed there.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectStateFolder } from "../../src/host/project-state-folder.ts";
import { Loaf } from "../../src/index.ts";
import { journalFolder } from "../../src/run/turn.ts";
import { logPath, readLog } from "../../src/workspace/journal/read-log.ts";
import { bundle } from "../support/bundle.ts";
import { runCommands } from "../support/command-run.ts";
import { createFolder } from "../support/folder.ts";
import { snapshot } from "../support/sandbox.ts";

let tools = "";
let worker = "";
beforeAll(async () => {
  tools = realpathSync(mkdtempSync(join(tmpdir(), "loaf-command-crash-")));
  worker = join(tools, "worker.mjs");
  writeFileSync(
    worker,
    await bundle(`
      import { runCommands } from "./tests/support/command-run.ts";
      const [, , root, transaction, ...lines] = process.argv;
      await runCommands(root, lines, { transaction });
    `),
  );
});
afterAll(() => rmSync(tools, { recursive: true }));

const files = { "a.txt": "a\r\n", "gone.txt": "gone", "d/in.txt": "in", "mine.txt": "mine" };
const change = "echo more >> a.txt; rm gone.txt; mv d e; echo new > new.txt";

/** A run whose command kills it. */
function killedRun(root: string, transaction: string, lines: readonly string[]): void {
  expect(spawnSync(process.execPath, [worker, root, transaction, ...lines], { encoding: "utf8" })).toMatchObject({ signal: "SIGKILL", stderr: "" });
}

describe("killed while a command runs", () => {
  test("what it changed until then stands, belongs to the run, and can be undone", async () => {
    const root = createFolder(files);
    const before = snapshot(root);
    killedRun(root, "keep", ["echo first > first.txt", `${change}; kill -9 $PPID`]);
    const after = snapshot(root);
    const loaf = await Loaf.create({ repoPath: root });
    expect(await loaf.recover()).toMatchObject({ isWhole: true });
    expect(await loaf.recover()).toEqual({ isWhole: true, notices: [] });
    expect(snapshot(root)).toEqual(after);
    expect((await loaf.undo()).runs[0]?.refused).toEqual([]);
    expect(snapshot(root)).toEqual(before);
  });

  test("of a run that is all or nothing it is taken back, with what commands before it did", async () => {
    const root = createFolder(files);
    const before = snapshot(root);
    killedRun(root, "all-or-nothing", ["echo first > first.txt", `${change}; kill -9 $PPID`]);
    expect((await (await Loaf.create({ repoPath: root })).recover()).isWhole).toBe(true);
    expect(snapshot(root)).toEqual(before);
  });

  test("what was changed later is somebody else's: it stays, and is told", async () => {
    const root = createFolder(files);
    killedRun(root, "all-or-nothing", [`${change}; kill -9 $PPID`]);
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    writeFileSync(join(root, "mine.txt"), "the user's");
    const { isWhole, notices } = await (await Loaf.create({ repoPath: root })).recover();
    expect(isWhole).toBe(false);
    expect(notices.join("\n")).toContain("mine.txt stays as it is");
    expect(snapshot(root)).toMatchObject({ "mine.txt": "644 the user's", "a.txt": "644 a\r\n", "gone.txt": "644 gone" });
  });

  test("where the checkpoint is lost, nothing is guessed", async () => {
    const root = createFolder(files);
    killedRun(root, "keep", [`${change}; kill -9 $PPID`]);
    const after = snapshot(root);
    rmSync(join(projectStateFolder(root), "shadow"), { recursive: true });
    const loaf = await Loaf.create({ repoPath: root });
    expect((await loaf.recover()).notices.join("\n")).toContain("cannot be told");
    expect(snapshot(root)).toEqual(after);
    await expect(loaf.undo()).resolves.toMatchObject({ missing: 1 });
  });
});

/** Where a log can be cut off after its last command has begun: between records and, where asked for, within them. */
function cuts(log: string, isWithin: boolean): number[] {
  const bytes = readFileSync(log);
  const begun = bytes.indexOf("\n", bytes.indexOf('"running"')) + 1;
  const ended = bytes.lastIndexOf("\n", bytes.length - 2) + 1;
  const found = [...bytes.keys()].filter((at) => at >= begun && at <= ended && (bytes[at - 1] === 10 || (isWithin && at % 97 === 0)));
  expect(found.length).toBeGreaterThan(10);
  return found;
}

test("killed anywhere while the log is told, recovery tells it whole", { timeout: 120_000 }, async () => {
  const root = createFolder(files);
  const before = snapshot(root);
  await runCommands(root, [change]);
  const after = snapshot(root);
  const log = logPath(journalFolder(root), 1);
  const whole = readFileSync(log);
  const loaf = await Loaf.create({ repoPath: root });
  for (const cut of cuts(log, true)) {
    writeFileSync(log, whole.subarray(0, cut));
    expect([cut, (await loaf.recover()).isWhole, readLog(log)?.running]).toEqual([cut, true, undefined]);
    expect([cut, snapshot(root)]).toEqual([cut, after]);
  }
  expect((await loaf.undo()).runs[0]?.refused).toEqual([]);
  expect(snapshot(root)).toEqual(before);
});

test("killed anywhere while the log is told, a run that is all or nothing is taken back", { timeout: 120_000 }, async () => {
  for (let index = 0, count = 1; index < count; index++) {
    const root = createFolder(files);
    const before = snapshot(root);
    await runCommands(root, [change], { transaction: "all-or-nothing" });
    const log = logPath(journalFolder(root), 1);
    const all = cuts(log, false);
    count = all.length;
    truncateSync(log, all[index]);
    expect([index, (await (await Loaf.create({ repoPath: root })).recover()).isWhole]).toEqual([index, true]);
    expect([index, snapshot(root)]).toEqual([index, before]);
  }
});
