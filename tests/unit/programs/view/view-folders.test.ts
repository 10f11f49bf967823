import { lstatSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { newViewFolder, orphanedDryViewFolders } from "../../../../src/programs/view/view-folders.ts";
import { createFolder } from "../../../support/folder.ts";

test("the folder of a dry run is orphaned once its process is gone", () => {
  const root = createFolder();
  const { path } = newViewFolder(root, true);
  const gone = mkdtempSync(path.replace(/[^-]+$/, ""));
  const owner = JSON.parse(readFileSync(join(path, "owner"), "utf8")) as { pid: number };
  writeFileSync(join(gone, "owner"), JSON.stringify({ ...owner, pid: 2 ** 22 + 1 }));
  const orphans = orphanedDryViewFolders();
  expect([orphans.includes(gone), orphans.includes(path)]).toEqual([true, false]);
  for (const folder of [gone, path]) rmSync(folder, { recursive: true });
});

test("the time after a folder was made is later, and its owner stays private", async () => {
  const { path, made, later } = newViewFolder(createFolder(), true);
  const owner = () => lstatSync(join(path, "owner"), { bigint: true });
  const modes = [owner().mode & 0o777n];
  // At once, and when the clock of the file system has moved.
  for (const pause of [0, 20]) {
    await setTimeout(pause);
    await later();
    expect(owner().ctimeNs).toBeGreaterThan(made);
    modes.push(owner().mode & 0o777n);
  }
  expect(modes).toEqual([0o600n, 0o600n, 0o600n]);
  rmSync(path, { recursive: true });
});

test("a folder of another name is not a view", () => {
  const other = mkdtempSync(join(realpathSync(tmpdir()), "loaf-other-"));
  writeFileSync(join(other, "owner"), "{}");
  expect(orphanedDryViewFolders()).not.toContain(other);
  rmSync(other, { recursive: true });
});
