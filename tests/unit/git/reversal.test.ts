import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createRepository, type TestRepository } from "../../support/repository.ts";
import { changedIn, hook, open, prepare, put, read, remove, replace, run, runWith, status, subjects, write } from "./running.ts";

beforeEach(prepare);

const undo = async (repository: TestRepository, count = 1) => (await open(repository)).undo({ last: count });
const redo = async (repository: TestRepository) => (await open(repository)).redo();
/** Returns what the log says of the last run. */
const commitInLog = async (repository: TestRepository) => (await (await open(repository)).history()).runs[0]?.commit;

/** All that a move of HEAD could change. */
const standing = ({ git }: TestRepository) => [git("symbolic-ref", "HEAD"), git("rev-parse", "HEAD"), git("ls-files", "-s"), git("for-each-ref")];
const commitMine = ({ git }: TestRepository) => git("commit", "-q", "--allow-empty", "-m", "mine");

// Each of these was answered by a commit that reverts before, also at HEAD: behaviour.md 8 takes it off the branch.
describe("a run's commit at HEAD is taken off the branch by undo, and put back by redo", () => {
  test("with what was dirty and staged before", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n", "c.txt": "c\n" });
    put(repository, "a.txt", "staged\n");
    repository.git("add", "a.txt");
    put(repository, "a.txt", "mine\n");
    put(repository, "c.txt", "mine\n");
    repository.git("add", "c.txt");
    const [before, seen] = [standing(repository), status(repository)];
    await run(repository, replace("a.txt", "mine", "its"), remove("b.txt"), write("new.txt", "n\n"));
    const [after, left] = [standing(repository), status(repository)];
    expect(subjects(repository).slice(1, 2)).toEqual([expect.stringMatching(/^Before AI: /)]);
    const undone = await undo(repository);
    expect([undone.notices, undone.runs[0]?.commit, undone.runs[0]?.head]).toEqual([[], undefined, { branch: "main", commit: before[1]?.trim() }]);
    expect([standing(repository), status(repository), read(repository, "a.txt"), read(repository, "b.txt")]).toEqual([before, seen, "mine\n", "1\n"]);
    const redone = await redo(repository);
    expect([redone.notices, standing(repository), status(repository)]).toEqual([[], after, left]);
    await undo(repository);
    expect([standing(repository), status(repository)]).toEqual([before, seen]);
  });

  test("one after the other, and all at once", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const before = standing(repository);
    const after = [];
    for (const text of ["two\n", "three\n", "four\n"]) {
      await run(repository, write("a.txt", text));
      after.push(standing(repository));
    }
    expect((await undo(repository, 3)).runs.map(({ head }) => head !== undefined)).toEqual([true, true, true]);
    expect([standing(repository), status(repository)]).toEqual([before, []]);
    for (const one of after) {
      await redo(repository);
      expect([standing(repository), status(repository)]).toEqual([one, []]);
    }
  });

  test("on a branch that had none, and on a detached HEAD", async () => {
    const repository = createRepository({});
    repository.git("update-ref", "-d", "HEAD");
    put(repository, "staged.txt", "s\n");
    repository.git("add", "staged.txt");
    const seen = status(repository);
    await run(repository, write("a.txt", "one\n"));
    const commit = repository.git("rev-parse", "HEAD");
    expect((await undo(repository)).runs[0]?.head).toEqual({ branch: "main" });
    expect([repository.git("for-each-ref"), status(repository)]).toEqual(["", seen]);
    await redo(repository);
    expect(repository.git("rev-parse", "HEAD")).toBe(commit);
    repository.git("checkout", "-q", "--detach");
    await run(repository, write("a.txt", "two\n"));
    expect((await undo(repository)).runs[0]?.head).toEqual({ commit: commit.trim() });
    expect([repository.git("rev-parse", "HEAD", "main"), status(repository)]).toEqual([`${commit.trim()}\n${commit.trim()}`, seen]);
  });

  test("where the user has edited the same file since, the edit stays uncommitted", async () => {
    const repository = createRepository({ "a.txt": "1\n2\n3\n4\n" });
    const before = standing(repository);
    await run(repository, replace("a.txt", "1", "one"));
    put(repository, "a.txt", "one\n2\n3\nfour\n");
    expect((await undo(repository)).runs[0]?.restored.map(({ how }) => how)).toEqual(["merged"]);
    expect([standing(repository), status(repository), read(repository, "a.txt")]).toEqual([before, [" M a.txt"], "1\n2\n3\nfour\n"]);
  });

  test("where the user has reverted the file by hand, undo and redo still move the branch", async () => {
    const repository = createRepository({ "a.txt": "1\n" });
    const before = standing(repository);
    await run(repository, write("a.txt", "one\n"));
    const after = standing(repository);
    put(repository, "a.txt", "1\n");
    const undone = await undo(repository);
    expect([undone.runs[0]?.restored.map(({ how }) => how), standing(repository), status(repository)]).toEqual([["unchanged"], before, []]);
    const redone = await redo(repository);
    expect([redone.runs[0]?.restored, standing(repository), status(repository)]).toEqual([[], after, [" M a.txt"]]);
  });

  test("with what git was told about a file: that it will be added, is to be taken as unchanged, or left out of the work tree", async () => {
    const repository = createRepository({ "assumed.txt": "1\n2\n", "skipped.txt": "1\n2\n" });
    put(repository, "new.txt", "1\n2\n");
    repository.git("add", "-N", "new.txt");
    repository.git("update-index", "--assume-unchanged", "assumed.txt");
    repository.git("update-index", "--skip-worktree", "skipped.txt");
    const told = () => [...standing(repository), status(repository), repository.git("ls-files", "-v"), repository.git("diff", "--cached", "--stat")];
    const before = told();
    await run(repository, ...["new", "assumed", "skipped"].map((name) => replace(`${name}.txt`, "2", "two")));
    await undo(repository);
    expect(told()).toEqual(before);
  });

  test.each<[what: string, act: (path: string) => void]>([
    ["gone", () => {}],
    ["a folder", (path) => {
      mkdirSync(path);
      writeFileSync(join(path, "mine.txt"), "mine");
    }],
  ])("where a file that git was told will be added is %s by then, the branch goes back without it", async (_, act) => {
    const repository = createRepository({ "a.txt": "one\n" });
    const before = standing(repository);
    put(repository, "new.txt", "1\n");
    repository.git("add", "-N", "new.txt");
    await run(repository, replace("new.txt", "1", "one"), write("a.txt", "two\n"));
    rmSync(join(repository.root, "new.txt"));
    act(join(repository.root, "new.txt"));
    await undo(repository);
    expect(standing(repository)).toEqual(before);
  });

  test("what was staged and changed since stays, elsewhere and in the run's files", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n", "c.txt": "c\n" });
    await run(repository, write("a.txt", "two\n"), remove("c.txt"));
    for (const text of ["2\n", "3\n"]) {
      put(repository, "b.txt", text);
      if (text === "2\n") repository.git("add", "b.txt");
    }
    put(repository, "a.txt", "mine\n");
    repository.git("add", "a.txt");
    await undo(repository);
    expect([subjects(repository), status(repository), repository.git("show", ":a.txt")]).toEqual([["begin"], ["M  a.txt", "MM b.txt"], "mine"]);
  });

  test("with the commit of the user's changes, where the run's own could not be made", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    put(repository, "a.txt", "mine\n");
    const before = standing(repository);
    hook(repository, "commit-msg", "grep -q '^Before' \"$1\"");
    const { commit } = await run(repository, replace("a.txt", "mine", "its"));
    expect([commit, subjects(repository)[0]]).toEqual([undefined, expect.stringMatching(/^Before AI: /)]);
    await undo(repository);
    expect([standing(repository), status(repository), read(repository, "a.txt")]).toEqual([before, [" M a.txt"], "mine\n"]);
  });

  test("where git has collected what only the index had, that path alone stays as committed before", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    put(repository, "a.txt", "staged\n");
    repository.git("add", "a.txt");
    put(repository, "a.txt", "mine\n");
    await run(repository, replace("a.txt", "mine", "its"));
    repository.git("prune", "--expire=now");
    await undo(repository);
    expect([subjects(repository), repository.git("fsck", "--no-dangling", "--no-reflogs"), read(repository, "a.txt")]).toEqual([["begin"], "", "mine\n"]);
    expect(() => repository.git("write-tree")).not.toThrow();
  });
});

