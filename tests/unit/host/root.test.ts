import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { canonicalDirectory, findRoot } from "../../../src/host/root.ts";
import { createFolder } from "../../support/folder.ts";

test("the nearest folder upwards with a loaf.yml", () => {
  const folder = createFolder({ "loaf.yml": "", "packages/a/loaf.yml": "", "packages/a/src/x.ts": "", "packages/b/x.ts": "" });
  expect(findRoot(join(folder, "packages/a/src"))).toBe(join(folder, "packages/a"));
  expect(findRoot(join(folder, "packages/b"))).toBe(folder);
});

test("or .git, which is a file in a work tree", () => {
  const folder = createFolder({ "clone/.git/HEAD": "", "clone/src/x.ts": "", "tree/.git": "gitdir: ../clone/.git", "tree/src/x.ts": "" });
  expect(findRoot(join(folder, "clone/src"))).toBe(join(folder, "clone"));
  expect(findRoot(join(folder, "tree/src"))).toBe(join(folder, "tree"));
});

test("else the folder itself", () => {
  const folder = createFolder({ "a/b/x.ts": "" });
  expect(findRoot(join(folder, "a/b"))).toBe(join(folder, "a/b"));
});

test("links are resolved", () => {
  const folder = createFolder({ "real/x.ts": "" });
  symlinkSync(join(folder, "real"), join(folder, "link"));
  expect(findRoot(join(folder, "link"))).toBe(join(folder, "real"));
  expect(canonicalDirectory(join(folder, "link"))).toBe(join(folder, "real"));
});

test("a file and nothing are no directories", () => {
  const folder = createFolder({ file: "" });
  expect(canonicalDirectory(join(folder, "file"))).toBeUndefined();
  expect(canonicalDirectory(join(folder, "nothing"))).toBeUndefined();
});
