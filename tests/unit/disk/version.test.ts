import { lstatSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { versionOf } from "../../../src/disk/volume.ts";
import { createFolder } from "../../support/folder.ts";

const stats = (path: string) => lstatSync(path, { bigint: true });

test("76: a file that was changed and has its size and its time back is another version", () => {
  const path = join(createFolder({ "a.txt": "one" }), "a.txt");
  utimesSync(path, 1_000_000, 1_000_000);
  const before = versionOf(stats(path));
  expect(versionOf(stats(path))).toBe(before);
  const { ctimeNs } = stats(path);
  // The clock of the file system ticks every few milliseconds.
  while (stats(path).ctimeNs === ctimeNs) {
    writeFileSync(path, "two");
    utimesSync(path, 1_000_000, 1_000_000);
  }
  expect([stats(path).mtimeMs, stats(path).size]).toEqual([1_000_000_000n, 3n]);
  expect(versionOf(stats(path))).not.toBe(before);
});

test.each(["dev", "ino", "size", "mtimeNs", "ctimeNs"] as const)("another %s is another version", (field) => {
  const one = stats(createFolder());
  expect(versionOf(Object.assign(Object.create(one) as typeof one, { [field]: one[field] + 1n }))).not.toBe(versionOf(one));
});
