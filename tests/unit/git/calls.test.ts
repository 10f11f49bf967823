/** How git is called: what each of the settings and locks is for. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createGit } from "../../../src/git/git.ts";
import { lockIndex } from "../../../src/git/index-lock.ts";
import { moveHead, SMALL_INDEX } from "../../../src/git/record-commit.ts";
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
  await expect(call(["var", "GIT_AUTHOR_IDENT"])).rejects.toThrow(/auto-detection is disabled/);
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
  // Loaf does not read this form by itself, but asks git what HEAD has at the path.
  repository.git("update-index", "--index-version", "4");
  expect((await run(repository, write(":(icase)A.txt", "two\n"))).notices).toBeUndefined();
  expect(changedIn(repository)).toEqual(["M :(icase)A.txt"]);
});

describe("HEAD is moved by somebody else meanwhile", () => {
  /** Git reads the run's file through a filter, which moves HEAD. */
  function trapped(files: Readonly<Record<string, string>> = {}) {
    const repository = createRepository({ ".gitattributes": "a.txt filter=trap\n", "a.txt": "one\n", ...files });
    const begin = repository.git("rev-parse", "HEAD");
    put(repository, "b.txt", "theirs\n");
    repository.git("add", "b.txt");
    repository.git("commit", "-q", "-m", "theirs");
    const theirs = repository.git("rev-parse", "HEAD");
    repository.git("reset", "-q", "--hard", begin);
    repository.git("config", "filter.trap.clean", `sh -c 'cat; git update-ref HEAD ${theirs}'`);
    return { repository, theirs };
  }

  test.each([
    ["before git looks at HEAD", true],
    ["before git looks at HEAD, which has no log", false],
    ["before git looks at HEAD, with a file that it does not have", true, write("new.txt", "new\n")],
  ])("%s: the commit is taken back", async (_when, isLogged, ...more: string[]) => {
    const { repository, theirs } = trapped();
    repository.git("config", "--remove-section", "filter.trap");
    repository.git("config", "core.logAllRefUpdates", String(isLogged));
    insteadOfCommit(`$git update-ref HEAD ${theirs}; exec $git "$@"`);
    const { commit, notices } = await run(repository, write("a.txt", "two\n"), ...more);
    expect([commit, notices]).toEqual([undefined, ["No commit was made: somebody has moved HEAD meanwhile. The changes stay in the files"]]);
    expect([repository.git("rev-parse", "HEAD"), subjects(repository)]).toEqual([theirs, ["theirs", "begin"]]);
  });

  test("while git reads a file that HEAD does not have: the commit is taken back", async () => {
    const { repository, theirs } = trapped();
    const { commit, notices } = await run(repository, write("a.txt", "two\n"), write("new.txt", "new\n"));
    expect([commit, notices]).toEqual([undefined, ["No commit was made: somebody has moved HEAD meanwhile. The changes stay in the files"]]);
    expect([repository.git("rev-parse", "HEAD"), subjects(repository)]).toEqual([theirs, ["theirs", "begin"]]);
  });

  test.each([
    ["it commits with", {}],
    ["of many, where the commit is put together from its parts", manyFiles()],
  ])("while git reads a file %s: the commit is not made", async (_what, files) => {
    const { repository, theirs } = trapped(files);
    expect(readFileSync(join(repository.root, ".git/index")).length > SMALL_INDEX).toBe(Object.keys(files).length > 0);
    const { commit, notices } = await run(repository, write("a.txt", "two\n"));
    expect([commit, notices]).toEqual([undefined, [expect.stringMatching(/^No commit was made: .*cannot lock ref 'HEAD': is at \w+ but expected \w+/)]]);
    expect(repository.git("rev-parse", "HEAD")).toBe(theirs);
  });

  test("moving it asks for where it was", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const begin = repository.git("rev-parse", "HEAD");
    repository.git("commit", "-q", "--allow-empty", "-m", "theirs");
    const theirs = repository.git("rev-parse", "HEAD");
    await expect(moveHead(gitIn(repository), begin, begin, "back")).rejects.toThrow(/expected/);
    expect(repository.git("rev-parse", "HEAD")).toBe(theirs);
  });
});

