import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createFolder } from "../../support/folder.ts";
import { createRepository, repositoryAt, type TestRepository } from "../../support/repository.ts";
import { stateOf } from "../../support/work-tree-state.ts";
import { open, prepare, put, read, run, status, subjects, write } from "../git/running.ts";

beforeEach(prepare);

const back = async (repository: TestRepository) => (await open(repository)).back();
const forward = async (repository: TestRepository) => (await open(repository)).forward();

/** Three commits of a.txt: one, two, three. */
function threeCommits(): TestRepository {
  const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n", ".gitignore": "*.log\n" });
  for (const text of ["two", "three"]) {
    put(repository, "a.txt", `${text}\n`);
    repository.git("commit", "-qam", text);
  }
  return repository;
}

const keptIn = (notices: readonly string[]): string => /(?<= is kept in )\/.*/.exec(notices.join("\n"))?.[0] ?? "";
const refs = ({ git }: TestRepository) => git("for-each-ref", "--format=%(refname)");

describe("back and forward", () => {
  test("go through the commits of the branch, and end on it", async () => {
    const repository = threeCommits();
    const told = [await back(repository), await back(repository), await forward(repository), await forward(repository)];
    expect(told.map(({ subject, branch }) => [subject, branch])).toEqual([["two", undefined], ["begin", undefined], ["two", undefined], ["three", "main"]]);
    expect([repository.git("symbolic-ref", "HEAD"), status(repository), refs(repository)]).toEqual(["refs/heads/main", [], "refs/heads/main"]);
  });

  test("say where there is nothing to go to", async () => {
    const repository = threeCommits();
    await expect(forward(repository)).rejects.toThrow("Nothing was checked out: there is no next commit: forward only returns from loaf back");
    await back(repository);
    await back(repository);
    await expect(back(repository)).rejects.toThrow("Nothing was checked out: there is no commit before this one");
    expect(read(repository, "a.txt")).toBe("one\n");
    await expect(back(createRepository())).rejects.toThrow("there is no commit yet");
    const newer = createRepository({ "a.txt": "1\n" });
    newer.git("config", "core.repositoryFormatVersion", "99");
    await expect(back(newer)).rejects.toThrow("git repo version");
    await expect((await open({ root: createFolder() })).back()).rejects.toThrow("is not in a git repository");
  });

  test("from a detached HEAD, to it", async () => {
    const repository = threeCommits();
    repository.git("checkout", "-q", "--detach");
    put(repository, "a.txt", "mine\n");
    await back(repository);
    const { branch, subject, restored_files } = await forward(repository);
    expect([branch, subject, restored_files, status(repository)]).toEqual([undefined, "three", ["a.txt"], [" M a.txt"]]);
  });
});

