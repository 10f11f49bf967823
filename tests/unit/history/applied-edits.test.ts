import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectStateFolder } from "../../../src/state/places.ts";
import { Loaf } from "../../../src/index.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
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

/** Runs an answer twice. Returns the results of the second time, and the files as they are then. */
async function twice(files: Readonly<Record<string, string>>, answer: string): Promise<{ results: readonly unknown[]; textOf(path: string): string | undefined }> {
  const root = createFolder(files);
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, syntaxes: ["nesl", "whole-file"] }, gitCommit: false });
  await loaf.execute(answer);
  const { results } = await loaf.execute(answer, { skipApplied: true });
  const textOf = (path: string): string | undefined => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined);
  return { results: results.map(({ success, appliedIn, error }) => error ?? [success, appliedIn]), textOf };
}
const lines = (id: string, path: string, at: string, text: string): string => printBlock(id, { action: "file_replace_lines", path, lines: at, new_content: text });
const ran = [true, 1];

test("a number that an edit of the same answer had moved is refused the second time too", async () => {
  const refused = "Line 2 may be meant as before run 1, which made another edit of this answer, or as now";
  const files = { "a.txt": "one\ntwo\nthree\n" };
  const there = await twice(files, [lines("aaa", "a.txt", "1", "1\n1.5"), lines("bbb", "a.txt", "2", "II")].join("\n"));
  expect(there.results).toEqual([ran, `file_replace_lines: ${refused}`]);
  expect(there.textOf("a.txt")).toBe("1\n1.5\ntwo\nthree\n");
  const move = printBlock("mmm", { action: "file_move", old_path: "a.txt", new_path: "b.txt" });
  const moved = await twice(files, [lines("aaa", "a.txt", "1", "1\n1.5"), move, lines("bbb", "b.txt", "2", "II")].join("\n"));
  expect(moved.results).toEqual([ran, ran, `file_replace_lines: ${refused}`]);
  // A line above the edit has the same number.
  const above = await twice(files, [lines("aaa", "a.txt", "3", "3\n4"), lines("bbb", "a.txt", "3", "x"), lines("ccc", "a.txt", "1", "I")].join("\n"));
  expect(above.results).toEqual([ran, expect.stringContaining("Line 3 may be meant"), ran]);
});

test("the old version of a file, shown beside the new one, is not written the second time", async () => {
  const fence = (text: string): string => `\`a.txt\`\n\n\`\`\`\n${text}\`\`\`\n`;
  const { results, textOf } = await twice({ "a.txt": "one\ntwo\nthree\n" }, `${fence("one\nTWO\nthree\n")}\nThe old version, for comparison:\n\n${fence("one\ntwo\nthree\n")}`);
  expect(results).toEqual([ran, expect.stringContaining("The text is that of 'a.txt' before this answer")]);
  expect(textOf("a.txt")).toBe("one\nTWO\nthree\n");
});

test("a renamed file is not looked up as the source of its own move", async () => {
  const { results } = await twice({ "name.txt": "kept\n" }, "### Renamed file: `name.txt` (old) `docs/name.txt` (new)\n");
  expect(results).toEqual([ran]);
});