describe("git does not end well, or does not say what it has made", () => {
  const IS_FULL = "echo 'fatal: repository has been updated, but unable to write new index file' >&2; exit 128";

  test.each([
    ["the disk is full by then", `$git "$@"; ${IS_FULL}`],
    ["it is killed", '$git "$@"; kill -9 $$'],
    ["it says nothing", '$git "$@" > /dev/null'],
  ])("%s: HEAD has moved, so the commit is the run's, and the index goes with it", async (_what, script) => {
    const repository = createRepository({ "a.txt": "one\n" });
    insteadOfCommit(script);
    const { commit, notices } = await run(repository, write("a.txt", "two\n"));
    expect([commit, notices, repository.git("status", "--porcelain")]).toEqual([repository.git("rev-parse", "HEAD"), undefined, ""]);
    expect(subjects(repository)).toEqual(["AI: write a.txt", "begin"]);
  });

  test.each([
    ["the disk is full", IS_FULL],
    ["it is killed", "kill -9 $$"],
  ])("%s before it has written the index, into which it was to take the file: the user's gets what the commit has", async (_what, end) => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
    repository.git("update-index", "--assume-unchanged", "b.txt");
    insteadOfCommit(`cp "$GIT_INDEX_FILE" .git/kept; $git "$@"; cp .git/kept "$GIT_INDEX_FILE"; ${end}`);
    const { commit, notices } = await run(repository, write("a.txt", "two\n"));
    expect([commit, notices, changedIn(repository), repository.git("status", "--porcelain")]).toEqual([repository.git("rev-parse", "HEAD"), undefined, ["M a.txt"], ""]);
    expect(repository.git("ls-files", "-v")).toBe("H a.txt\nh b.txt");
  });

  test("it is killed when it is asked for HEAD: that is no branch without a commit", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
    insteadOfCommit('$git "$@" | head -n 1; kill -9 $$', '*" rev-parse "*');
    const { commit, notices } = await run(repository, write("a.txt", "two\n"));
    expect([commit, notices, subjects(repository)]).toEqual([undefined, ["No commit was made: git took too long, or was ended. The changes stay in the files"], ["begin"]]);
  });

  test("the same with hooks that add to the message", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    hook(repository, "commit-msg", 'printf "LOAF-7 %s\\nChange-Id: I1\\n" "$(cat "$1")" > "$1"');
    insteadOfCommit(`$git "$@"; ${IS_FULL}`);
    const { commit, notices } = await run(repository, write("a.txt", "two\n"));
    expect([commit, notices, repository.git("status", "--porcelain")]).toEqual([repository.git("rev-parse", "HEAD"), undefined, ""]);
    expect(repository.git("log", "-1", "--format=%s|%b")).toContain("Change-Id: I1");
    expect(subjects(repository)[0]).toBe("LOAF-7 AI: write a.txt");
  });

  test("what somebody else has put in HEAD's place meanwhile is not the run's", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const theirs = repository.git("commit-tree", "-p", "HEAD", "-m", "theirs", "HEAD^{tree}");
    insteadOfCommit(`$git update-ref HEAD ${theirs}; echo 'fatal: cannot lock ref' >&2; exit 128`);
    const { commit, notices } = await run(repository, write("a.txt", "two\n"));
    expect([commit, notices]).toEqual([undefined, ["No commit was made: cannot lock ref. The changes stay in the files"]]);
  });
});

test("a repository of many files: the same commit", async () => {
  const repository = createRepository({ "a.txt": "one\n", ...manyFiles() });
  expect((await run(repository, write("a.txt", "two\n"))).commit).toBe(repository.git("rev-parse", "HEAD"));
  expect([changedIn(repository), repository.git("status", "--porcelain")]).toEqual([["M a.txt"], ""]);
});

/** So long are their names that the index is not small. */
function manyFiles(): Record<string, string> {
  return Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`many/${"x".repeat(240)}${index}`, ""]));
}

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

/** A git before the real one, which is `$git`, does this instead of a commit. @param call a pattern of the shell for which calls are meant */
function insteadOfCommit(script: string, call = '*" commit --"*'): void {
  const git = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
  const folder = createFolder({ git: `#!/bin/sh\ngit=${git}\ncase " $* " in ${call}) ${script};; *) exec $git "$@";; esac\n` });
  chmodSync(join(folder, "git"), 0o755);
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
}
