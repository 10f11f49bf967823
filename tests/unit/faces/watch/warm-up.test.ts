import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { Loaf } from "../../../../src/index.ts";
import { warmUp } from "../../../../src/faces/watch/warm-up.ts";
import { createFolder } from "../../../support/folder.ts";

test("runs a whole edit, and touches no file", async () => {
  const root = createFolder({ "a.txt": "one\n" });
  const stateBefore = filesBelow(String(process.env["XDG_STATE_HOME"]));
  let loaf: Loaf | undefined;
  await warmUp(async () => (loaf = await Loaf.create({ repoPath: root, dryRun: true, config: { relative_paths: true } })));
  expect(loaf?.changes()).toMatchObject([{ path: `${root}/loaf-warm-up.txt`, after: { bytes: Buffer.from("two") } }]);
  expect(readdirSync(root)).toEqual(["a.txt"]);
  expect(filesBelow(String(process.env["XDG_STATE_HOME"]))).toEqual(stateBefore);
});

test("works with an allowed-actions list, and with absolute paths only", async () => {
  const root = createFolder({});
  await warmUp(() => Loaf.create({ repoPath: root, dryRun: true, config: { "allowed-actions": ["file_read"] } }));
  expect(readdirSync(root)).toEqual([]);
});

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true }).map(String).sort();
  } catch {
    return [];
  }
}
