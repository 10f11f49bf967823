/** A group of blocks, in a run whose changes wait on an overlay and may fail to reach the disk. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { Loaf, summaryReport } from "../../../src/index.ts";
import { Journal } from "../../../src/journal/journal.ts";
import { createFolder } from "../../support/folder.ts";

const tasks = (...operations: string[]): string => `<---TASKS--->\n${operations.join("\n")}\n<---END--->`;
const write = (file: string): string => `<---WRITE file="${file}"--->\nours\n<---END--->`;
const search = (file: string, old: string): string => `<---SEARCH file="${file}"--->\n${old}\n<---REPLACE--->\nnew\n<---END--->`;

describe("what is only tried out", () => {
  test("is seen by what is tried after it, and done once", async () => {
    const loaf = await Loaf.create({ repoPath: createFolder({ "a.txt": "old" }) });
    const append = '<---WRITE file="a.txt" append="true"--->\n, old\n<---END--->';
    const { results } = await loaf.execute(tasks(append, search("a.txt", "old, old")));
    expect(results).toMatchObject([{ success: true }, { success: true }]);
    expect(loaf.peek("a.txt")?.text).toBe("new");
  });

  test("leaves nothing in a dry run, where the group is refused", async () => {
    const loaf = await Loaf.create({ repoPath: createFolder({ "a.txt": "old" }), dryRun: true });
    const { results } = await loaf.execute(tasks(search("a.txt", "old"), write("b.txt"), search("a.txt", "old")));
    expect(results.map(({ code }) => code)).toEqual(["skip/group", "skip/group", "text/not-found"]);
    expect(loaf.changes()).toEqual([]);
  });

  test("leaves no run in the log, where the group is refused", async () => {
    const loaf = await Loaf.create({ repoPath: createFolder({ "a.txt": "old" }) });
    expect((await loaf.execute(tasks(write("b.txt"), search("a.txt", "nowhere")))).run).toBeUndefined();
  });
});

test("an operation whose change does not reach the disk is an error, and the others of its group stand", async () => {
  const root = createFolder({ "a.txt": "old", "b.txt": "old" });
  const loaf = await Loaf.create({ repoPath: root });
  const { commit } = Journal.prototype;
  // Another program changes a file after the edit was made, and before the edits are brought to the disk.
  vi.spyOn(Journal.prototype, "commit").mockImplementationOnce(function (this: Journal, ...given) {
    writeFileSync(join(root, "b.txt"), "theirs");
    return commit.apply(this, given);
  });
  const result = await loaf.execute(tasks(search("a.txt", "old"), search("b.txt", "old")));
  expect([result.success, result.results.map(({ code, operation }) => [code, operation])]).toEqual([false, [[undefined, "SEARCH"], ["file/changed", "SEARCH"]]]);
  expect([readFileSync(join(root, "a.txt"), "utf8"), readFileSync(join(root, "b.txt"), "utf8")]).toEqual(["new", "theirs"]);
  const [first, second] = summaryReport(result).split("\n");
  expect(first).toBe("[task-1.1] SUCCESS: SEARCH - a.txt");
  expect(second).toMatch(/^\[task-1\.2\] ERROR: SEARCH - b\.txt: File changed while Loaf worked on it/);
});
