import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectStateFolder } from "../../../src/state/places.ts";
import { Loaf } from "../../../src/index.ts";
import { printBlock } from "../../../src/syntaxes/nesl/print.ts";
import { createFolder } from "../../support/folder.ts";

const append = (id: string, path = "a.txt") => printBlock(id, { action: "file_append", path, content: id });

async function project() {
  const root = createFolder({ "a.txt": "" });
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true } });
  return { root, loaf, cache: join(projectStateFolder(loaf.root), "edits") };
}

const ids = ["aaa", "bbb", "ccc"] as const;

test("an edit reverted by hand or with git does not count; the others of its run do", async () => {
  const { root, loaf } = await project();
  const answer = [append("aaa"), append("bbb", "new.txt"), printBlock("ccc", { action: "file_move", old_path: "old.txt", new_path: "d/moved.txt" })].join("\n");
  writeFileSync(join(root, "old.txt"), "old");
  expect((await loaf.execute(answer)).success).toBe(true);
  expect((await loaf.appliedIn(answer)).size).toBe(3);
  writeFileSync(join(root, "a.txt"), "");
  rmSync(join(root, "new.txt"));
  expect([...(await loaf.appliedIn(answer)).keys()]).toEqual([2]);
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
  expect(JSON.parse(rows)).toHaveLength(2);
  for (const damaged of [rows.slice(0, -10), `${rows}{"sequence":3`, rows.replaceAll(/"version":"[^"]*"/g, '"version":"1 1"').replaceAll(/"edits":\[[^\]]*\]/g, '"edits":["x"]'), "[null,[],1,{}]"]) {
    writeFileSync(cache, damaged);
    expect(await known()).toEqual(expected);
  }
  rmSync(cache);
  expect(await known()).toEqual(expected);
  writeFileSync(cache, `[${rows.slice(1, -1)},{"sequence":9,"version":"1 1","kind":"run"}]`);
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
