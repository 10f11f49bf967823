/** What makes two blocks the same edit, and what of a value is told. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { editKey } from "../../../src/answer/applied-before.ts";
import { actions } from "../../../src/actions/index.ts";
import type { Action } from "../../../src/answer/resolve.ts";
import { Loaf } from "../../../src/index.ts";
import { createFolder } from "../../support/folder.ts";

const loafIn = (repoPath: string, limits = {}): Promise<Loaf> => Loaf.create({ repoPath, gitCommit: false, config: { relative_paths: true, limits } });
const definition = actions.find(({ name }) => name === "file_write");
const root = join(import.meta.dirname, "project");
const keyOf = (params: Record<string, unknown>): string => editKey({ definition, params } as unknown as Action, root);

test("a path is the same however it is written, and a text is not", () => {
  const key = keyOf({ path: "a.txt", content: "x" });
  expect(keyOf({ path: "./a.txt", content: "x" })).toBe(key);
  expect(keyOf({ path: join(root, "a.txt"), content: "x" })).toBe(key);
  expect(keyOf({ path: "b.txt", content: "x" })).not.toBe(key);
  expect(keyOf({ path: "a.txt", content: "./x" })).not.toBe(key);
  expect(keyOf({ path: "a.txt", content: join(root, "x") })).not.toBe(key);
});

test("a value that no system call takes is shown up to its 80th character", async () => {
  const loaf = await loafIn(createFolder({}));
  const path = `x${"a".repeat(78)}.\0txt`;
  const { results } = await loaf.perform([{ action: "file_write", params: { path, content: "x" } }]);
  expect(results[0]?.error).toContain(`'${path.slice(0, 80)}…'`);
  const short = await loaf.perform([{ action: "file_write", params: { path: "xa\0", content: "x" } }]);
  expect(short.results[0]?.error).not.toContain("…");
});

test("a list has as many actions as the limit, and no more", async () => {
  const loaf = await loafIn(createFolder({ "a.txt": "one\n" }), { max_blocks: 2 });
  const read = { action: "file_read", params: { path: "a.txt" } };
  expect((await loaf.perform([read, read])).results).toHaveLength(2);
  await expect(loaf.perform([read, read, read])).resolves.toMatchObject({ success: false, results: [] });
});