describe("what is changed", () => {
  test("is set aside, staged or not, tracked or not, and put back as it was", async () => {
    const repository = threeCommits();
    put(repository, "a.txt", "staged\n");
    put(repository, "new/added.txt", "added\n");
    repository.git("add", "-A");
    put(repository, "a.txt", "mine\n");
    put(repository, "new/untracked.txt", "own\n");
    put(repository, "ignored.log", "log\n");
    unlinkSync(join(repository.root, "b.txt"));
    const before = [status(repository), repository.git("diff"), repository.git("diff", "--cached")];
    const { stashed_files } = await back(repository);
    expect(stashed_files.toSorted()).toEqual(["a.txt", "b.txt", "new/added.txt", "new/untracked.txt"]);
    expect([read(repository, "a.txt"), read(repository, "b.txt"), existsSync(join(repository.root, "new")), read(repository, "ignored.log"), status(repository)]).toEqual(["two\n", "1\n", false, "log\n", []]);
    const { restored_files, conflicts, branch } = await forward(repository);
    expect([restored_files.toSorted(), conflicts, branch]).toEqual([stashed_files.toSorted(), [], "main"]);
    expect([status(repository), repository.git("diff"), repository.git("diff", "--cached"), refs(repository)]).toEqual([...before, "refs/heads/main"]);
  });

  test("belongs to the commit at which it was changed", async () => {
    const repository = threeCommits();
    await back(repository);
    put(repository, "a.txt", "at two\n");
    await back(repository);
    put(repository, "b.txt", "at one\n");
    expect((await forward(repository)).restored_files).toEqual(["a.txt"]);
    expect([read(repository, "a.txt"), read(repository, "b.txt")]).toEqual(["at two\n", "1\n"]);
    expect((await back(repository)).restored_files).toEqual(["b.txt"]);
    await forward(repository);
    const { restored_files, branch } = await forward(repository);
    expect([restored_files, branch, status(repository)]).toEqual([[], "main", []]);
    expect((await back(repository)).restored_files).toEqual(["a.txt"]);
  });

  test("where the branch has gone on meanwhile: what that has changed too is a conflict, and kept", async () => {
    const repository = threeCommits();
    put(repository, "a.txt", "mine\n");
    put(repository, "b.txt", "mine\n");
    await back(repository);
    const side = join(repository.root, "..", `${repository.root.slice(-6)}-side`);
    repository.git("branch", "other", "main");
    repository.git("worktree", "add", "-q", side, "other");
    put({ root: side }, "a.txt", "four\n");
    repositoryAt(side).git("commit", "-qam", "four");
    repository.git("update-ref", "refs/heads/main", "other");
    repository.git("worktree", "remove", "--force", side);
    await forward(repository);
    const { conflicts, restored_files, notices, subject, branch } = await forward(repository);
    expect([subject, branch, conflicts, restored_files]).toEqual(["four", "main", ["a.txt"], ["b.txt"]]);
    expect([read(repository, "a.txt"), read(repository, "b.txt"), status(repository)]).toEqual(["four\n", "mine\n", [" M b.txt"]]);
    expect(notices).toEqual([expect.stringMatching(/^What is in conflict is kept in /)]);
    expect(readFileSync(join(keptIn(notices), "a.txt"), "utf8")).toBe("mine\n");
  });

  test("is not overwritten where git ignores it: nothing is done", async () => {
    const repository = createRepository({ "x.log": "tracked\n", "a.txt": "1\n" });
    repository.git("rm", "-q", "--cached", "x.log");
    put(repository, ".gitignore", "*.log\n");
    put(repository, "x.log", "mine\n");
    repository.git("add", ".gitignore");
    repository.git("commit", "-qm", "ignore");
    put(repository, "a.txt", "mine\n");
    await expect(back(repository)).rejects.toThrow(/x\.log/);
    expect([read(repository, "x.log"), read(repository, "a.txt"), status(repository), repository.git("symbolic-ref", "HEAD"), refs(repository)]).toEqual(["mine\n", "mine\n", [" M a.txt"], "refs/heads/main", "refs/heads/main"]);
  });

  test("in a repository within the work tree stays where it is", async () => {
    const repository = threeCommits();
    mkdirSync(join(repository.root, "inner"));
    repositoryAt(join(repository.root, "inner")).git("init", "-q");
    put(repository, "inner/x.txt", "x");
    expect((await back(repository)).stashed_files).toEqual([]);
    expect(read(repository, "inner/x.txt")).toBe("x");
  });

  test("a commit made on the way is kept under a name", async () => {
    const repository = threeCommits();
    await back(repository);
    const { commit } = await run(repository, write("b.txt", "2\n"));
    const { notices, branch } = await forward(repository);
    expect([branch, notices]).toEqual(["main", [expect.stringContaining(`refs/loaf/left/${commit}`)]]);
    repository.git("rev-parse", "--verify", `refs/loaf/left/${commit}`);
  });

  test("on top of a commit that was made on the way is kept like that, and told", async () => {
    const repository = threeCommits();
    await back(repository);
    await run(repository, write("b.txt", "2\n"));
    put(repository, "mine.txt", "mine\n");
    const { notices, stashed_files, branch } = await forward(repository);
    expect([branch, stashed_files, notices.length]).toEqual(["main", ["mine.txt"], 2]);
    expect(readFileSync(join(keptIn(notices), "mine.txt"), "utf8")).toBe("mine\n");
    await expect(forward(repository)).rejects.toThrow("there is no next commit");
  });

  test("comes back with a forward, too, where the user went back to the branch by other means", async () => {
    const repository = threeCommits();
    put(repository, "a.txt", "mine\n");
    await back(repository);
    repository.git("checkout", "-q", "main");
    expect((await forward(repository)).restored_files).toEqual(["a.txt"]);
    expect([status(repository), subjects(repository)[0]]).toEqual([[" M a.txt"], "three"]);
  });
});

