import { chmodSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { indexEntries } from "../../../src/git/index-entries.ts";
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
