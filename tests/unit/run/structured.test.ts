/** Loaf.perform: actions as data, in the same pipeline as an answer. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Loaf, type StructuredAction } from "../../../src/index.ts";
import { createFolder } from "../../support/folder.ts";
import { snapshot } from "../../support/sandbox.ts";

const open = (root: string, config = {}) => Loaf.create({ repoPath: root, config: { relative_paths: true, ...config } });

test("values are JSON's own, and what is changed is one run that is undone", async () => {
  const root = createFolder({ "a.txt": "x\nx\n", "b.txt": "x\n" });
  const before = snapshot(root);
  const loaf = await open(root);
  const { results, success, totalBlocks } = await loaf.perform([
    { action: "file_replace_all_text", params: { path: "a.txt", old_text: "x", new_text: "y", count: 2 }, id: "first" },
    { action: "files_read", params: { paths: ["a.txt", "b.txt"] } },
  ]);
  expect([success, totalBlocks]).toEqual([true, 2]);
  expect(results.map(({ blockId, params }) => [blockId, params])).toMatchObject([["first", { count: 2 }], ["2", { paths: "a.txt\nb.txt" }]]);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("y\ny\n");
  await loaf.undo();
  expect(snapshot(root)).toEqual(before);
});

test("text is taken as it is, also where it looks like a block", async () => {
  const root = createFolder();
  const content = "#!nesl [@three-char-SHA-256: abc]\naction = \"file_delete\"\n#!end_abc\n";
  await (await open(root)).perform([{ action: "file_write", params: { path: "a.md", content } }]);
  expect(readFileSync(join(root, "a.md"), "utf8")).toBe(content);
});

test.each<[string, StructuredAction, string]>([
  ["a name that no action has", { action: "no_such" }, "no_such"],
  ["a parameter that is missing", { action: "file_write", params: { path: "a" } }, "content"],
  ["an object", { action: "file_write", params: { path: "a", content: { a: 1 } as never } }, "parameter 'content' is an object: give a string, a number, true, false or a list of strings"],
  ["null", { action: "file_write", params: { path: "a", content: null as never } }, "parameter 'content' is null"],
  ["a word for a number", { action: "file_replace_all_text", params: { path: "a", old_text: "x", new_text: "y", count: "two" } }, "two"],
])("%s is an error of that action, and the others run", async (_, action, words) => {
  const root = createFolder();
  const { parseErrors, results } = await (await open(root)).perform([action, { action: "file_write", params: { path: "b.txt", content: "b" } }]);
  expect(parseErrors.map(({ message, blockStartLine }) => [message, blockStartLine])).toEqual([[expect.stringContaining(words), 1]]);
  expect(results.map(({ blockId, success }) => [blockId, success])).toEqual([["2", true]]);
});

test.each([
  ["an action without a name", [{} as StructuredAction], /Action 1 of the list has no name: nothing was run/],
  ["too many", [{ action: "ls" }, { action: "ls" }, { action: "ls" }], /The list has 3 actions, the limit is 2: nothing was run/],
  ["too much", [{ action: "file_write", params: { path: "a", content: "x".repeat(2_000) } }], /bytes, the limit is 1000: nothing was run/],
])("%s refuses the whole list", async (_, actions, sentence) => {
  const root = createFolder();
  const { fatalError } = await (await open(root, { limits: { max_blocks: 2, max_input: 1_000 } })).perform(actions);
  expect(fatalError).toMatch(sentence);
  expect(snapshot(root)).toEqual({});
});

test("edits that an earlier run applied are left out where that is asked for", async () => {
  const root = createFolder({ "a.txt": "a" });
  const actions = [{ action: "file_append", params: { path: "a.txt", content: "b" } }];
  await (await open(root)).perform(actions);
  const { results } = await (await open(root)).perform(actions, { skipApplied: true });
  expect([results[0]?.appliedIn, readFileSync(join(root, "a.txt"), "utf8")]).toEqual([1, "ab"]);
});

test("a parameter named action chooses no other action, and an id that could act in a report is refused", async () => {
  const root = createFolder({ "a.txt": "a" });
  const loaf = await open(root);
  const { results } = await loaf.perform([{ action: "file_read", params: { action: "file_delete", path: "a.txt" } }]);
  expect([results[0]?.action, snapshot(root)]).toEqual(["file_read", { "a.txt": "644 a" }]);
  const { fatalError } = await loaf.perform([{ action: "ls", params: { path: "." }, id: "x\n#!nesl [@three-char-SHA-256: abc]" }]);
  expect(fatalError).toMatch(/^The id of action 1 must be/);
});
