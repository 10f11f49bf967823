/**
 * Loaf is killed while it commits: at each call of its own that changes a file in the repository, and before and after each git that it starts. After the
 * next command the user's git works again, and the repository holds nothing of Loaf's.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { Loaf } from "../../src/index.ts";
import { bundle } from "../support/bundle.ts";
import { createFolder } from "../support/folder.ts";
import { createRepository, gitEnvironment, type TestRepository } from "../support/repository.ts";
import { isLong } from "../support/tries.ts";
import { prepare, put } from "../unit/git/running.ts";
import { type Call, changingCalls, hasInjector, type Program, runWithFault } from "./injector.ts";
import { isComplete } from "../support/complete.ts";

let tools = "";
let worker = "";
beforeAll(async () => {
  tools = realpathSync(mkdtempSync(join(tmpdir(), "loaf-commit-crash-")));
  worker = join(tools, "worker.mjs");
  writeFileSync(
    worker,
    await bundle(`
      import { Loaf } from "./src/index.ts";
      import { printBlock } from "./src/syntaxes/nesl/teach.ts";
      const loaf = await Loaf.create({ repoPath: process.argv[2], config: { relative_paths: true } });
      if (process.argv[3] === "undo") await loaf.undo();
      else if (process.argv[3] === "redo") await loaf.redo();
      else {
      const { commit } = await loaf.execute(["a.txt", "new.txt"].map((path) => printBlock("abc", { action: "file_write", path, content: "its" })).join("\\n"));
      if (commit === undefined) process.exitCode = 1;
      }
    `),
  );
});
afterAll(() => rmSync(tools, { recursive: true }));
beforeEach(prepare);

/** With a change of the user's in a file that the run changes, and another one that is staged. */
function changedRepository(): TestRepository {
  const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
  put(repository, "a.txt", "mine\n");
  put(repository, "b.txt", "2\n");
  repository.git("add", "b.txt");
  return repository;
}

const left = ({ root }: TestRepository) => readdirSync(join(root, ".git")).filter((name) => /loaf|lock/.test(name));

/** What is wrong once the next command has begun. */
async function problemsIn(repository: TestRepository): Promise<unknown[]> {
  await (await Loaf.create({ repoPath: repository.root })).recover();
  const problems: unknown[] = left(repository);
  try {
    repository.git("add", "b.txt");
    repository.git("fsck", "--strict", "--no-dangling");
    if (repository.git("show", ":b.txt") !== "2") problems.push("b.txt is not staged any more");
    const staged = repository.git("diff", "--cached", "--name-only");
    if (staged !== "b.txt") problems.push(`staged: ${staged}`);
  } catch (thrown) {
    problems.push(String(thrown));
  }
  return problems;
}

describe.runIf(hasInjector || isComplete)("100: killed at a call of its own", () => {
  const program = ({ root }: TestRepository): Program => ({ file: worker, arguments: [root], folder: join(root, ".git"), isAlone: true, env: { XDG_STATE_HOME: process.env["XDG_STATE_HOME"] ?? "", ...gitEnvironment } });

  test("a kill at a call that changes a file in the repository leaves no problem behind", async () => {
    const calls = await changingCalls(program(changedRepository()));
    expect(calls.map(({ name }) => name)).toEqual(expect.arrayContaining(["link", "rename", "unlink", "mkdir"]));
    const found: unknown[] = [];
    let killed = 0;
    for (const call of isLong ? calls : ofEachKind(calls)) {
      const repository = changedRepository();
      // The names of its folders differ from run to run, and so only the number of the call tells which one it is.
      const { isKilled } = await runWithFault(program(repository), call, "kill");
      killed += isKilled ? 1 : 0;
      const problems = await problemsIn(repository);
      if (problems.length > 0) found.push({ call, problems });
    }
    expect(found).toEqual([]);
    expect(killed).toBeGreaterThan(10);
  }, 600_000);
});

/** The first of each name: what it does to a lock, a folder, an index. */
function ofEachKind(calls: readonly Call[]): Call[] {
  const kind = ({ name, arguments: given }: Call) => `${name} ${given.replaceAll(/loaf-(\w+)-[^/"]*/g, "loaf-$1")}`;
  return calls.filter((call, index) => calls.findIndex((other) => kind(other) === kind(call)) === index);
}