describe("with later commits above it, a run's commit is reverted by one", () => {
  test("which redo takes off again, or reverts in its turn", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
    const { commit } = await run(repository, write("a.txt", "two\n"), remove("b.txt"), write("c.txt", "c\n"));
    commitMine(repository);
    const before = standing(repository);
    const undone = await undo(repository);
    expect([undone.notices, undone.runs[0]?.commit]).toEqual([[], repository.git("rev-parse", "HEAD")]);
    expect(repository.git("log", "-1", "--format=%B")).toBe(`Revert "AI: write 2 files, delete b.txt"\n\nThis reverts commit ${commit}.\n\nLoaf-Run: 2\n`);
    expect([repository.git("diff", "HEAD~3", "HEAD"), status(repository)]).toEqual(["", []]);
    expect((await redo(repository)).notices).toEqual([]);
    expect([standing(repository), status(repository)]).toEqual([before, []]);
    expect(await commitInLog(repository)).toBe(commit);
    await undo(repository);
    commitMine(repository);
    const redone = await redo(repository);
    expect([redone.notices, subjects(repository)[0], repository.git("diff", "HEAD~4", "HEAD"), status(repository)]).toEqual([[], 'Reapply "AI: write 2 files, delete b.txt"', "", []]);
    expect(await commitInLog(repository)).toBe(repository.git("rev-parse", "HEAD"));
  });

  test("redo makes the commit anew that undo removed, and the next undo removes it again", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    await run(repository, write("a.txt", "two\n"));
    await undo(repository);
    commitMine(repository);
    const before = standing(repository);
    const redone = await redo(repository);
    expect([redone.notices, subjects(repository), status(repository)]).toEqual([[], ["AI: write a.txt", "mine", "begin"], []]);
    await undo(repository);
    expect([standing(repository), status(repository)]).toEqual([before, []]);
  });
});

