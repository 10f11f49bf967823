import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { projectStateFolder } from "../../../src/state/places.ts";
import { Loaf } from "../../../src/index.ts";
import { printBlock } from "../../../src/syntaxes/nesl/print.ts";
import { createFolder } from "../../support/folder.ts";
import { tries } from "../../support/tries.ts";

const append = (id: string, path = "a.txt") => printBlock(id, { action: "file_append", path, content: id });

async function project() {
  const root = createFolder({ "a.txt": "" });
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true } });
  return { root, loaf, cache: join(projectStateFolder(loaf.root), "edits") };
}

const ids = ["aaa", "bbb", "ccc"] as const;
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("run" as const), blocks: fc.subarray([...ids], { minLength: 1 }) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom("undo" as const, "undo" as const, "redo" as const, "redo" as const, "skip" as const) }) },
);

test("a block counts once for each run that applied it and is not undone, as often as its text is in the file", { timeout: 3_600_000 }, async () => {
  const told = { standing: 0, undo: 0, redo: 0, skip: 0 };
  const law = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12, size: "max" }), async (steps) => {
    const { root, loaf } = await project();
    const appliedBy = new Map<number | undefined, readonly string[]>();
    for (const step of steps) {
      if (step.kind === "run") {
        const { run, success } = await loaf.execute(step.blocks.map((id) => append(id)).join("\n"));
        expect(success).toBe(true);
        appliedBy.set(run, step.blocks);
      } else if (step.kind === "skip") {
        const { run, results } = await loaf.execute(ids.map((id) => append(id)).join("\n"), { skipApplied: true });
        if (run !== undefined) appliedBy.set(run, results.filter(({ appliedIn }) => appliedIn === undefined).map(({ blockId }) => blockId));
        told.skip += results.some(({ appliedIn }) => appliedIn !== undefined) ? 1 : 0;
      } else told[step.kind] += (await loaf[step.kind]().catch(() => undefined))?.runs.length ?? 0;
      const { runs } = await loaf.history();
      const standing = runs.filter(({ state }) => state !== "undone").flatMap(({ run }) => appliedBy.get(run) ?? []);
      told.standing += standing.length;
      for (const id of ids) {
        const text = Array.from({ length: 10 }, () => append(id)).join("\n");
        const times = standing.filter((one) => one === id).length;
        expect((await loaf.appliedIn(text)).size, id).toBe(times);
        expect(readFileSync(join(root, "a.txt"), "utf8").split(id).length - 1, id).toBe(times);
      }
    }
    for (const folder of [root, projectStateFolder(loaf.root)]) rmSync(folder, { recursive: true });
  });
  const parts = [0, 1].map((part) => tries(8, 1_000, part));
  await Promise.all(parts.map((part) => fc.assert(law, part)));
  // The generated histories must have exercised the property.
  expect(Math.min(told.standing, told.undo, told.redo, told.skip)).toBeGreaterThan((parts[0]?.numRuns ?? 0) / 8);
});

test("a run reverted entirely by hand or with git does not count; a partly reverted one does", async () => {
  const { root, loaf } = await project();
  const answer = [append("aaa"), append("bbb", "new.txt"), printBlock("ccc", { action: "file_move", old_path: "old.txt", new_path: "d/moved.txt" })].join("\n");
  writeFileSync(join(root, "old.txt"), "old");
  expect((await loaf.execute(answer)).success).toBe(true);
  expect((await loaf.appliedIn(answer)).size).toBe(3);
  writeFileSync(join(root, "a.txt"), "");
  rmSync(join(root, "new.txt"));
  expect((await loaf.appliedIn(answer)).size).toBe(3);
  rmSync(join(root, "d"), { recursive: true });
  writeFileSync(join(root, "old.txt"), "old");
  expect((await loaf.appliedIn(answer)).size).toBe(0);
  expect((await loaf.execute(answer, { skipApplied: true })).results.map(({ success, appliedIn }) => [success, appliedIn])).toEqual([[true, undefined], [true, undefined], [true, undefined]]);
});

test("a torn, foreign or missing cache does not matter: the logs decide", async () => {
  const { loaf, cache } = await project();
  await loaf.execute(append("aaa"));
  await loaf.execute(append("bbb"));
  const known = async () => [...(await loaf.appliedIn(ids.map((id) => append(id)).join("\n"))).entries()];
  const expected = [[0, 1], [1, 2]];
  expect(await known()).toEqual(expected);
  const rows = readFileSync(cache, "utf8");
  expect(rows.trim().split("\n")).toHaveLength(2);
  for (const damaged of [rows.slice(0, -10), `${rows}{"sequence":3`, rows.replaceAll(/"version":"[^"]*"/g, '"version":"1 1"').replaceAll(/"edits":\[[^\]]*\]/g, '"edits":["x"]'), "null\n[]\n1\n{}\n"]) {
    writeFileSync(cache, damaged);
    expect(await known()).toEqual(expected);
  }
  rmSync(cache);
  expect(await known()).toEqual(expected);
  appendFileSync(cache, '{"sequence":9,"version":"1 1","kind":"run"}\n'.repeat(200));
  expect(await known()).toEqual(expected);
});

test("a dropped log no longer counts; failed edits, reads and commands never do", async () => {
  const { root, loaf } = await project();
  const read = printBlock("rea", { action: "file_read", path: "a.txt" });
  const failing = printBlock("del", { action: "file_delete", path: "gone.txt" });
  const answer = [append("aaa"), read, failing].join("\n");
  await loaf.execute(answer);
  writeFileSync(join(root, "gone.txt"), "");
  expect([...(await loaf.appliedIn(answer)).keys()]).toEqual([0]);
  const runs = join(projectStateFolder(loaf.root), "runs");
  for (const name of readdirSync(runs)) rmSync(join(runs, name));
  expect((await loaf.appliedIn(answer)).size).toBe(0);
});

test("nothing of a failed all-or-nothing run counts", async () => {
  const root = createFolder({ "a.txt": "" });
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, transaction: "all-or-nothing" } });
  const answer = [append("aaa"), printBlock("del", { action: "file_delete", path: "gone.txt" })].join("\n");
  await loaf.execute(answer);
  expect((await loaf.appliedIn(answer)).size).toBe(0);
});
