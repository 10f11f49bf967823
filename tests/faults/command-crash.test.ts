/**
 * Loaf, a command or both are killed while the command works on its view: the project is as it was before the command or as it was left, and after the next
 * command that changes something no mount, process or layer of it is left.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectStateFolder } from "../../src/state/places.ts";
import { Loaf } from "../../src/index.ts";
import { bundle } from "../support/bundle.ts";
import { createFolder } from "../support/folder.ts";
import { printBlock } from "../../src/syntaxes/nesl/teach.ts";
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
      const [, , root, transaction, view, ...lines] = process.argv;
      await runCommands(root, lines, { transaction, view });
    `),
  );
});
afterAll(() => rmSync(tools, { recursive: true }));

const files = { "a.txt": "a\r\n", "gone.txt": "gone", "d/in.txt": "in", "mine.txt": "mine" };
const change = "echo more >> a.txt; rm gone.txt; mv d e; echo new > new.txt";

function killedRun(root: string, transaction: string, lines: readonly string[], view = "overlay"): void {
  expect(spawnSync(process.execPath, [worker, root, transaction, view, ...lines], { encoding: "utf8" })).toMatchObject({ signal: "SIGKILL", stderr: "" });
}

/** What is left of views: their folders, and processes whose mounts or arguments name one. */
function leftovers(root: string): string[] {
  const views = join(projectStateFolder(root), "views");
  const folders = existsSync(views) ? readdirSync(views) : [];
  const processes = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && ["mounts", "cmdline"].some((fact) => readIfThere(`/proc/${pid}/${fact}`).includes(views)));
  return [...folders, ...processes.map((pid) => `process ${pid}`)];
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

/** The holder of a view ends when the pipe from Loaf does: the system takes a moment for that. */
async function settled(root: string): Promise<string[]> {
  for (let round = 0; round < 100 && leftovers(root).some((one) => one.startsWith("process")); round++) await new Promise((resolve) => setTimeout(resolve, 20));
  return leftovers(root);
}

async function write(root: string): Promise<void> {
  const { success } = await (await Loaf.create({ repoPath: root, config: { relative_paths: true } })).execute(printBlock("one", { action: "file_write", path: "later.txt", content: "later" }));
  expect(success).toBe(true);
}

test("71: a view that a kill left without its owner goes with the next command that changes something", async () => {
  const root = createFolder(files);
  await write(root);
  const left = join(projectStateFolder(root), "views", "1");
  mkdirSync(join(left, "files"), { recursive: true });
  writeFileSync(join(left, "owner"), "");
  await write(root);
  expect(leftovers(root)).toEqual([]);
});

describe.each(["overlay", "copy"])("on a view by %s", (view) => {
  test.each(["keep", "all-or-nothing"])("71, 100: Loaf killed by a command leaves the project as it was before that command (%s)", async (transaction) => {
    const root = createFolder(files);
    const before = snapshot(root);
    killedRun(root, transaction, ["echo first > first.txt", `${change}; kill -9 $PPID`], view);
    expect(snapshot(root)).toEqual(transaction === "keep" ? { ...before, "first.txt": "644 first\n" } : before);
    await write(root);
    expect(await settled(root)).toEqual([]);
    const loaf = await Loaf.create({ repoPath: root });
    expect((await loaf.undo({ last: 2 })).runs.flatMap(({ refused }) => refused)).toEqual([]);
    expect(snapshot(root)).toEqual(before);
  });

  test("71, 100: Loaf killed at any moment leaves the project old or new, and nothing of the view", async () => {
    const root = createFolder(files);
    const before = snapshot(root);
    const whole = createFolder(files);
    expect(spawnSync(process.execPath, [worker, whole, "keep", view, change]).status).toBe(0);
    const after = snapshot(whole);
    const seen = new Set<string>();
    for (let delay = 100; delay <= 900; delay += 40) {
      const child = spawn(process.execPath, [worker, root, "keep", view, change], { stdio: "ignore", detached: true });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, delay))]);
      child.kill("SIGKILL");
      await ended;
      const loaf = await Loaf.create({ repoPath: root });
      expect((await loaf.recover()).isWhole).toBe(true);
      const found = snapshot(root);
      expect([before, after]).toContainEqual(found);
      seen.add(JSON.stringify(found) === JSON.stringify(before) ? "old" : "new");
      await write(root);
      expect(await settled(root)).toEqual([]);
      await loaf.undo({ last: 2 });
      expect(snapshot(root)).toEqual(before);
    }
    expect(seen.size).toBeGreaterThan(0);
  }, 120_000);
});