describe("a step", () => {
  test("keeps what it sets aside out of git's objects", async () => {
    const repository = threeCommits();
    put(repository, "mine.txt", "mine\n");
    put(repository, "a.txt", "my change\n");
    await back(repository);
    for (const text of ["mine\n", "my change\n"]) {
      put(repository, "probe", text);
      expect(() => repository.git("cat-file", "-e", repository.git("hash-object", "probe"))).toThrow();
    }
  });

  test("is listed among the runs, and is none that undo takes back", async () => {
    const repository = threeCommits();
    await run(repository, write("b.txt", "2\n"));
    await back(repository);
    const loaf = await open(repository);
    const { runs } = await loaf.history();
    expect(runs.map(({ run: number, summary, isStep }) => [number, summary.replace(/[0-9a-f]{10}/, "ID"), isStep])).toEqual([[2, "back to ID three", true], [1, "write b.txt", undefined]]);
    await expect(loaf.undo({ run: 2 })).rejects.toThrow("Run 2 is a step between commits: loaf back and loaf forward take it back");
    expect((await loaf.undo()).runs.map(({ run: number }) => number)).toEqual([1]);
  });

  test("whose files another one is to bring back outlives the limits of the log", async () => {
    const repository = threeCommits();
    put(repository, "mine.txt", "mine\n");
    await back(repository);
    const limits = { history: { max_size: 1 } };
    for (let number = 0; number < 20; number++) {
      const loaf = await open(repository, { ...limits, git: { commit: false } });
      await loaf.execute(write("b.txt", `${number}\n`));
    }
    put(repository, "b.txt", "1\n");
    expect((await forward(repository)).restored_files).toEqual(["mine.txt"]);
    expect(read(repository, "mine.txt")).toBe("mine\n");
  });
});