test("of a run whose commit was folded into another one, a commit takes its changes back", async () => {
  const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
  await run(repository, write("a.txt", "two\n"));
  await run(repository, write("b.txt", "2\n"));
  repository.git("reset", "-q", "--soft", "HEAD~2");
  repository.git("commit", "-q", "-m", "both\n\nLoaf-Run: 1\nLoaf-Run: 2");
  const folded = repository.git("rev-parse", "HEAD").trim();
  const undone = await undo(repository);
  expect([undone.notices, status(repository), read(repository, "a.txt"), read(repository, "b.txt")]).toEqual([[], [], "two\n", "1\n"]);
  expect(repository.git("log", "-1", "--format=%P %B").trim()).toMatch(new RegExp(`^${folded} Revert "both"\n\nThis reverts run 2 of commit ${folded}\\.`));
  expect((await redo(repository)).notices).toEqual([]);
  expect([repository.git("rev-parse", "HEAD").trim(), status(repository), read(repository, "b.txt")]).toEqual([folded, [], "2\n"]);
});

test("what a hook of an undo's commit changes in the run's files belongs to the undo: redo takes it back", async () => {
  const repository = createRepository({ "a.txt": "one\n" });
  await run(repository, write("a.txt", "two\n"));
  commitMine(repository);
  hook(repository, "prepare-commit-msg", "tr a-z A-Z < a.txt > .git/t && cat .git/t > a.txt", "echo log >> seen.txt");
  const undone = await undo(repository);
  expect([undone.notices, read(repository, "a.txt"), read(repository, "seen.txt"), repository.git("show", "HEAD:a.txt")]).toEqual([["A hook changed files that undo does not cover: seen.txt"], "ONE\n", "log\n", "one"]);
  rmSync(join(repository.root, ".git/hooks/prepare-commit-msg"));
  expect((await redo(repository)).runs.map(({ refused }) => refused)).toEqual([[]]);
  expect([read(repository, "a.txt"), read(repository, "seen.txt")]).toEqual(["two\n", "log\n"]);
});

