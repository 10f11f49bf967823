import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createFolder } from "../../support/folder.ts";
import { createRepository, repositoryAt, type TestRepository } from "../../support/repository.ts";
import { changedIn, move, open, prepare, put, read, remove, replace, run, runWith, status, subjects, write } from "./running.ts";

beforeEach(prepare);

/** What an undo of the last run brings back. */
const standing = (repository: TestRepository) => [repository.git("rev-parse", "HEAD"), repository.git("ls-files", "-s"), status(repository)];

describe("a run ends in a commit", () => {
  test("of just the files it changed, with its number in a trailer", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "one\n" });
    const { commit, notices } = await run(repository, write("a.txt", "two\n"), write("new/c.txt", "c\n"));
    expect(notices).toBeUndefined();
    expect(commit).toBe(repository.git("rev-parse", "HEAD"));
    expect(repository.git("log", "-1", "--format=%an|%B")).toBe("A User|AI: write 2 files\n\nLoaf-Run: 1\n");
    expect(changedIn(repository)).toEqual(["A new/c.txt", "M a.txt"]);
    expect(status(repository)).toEqual([]);
    expect(readdirSync(join(repository.root, ".git")).filter((name) => /loaf|lock/.test(name))).toEqual([]);
  });

  test("a run that leaves everything as it was makes no commit: it is no run", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const { commit, run: number } = await run(repository, write("a.txt", "one\n"));
    expect([commit, number, subjects(repository)]).toEqual([undefined, undefined, ["begin"]]);
  });

  test("of files that are deleted and moved, with modes and links", async () => {
    const repository = createRepository({ "a.txt": "a\n", "gone.txt": "x\n", "tool.sh": "#!/bin/sh\n", "dir/d.txt": "d\n", "dir/sub/e.txt": "e\n" });
    chmodSync(join(repository.root, "tool.sh"), 0o755);
    symlinkSync("a.txt", join(repository.root, "link"));
    repository.git("add", "-A");
    repository.git("commit", "-qm", "modes");
    await run(repository, remove("gone.txt"), move("tool.sh", "bin/tool"), move("dir", "moved"), move("link", "other"), write("moved/d.txt", "d two\n"));
    expect(changedIn(repository)).toEqual(["A bin/tool", "A moved/d.txt", "A moved/sub/e.txt", "A other", "D dir/d.txt", "D dir/sub/e.txt", "D gone.txt", "D link", "D tool.sh"]);
    expect(repository.git("ls-files", "-s", "bin/tool", "other").split("\n").map((line) => line.slice(0, 6))).toEqual(["100755", "120000"]);
    expect(status(repository)).toEqual([]);
  });

  test("of paths with anything in their names", async () => {
    const names = ["new\nline", 'quo"te', "ünïcode", "-dash", ":(top)colon", ":colon", "sp ace", "st*r", "back\\slash", "#hash", "[id].tsx"];
    // The backslash of a new path is a slash.
    const repository = createRepository({ "back\\slash": "" });
    await run(repository, ...names.map((name) => write(name, "1\n")));
    const { notices } = await run(repository, ...names.map((name) => write(name, "2\n")));
    expect(notices).toBeUndefined();
    expect(changedIn(repository)).toEqual(names.map((name) => `M ${name}`).toSorted());
    await run(repository, write("one\nonly #2", "x"));
    expect([subjects(repository)[0], status(repository)]).toEqual(["AI: write one\\u000aonly #2", []]);
  });

  test("where a file takes a folder's place, and a folder a file's", async () => {
    const repository = createRepository({ "x/a": "a", y: "y" });
    const { notices } = await run(repository, remove("x/a"), printDirDelete("x"), write("x", "file"), remove("y"), write("y/b", "b"));
    expect(notices).toBeUndefined();
    expect(changedIn(repository)).toEqual(["A x", "A y/b", "D x/a", "D y"]);
    expect(status(repository)).toEqual([]);
  });

  test.each([
    ["in the place of a file", [remove("y"), move("d", "y")], ["A y/e/in", "A y/same", "D d/e/in", "D d/same", "D y"]],
    ["in the place of a folder", [remove("x/a"), remove("x/same"), printDirDelete("x"), move("d", "x")], ["A x/e/in", "D d/e/in", "D d/same", "D x/a", "M x/same"]],
    ["whose place is swapped with another's", [move("d", "t"), move("x", "d"), move("t", "x")], ["A d/a", "A x/e/in", "D d/e/in", "D x/a", "M d/same", "M x/same"]],
    ["into which something new is put, and another one", [move("d", "m"), write("m/new", "new"), move("y", "m/e/y"), move("x", "m/x")], ["A m/e/in", "A m/e/y", "A m/new", "A m/same", "A m/x/a", "A m/x/same", "D d/e/in", "D d/same", "D x/a", "D x/same", "D y"]],
  ])("a folder %s", async (_, blocks, changed) => {
    const repository = createRepository({ "x/a": "a", "x/same": "of x", "d/same": "of d", "d/e/in": "in", y: "y" });
    const before = standing(repository);
    const { notices } = await run(repository, ...blocks);
    expect([notices, subjects(repository).length, changedIn(repository), status(repository)]).toEqual([undefined, 2, changed, []]);
    await (await open(repository)).undo();
    expect(standing(repository)).toEqual(before);
  });

  test.each([true, false])("a link in the place of a folder, tracked: %s", async (isTracked) => {
    const repository = createRepository({ "f/a": "of f\n" });
    put(repository, "d/a", "of d\n");
    symlinkSync("f", join(repository.root, "l"));
    if (isTracked) repository.git("add", "-A");
    if (isTracked) repository.git("commit", "-qm", "all");
    const before = standing(repository);
    const { notices } = await run(repository, move("d", "e"), move("l", "d"));
    expect([notices, changedIn(repository), status(repository)]).toEqual([undefined, ["A d", "A e/a", "D d/a", "D l"], []]);
    expect((await (await open(repository)).undo()).notices).toEqual([]);
    expect(standing(repository)).toEqual(before);
  });

  test("a folder in the place of a link that the user had put in the place of the same folder", async () => {
    const repository = createRepository({ "d/a": "one\n", "f/a": "of f\n" });
    rmSync(join(repository.root, "d"), { recursive: true });
    symlinkSync("f", join(repository.root, "d"));
    const { notices } = await run(repository, remove("d"), write("d/a", "new\n"));
    expect([notices, changedIn(repository, "HEAD~"), changedIn(repository), status(repository)]).toEqual([undefined, ["A d", "D d/a"], ["A d/a", "D d"], []]);
  });

  test("with the answer's first sentence as the body", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    await run(repository, "The total was rounded twice. I moved it.\n", write("a.txt", "two\n"));
    expect(repository.git("log", "-1", "--format=%B")).toBe("AI: write a.txt\n\nThe total was rounded twice.\n\nLoaf-Run: 1\n");
  });

  test("with what hooks get in the message", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const message = "AI: {operations} {success} {executedActions}/{totalBlocks} {modifiedFiles} {errorCount}{errors}";
    await runWith(repository, { config: { git: { message } } }, write("a.txt", "two\n"));
    expect(repository.git("log", "-1", "--format=%s").trim()).toBe("AI: file_write true 1/1 a.txt 0");
  });

  test("with the message that the settings say", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    await runWith(repository, { config: { git: { message: "chore: {operation_summary}\n\nby $& machine" } } }, write("a.txt", "two\n"));
    expect(repository.git("log", "-1", "--format=%B")).toBe("chore: write a.txt\n\nby $& machine\n\nLoaf-Run: 1\n");
  });

  test("unless it is a dry run, or that is switched off", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    await runWith(repository, { dryRun: true }, write("a.txt", "two\n"));
    await runWith(repository, { gitCommit: false }, write("a.txt", "three\n"));
    await runWith(repository, { config: { git: { commit: false } } }, write("a.txt", "four\n"));
    expect([subjects(repository), status(repository)]).toEqual([["begin"], [" M a.txt"]]);
  });

  test("all or nothing: none where nothing stands", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const loaf = await open(repository, { transaction: "all-or-nothing" });
    const { commit } = await loaf.execute([write("a.txt", "two\n"), remove("missing.txt")].join("\n"));
    expect([commit, status(repository), subjects(repository)]).toEqual([undefined, [], ["begin"]]);
  });
});

