import { chmodSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { indexEntries, indexTree } from "../../../src/git/index-entries.ts";
import { createRepository, type TestRepository } from "../../support/repository.ts";

const indexOf = ({ root }: TestRepository) => readFileSync(join(root, ".git/index"));

test.each([
  ["sha1", 20],
  ["sha256", 32],
])("is what git lists: %s", (format, digest) => {
  const repository = createRepository({ "a.txt": "one\n", "tool.sh": "echo\n", "d/e/ü b": "two\n", [`${"long/".repeat(40)}end`]: "", "a": "x" }, `--object-format=${format}`);
  chmodSync(join(repository.root, "tool.sh"), 0o755);
  symlinkSync("a.txt", join(repository.root, "link"));
  repository.git("add", "-A");
  const listed = repository.git("ls-files", "-s", "-z").split("\0").slice(0, -1);
  const entries = [...(indexEntries(indexOf(repository), digest) ?? [])];
  expect(entries.map(([path, { mode, id }]) => `${mode} ${id} 0\t${Buffer.from(path, "latin1").toString()}`)).toEqual(listed);
  expect(listed).toHaveLength(6);
});

test("a name of more than 4095 bytes does not shift what comes after it", () => {
  const repository = createRepository({ "a.txt": "one\n", "z.txt": "two\n" });
  const long = "l/".repeat(2_100) + "end";
  repository.git("update-index", "--add", "--cacheinfo", `100644,${repository.git("rev-parse", "HEAD:a.txt")},${long}`);
  expect([...(indexEntries(indexOf(repository), 20)?.keys() ?? [])]).toEqual(["a.txt", long, "z.txt"]);
});

test.each([
  ["the third form", (repository: TestRepository) => repository.git("update-index", "--skip-worktree", "a.txt")],
  ["the fourth form", (repository: TestRepository) => repository.git("update-index", "--index-version", "4")],
  ["one split in two", (repository: TestRepository) => repository.git("update-index", "--split-index")],
])("is not told of %s", (_what, change) => {
  const repository = createRepository({ "a.txt": "one\n", "b.txt": "one\n" });
  expect(indexEntries(indexOf(repository), 20)?.size).toBe(2);
  change(repository);
  expect(indexEntries(indexOf(repository), 20)).toBeUndefined();
});

describe("the tree of an index", () => {
  const treeOf = (repository: TestRepository, digest = 20) => indexTree(indexOf(repository), digest);

  test.each([
    ["sha1", 20],
    ["sha256", 32],
  ])("is the one that git would write: %s", (format, digest) => {
    const repository = createRepository({ "a.txt": "one\n", "d/e.txt": "two\n" }, `--object-format=${format}`);
    expect(treeOf(repository, digest)).toBe(repository.git("rev-parse", "HEAD^{tree}"));
    writeFileSync(join(repository.root, "d/e.txt"), "three\n");
    repository.git("add", "-A");
    expect(treeOf(repository, digest)).toBeUndefined();
    repository.git("commit", "-qm", "two");
    expect(treeOf(repository, digest)).toBe(repository.git("rev-parse", "HEAD^{tree}"));
  });

  test.each([
    ["an entry was changed", ({ git, root }: TestRepository) => (writeFileSync(join(root, "a.txt"), "other\n"), git("add", "a.txt"))],
    ["one was taken out", ({ git }: TestRepository) => git("rm", "-q", "--cached", "d/e.txt")],
    ["one was added", ({ git, root }: TestRepository) => (writeFileSync(join(root, "new.txt"), "new\n"), git("add", "new.txt"))],
    ["one is announced only", ({ git, root }: TestRepository) => (writeFileSync(join(root, "new.txt"), "new\n"), git("add", "-N", "new.txt"), git("status"))],
    ["a mode was changed", ({ git }: TestRepository) => git("update-index", "--chmod=+x", "a.txt")],
    ["some are not merged", ({ git, root }: TestRepository) => (writeFileSync(join(root, "a.txt"), "ours\n"), git("commit", "-qam", "ours"), git("read-tree", "-m", "HEAD~1", "HEAD", git("hash-object", "-t", "tree", "/dev/null")))],
  ])("is not told, or not that of HEAD, where %s", (_what, change) => {
    const repository = createRepository({ "a.txt": "one\n", "d/e.txt": "two\n" });
    change(repository);
    expect(treeOf(repository)).not.toBe(repository.git("rev-parse", "HEAD^{tree}"));
  });
});
