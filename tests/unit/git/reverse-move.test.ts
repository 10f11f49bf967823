/** What the user does in the moment before HEAD and the index move stays. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createGit } from "../../../src/git/git.ts";
import { applyMove } from "../../../src/git/reverse-move.ts";
import { findRepository } from "../../../src/git/repository.ts";
import { findProgram } from "../../../src/process/find-program.ts";
import { createRepository, type TestRepository } from "../../support/repository.ts";
import { prepare, put, status } from "./running.ts";

beforeEach(prepare);

/** Two commits on main, and the move that takes the second back. */
function moving(): { readonly repository: TestRepository; readonly moved: () => Promise<void> } {
  const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
  const idOf = (path: string) => repository.git("rev-parse", `HEAD:${path}`);
  const before = { a: idOf("a.txt"), commit: repository.git("rev-parse", "HEAD") };
  put(repository, "a.txt", "two\n");
  repository.git("commit", "-qam", "second");
  const after = { a: idOf("a.txt"), commit: repository.git("rev-parse", "HEAD") };
  const found = findRepository(repository.root);
  if (found === undefined) throw new Error("no repository");
  const git = createGit(findProgram("git") ?? "git", repository.root);
  const index = [{ path: "a.txt", before: { mode: "100644", id: after.a }, after: { mode: "100644", id: before.a } }];
  return { repository, moved: () => applyMove(git, found, { branch: "refs/heads/main", from: after.commit, to: before.commit, index }, "loaf: undo run 1") };
}

const standing = ({ git, root }: TestRepository) => [git("for-each-ref"), git("symbolic-ref", "HEAD"), git("ls-files", "-s"), readdirSync(join(root, ".git")).filter((name) => /loaf|lock/.test(name))];

test.each<[what: string, act: (repository: TestRepository) => void]>([
  ["another branch at the very commit", ({ git }) => git("checkout", "-q", "-b", "side")],
  ["a commit of the user's", ({ git }) => git("commit", "-q", "--allow-empty", "-m", "mine")],
  ["no branch", ({ git }) => git("checkout", "-q", "--detach")],
])("81: where HEAD is at %s by then, nothing moves, and nothing of Loaf's is left", async (_, act) => {
  const { repository, moved } = moving();
  act(repository);
  const before = [repository.git("for-each-ref"), repository.git("ls-files", "-s")];
  await expect(moved()).rejects.toThrow("HEAD has moved meanwhile");
  expect([repository.git("for-each-ref"), repository.git("ls-files", "-s")]).toEqual(before);
  expect(readdirSync(join(repository.root, ".git")).filter((name) => /loaf|lock/.test(name))).toEqual([]);
});

test("81: what the user has staged by then stays, and all of it may be done again", async () => {
  const { repository, moved } = moving();
  put(repository, "a.txt", "mine\n");
  repository.git("add", "a.txt");
  await moved();
  const once = standing(repository);
  expect([repository.git("log", "--format=%s"), status(repository), repository.git("show", ":a.txt"), once.at(-1)]).toEqual(["begin", ["M  a.txt"], "mine", []]);
  expect(repository.git("log", "-g", "-1", "--format=%gs")).toBe("loaf: undo run 1");
  await moved();
  expect(standing(repository)).toEqual(once);
});