describe("101: what git ignores stays where it is, whatever the ignore files of another commit say", () => {
  test("right after loaf init, whose lines in .gitignore are not committed yet", async () => {
    const repository = threeCommits();
    put(repository, ".gitignore", "*.log\n/loaf-input.md\n");
    put(repository, "loaf-input.md", "my answer\n");
    for (const step of [back, back, forward, forward]) {
      await step(repository);
      expect(read(repository, "loaf-input.md")).toBe("my answer\n");
    }
    expect(status(repository)).toEqual([" M .gitignore"]);
    expect(repository.git("cat-file", "--batch-check", "--batch-all-objects")).not.toContain(repository.git("hash-object", "loaf-input.md"));
  });

  test("with ignore rules that the older commits do not have", async () => {
    const repository = threeCommits();
    put(repository, ".gitignore", "*.log\n.env\nnode_modules/\n");
    repository.git("commit", "-qam", "ignore");
    put(repository, ".env", "KEY=1\n");
    put(repository, "node_modules/m/index.js", "m\n");
    const told = [await back(repository), await back(repository)];
    put(repository, "node_modules/m/more.js", "more\n");
    told.push(await forward(repository), await forward(repository));
    expect(told.map(({ stashed_files }) => stashed_files)).toEqual([[], [], [], []]);
    expect([read(repository, ".env"), read(repository, "node_modules/m/index.js"), read(repository, "node_modules/m/more.js"), status(repository), refs(repository)]).toEqual(["KEY=1\n", "m\n", "more\n", [], "refs/heads/main"]);
    for (const path of [".env", "node_modules/m/index.js"]) expect(() => repository.git("cat-file", "-e", repository.git("hash-object", path))).toThrow();
  });

  test.each([
    ["has a file in its place", "k.log", "k.log"],
    ["has a file in place of its folder", "cache", "cache/k.log"],
    ["has a folder in its place", "k.log/in", "k.log"],
  ])("refused before anything moves, and named, where the other commit %s", async (_what, tracked, ignored) => {
    const repository = createRepository({ "a.txt": "1\n" });
    put(repository, tracked, "tracked\n");
    repository.git("add", "-A", "-f");
    repository.git("commit", "-qm", "tracked");
    repository.git("rm", "-rq", tracked);
    put(repository, ".gitignore", "*.log\n");
    repository.git("add", ".gitignore");
    repository.git("commit", "-qm", "ignore");
    put(repository, ignored, "mine\n");
    put(repository, "a.txt", "changed\n");
    const objects = repository.git("count-objects");
    const before = stateOf(repository);
    await expect(back(repository)).rejects.toThrow(`Nothing was checked out: ${ignored} is ignored or untracked, and the other commit has something else in that place; move it away first`);
    expect([stateOf(repository), repository.git("count-objects"), refs(repository)]).toEqual([before, objects, "refs/heads/main"]);
  });

  test.each([
    ["plain", "tracked", "tracked/k.log"],
    ["sparse", "tracked", "tracked/k.log"],
    ["plain", "folder.log/in", "folder.log"],
    ["sparse", "folder.log/in", "folder.log"],
  ])("refused where both commits have a file whose place it takes (%s checkout, %s)", async (checkout, tracked, ignored) => {
    const repository = createRepository({ ".gitignore": "*.log\n" });
    put(repository, tracked, "tracked\n");
    repository.git("add", "-A", "-f");
    repository.git("commit", "-qm", "tracked");
    repository.git("commit", "-qm", "other", "--allow-empty");
    if (checkout === "sparse") {
      put(repository, ".git/info/sparse-checkout", "/*\n");
      repository.git("config", "core.sparseCheckout", "true");
    }
    rmSync(join(repository.root, tracked.split("/")[0] as string), { recursive: true });
    put(repository, ignored, "mine\n");
    const before = stateOf(repository);
    await expect(back(repository)).rejects.toThrow(`Nothing was checked out: ${ignored} is ignored or untracked`);
    expect(stateOf(repository)).toBe(before);
  });

  test("also in a folder that took the place of a file which the older commit lacks", async () => {
    const repository = threeCommits();
    put(repository, "cache", "tracked\n");
    repository.git("add", "-A");
    repository.git("commit", "-qm", "cache");
    rmSync(join(repository.root, "cache"));
    put(repository, "cache/in/mine", "mine\n");
    put(repository, ".gitignore", "*.log\ncache/\n");
    const before = stateOf(repository);
    await back(repository);
    expect(read(repository, "cache/in/mine")).toBe("mine\n");
    await forward(repository);
    expect(stateOf(repository)).toBe(before);
    expect(() => repository.git("cat-file", "-e", repository.git("hash-object", "cache/in/mine"))).toThrow();
  });

  test("also a file that was only taken out of the index just now", async () => {
    const repository = threeCommits();
    put(repository, "config.local", "shared\n");
    repository.git("add", "-A");
    repository.git("commit", "-qm", "config");
    repository.git("rm", "-q", "--cached", "config.local");
    put(repository, "config.local", "my secret\n");
    put(repository, ".gitignore", "*.log\nconfig.local\n");
    const before = stateOf(repository);
    await back(repository);
    expect(read(repository, "config.local")).toBe("my secret\n");
    await forward(repository);
    expect(stateOf(repository)).toBe(before);
    expect(() => repository.git("cat-file", "-e", repository.git("hash-object", "config.local"))).toThrow();
  });

  test("a file that was only taken out of the index, and that the other commit has too, is refused", async () => {
    const repository = threeCommits();
    repository.git("rm", "-q", "--cached", "b.txt");
    put(repository, ".gitignore", "*.log\nb.txt\n");
    const before = stateOf(repository);
    await expect(back(repository)).rejects.toThrow("Nothing was checked out: b.txt is ignored or untracked");
    expect(stateOf(repository)).toBe(before);
  });

  test("refused as well on the way forward, where a file that is to come back would overwrite it", async () => {
    const repository = createRepository({ ".gitignore": "*.log\n" });
    put(repository, ".gitignore", "");
    repository.git("commit", "-qam", "no rules");
    put(repository, "k.log", "mine\n");
    await back(repository);
    put(repository, "k.log", "of here\n");
    await expect(forward(repository)).rejects.toThrow("k.log is ignored or untracked");
    expect(read(repository, "k.log")).toBe("of here\n");
    unlinkSync(join(repository.root, "k.log"));
    await forward(repository);
    expect(read(repository, "k.log")).toBe("mine\n");
  });

  test.each(["--assume-unchanged", "--skip-worktree"])("a changed file that the user has marked %s stays where it is", async (mark) => {
    const repository = threeCommits();
    repository.git("update-index", mark, "a.txt");
    put(repository, "a.txt", "hidden change\n");
    const before = stateOf(repository);
    await expect(back(repository)).rejects.toThrow("Nothing was checked out: a.txt is changed, hidden from git");
    expect([stateOf(repository), refs(repository)]).toEqual([before, "refs/heads/main"]);
  });

  test.each(["--assume-unchanged", "--skip-worktree"])("a deleted file that the user has marked %s stays as it is", async (mark) => {
    const repository = threeCommits();
    repository.git("update-index", mark, "a.txt");
    rmSync(join(repository.root, "a.txt"));
    const before = stateOf(repository);
    await expect(back(repository)).rejects.toThrow("Nothing was checked out: a.txt is changed, hidden from git");
    expect([stateOf(repository), refs(repository)]).toEqual([before, "refs/heads/main"]);
  });
});

