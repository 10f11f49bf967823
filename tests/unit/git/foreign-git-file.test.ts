/** A file `.git` that names a repository of somebody else (case 103 of docs/security-cases.md). */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createFolder } from "../../support/folder.ts";
import { createRepository } from "../../support/repository.ts";
import { hook, open, prepare, put, read, run, write } from "./running.ts";

beforeEach(prepare);

describe("103: a .git file that names another repository", () => {
  test("starts no git, makes no commit and says so in a line", async () => {
    const other = createRepository({ "x.txt": "x\n" });
    const mark = join(createFolder(), "mark");
    hook(other, "pre-commit", `touch ${mark}`);
    other.git("config", "core.fsmonitor", `touch ${mark}`);
    const root = createFolder({ "a.txt": "one\n", ".git": `gitdir: ${join(other.root, ".git")}\n` });
    const { commit, notices } = await run({ root }, write("a.txt", "two\n"));
    expect([commit, read({ root }, "a.txt"), existsSync(mark), other.git("log", "--format=%s")]).toEqual([undefined, "two\n", false, "begin"]);
    expect(notices).toEqual([`No commit was made: the project's .git file names ${join(other.root, ".git")}, and that repository does not name this project. The changes stay in the files`]);
    await expect((await open({ root })).back()).rejects.toThrow(/is not in a git repository/);
    await (await open({ root })).undo();
    expect(read({ root }, "a.txt")).toBe("one\n");
  });

  test("a repository above it is not used instead", async () => {
    const outer = createRepository({ "x.txt": "x\n" });
    const other = createRepository({ "x.txt": "x\n" });
    put(outer, "inner/.git", `gitdir: ${join(other.root, ".git")}\n`);
    expect((await run({ root: join(outer.root, "inner") }, write("a.txt", "two\n"))).commit).toBeUndefined();
  });

  test("a linked work tree and a submodule are used", async () => {
    const [repository, part] = [createRepository({ "a.txt": "one\n" }), createRepository({ "p.txt": "p\n" })];
    const tree = join(createFolder(), "tree");
    repository.git("worktree", "add", "-q", "-b", "side", tree);
    repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", part.root, "part");
    for (const name of ["user.name", "user.email"]) repository.git("-C", "part", "config", name, "a@example.org");
    for (const root of [tree, join(repository.root, "part")]) {
      expect((await run({ root }, write("n.txt", "n\n"))).commit).toBe(repository.git("-C", root, "rev-parse", "HEAD"));
    }
    rmSync(tree, { recursive: true });
  });
});