const printDirDelete = (path: string) => `#!nesl [@three-char-SHA-256: dir]\naction = "dir_delete"\npath = "${path}"\n#!end_dir`;

describe("what the user had changed", () => {
  test("in the same files is committed first, by itself", async () => {
    const repository = createRepository({ "a.txt": "one\ntwo\n" });
    put(repository, "a.txt", "one\nmine\n");
    put(repository, "untracked.txt", "mine\n");
    await run(repository, replace("a.txt", "one", "1"), replace("untracked.txt", "mine", "its"));
    expect(subjects(repository)).toEqual(["AI: edit 2 files", "Before AI: edit 2 files", "begin"]);
    expect(repository.git("show", "HEAD~:a.txt")).toBe("one\nmine");
    expect(repository.git("show", "HEAD~:untracked.txt")).toBe("mine");
    expect(changedIn(repository, "HEAD~")).toEqual(["A untracked.txt", "M a.txt"]);
    expect(changedIn(repository)).toEqual(["M a.txt", "M untracked.txt"]);
    expect(repository.git("log", "-1", "--format=%B", "HEAD~")).not.toContain("Loaf-Run");
    expect(status(repository)).toEqual([]);
  });

  test("is told from the run's by modes and deletions too", async () => {
    const repository = createRepository({ "tool.sh": "x\n", "gone.txt": "x\n", "moved.txt": "x\n" });
    chmodSync(join(repository.root, "tool.sh"), 0o755);
    unlinkSync(join(repository.root, "gone.txt"));
    put(repository, "moved.txt", "mine\n");
    await run(repository, replace("tool.sh", "x", "y"), write("gone.txt", "again\n"), move("moved.txt", "there.txt"));
    expect(changedIn(repository, "HEAD~")).toEqual(["D gone.txt", "M moved.txt", "M tool.sh"]);
    expect(changedIn(repository)).toEqual(["A gone.txt", "A there.txt", "D moved.txt", "M tool.sh"]);
    expect(repository.git("show", "HEAD:there.txt")).toBe("mine");
  });

  test("in a folder that is moved: the changed files as they were, where they were", async () => {
    const repository = createRepository({ "dir/a.txt": "one\n", "dir/b.txt": "b\n" });
    put(repository, "dir/a.txt", "mine\n");
    put(repository, "dir/new.txt", "new\n");
    await run(repository, move("dir", "moved"));
    expect(changedIn(repository, "HEAD~")).toEqual(["A dir/new.txt", "M dir/a.txt"]);
    expect(status(repository)).toEqual([]);
  });

  test("stays where the run brings a file back to what HEAD has", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    put(repository, "a.txt", "mine\n");
    await run(repository, write("a.txt", "one\n"));
    expect(repository.git("show", "HEAD~:a.txt")).toBe("mine");
    expect(subjects(repository)).toHaveLength(3);
  });

  test("in other files stays as it is, staged, partly staged and not", async () => {
    const repository = createRepository({ "a.txt": "one\n", "staged.txt": "1\n", "part.txt": "1\n", "dirty.txt": "1\n", "removed.txt": "1\n" });
    put(repository, "staged.txt", "2\n");
    put(repository, "part.txt", "2\n");
    put(repository, "added.txt", "2\n");
    repository.git("add", "staged.txt", "part.txt", "added.txt");
    repository.git("rm", "-q", "--cached", "removed.txt");
    put(repository, "part.txt", "3\n");
    put(repository, "dirty.txt", "2\n");
    const before = [status(repository), repository.git("diff"), repository.git("diff", "--cached")];
    await run(repository, write("a.txt", "two\n"));
    expect(changedIn(repository)).toEqual(["M a.txt"]);
    expect([status(repository), repository.git("diff"), repository.git("diff", "--cached")]).toEqual(before);
  });

  test("in the second in which it was staged, without another size: git still sees it", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
    put(repository, "b.txt", "2\n");
    repository.git("add", "b.txt");
    put(repository, "b.txt", "3\n");
    await new Promise((done) => setTimeout(done, 1_100));
    await run(repository, write("a.txt", "two\n"));
    expect(status(repository)).toEqual(["MM b.txt"]);
    put(repository, "b.txt", "4\n");
    repository.git("commit", "-qam", "b");
    put(repository, "b.txt", "5\n");
    await new Promise((done) => setTimeout(done, 1_100));
    await run(repository, write("a.txt", "three\n"));
    expect(status(repository)).toEqual([" M b.txt"]);
  });

  test("in the second in which it was staged, where the user's earlier change is committed first", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
    put(repository, "b.txt", "2\n");
    repository.git("add", "b.txt");
    put(repository, "b.txt", "3\n");
    put(repository, "a.txt", "mine\n");
    await new Promise((done) => setTimeout(done, 1_100));
    await run(repository, write("a.txt", "two\n"));
    expect([subjects(repository).length, status(repository)]).toEqual([3, ["MM b.txt"]]);
    put(repository, "b.txt", "4\n");
    put(repository, "a.txt", "mine\n");
    repository.git("commit", "-qm", "b", "b.txt");
    put(repository, "b.txt", "5\n");
    await new Promise((done) => setTimeout(done, 1_100));
    await run(repository, write("a.txt", "three\n"));
    expect([subjects(repository).length, status(repository)]).toEqual([6, [" M b.txt"]]);
  });

  test("in the very file, partly staged: the commit before has it as it stood in the work tree", async () => {
    const repository = createRepository({ "a.txt": "one\ntwo\nthree\n", "other.txt": "1\n" });
    put(repository, "a.txt", "ONE\ntwo\nthree\n");
    put(repository, "other.txt", "2\n");
    repository.git("add", "a.txt", "other.txt");
    put(repository, "a.txt", "ONE\nTWO\nthree\n");
    await run(repository, replace("a.txt", "three", "THREE"));
    expect(repository.git("show", "HEAD~:a.txt")).toBe("ONE\nTWO\nthree");
    expect(repository.git("show", "HEAD:a.txt")).toBe("ONE\nTWO\nTHREE");
    expect(status(repository)).toEqual(["M  other.txt"]);
  });

  test("in the very file and staged, which the run takes back, while others are staged too: no trace of it is left in the index", async () => {
    const repository = createRepository({ "a.txt": "one\n", "other.txt": "1\n" });
    for (const [path, content] of [["a.txt", "mine\n"], ["new.txt", "mine\n"], ["other.txt", "2\n"]] as const) put(repository, path, content);
    repository.git("add", "-A");
    const { notices } = await run(repository, write("a.txt", "one\n"), remove("new.txt"));
    expect([notices, changedIn(repository), changedIn(repository, "HEAD~")]).toEqual([undefined, ["D new.txt", "M a.txt"], ["A new.txt", "M a.txt"]]);
    expect(status(repository)).toEqual(["M  other.txt"]);
  });
});

