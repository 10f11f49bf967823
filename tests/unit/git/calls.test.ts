/** How git is called: what each of the settings and locks is for. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createGit } from "../../../src/git/git.ts";
import { lockIndex } from "../../../src/git/index-lock.ts";
import { moveHead } from "../../../src/git/record-commit.ts";
import { createFolder } from "../../support/folder.ts";
import { createRepository, type TestRepository } from "../../support/repository.ts";
import { changedIn, hook, prepare, put, run, subjects, write } from "./running.ts";

beforeEach(prepare);

const gitIn = ({ root }: TestRepository) => createGit("git", root);

test("a user whom nobody has named is not made up from the machine's names", async () => {
  const { git } = createRepository({ "a.txt": "one\n" });
  const root = git("rev-parse", "--show-toplevel");
  git("config", "--unset", "user.email");
  git("config", "user.useConfigOnly", "false");
  const call = createGit("git", root, { ...process.env, EMAIL: undefined });
  await expect(call(["var", "GIT_AUTHOR_IDENT"])).rejects.toThrow(/git does not know who you are/);
});

test("asking for the state leaves the index alone", async () => {
  const repository = createRepository({ "a.txt": "one\n" });
  const index = join(repository.root, ".git/index");
  utimesSync(join(repository.root, "a.txt"), 1, 1);
  const before = readFileSync(index);
  await gitIn(repository)(["status"]);
  expect(readFileSync(index)).toEqual(before);
  repository.git("status");
  expect(readFileSync(index)).not.toEqual(before);
});

test("a path that looks like a pattern is a path", async () => {
  const repository = createRepository({ ":(icase)A.txt": "one\n", "a.txt": "one\n" });
  expect((await run(repository, write(":(icase)A.txt", "two\n"))).notices).toBeUndefined();
  expect(changedIn(repository)).toEqual(["M :(icase)A.txt"]);
});

describe("76: HEAD is moved by somebody else meanwhile", () => {
  /** Git reads the run's file through a filter, which moves HEAD. */
  function trapped() {
    const repository = createRepository({ ".gitattributes": "a.txt filter=trap\n", "a.txt": "one\n" });
    const begin = repository.git("rev-parse", "HEAD");
    put(repository, "b.txt", "theirs\n");
    repository.git("add", "b.txt");
    repository.git("commit", "-q", "-m", "theirs");
    const theirs = repository.git("rev-parse", "HEAD");
    repository.git("reset", "-q", "--hard", begin);
    const script = join(createFolder({ trap: `cat; git update-ref HEAD ${theirs}\n` }), "trap");
    repository.git("config", "filter.trap.clean", `sh ${script}`);
    return { repository, theirs };
  }

  test("before Loaf moves it: the commit is not made", async () => {
    const { repository, theirs } = trapped();
    repository.git("config", "--remove-section", "filter.trap");
    insteadOf('*" update-ref "*', `$git update-ref HEAD ${theirs}; exec $git "$@"`);
    const { commit, notices } = await run(repository, write("a.txt", "two\n"));
    expect([commit, notices]).toEqual([undefined, ["No commit was made: somebody has moved HEAD meanwhile. The changes stay in the files"]]);
    expect([repository.git("rev-parse", "HEAD"), subjects(repository)]).toEqual([theirs, ["theirs", "begin"]]);
  });

  test.each([
    ["a file that HEAD has", []],
    ["a file that HEAD does not have", [write("new.txt", "new\n")]],
  ])("while git reads %s: the commit is not made", async (_what, more) => {
    const { repository, theirs } = trapped();
    const { commit, notices } = await run(repository, write("a.txt", "two\n"), ...more);
    expect([commit, notices]).toEqual([undefined, ["No commit was made: somebody has moved HEAD meanwhile. The changes stay in the files"]]);
    expect([repository.git("rev-parse", "HEAD"), subjects(repository)]).toEqual([theirs, ["theirs", "begin"]]);
  });

  test("moving it asks for where it was", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const begin = repository.git("rev-parse", "HEAD");
    repository.git("commit", "-q", "--allow-empty", "-m", "theirs");
    const theirs = repository.git("rev-parse", "HEAD");
    await expect(moveHead(gitIn(repository), begin, begin, "back")).rejects.toThrow("somebody has moved HEAD meanwhile");
    expect(repository.git("rev-parse", "HEAD")).toBe(theirs);
  });
});

