import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { projectStateFolder } from "../../../src/state/places.ts";
import { readStateFile, writeStateFile } from "../../../src/state/state-file.ts";
import { createFolder } from "../../support/folder.ts";

test("a reader has the whole old file during a write, which leaves no other file", () => {
  const root = createFolder();
  writeStateFile(root, "memory", "old");
  const file = join(projectStateFolder(root), "memory");
  const reader = openSync(file, "r");
  writeStateFile(root, "memory", "new");
  expect([readFileSync(reader, "utf8"), readStateFile(root, "memory")]).toEqual(["old", "new"]);
  closeSync(reader);
  expect([readdirSync(dirname(file)).filter((name) => name.startsWith("memory")), statSync(file).mode & 0o777]).toEqual([["memory"], 0o600]);
});

test("a failed write leaves no other file", () => {
  const root = createFolder();
  const folder = projectStateFolder(root);
  mkdirSync(join(folder, "memory/in"), { recursive: true });
  expect(() => writeStateFile(root, "memory", "new")).toThrow("EISDIR");
  expect(readdirSync(folder)).toEqual(["memory"]);
});
