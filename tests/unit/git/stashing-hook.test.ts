/** Hooks before a run that put the user's work aside: it enters no commit of the run and no push. */
import { beforeEach, expect, test } from "vitest";
import { createRepository } from "../../support/repository.ts";
import { open, prepare, put, read, replace, runWith, subjects, write } from "./running.ts";

beforeEach(prepare);

const COMMITS = ["AI: edit a.txt, write n.txt", "begin"];

test.each(["git stash --include-untracked", "git stash -u -q && true"])("after the hook %s the run's commits hold nothing that it put aside", async (line) => {
  const repository = createRepository({ "a.txt": "one\n", "b.txt": "b\n" });
  const remote = createRepository({}, "--bare");
  repository.git("remote", "add", "origin", remote.root);
  repository.git("push", "-q", "-u", "origin", "main");
  put(repository, "a.txt", "one\nmine\n");
  put(repository, "secret.txt", "secret\n");
  const config = { git: { push: true }, hooks: { before: [{ run: line }] } };
  const { notices, modifiedFiles } = await runWith(repository, { config }, replace("a.txt", "one", "ONE"), write("n.txt", "n\n"));
  expect([notices, modifiedFiles]).toEqual([undefined, ["a.txt", "n.txt"]]);
  expect([subjects(repository), subjects(remote)]).toEqual([COMMITS, COMMITS]);
  expect([repository.git("show", "HEAD:a.txt"), repository.git("ls-tree", "--name-only", "HEAD")]).toEqual(["ONE", "a.txt\nb.txt\nn.txt"]);
  await (await open(repository)).undo();
  expect([read(repository, "a.txt"), repository.git("stash", "list").split("\n").length]).toEqual(["one\n", 1]);
  expect([repository.git("show", "stash@{0}:a.txt"), repository.git("show", "stash@{0}^3:secret.txt")]).toEqual(["one\nmine", "secret"]);
});
