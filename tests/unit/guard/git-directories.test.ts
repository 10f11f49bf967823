/** The directories that a `.git` file names, and those visible to commands. A project may bring any `.git`. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitDirectories, gitFolderNamedIn, provenGitDirectories } from "../../../src/guard/built-in.ts";
import { Disk } from "../../../src/disk/disk.ts";
import { createFolder } from "../../support/folder.ts";

const proven = (files: Record<string, string>) => {
  const folder = createFolder(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text])));
  const root = join(folder, "project");
  return { folder, root, found: () => provenGitDirectories(new Disk(), root), all: () => gitDirectories(new Disk(), root) };
};

test("a linked work tree registered in its repository", () => {
  const files = { "project/.git": "gitdir: ../main/.git/worktrees/one\n", "main/.git/worktrees/one/commondir": "../..\n", "main/.git/worktrees/one/gitdir": "../../../../project/.git\n" };
  const { folder, found } = proven(files);
  expect(found()).toEqual([join(folder, "main/.git/worktrees/one"), join(folder, "main/.git")]);
});

test("a forged commondir is not visible, and its target not writable", () => {
  const files = { "project/.git": "gitdir: own\n", "project/own/commondir": "../../keys\n", "project/own/gitdir": "../.git\n", "keys/secret": "" };
  const { folder, root, found, all } = proven(files);
  expect(found()).toEqual([]);
  expect(all()).toEqual([join(root, ".git"), join(root, "own"), join(folder, "keys")]);
});

test("a work tree not registered in its repository is not visible", () => {
  const files = { "project/.git": "gitdir: ../main/.git/worktrees/one\n", "main/.git/worktrees/one/commondir": "../..\n", "main/.git/worktrees/one/gitdir": "/elsewhere/.git\n" };
  expect(proven(files).found()).toEqual([]);
});

test("a submodule whose config names its work tree", () => {
  const { folder, found } = proven({ "project/.git": "gitdir: ../modules/project\n", "modules/project/config": "[core]\n\tworktree = ../../project\n" });
  expect(found()).toEqual([join(folder, "modules/project")]);
});

test("a git directory without a work tree, or of another one, is not visible", () => {
  expect(proven({ "project/.git": "gitdir: ../other/.git\n", "other/.git/config": "[core]\n\tbare = false\n" }).found()).toEqual([]);
  expect(proven({ "project/.git": "gitdir: ../modules/x\n", "modules/x/config": "[core]\n\tworktree = ../../other\n" }).found()).toEqual([]);
  expect(proven({ "project/.git/config": "" }).found()).toEqual([]);
});

test.each([
  ["gitdir: ../one\n", "../one"],
  ["gitdir: one\r\n\n", "one"],
  ["gitdir: ends with a blank \n", "ends with a blank "],
  ["gitdir: two\nlines", "two\nlines"],
  ["gitdir: \n", undefined],
  ["worktree: one\n", undefined],
])("a .git file names what git reads in it: %j", (text, folder) => expect(gitFolderNamedIn(text)).toBe(folder));