test("hooks that check or format what is committed have no say in an undo, nor in a redo, as in git's own revert: what was there comes back to the byte", async () => {
  const repository = createRepository({ "a.txt": "one\n" });
  hook(repository, "pre-commit", "tr a-z A-Z < a.txt > .git/t && cat .git/t > a.txt && git add a.txt");
  hook(repository, "post-commit", "echo x >> .git/posted");
  await run(repository, write("a.txt", "two\n"));
  expect(read(repository, "a.txt")).toBe("TWO\n");
  commitMine(repository);
  hook(repository, "commit-msg", "exit 1");
  expect([(await undo(repository)).notices, read(repository, "a.txt"), repository.git("show", "HEAD:a.txt"), status(repository)]).toEqual([[], "one\n", "one", []]);
  repository.git("commit", "-q", "--no-verify", "--allow-empty", "-m", "mine");
  expect([(await redo(repository)).notices, read(repository, "a.txt"), repository.git("show", "HEAD:a.txt"), status(repository)]).toEqual([[], "TWO\n", "TWO", []]);
  expect(read(repository, ".git/posted")).toBe("x\nx\nx\nx\nx\n");
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
  test("where the branch is another one", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    await run(repository, write("a.txt", "two\n"));
    repository.git("checkout", "-q", "-b", "side", "HEAD~");
    const there = standing(repository);
    expect((await undo(repository)).notices).toEqual([expect.stringMatching(/HEAD is on another branch now: nothing is changed$/)]);
    expect(standing(repository)).toEqual(there);
    put(repository, "a.txt", "two\n");
    const before = standing(repository);
    expect((await undo(repository)).notices).toEqual([expect.stringMatching(/HEAD is on another branch now: only the files are changed, no commit was added$/)]);
    expect(standing(repository)).toEqual(before);
  });

  test("where the commit was amended", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const { commit = "" } = await run(repository, write("a.txt", "two\n"));
    repository.git("commit", "-q", "--amend", "-m", "mine");
    const before = standing(repository);
    expect((await undo(repository)).notices).toEqual([`Run 1 was committed as ${commit.slice(0, 10)}, and HEAD has moved: only the files are changed, no commit was added`]);
    expect([standing(repository), read(repository, "a.txt")]).toEqual([before, "one\n"]);
    expect((await redo(repository)).notices).toEqual([]);
    expect([standing(repository), status(repository)]).toEqual([before, []]);
  });

  test("where another branch is at the very commit", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    await run(repository, write("a.txt", "two\n"));
    repository.git("checkout", "-q", "-b", "side");
    const before = standing(repository);
    expect((await undo(repository)).notices).toEqual([expect.stringContaining("HEAD is on another branch now")]);
    expect(standing(repository)).toEqual(before);
  });

  test("where nothing is to be taken back there, the run is not used up: back on its branch it is undone", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    await run(repository, write("a.txt", "two\n"));
    const main = repository.git("branch", "--show-current").trim();
    repository.git("checkout", "-q", "-b", "side", "HEAD~");
    expect((await undo(repository)).runs).toMatchObject([{ run: 1, isReversed: false, refused: [] }]);
    repository.git("checkout", "-q", main);
    expect((await undo(repository)).runs).toMatchObject([{ run: 1, isReversed: true }]);
    expect(read(repository, "a.txt")).toBe("one\n");
  });

  test("during a merge", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    await run(repository, write("a.txt", "two\n"));
    put(repository, ".git/MERGE_HEAD", "");
    const before = standing(repository);
    expect((await undo(repository)).notices).toEqual([expect.stringContaining("a merge is in progress")]);
    expect(standing(repository)).toEqual(before);
  });

  test("where the commit is pushed", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const remote = createRepository({}, "--bare");
    repository.git("remote", "add", "origin", remote.root);
    await run(repository, write("a.txt", "two\n"));
    repository.git("push", "-q", "origin", "main");
    const before = standing(repository);
    expect((await undo(repository)).notices).toEqual([expect.stringContaining("it is pushed")]);
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
    commitMine(repository);
    const { runs } = await undo(repository);
    expect(runs[0]?.refused).toHaveLength(1);
    expect([changedIn(repository), status(repository)]).toEqual([["M a.txt"], [" M b.txt"]]);
  });
});
