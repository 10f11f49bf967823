import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Loaf } from "../../../src/index.ts";
import { createFolder } from "../../support/folder.ts";

// Elsewhere the file system cannot hold both names.
test.runIf(process.platform === "linux")("two files whose names differ only in case do not make a folder one that folds names", async () => {
  const both = createFolder({ makefile: "a:\n", Makefile: "b:\n" });
  const loaf = await Loaf.create({ repoPath: both, config: { relative_paths: true } });
  const { results } = await loaf.perform([
    { action: "file_write", params: { path: "A.txt", content: "upper\n" } },
    { action: "file_write", params: { path: "a.txt", content: "lower\n" } },
  ]);
  expect(results.map(({ success }) => success)).toEqual([true, true]);
  expect(["A.txt", "a.txt"].map((name) => readFileSync(join(both, name), "utf8"))).toEqual(["upper\n", "lower\n"]);
});