describe("wherever HEAD is", () => {
  test("an unborn branch", async () => {
    const repository = createRepository();
    await run(repository, write("a.txt", "one\n"));
    expect([subjects(repository), status(repository)]).toEqual([["AI: write a.txt"], []]);
  });

  test("an unborn branch with something staged, and a file of the user's own", async () => {
    const repository = createRepository();
    put(repository, "staged.txt", "1\n");
    put(repository, "a.txt", "mine\n");
    repository.git("add", "staged.txt");
    await run(repository, replace("a.txt", "mine", "its"));
    expect([subjects(repository), status(repository)]).toEqual([["AI: edit a.txt", "Before AI: edit a.txt"], ["A  staged.txt"]]);
  });

  test("a detached HEAD: no branch moves", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    repository.git("checkout", "-q", "--detach");
    const { commit } = await run(repository, write("a.txt", "two\n"));
    expect([repository.git("rev-parse", "HEAD"), repository.git("log", "-1", "--format=%s", "main")]).toEqual([commit, "begin"]);
  });

  test("a worktree of its own, with its own index", async () => {
    const main = createRepository({ "a.txt": "one\n" });
    const folder = join(createFolder(), "tree");
    main.git("worktree", "add", "-q", "-b", "side", folder);
    put(main, "a.txt", "mine\n");
    main.git("add", "a.txt");
    const side = repositoryAt(folder);
    await run(side, write("a.txt", "two\n"));
    expect([subjects(side), status(side), subjects(main), status(main)]).toEqual([["AI: write a.txt", "begin"], [], ["begin"], ["M  a.txt"]]);
  });
});

