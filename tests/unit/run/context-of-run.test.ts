/** The context set belongs to a run that is all or nothing, as its files do. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectStateFolder } from "../../../src/host/project-state-folder.ts";
import { Loaf } from "../../../src/index.ts";
import { printBlock } from "../../../src/syntax/print.ts";
import { createFolder } from "../../support/folder.ts";

const adding = printBlock("aa1", { action: "context_add", path: "a.txt" });
const writing = printBlock("aa2", { action: "file_write", path: "b.txt", content: "b" });
const failing = printBlock("aa3", { action: "file_delete", path: "missing.txt" });

async function open(root: string): Promise<Loaf> {
  return Loaf.create({ repoPath: root, config: { relative_paths: true, transaction: "all-or-nothing" } });
}

async function pathsInView(root: string): Promise<string[]> {
  return (await (await open(root)).context.list()).map(({ path }) => path);
}

test("a run that is all or nothing takes back what it did to the context set", async () => {
  const root = createFolder({ "a.txt": "a" });
  const { results } = await (await open(root)).execute([adding, writing, failing].join("\n"));
  expect(results.map(({ code }) => code)).toEqual(["run/not-whole", "run/not-whole", "file/not-found"]);
  expect(await pathsInView(root)).toEqual([]);
  expect((await (await open(root)).execute([adding, writing].join("\n"))).success).toBe(true);
  expect(await pathsInView(root)).toEqual(["a.txt"]);
});

test("what cannot be kept in the end fails alone", async () => {
  const root = createFolder({ "a.txt": "a" });
  const place = join(projectStateFolder(root), "context.json");
  mkdirSync(join(place, "in-the-way"), { recursive: true });
  const loaf = await open(root);
  const { results } = await loaf.execute([adding, writing].join("\n"));
  expect(results.map(({ success, code }) => [success, code])).toEqual([[false, expect.stringMatching(/^file\//)], [true, undefined]]);
  rmSync(place, { recursive: true });
  expect(await pathsInView(root)).toEqual([]);
});