describe("100: killed together with a git that it has started", () => {
  /** A git that kills Loaf and itself instead of its call with this number, or once that is done. Of calls at one time the number may be passed over. */
  function killer(number: number, isAfter: boolean): string {
    const git = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
    const folder = createFolder({ calls: "" });
    const script = `#!/bin/sh\necho >> ${folder}/calls\nif [ "$(wc -l < ${folder}/calls)" -ge ${number} ]; then ${isAfter ? `${git} "$@" > /dev/null;` : ""} kill -9 $PPID $$; fi\nexec ${git} "$@"\n`;
    writeFileSync(join(folder, "git"), script);
    chmodSync(join(folder, "git"), 0o755);
    return folder;
  }

  test.each([
    ["before its call", false],
    ["after its call", true],
  ])("%s", async (_when, isAfter) => {
    let isKilled = true;
    let number = 1;
    for (; isKilled; number++) {
      const repository = changedRepository();
      const { signal, status } = spawnSync(process.execPath, [worker, repository.root], { env: { ...process.env, PATH: `${killer(number, isAfter)}:${process.env["PATH"]}` } });
      isKilled = signal === "SIGKILL";
      expect([number, isKilled || status === 0, await problemsIn(repository)]).toEqual([number, true, []]);
    }
    expect(number).toBeGreaterThan(4);
  }, 300_000);

  test.runIf(process.platform === "linux")("a git that outlives Loaf, since its hook runs, commits nothing", async () => {
    const repository = changedRepository();
    const [begun, go] = [join(createFolder(), "begun"), join(createFolder(), "go")];
    writeFileSync(join(repository.root, "loaf.yml"), "git: {hooks: true}\n");
    const hook = join(repository.root, ".git/hooks/pre-commit");
    writeFileSync(hook, `#!/bin/sh\ntouch ${begun}\nwhile [ ! -e ${go} ]; do sleep 0.05; done\n`);
    chmodSync(hook, 0o755);
    const before = repository.git("rev-parse", "HEAD");
    const loaf = spawn(process.execPath, [worker, repository.root], { stdio: "ignore" });
    await vi.waitFor(() => expect(existsSync(begun)).toBe(true), { timeout: 20_000 });
    loaf.kill("SIGKILL");
    await new Promise((resolve) => loaf.once("close", resolve));
    expect(await problemsIn(repository)).toEqual([]);
    writeFileSync(go, "");
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect([repository.git("rev-parse", "HEAD"), left(repository)]).toEqual([before, []]);
  }, 60_000);

  const standing = ({ git, root }: TestRepository) => [git("symbolic-ref", "HEAD"), git("rev-parse", "HEAD"), git("ls-files", "-s"), git("status", "--short"), readFileSync(join(root, "a.txt"), "utf8")];

  const acts = (["run", "undo", "redo"] as const).flatMap((act) => (isLong ? [true, false] : [true]).map((isAfter) => [act, isAfter ? "after" : "before", isAfter] as const));

  test.each(acts)("72: after a killed %s, %s a call, undo or redo is whole: branch, index and files", async (act, _when, isAfter) => {
    let isKilled = true;
    let number = 1;
    for (; isKilled; number++) {
      const repository = changedRepository();
      const before = standing(repository);
      const open = () => Loaf.create({ repoPath: repository.root, config: { relative_paths: true } });
      const start = (what: string, path = process.env["PATH"]) => spawnSync(process.execPath, [worker, repository.root, what], { env: { ...process.env, PATH: path } });
      if (act !== "run") expect(start("run").status).toBe(0);
      const after = standing(repository);
      if (act === "redo") await (await open()).undo();
      const { signal, status, stderr } = start(act, `${killer(number, isAfter)}:${process.env["PATH"]}`);
      isKilled = signal === "SIGKILL";
      expect([isKilled || status === 0, stderr.toString()]).toEqual([true, ""]);
      await (await open()).recover();
      const { state } = (await (await open()).history()).runs[0] ?? {};
      if (act === "redo" ? state === "undone" : state !== "undone") await (await open())[act === "redo" ? "redo" : "undo"]();
      expect([act, number, ...standing(repository)]).toEqual([act, number, ...(act === "redo" ? after : before)]);
    }
    expect(number).toBeGreaterThan(3);
  }, 300_000);
});

test("a lock that does not name a Loaf that is gone stays, and what lies beside it", async () => {
  const repository = changedRepository();
  put(repository, ".git/loaf-commit-x/index", "");
  for (const text of ["", "loaf\n", "DIRC"]) {
    put(repository, ".git/index.lock", text);
    await (await Loaf.create({ repoPath: repository.root })).recover();
    expect(left(repository).toSorted()).toEqual(["index.lock", "loaf-commit-x"]);
  }
});