describe("wherever the project is in the repository", () => {
  test("in a folder of it", async () => {
    const repository = createRepository({ "sub/a.txt": "one\n", "b.txt": "1\n" });
    put(repository, "sub/loaf.yml", "version: 1\n");
    const { notices } = await run({ root: join(repository.root, "sub") }, write("a.txt", "two\n"), write("new.txt", "n\n"));
    expect([notices, changedIn(repository), status(repository)]).toEqual([undefined, ["A sub/new.txt", "M sub/a.txt"], ["?? sub/loaf.yml"]]);
  });

  test("a submodule is committed in itself, never by what it is in", async () => {
    const library = createRepository({ "lib.txt": "one\n" });
    const repository = createRepository({ "a.txt": "one\n" });
    repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.root, "lib");
    repository.git("commit", "-qm", "lib");
    const { notices } = await run(repository, write("lib/lib.txt", "two\n"), write("a.txt", "two\n"));
    expect(notices).toEqual(["lib/lib.txt is in a repository of its own, such as a submodule: commit it there"]);
    expect([changedIn(repository), status(repository)]).toEqual([["M a.txt"], [" M lib"]]);
    const inside = repositoryAt(join(repository.root, "lib"));
    inside.git("config", "user.name", "A User");
    inside.git("config", "user.email", "user@example.org");
    const within = await run(inside, write("new.txt", "x\n"));
    expect([within.commit, status(inside)]).toEqual([inside.git("rev-parse", "HEAD"), [" M lib.txt"]]);
  });

  test("in none: nothing is said", async () => {
    const { commit, notices } = await run({ root: createFolder({ "a.txt": "one\n" }) }, write("a.txt", "two\n"));
    expect([commit, notices]).toEqual([undefined, undefined]);
  });

  test("ignored files are not committed", async () => {
    const repository = createRepository({ ".gitignore": "build/\n*.log\n", "tracked.log": "x\n" });
    repository.git("add", "-f", "tracked.log");
    repository.git("commit", "-qm", "log");
    const { commit, notices } = await run(repository, write("build/out.js", "x"), write("a.log", "x"), write("tracked.log", "y\n"));
    expect([notices, changedIn(repository)]).toEqual([undefined, ["M tracked.log"]]);
    expect(commit).toBeDefined();
    expect(await run(repository, write("b.log", "x"))).not.toHaveProperty("commit");
  });
});

