/**
 * Loaf is killed on its way back or forward, with the git that it has started or without it, also while that changes files: the next command takes it back or ends it, and
 * nothing of the user's is lost.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Loaf } from "../../src/index.ts";
import { bundle } from "../support/bundle.ts";
import { createFolder } from "../support/folder.ts";
import { createRepository, type TestRepository } from "../support/repository.ts";
import { isLong } from "../support/tries.ts";
import { stateOf } from "../support/work-tree-state.ts";
import { open, prepare, put } from "../unit/git/running.ts";

let tools = "";
let worker = "";
beforeAll(async () => {
  tools = realpathSync(mkdtempSync(join(tmpdir(), "loaf-step-crash-")));
  worker = join(tools, "worker.mjs");
  writeFileSync(
    worker,
    await bundle(`
      import { writeFileSync } from "node:fs";
      import { Loaf } from "./src/index.ts";
      const [, , root, step, pidFile] = process.argv;
      writeFileSync(pidFile, String(process.pid));
      await (await Loaf.create({ repoPath: root }))[step]();
    `),
  );
});
afterAll(() => rmSync(tools, { recursive: true }));
beforeEach(prepare);

const LONG = Array.from({ length: 30_000 }, (_, line) => `line ${line}`).join("\n");

/** Two commits that differ in many ways, and on top all that a user may have lying about. */
function changedRepository(): TestRepository {
  const repository = createRepository({ "a.txt": "one\n", "gone.txt": "gone\n", "d/x": "x\n", "long.txt": "old\n", "z.txt": "z\n", ".gitattributes": "*.txt filter=trap\n" });
  for (const [path, text] of Object.entries({ "a.txt": "two\n", "new/n.txt": "n\n", d: "a file\n", "long.txt": LONG, "z.txt": "zz\n", ".gitignore": ".env\n" })) {
    rmSync(join(repository.root, path), { recursive: true, force: true });
    put(repository, path, text);
  }
  rmSync(join(repository.root, "gone.txt"));
  repository.git("add", "-A");
  repository.git("commit", "-qm", "two");
  put(repository, "a.txt", "mine\n");
  put(repository, "new/n.txt", "staged\n");
  repository.git("add", "new/n.txt");
  put(repository, "new/n.txt", "not staged\n");
  put(repository, "untracked.txt", "untracked\n");
  put(repository, ".env", "secret\n");
  chmodSync(join(repository.root, "z.txt"), 0o600);
  return repository;
}

/** After the next command, and the steps that are left, all is as it was. */
async function expectAsBefore(repository: TestRepository, before: string): Promise<void> {
  await (await Loaf.create({ repoPath: repository.root })).recover();
  expect(readdirSync(join(repository.root, ".git")).filter((name) => /lock|loaf-(step|commit)/.test(name))).toEqual([]);
  expect(readFileSync(join(repository.root, ".env"), "utf8")).toBe("secret\n");
  if (repository.git("rev-parse", "--abbrev-ref", "HEAD") === "HEAD") await (await open(repository)).forward();
  expect(stateOf(repository)).toBe(before);
  expect(repository.git("for-each-ref", "refs/loaf")).toBe("");
}

/** @param folder in which programs are found first */
function runKilled({ root }: TestRepository, step: string, pidFile: string, folder = ""): { readonly isKilled: boolean; readonly status: number | null } {
  const { signal, status } = spawnSync(process.execPath, [worker, root, step, pidFile], { env: { ...process.env, PATH: `${folder}:${process.env["PATH"]}` } });
  return { isKilled: signal === "SIGKILL", status };
}

describe.each(["back", "forward"])("%s", (step) => {
  async function prepared(): Promise<{ readonly repository: TestRepository; readonly before: string }> {
    const repository = changedRepository();
    const before = stateOf(repository);
    if (step === "forward") await (await open(repository)).back();
    return { repository, before };
  }

  test.each([
    ["before a call of git", false],
    ["after a call of git", true],
  ])("killed %s, whichever it is", async (_when, isAfter) => {
    const git = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
    /** Kills at the call with a number, if there is such. */
    const tryAt = async (number: number): Promise<{ readonly isKilled: boolean; readonly calls: number }> => {
      const { repository, before } = await prepared();
      const folder = createFolder({ calls: "", git: "" });
      writeFileSync(join(folder, "git"), `#!/bin/sh\necho >> ${folder}/calls\nif [ "$(wc -l < ${folder}/calls)" -eq ${number} ]; then ${isAfter ? `${git} "$@" > /dev/null;` : ""} kill -9 $PPID $$; fi\nexec ${git} "$@"\n`);
      chmodSync(join(folder, "git"), 0o755);
      const { isKilled, status } = runKilled(repository, step, join(folder, "pid"), folder);
      expect([number, isKilled || status === 0]).toEqual([number, true]);
      await expectAsBefore(repository, before);
      return { isKilled, calls: readFileSync(join(folder, "calls"), "utf8").length };
    };
    const { calls } = await tryAt(0);
    expect(calls).toBeGreaterThan(15);
    let killed = 0;
    // Some are made at the same time, and then no one of them may find itself to be the one.
    for (let number = isLong ? 1 : 2; number <= calls; number += isLong ? 1 : 3) killed += (await tryAt(number)).isKilled ? 1 : 0;
    expect(killed).toBeGreaterThan(calls / (isLong ? 2 : 5));
  }, 300_000);

  test.each([
    ["with it", "kill -9 $(cat PID) $PPID; kill -9 $(cut -d ' ' -f 4 /proc/$PPID/stat)"],
    ["without it", "kill -9 $(cat PID); sleep 0.8"],
  ])("killed while git changes files, %s", async (_what, script) => {
    // Git hands each file to a filter before it writes it, the last one too.
    for (const path of ["a.txt", "long.txt", "z.txt"]) {
      const { repository, before } = await prepared();
      const folder = createFolder({ pid: "", trap: "" });
      writeFileSync(join(folder, "trap"), `#!/bin/sh\nif [ "$1" = ${path} ]; then ${script.replaceAll("PID", `${folder}/pid`)}; fi\ncat\n`);
      chmodSync(join(folder, "trap"), 0o755);
      repository.git("config", "filter.trap.smudge", `${folder}/trap %f`);
      const { isKilled } = runKilled(repository, step, join(folder, "pid"));
      repository.git("config", "--remove-section", "filter.trap");
      expect([path, isKilled]).toEqual([path, true]);
      await expectAsBefore(repository, before);
      // Nor does a git that goes on change anything afterwards.
      await new Promise((done) => void setTimeout(done, 1_000));
      expect([path, stateOf(repository)]).toEqual([path, before]);
    }
  }, 300_000);
});
