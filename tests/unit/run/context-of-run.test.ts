/** The context set belongs to a run, as its files do. */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectStateFolder } from "../../../src/state/places.ts";
import { Loaf, type Progress } from "../../../src/index.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { createFolder } from "../../support/folder.ts";

const adding = printBlock("aa1", { action: "context_add", path: "a.txt" });
const writing = printBlock("aa2", { action: "file_write", path: "b.txt", content: "b" });
const failing = printBlock("aa3", { action: "file_delete", path: "missing.txt" });

async function open(root: string, transaction: "keep" | "all-or-nothing" = "all-or-nothing"): Promise<Loaf> {
  return Loaf.create({ repoPath: root, config: { relative_paths: true, transaction } });
}

function keptIn(root: string): string[] {
  const place = join(projectStateFolder(root), "context.json");
  if (!existsSync(place)) return [];
  return (JSON.parse(readFileSync(place, "utf8")) as { entries: Array<{ path: string }> }).entries.map(({ path }) => path);
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

test.each(["all-or-nothing", "keep"] as const)("what cannot be kept in the end fails alone: %s", async (transaction) => {
  const root = createFolder({ "a.txt": "a" });
  const place = join(projectStateFolder(root), "context.json");
  mkdirSync(join(place, "in-the-way"), { recursive: true });
  const loaf = await open(root, transaction);
  const { results } = await loaf.execute([adding, writing].join("\n"));
  expect(results.map(({ success, code }) => [success, code])).toEqual([[false, expect.stringMatching(/^file\//)], [true, undefined]]);
  rmSync(place, { recursive: true });
  expect(await pathsInView(root)).toEqual([]);
});

const addingMore = printBlock("aa4", { action: "context_add", path: "b.txt" });

test("the context set is written once in a run, and as it is when an action fails or the run is stopped", async () => {
  const root = createFolder({ "a.txt": "a", "b.txt": "b" });
  const stop = new AbortController();
  const seen: string[][] = [];
  const onProgress = (step: Progress): void => {
    if (step.kind !== "started") return;
    const { seq } = step.action;
    seen.push(keptIn(root));
    if (seq === 3) stop.abort();
  };
  const { results } = await (await open(root, "keep")).execute([adding, failing, addingMore, writing].join("\n"), { onProgress, stop: stop.signal });
  expect(results.map(({ code }) => code)).toEqual([undefined, "file/not-found", undefined, "skip/stopped"]);
  expect(seen).toEqual([[], [], []]);
  expect(keptIn(root)).toEqual(["a.txt", "b.txt"]);
});

test("the sender of a text in pieces finds the context set as each piece left it", async () => {
  const root = createFolder({ "a.txt": "a", "b.txt": "b" });
  const seen: string[][] = [];
  async function* pieces() {
    for (const block of [adding, addingMore]) {
      yield `${block}\n`;
      seen.push(keptIn(root));
    }
  }
  await (await open(root, "keep")).execute(pieces());
  expect(seen).toEqual([["a.txt"], ["a.txt", "b.txt"]]);
});

test("after a run the program changes the context set at once", async () => {
  const root = createFolder({ "a.txt": "a", "b.txt": "b" });
  const loaf = await open(root, "keep");
  await loaf.execute(adding);
  await loaf.context.add("b.txt");
  expect(keptIn(root)).toEqual(["a.txt", "b.txt"]);
});