describe("what was ignored when the run began is not committed", () => {
  test("in a folder that is moved with an ignore file of its own", async () => {
    const repository = createRepository({ "d/a.txt": "a\n", "d/.gitignore": "*.out\n" });
    put(repository, "d/in/x.out", "secret");
    const before = standing(repository);
    const { notices } = await run(repository, move("d", "e"));
    expect([notices, subjects(repository), changedIn(repository)]).toEqual([undefined, ["AI: move d", "begin"], ["A e/.gitignore", "A e/a.txt", "D d/.gitignore", "D d/a.txt"]]);
    expect((await (await open(repository)).undo()).notices).toEqual([]);
    expect(standing(repository)).toEqual(before);
  });

  test("with an ignore file that the run deletes, or changes: the file that it kept out stays out, a new one does not", async () => {
    const repository = createRepository({ "d/.gitignore": "*.out\n", "f/.gitignore": "*.out\n" });
    put(repository, "d/x.out", "secret");
    put(repository, "f/x.out", "secret");
    await run(repository, remove("d/.gitignore"), remove("d/x.out"), write("f/.gitignore", "\n"), replace("f/x.out", "sec", "changed sec"), write("f/new.out", "public"));
    expect([subjects(repository).length, changedIn(repository), status(repository)]).toEqual([2, ["A f/new.out", "D d/.gitignore", "M f/.gitignore"], ["?? f/x.out"]]);
  });

  test("what the run makes ignored is not committed either", async () => {
    const repository = createRepository({ ".gitignore": "*.out\n" });
    put(repository, "my.txt", "secret");
    await run(repository, write(".gitignore", "*.txt\n"), write("my.txt", "its"));
    expect([subjects(repository).length, changedIn(repository), status(repository)]).toEqual([2, ["M .gitignore"], []]);
  });
});

