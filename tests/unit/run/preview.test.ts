/** Loaf.preview: what each item of an answer would do, and nothing is touched. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { Loaf, type Previewed } from "../../../src/index.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { hasSandbox } from "../../support/programs.ts";
import { createFolder } from "../../support/folder.ts";
import { snapshot } from "../../support/sandbox.ts";

const write = (path: string, content: string, id = "w1a") => printBlock(id, { action: "file_write", path, content });
const relative = { relative_paths: true } as const;

async function previewOf(root: string, answer: string): Promise<Previewed[]> {
  const loaf = await Loaf.create({ repoPath: root, config: relative });
  const items: Previewed[] = [];
  for await (const item of loaf.preview(answer)) items.push(item);
  return items;
}

const named = ({ position, result, errors, changes }: Previewed) => ({ position, success: result?.success, errors: errors?.map(({ message }) => message), changed: changes.map(({ path }) => path) });

test("each item comes with its outcome and its changes, and later ones see earlier ones", async () => {
  const root = createFolder({ "a.txt": "one\n" });
  const before = snapshot(root);
  const edit = printBlock("e1b", { action: "file_replace_text", path: "b.txt", old_text: "two", new_text: "three" });
  const items = await previewOf(root, [write("b.txt", "two\n"), edit, write("../c.txt", ""), printBlock("nop", { action: "no_such" }), write("a.txt", "1\n")].join("\n"));
  expect(items.map(named)).toEqual([
    { position: 0, success: true, errors: undefined, changed: [join(root, "b.txt")] },
    { position: 1, success: true, errors: undefined, changed: [join(root, "b.txt")] },
    { position: 2, success: false, errors: undefined, changed: [] },
    { position: 3, success: undefined, errors: [expect.stringContaining("no_such")], changed: [] },
    { position: 4, success: true, errors: undefined, changed: [join(root, "a.txt")] },
  ]);
  expect(items[1]?.changes[0]).toMatchObject({ before: { bytes: Buffer.from("two\n") }, after: { bytes: Buffer.from("three\n") } });
  expect(snapshot(root)).toEqual(before);
});

test("the parts of a diff whose path is known by its tail come as execute makes them", async () => {
  const root = createFolder({ "packages/shop/cart.js": Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join("") });
  const answer = ["--- a/shop/cart.js", "+++ b/shop/cart.js", "@@ -1,2 +1,2 @@", "-line 1", "+first", " line 2", "@@ -29,2 +29,2 @@", " line 29", "-line 30", "+last", ""].join("\n");
  const items = await previewOf(root, answer);
  const loaf = await Loaf.create({ repoPath: root, config: relative });
  const { results } = await loaf.execute(answer);
  expect(results.map(({ success }) => success)).toEqual([true, true]);
  expect(items.map(({ result }) => result)).toEqual(results);
});

test("execute runs the chosen items by their positions", async () => {
  const root = createFolder();
  const answer = [write("a.txt", "a"), write("b.txt", "b"), write("c.txt", "c")].join("\n");
  const loaf = await Loaf.create({ repoPath: root, config: relative });
  const chosen = new Set<number>();
  for await (const { position, changes } of loaf.preview(answer)) if (!changes.some(({ path }) => path.endsWith("b.txt"))) chosen.add(position);
  await loaf.execute(answer, { only: chosen });
  expect(Object.keys(snapshot(root))).toEqual(["a.txt", "c.txt"]);
});

test.runIf(hasSandbox)("a command runs on a view, and its changes are seen by what comes after it", async () => {
  const root = createFolder({ "a.txt": "a" });
  const before = snapshot(root);
  const command = printBlock("cmd", { action: "exec", lang: "bash", code: "echo made > b.txt; rm a.txt; echo said" });
  const items = await previewOf(root, [command, printBlock("rd1", { action: "file_read", path: "b.txt" })].join("\n"));
  expect(items.map(named)).toMatchObject([{ success: true, changed: [join(root, "a.txt"), join(root, "b.txt")] }, { success: true, changed: [] }]);
  expect(items[0]?.result?.data).toMatchObject({ stdout: "said\n" });
  expect(snapshot(root)).toEqual(before);
});

test.runIf(hasSandbox)("a command sees what all items before it have changed, even if it fails", async () => {
  const root = createFolder({ "a.txt": "a", "old.txt": "o" });
  const before = snapshot(root);
  const exec = (id: string, code: string): string => printBlock(id, { action: "exec", lang: "bash", code });
  const answer = [write("d/b.txt", "b"), printBlock("mv1", { action: "file_move", old_path: "old.txt", new_path: "d/new.txt" }), exec("c1c", "echo more >> d/b.txt; exit 3"), write("a.txt", "A"), exec("c2d", "cat a.txt d/b.txt d/new.txt; ls")];
  const items = await previewOf(root, answer.join("\n"));
  expect(items.map(named)).toMatchObject([{ success: true }, { success: true }, { success: false, changed: [join(root, "d/b.txt")] }, { success: true }, { success: true, changed: [] }]);
  expect(items.at(-1)?.result?.data).toMatchObject({ stdout: "Abmore\noa.txt\nd\n" });
  expect(items[2]?.changes[0]).toMatchObject({ before: { bytes: Buffer.from("b") }, after: { bytes: Buffer.from("bmore\n") } });
  expect(snapshot(root)).toEqual(before);
});

test("the bytes of a file that may not be read are not shown", async () => {
  const root = createFolder({ "secret.txt": "s" });
  const loaf = await Loaf.create({ repoPath: root, config: { ...relative, "fs-guard": { read: { deny: ["secret.txt"] } } } });
  for await (const { changes } of loaf.preview(write("secret.txt", "new"))) for (const { before, after } of changes) expect([before, after]).toEqual([expect.not.objectContaining({ bytes: expect.anything() }), expect.not.objectContaining({ bytes: expect.anything() })]);
});

test("an answer beyond the limits is refused with a sentence", async () => {
  const loaf = await Loaf.create({ repoPath: createFolder(), config: { ...relative, limits: { max_blocks: 1 } } });
  await expect(loaf.preview(write("a", "1") + "\n" + write("b", "2")).next()).rejects.toThrow(/2 blocks, the limit is 1/);
});