test("an empty folder stays in the place of a deleted file that both commits have, with those in it", async () => {
  const repository = createRepository({ "a.txt": "one\n", f: "file\n" });
  put(repository, "a.txt", "two\n");
  repository.git("commit", "-qam", "some");
  unlinkSync(join(repository.root, "f"));
  mkdirSync(join(repository.root, "f/in"), { recursive: true });
  chmodSync(join(repository.root, "f/in"), 0o750);
  const before = stateOf(repository);
  const loaf = await open(repository);
  await loaf.back();
  expect(read(repository, "f")).toBe("file\n");
  await loaf.forward();
  expect(stateOf(repository)).toBe(before);
});

test("a folder whose place a file of the other commit takes gets its permissions back", async () => {
  const repository = createRepository({ f: "file\n" });
  rmSync(join(repository.root, "f"));
  put(repository, "f/in/a.txt", "a\n");
  repository.git("add", "-A");
  repository.git("commit", "-qm", "some");
  for (const folder of ["f/in", "f"]) chmodSync(join(repository.root, folder), 0o750);
  const before = stateOf(repository);
  const loaf = await open(repository);
  await loaf.back();
  await loaf.forward();
  expect(stateOf(repository)).toBe(before);
});

test("a folder that git makes anew keeps its permissions", async () => {
  const repository = createRepository({ "f/b": "1\n" });
  for (const [path, text] of [["f/a", "2\n"], ["c", "3\n"]] as const) {
    put(repository, path, text);
    repository.git("add", "-A");
    repository.git("commit", "-qm", path);
  }
  chmodSync(join(repository.root, "f"), 0o750);
  await back(repository);
  unlinkSync(join(repository.root, "f/b"));
  const before = stateOf(repository);
  await back(repository);
  expect(lstatSync(join(repository.root, "f")).mode & 0o777).toBe(0o750);
  await forward(repository);
  expect(stateOf(repository)).toBe(before);
});

test("nothing is made outside where a link there is in the place of a folder", async () => {
  const outside = createFolder({ "sub/other": "" });
  const repository = createRepository({ "a.txt": "one\n", "f/sub/x": "x\n" });
  put(repository, "a.txt", "two\n");
  repository.git("commit", "-qam", "some");
  rmSync(join(repository.root, "f"), { recursive: true });
  symlinkSync(outside, join(repository.root, "f"));
  chmodSync(join(outside, "sub"), 0o700);
  const loaf = await open(repository);
  await loaf.back();
  rmSync(join(outside, "sub"), { recursive: true });
  await loaf.forward();
  expect(existsSync(join(outside, "sub"))).toBe(false);
});

test("an empty folder stays, also one in which the other commit has a file", async () => {
  const repository = createRepository({ "a.txt": "1\n", "d/x": "x\n" });
  repository.git("rm", "-q", "d/x");
  repository.git("commit", "-qm", "without");
  mkdirSync(join(repository.root, "d"));
  put(repository, "e/y", "y\n");
  repository.git("add", "e/y");
  repository.git("commit", "-qm", "other");
  repository.git("commit", "-q", "--allow-empty", "-m", "more");
  unlinkSync(join(repository.root, "e/y"));
  const before = stateOf(repository);
  for (const step of [back, back, back, forward, forward, forward]) await step(repository);
  expect(stateOf(repository)).toBe(before);
});

describe("back past the user's own commit", () => {
  test("says whose it is; past one of Loaf's it says nothing", async () => {
    const repository = threeCommits();
    await run(repository, write("b.txt", "2\n"));
    expect((await back(repository)).notices).toEqual([]);
    const own = repository.git("rev-parse", "--short=10", "HEAD");
    expect((await back(repository)).notices).toEqual([`${own} three is your own commit, not one of Loaf's; loaf forward returns to it`]);
  });

  test("asks where somebody can be asked: a no changes nothing", async () => {
    const repository = threeCommits();
    const loaf = await open(repository);
    const asked: string[] = [];
    await expect(loaf.back({ confirm: async ({ subject }) => (asked.push(subject), false) })).rejects.toThrow("Nothing was checked out: you stayed at your own commit");
    expect([asked, repository.git("symbolic-ref", "HEAD")]).toEqual([["three"], "refs/heads/main"]);
    expect((await loaf.back({ confirm: async () => true })).notices).toEqual([]);
    expect(repository.git("log", "-1", "--format=%s")).toBe("two");
  });
});