describe("however the repository is set up", () => {
  test("SHA-256", async () => {
    const repository = createRepository({ "a.txt": "one\n", "gone.txt": "x\n", "other.txt": "1\n" }, "--object-format=sha256");
    put(repository, "staged.txt", "1\n");
    put(repository, "other.txt", "2\n");
    repository.git("add", "staged.txt");
    const { commit } = await run(repository, write("a.txt", "two\n"), remove("gone.txt"));
    expect(commit).toHaveLength(64);
    expect([subjects(repository), status(repository)]).toEqual([["AI: write a.txt, delete gone.txt", "begin"], [" M other.txt", "A  staged.txt"]]);
  });

  test("a split index", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
    repository.git("config", "core.splitIndex", "true");
    repository.git("update-index", "--split-index");
    await run(repository, write("a.txt", "two\n"));
    put(repository, "b.txt", "2\n");
    repository.git("add", "b.txt");
    await run(repository, write("a.txt", "three\n"));
    expect([subjects(repository).length, status(repository)]).toEqual([3, ["M  b.txt"]]);
    repository.git("fsck", "--strict");
  });

  test("a sparse checkout: what is left out of the work tree stays out of the commit", async () => {
    const repository = createRepository({ "in/a.txt": "one\n", "out/b.txt": "b\n", "out/c.txt": "c\n" });
    repository.git("sparse-checkout", "set", "in");
    const { notices } = await run(repository, write("in/a.txt", "two\n"), write("out/b.txt", "b two\n"));
    expect([notices, changedIn(repository), status(repository)]).toEqual([undefined, ["M in/a.txt", "M out/b.txt"], []]);
    expect(subjects(repository)).toEqual(["AI: write 2 files", "begin"]);
    expect(existsSync(join(repository.root, "out/c.txt"))).toBe(false);
  });

  test("files that git is told not to look at are not committed", async () => {
    const repository = createRepository({ "skip.txt": "1\n", "assume.txt": "1\n", "a.txt": "1\n" });
    repository.git("update-index", "--skip-worktree", "skip.txt");
    repository.git("update-index", "--assume-unchanged", "assume.txt");
    await run(repository, write("skip.txt", "2\n"), write("assume.txt", "2\n"), write("a.txt", "2\n"));
    expect([changedIn(repository), status(repository)]).toEqual([["M a.txt"], []]);
    expect(repository.git("ls-files", "-v").split("\n").map((line) => line[0])).toEqual(["H", "h", "S"]);
  });

  test("line endings are changed as git add would, and are no change of the user's", async () => {
    const repository = createRepository({ ".gitattributes": "*.txt text eol=crlf\n", "a.txt": "one\r\ntwo\r\n" });
    await run(repository, replace("a.txt", "two", "2"));
    expect([subjects(repository), repository.git("cat-file", "blob", "HEAD:a.txt"), read(repository, "a.txt")]).toEqual([["AI: edit a.txt", "begin"], "one\n2", "one\r\n2\r\n"]);
    put(repository, "a.txt", "mine\r\n2\r\n");
    await run(repository, replace("a.txt", "2", "3"));
    expect(repository.git("cat-file", "blob", "HEAD~:a.txt")).toBe("mine\n2");
  });

  test("filters such as that of large files run, for what was before as well", async () => {
    const repository = createRepository({ ".gitattributes": "*.big filter=big\n", "a.txt": "" });
    repository.git("config", "filter.big.clean", "tr a-z A-Z");
    repository.git("config", "filter.big.required", "true");
    put(repository, "x.big", "mine\n");
    await run(repository, replace("x.big", "mine", "its"));
    expect([repository.git("show", "HEAD~:x.big"), repository.git("show", "HEAD:x.big"), status(repository)]).toEqual(["MINE", "ITS", []]);
  });

  test("attributes that the run itself changes hold for what it writes, and not for what was before", async () => {
    const repository = createRepository({ ".gitattributes": "", "a.txt": "one\r\n" });
    put(repository, "a.txt", "mine\r\n");
    await run(repository, write(".gitattributes", "*.txt text\n"), write("a.txt", "two\r\n"));
    expect(repository.git("cat-file", "-s", "HEAD~:a.txt")).toBe("6");
    expect(repository.git("cat-file", "-s", "HEAD:a.txt")).toBe("4");
  });

  test("without its index: nothing staged is nothing to lose", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "b\n" });
    unlinkSync(join(repository.root, ".git/index"));
    await run(repository, write("a.txt", "two\n"));
    expect(changedIn(repository)).toEqual(["M a.txt"]);
  });

  test("a thousand files at once", async () => {
    const paths = Array.from({ length: 1_000 }, (_, index) => `some/folder/with a longer name/file-${index}.txt`);
    const repository = createRepository({ "a.txt": "one\n" });
    await run(repository, ...paths.map((path) => write(path, "1\n")));
    writeFileSync(join(repository.root, paths[7] as string), "mine\n");
    await run(repository, ...paths.map((path) => write(path, "2\n")));
    expect([changedIn(repository).length, changedIn(repository, "HEAD~"), status(repository)]).toEqual([1_000, [`M ${paths[7]}`], []]);
  });

  test("many nested folders, some of them repositories", async () => {
    const repository = createRepository({ "a.txt": "1\n" });
    mkdirSync(join(repository.root, "other"));
    repositoryAt(join(repository.root, "other")).git("init", "-q");
    const { notices, commit } = await run(repository, write("other/x/y.txt", "1\n"));
    expect([commit, notices]).toEqual([undefined, ["other/x/y.txt is in a repository of its own, such as a submodule: commit it there"]]);
  });
});

