import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createRepository, type TestRepository } from "../../support/repository.ts";
import { changedIn, hook, open, prepare, put, read, remove, replace, run, runWith, status, subjects, write } from "./running.ts";

beforeEach(prepare);

const undo = async (repository: TestRepository, count = 1) => (await open(repository)).undo(count);
const redo = async (repository: TestRepository) => (await open(repository)).redo();

describe("a run that was committed", () => {
  test("is undone by a commit that reverts it, and redone by one that reverts that", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
    const { commit } = await run(repository, write("a.txt", "two\n"), remove("b.txt"), write("c.txt", "c\n"));
    const undone = await undo(repository);
    expect([undone.notices, undone.runs[0]?.commit]).toEqual([[], repository.git("rev-parse", "HEAD")]);
    expect(repository.git("log", "-1", "--format=%B")).toBe(`Revert "AI: write 2 files, delete b.txt"\n\nThis reverts commit ${commit}.\n\nLoaf-Run: 2\n`);
    expect([repository.git("diff", "HEAD~2", "HEAD"), status(repository)]).toEqual(["", []]);
    const redone = await redo(repository);
    expect([redone.notices, subjects(repository)[0], repository.git("diff", "HEAD~2", "HEAD"), status(repository)]).toEqual([[], 'Reapply "AI: write 2 files, delete b.txt"', "", []]);
    await undo(repository);
    expect([subjects(repository).length, repository.git("diff", "HEAD~4", "HEAD")]).toEqual([5, ""]);
  });

  test("one after the other, and all at once", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    for (const text of ["two\n", "three\n", "four\n"]) await run(repository, write("a.txt", text));
    expect((await undo(repository)).notices).toEqual([]);
    expect((await undo(repository, 2)).notices).toEqual([]);
    expect([repository.git("diff", "HEAD~6", "HEAD"), status(repository), subjects(repository).length]).toEqual(["", [], 7]);
    for (const text of ["two\n", "three\n", "four\n"]) {
      expect((await redo(repository)).notices).toEqual([]);
      expect([read(repository, "a.txt"), status(repository)]).toEqual([text, []]);
    }
  });

  test("to what the user had then, which stays committed", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    put(repository, "a.txt", "mine\n");
    await run(repository, replace("a.txt", "mine", "its"));
    await undo(repository);
    expect([read(repository, "a.txt"), repository.git("diff", "HEAD~2", "HEAD"), status(repository)]).toEqual(["mine\n", "", []]);
  });

  test("what is staged and changed elsewhere stays", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
    await run(repository, write("a.txt", "two\n"));
    put(repository, "b.txt", "2\n");
    repository.git("add", "b.txt");
    put(repository, "b.txt", "3\n");
    await undo(repository);
    expect([changedIn(repository), status(repository)]).toEqual([["M a.txt"], ["MM b.txt"]]);
  });
});

test("what a hook of an undo's commit changes belongs to the undo: redo takes it back", async () => {
  const repository = createRepository({ "a.txt": "one\n" });
  await run(repository, write("a.txt", "two\n"));
  hook(repository, "prepare-commit-msg", "tr a-z A-Z < a.txt > .git/t && cat .git/t > a.txt", "echo log >> seen.txt");
  const undone = await undo(repository);
  expect([undone.notices, read(repository, "a.txt"), read(repository, "seen.txt"), repository.git("show", "HEAD:a.txt")]).toEqual([[], "ONE\n", "log\n", "one"]);
  rmSync(join(repository.root, ".git/hooks/prepare-commit-msg"));
  expect((await redo(repository)).runs.map(({ refused }) => refused)).toEqual([[]]);
  expect([read(repository, "a.txt"), existsSync(join(repository.root, "seen.txt"))]).toEqual(["two\n", false]);
});

test("hooks that check or format what is committed have no say in an undo, nor in a redo, as in git's own revert: what was there comes back to the byte", async () => {
  const repository = createRepository({ "a.txt": "one\n" });
  hook(repository, "pre-commit", "tr a-z A-Z < a.txt > .git/t && cat .git/t > a.txt && git add a.txt");
  hook(repository, "post-commit", "echo x >> .git/posted");
  await run(repository, write("a.txt", "two\n"));
  expect(read(repository, "a.txt")).toBe("TWO\n");
  hook(repository, "commit-msg", "exit 1");
  expect([(await undo(repository)).notices, read(repository, "a.txt"), repository.git("show", "HEAD:a.txt"), status(repository)]).toEqual([[], "one\n", "one", []]);
  expect([(await redo(repository)).notices, read(repository, "a.txt"), repository.git("show", "HEAD:a.txt"), status(repository)]).toEqual([[], "TWO\n", "TWO", []]);
  expect(read(repository, ".git/posted")).toBe("x\nx\nx\n");
});

test("where nothing could be undone, nothing is said of a commit that was not added", async () => {
  const repository = createRepository({ "a.txt": "one\n" });
  await run(repository, write("a.txt", "two\n"));
  put(repository, "a.txt", "mine\n");
  repository.git("commit", "-qam", "mine");
  const { runs, notices } = await undo(repository);
  expect([notices, runs.map(({ refused }) => refused.length), status(repository)]).toEqual([[], [1], []]);
});

describe("81: only the files are undone, and HEAD, index and refs stay", () => {
  const standing = ({ git }: TestRepository) => [git("rev-parse", "HEAD"), git("ls-files", "-s"), git("for-each-ref")];

  test("where there are newer commits", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const { commit = "" } = await run(repository, write("a.txt", "two\n"));
    repository.git("commit", "-q", "--allow-empty", "-m", "mine");
    const before = standing(repository);
    expect((await undo(repository)).notices).toEqual([`Run 1 was committed as ${commit.slice(0, 10)}, and there are newer commits: only the files are changed, no commit was added`]);
    expect([standing(repository), read(repository, "a.txt"), status(repository)]).toEqual([before, "one\n", [" M a.txt"]]);
    expect((await redo(repository)).notices).toEqual([]);
    expect([standing(repository), status(repository)]).toEqual([before, []]);
  });

  test("where the branch is another one", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    await run(repository, write("a.txt", "two\n"));
    repository.git("checkout", "-q", "-b", "side", "HEAD~");
    put(repository, "a.txt", "two\n");
    const before = standing(repository);
    expect((await undo(repository)).notices).toEqual([expect.stringContaining("HEAD is somewhere else by now")]);
    expect(standing(repository)).toEqual(before);
  });

  test("where the commit is pushed", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const remote = createRepository({}, "--bare");
    repository.git("remote", "add", "origin", remote.root);
    await run(repository, write("a.txt", "two\n"));
    repository.git("push", "-q", "origin", "main");
    const before = standing(repository);
    expect((await undo(repository)).notices).toEqual([expect.stringContaining("that is pushed")]);
    expect([standing(repository), status(repository)]).toEqual([before, [" M a.txt"]]);
  });

  test("where it never was committed: nothing is said", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    await runWith(repository, { gitCommit: false }, write("a.txt", "two\n"));
    const before = standing(repository);
    expect((await undo(repository)).notices).toEqual([]);
    expect(standing(repository)).toEqual(before);
  });

  test("a file that was changed since is refused, and not in the commit", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
    await run(repository, write("a.txt", "two\n"), write("b.txt", "2\n"));
    put(repository, "b.txt", "mine\n");
    const { runs } = await undo(repository);
    expect(runs[0]?.refused).toHaveLength(1);
    expect([changedIn(repository), status(repository)]).toEqual([["M a.txt"], [" M b.txt"]]);
  });
});
