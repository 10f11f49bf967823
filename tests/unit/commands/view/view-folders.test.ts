import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newViewFolder, orphanedViewFolders } from "../../../../src/commands/view/view-folders.ts";
import { createFolder } from "../../../support/folder.ts";

test("the folder of a dry run is orphaned once its process is gone", () => {
  const root = createFolder();
  const { path } = newViewFolder(root, true);
  const gone = mkdtempSync(path.replace(/[^-]+$/, ""));
  const owner = JSON.parse(readFileSync(join(path, "owner"), "utf8")) as { pid: number };
  writeFileSync(join(gone, "owner"), JSON.stringify({ ...owner, pid: 2 ** 22 + 1 }));
  const orphans = orphanedViewFolders(root);
  expect([orphans.includes(gone), orphans.includes(path)]).toEqual([true, false]);
  for (const folder of [gone, path]) rmSync(folder, { recursive: true });
});

test("a folder of another name is not a view", () => {
  const other = mkdtempSync(join(realpathSync(tmpdir()), "loaf-other-"));
  writeFileSync(join(other, "owner"), "{}");
  expect(orphanedViewFolders(createFolder())).not.toContain(other);
  rmSync(other, { recursive: true });
});