describe("where HEAD is moved while the run goes on", () => {
  const after = (...lines: string[]) => ({ hooks: { after: lines.map((line) => ({ run: line })) } });

  test("by a hook that commits, what it has committed is neither taken back nor committed again", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n", "c.txt": "c\n" });
    put(repository, "a.txt", "mine\n");
    put(repository, "b.txt", "my b\n");
    const { commit, notices } = await runWith(repository, after("git commit -qm hooked a.txt"), write("a.txt", "two\n"), write("b.txt", "2\n"), remove("c.txt"));
    expect(subjects(repository)).toEqual(["AI: write 2 files, delete c.txt", "Before AI: write 2 files, delete c.txt", "hooked", "begin"]);
    expect([notices, commit, status(repository)]).toEqual([undefined, repository.git("rev-parse", "HEAD"), []]);
    expect(["HEAD~2", "HEAD~", "HEAD"].map((one) => changedIn(repository, one))).toEqual([["M a.txt"], ["M b.txt"], ["D c.txt", "M b.txt"]]);
    await (await open(repository)).undo();
    expect(["a.txt", "b.txt", "c.txt"].map((path) => read(repository, path))).toEqual(["mine\n", "my b\n", "c\n"]);
  });

  test("by one that commits all of it, also as the first commit, nothing is left to commit", async () => {
    for (const files of [{ "a.txt": "one\n" }, {}]) {
      const repository = createRepository(files);
      put(repository, "a.txt", "mine\n");
      const { commit, notices } = await runWith(repository, after("git add -A", "git commit -qm hooked"), write("a.txt", "two\n"), write("new.txt", "new\n"));
      expect([notices, commit, subjects(repository)[0], status(repository)]).toEqual([undefined, undefined, "hooked", []]);
    }
  });

  test("to another branch, nothing of the first one is committed there", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
    repository.git("checkout", "-qb", "other");
    put(repository, "a.txt", "other\n");
    repository.git("commit", "-qam", "on the other");
    repository.git("checkout", "-q", "main");
    const { notices } = await runWith(repository, after("git checkout -q other"), write("b.txt", "2\n"));
    expect([notices, subjects(repository), changedIn(repository), status(repository)]).toEqual([["A hook changed files that undo does not cover: a.txt"], ["AI: write b.txt", "on the other", "begin"], ["M b.txt"], []]);
  });
});

