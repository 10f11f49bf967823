import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { projectStateFolder } from "../../../../src/host/project-state-folder.ts";
import { Loaf } from "../../../../src/index.ts";
import { printBlock } from "../../../../src/syntax/print.ts";
import { createFolder } from "../../../support/folder.ts";
import { tries } from "../../../support/tries.ts";

const append = (id: string, path = "a.txt") => printBlock(id, { action: "file_append", path, content: id });

async function project() {
  const root = createFolder({ "a.txt": "" });
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true } });
  return { root, loaf, cache: join(projectStateFolder(loaf.root), "edits") };
}

const ids = ["aaa", "bbb", "ccc"] as const;
const step = fc.oneof(fc.record({ kind: fc.constant("run" as const), blocks: fc.subarray([...ids], { minLength: 1 }) }), fc.record({ kind: fc.constantFrom("undo" as const, "redo" as const, "skip" as const) }));

test("a block counts as often as runs that applied it stand, whatever was undone and redone", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const { loaf } = await project();
      const appliedBy = new Map<number, readonly string[]>();
      for (const step of steps) {
        if (step.kind === "run") {
          const { run } = await loaf.execute(step.blocks.map((id) => append(id)).join("\n"));
          appliedBy.set(run as number, step.blocks);
        } else if (step.kind === "skip") await loaf.execute(ids.map((id) => append(id)).join("\n"), { skipApplied: true }).then(({ run, results }) => run !== undefined && appliedBy.set(run, results.filter(({ appliedIn }) => appliedIn === undefined).map(({ blockId }) => blockId)));
        else await loaf[step.kind]().catch(() => {});
        const { runs } = await loaf.history();
        const standing = runs.filter(({ state }) => state !== "undone").flatMap(({ run }) => appliedBy.get(run) ?? []);
        for (const id of ids) {
          const text = Array.from({ length: 10 }, () => append(id)).join("\n");
          expect((await loaf.appliedIn(text)).size, id).toBe(standing.filter((one) => one === id).length);
        }
      }
    }),
    tries(15, 2_000),
  );
}, 600_000);

test("what is kept of the logs may be torn, foreign or gone: the logs count", async () => {
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

test("a log that was dropped counts no more, and failed edits, reads and commands never do", async () => {
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

test("of a run that is all or nothing and failed nothing counts", async () => {
  const root = createFolder({ "a.txt": "" });
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, transaction: "all-or-nothing" } });
  const answer = [append("aaa"), printBlock("del", { action: "file_delete", path: "gone.txt" })].join("\n");
  await loaf.execute(answer);
  expect((await loaf.appliedIn(answer)).size).toBe(0);
});
