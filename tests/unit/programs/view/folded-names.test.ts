/** Case 113. No file system of a test machine folds case, so its answers are given: an identity for each name that it finds. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFolded } from "../../../../src/programs/view/overlay.ts";
import { createFolder } from "../../../support/folder.ts";

const folding = (names: Readonly<Record<string, string>>) => (path: Buffer) => names[path.toString().toLowerCase()];

test.each([".env", "config/.Env.local", "A/B/secrets"])("%s is found by its name in the other case where the file system folds case", (entry) => {
  expect(isFolded("/p", entry, folding({ [`/p/${entry}`.toLowerCase()]: "1:2" }))).toBe(true);
});

test("what is not there, and a name without letters, are not", () => {
  expect(isFolded("/p", ".env", folding({}))).toBe(false);
  expect(isFolded("/p", "42", folding({ "/p/42": "1:2" }))).toBe(false);
});

test("two files whose names differ only in case are two", () => {
  const root = createFolder({ ".env": "a", ".ENV": "b", "sub/.env": "c" });
  symlinkSync(".env", join(root, "sub/.ENV"));
  for (const entry of [".env", ".ENV", "sub/.env"]) expect(isFolded(root, entry)).toBe(false);
});
