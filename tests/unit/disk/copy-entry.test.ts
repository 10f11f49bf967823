import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { choosePins } from "../../../src/disk/choose-pins.ts";
import { copyEntry } from "../../../src/disk/copy-entry.ts";
import { temporaryDirectory } from "../files/project.ts";

test("a large file is copied whole", () => {
  const directory = temporaryDirectory();
  const bytes = Buffer.alloc(2_500_000, "0123456789");
  writeFileSync(join(directory, "a"), bytes);
  copyEntry(choosePins(), join(directory, "a"), join(directory, "b"));
  expect(readFileSync(join(directory, "b")).equals(bytes)).toBe(true);
});
