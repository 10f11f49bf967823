import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolders } from "../../../src/state/places.ts";
import { createFolder } from "../../support/folder.ts";

test("creates missing folders, accessible to the user only", () => {
  const folder = createFolder();
  makeFolders(join(folder, "a/b"));
  makeFolders(join(folder, "a/b"));
  for (const made of ["a", "a/b"]) expect(statSync(join(folder, made)).mode & 0o777).toBe(0o700);
});

test.each([
  ["below a file", () => join(createFolder({ file: "" }), "file/a"), "ENOTDIR"],
  ["below /proc, where Node's own way never ends", () => "/proc/loaf-test/a", "ENOENT"],
])("throws if a folder cannot be created, %s", (_, path, code) => {
  expect(() => makeFolders(path())).toThrow(code);
});