describe("git does not end well, or does not say what it has made", () => {
  const IS_FULL = "echo 'fatal: repository has been updated, but unable to write new index file' >&2; exit 128";

  test.each([
    ["moves HEAD", '*" update-ref "*', '$git "$@"; kill -9 $$'],
    ["commits with a hook", '*" commit --"*', '$git "$@"; kill -9 $$'],
    ["commits with a hook on a disk that is full by then", '*" commit --"*', `$git "$@"; ${IS_FULL}`],
    ["commits with a hook and says nothing", '*" commit --"*', '$git "$@" > /dev/null'],
  ])("it %s: HEAD has moved, so the commit is the run's, and the index goes with it", async (what, call, script) => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
    repository.git("update-index", "--assume-unchanged", "b.txt");
    if (what.includes("hook")) hook(repository, "commit-msg", "exit 0");
    insteadOf(call, script);
    const { commit, notices } = await run(repository, write("a.txt", "two\n"));
    expect([commit, notices, repository.git("status", "--porcelain")]).toEqual([repository.git("rev-parse", "HEAD"), undefined, ""]);
    expect([subjects(repository), repository.git("ls-files", "-v")]).toEqual([["AI: write a.txt", "begin"], "H a.txt\nh b.txt"]);
  });

  test("it is killed when it is asked for HEAD: that is no branch without a commit", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
    insteadOf('*" rev-parse "*', '$git "$@" | head -n 1; kill -9 $$');
    const { commit, notices } = await run(repository, write("a.txt", "two\n"));
    expect([commit, notices, subjects(repository)]).toEqual([undefined, ["No commit was made: git took too long or was killed. The changes stay in the files"], ["begin"]]);
  });

  test("the same with hooks that add to the message", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    hook(repository, "commit-msg", 'printf "LOAF-7 %s\\nChange-Id: I1\\n" "$(cat "$1")" > "$1"');
    insteadOf('*" commit --"*', `$git "$@"; ${IS_FULL}`);
    const { commit, notices } = await run(repository, write("a.txt", "two\n"));
    expect([commit, notices, repository.git("status", "--porcelain")]).toEqual([repository.git("rev-parse", "HEAD"), undefined, ""]);
    expect(repository.git("log", "-1", "--format=%s|%b")).toContain("Change-Id: I1");
    expect(subjects(repository)[0]).toBe("LOAF-7 AI: write a.txt");
  });

  test("what somebody else has put in HEAD's place meanwhile is not the run's", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const theirs = repository.git("commit-tree", "-p", "HEAD", "-m", "theirs", "HEAD^{tree}");
    hook(repository, "commit-msg", "exit 0");
    insteadOf('*" commit --"*', `$git update-ref HEAD ${theirs}; echo 'fatal: cannot lock ref' >&2; exit 128`);
    const { commit, notices } = await run(repository, write("a.txt", "two\n"));
    expect([commit, notices]).toEqual([undefined, ["No commit was made: cannot lock ref. The changes stay in the files"]]);
  });
});

test("a signal releases the lock of the index, and leaves what is not Loaf's", async () => {
  const { root } = createRepository({ "a.txt": "one\n" });
  const path = join(root, ".git/index.lock");
  let heard = 0;
  const listen = () => void heard++;
  process.on("SIGTERM", listen);
  try {
    const lock = await lockIndex(join(root, ".git"));
    expect(existsSync(path)).toBe(true);
    process.emit("SIGTERM", "SIGTERM");
    expect([existsSync(path), heard]).toEqual([false, 1]);
    writeFileSync(path, "");
    lock.release();
    expect(existsSync(path)).toBe(true);
  } finally {
    process.off("SIGTERM", listen);
  }
});

/** A git before the real one, which is `$git`, runs this script for some calls. @param call a pattern of the shell */
function insteadOf(call: string, script: string): void {
  const git = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
  const folder = createFolder({ git: `#!/bin/sh\ngit=${git}\ncase " $* " in ${call}) ${script};; *) exec $git "$@";; esac\n` });
  chmodSync(join(folder, "git"), 0o755);
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
}