test("what a hook of loaf.yml changes in files of the run belongs to its commit; others stay uncommitted and are named", async () => {
  const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
  put(repository, "b.txt", "mine\n");
  const { externalChanges, notices } = await runWith(repository, { hooks: { after: [{ run: "echo formatted >> a.txt; echo 2 >> b.txt; echo c > c.txt" }] } }, write("a.txt", "two\n"));
  expect([externalChanges, notices]).toEqual([undefined, ["A hook changed files that undo does not cover: b.txt, c.txt"]]);
  expect([changedIn(repository), repository.git("show", "HEAD:a.txt"), status(repository)]).toEqual([["M a.txt"], "two\nformatted", [" M b.txt", "?? c.txt"]]);
});

describe("what is never committed: files that the default rules keep from being read", () => {
  const SECRETS = [".env", "deploy/.env.local", "server.pem", "keys/id_rsa", ".ssh/config"];

  test("written by an action, changed by the user before, moved there, or opened for reading by the user's own rules", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "b\n", ".env": "OLD=1\n" });
    put(repository, ".env", "MINE=1\n");
    const config = { "fs-guard": { allowed: ["./**", "./.env"] } };
    const { commit, notices } = await runWith(repository, { config }, write("a.txt", "two\n"), ...SECRETS.map((path) => write(path, "SECRET=2\n")), move("b.txt", "b.key"));
    expect([commit, changedIn(repository), subjects(repository).length]).toEqual([repository.git("rev-parse", "HEAD"), ["D b.txt", "M a.txt"], 2]);
    expect(notices).toEqual([expect.stringMatching(/^\S+, \S+, \S+ and 3 more stay uncommitted: Loaf never commits files that usually contain secrets$/)]);
    await (await open(repository, config)).undo();
    await (await open(repository, config)).redo();
    expect(repository.git("log", "--all", "--format=", "--name-only", "--", ...SECRETS.slice(1), "b.key")).toBe("");
    expect(repository.git("log", "--format=", "--name-only", "--", ".env")).toBe(".env");
    expect(() => repository.git("grep", "-q", "SECRET=2", ...repository.git("rev-list", "--all").split("\n"))).toThrow();
  });

  test("the subject counts what is in the commit, and the log all that the run did", async () => {
    const repository = createRepository({ "a.txt": "one\n", ".gitignore": "ignored.txt\n" });
    await runWith(repository, {}, write("a.txt", "two\n"), write("b.txt", "two\n"), write("server.pem", "SECRET=2\n"), write("ignored.txt", "x\n"));
    expect(subjects(repository)[0]).toBe("AI: write 2 files");
    expect((await (await open(repository)).history()).runs.map(({ summary }) => summary)).toEqual(["write 4 files"]);
  });

  test("a template is no secret", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    expect((await run(repository, write(".env.example", "A=\n"))).notices).toBeUndefined();
    expect(changedIn(repository)).toEqual(["A .env.example"]);
  });
});

describe("what nobody would see in a message is shown as a report shows it", () => {
  const hidden = "a\u202etxt.\u200bjs";

  test("names of files, the user's own message, and that of a squash", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    await run(repository, write(hidden, "1"));
    await runWith(repository, { config: { git: { message: "AI\u2066: {operation_summary}\n\nBody\u0007\u200f" } } }, write("b\nc\u001b[31m", "1"));
    expect(repository.git("log", "-2", "--format=%B").split("\n")).toEqual([
      "AI\\u2066: write b\\u000ac\\u001b[31m", "", "Body\\u0007\\u200f", "", "Loaf-Run: 2", "", "AI: write a\\u202etxt.\\u200bjs", "", "Loaf-Run: 1", "",
    ]);
    await (await open(repository)).squash();
    expect(subjects(repository)[0]).toBe("AI: change a\\u202etxt.\\u200bjs, b\\u000ac\\u001b[31m");
    await (await open(repository)).undo();
    put(repository, hidden, "mine");
    await run(repository, write(hidden, "its"));
    expect(repository.git("log", "--format=%B")).not.toMatch(/[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u001b\u0007]/u);
  });
});
