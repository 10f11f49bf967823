/** Parts of the program that are loaded when they are used may not be to be had then, as where a process can open no further file. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { createFolder } from "../../support/folder.ts";

const COMMIT = "../../../src/git/commit-run.ts";
const HOOKS = "../../../src/programs/hooks/hooks.ts";

afterEach(() => {
  for (const part of [COMMIT, HOOKS]) vi.doUnmock(part);
  vi.resetModules();
});

test.each([
  ["makes the commit", COMMIT],
  ["runs the hooks", HOOKS],
])("where what %s cannot be loaded, nothing has been run: its report would be lost", async (_, part) => {
  vi.resetModules();
  vi.doMock(part, () => {
    throw new Error("EMFILE: too many open files");
  });
  const { Loaf } = await import("../../../src/loaf.ts");
  const root = createFolder();
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true }, hooks: { after: [{ run: "true" }] } });
  const result = await loaf.execute(printBlock("one", { action: "file_write", path: "a.txt", content: "a" }));
  expect([result.success, result.fatalError === undefined, existsSync(join(root, "a.txt"))]).toEqual([false, false, false]);
});
