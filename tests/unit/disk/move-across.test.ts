/** What somebody does while a file or a directory is copied to another file system. */
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { choosePins } from "../../../src/disk/choose-pins.ts";
import { moveAcross } from "../../../src/disk/move-across.ts";
import type { Pins } from "../../../src/disk/pin.ts";
import { Changed } from "../../../src/disk/volume.ts";
import { createFolder } from "../../support/folder.ts";

/** Acts before the first rename: the copy is made by then. */
function actingWhenCopied(act: () => void): Pins {
  const pins = choosePins();
  let isDone = false;
  return {
    ...pins,
    rename(from, to, check) {
      if (!isDone) act();
      isDone = true;
      pins.rename(from, to, check);
    },
  };
}

test("a file that is changed meanwhile stays, and no copy is left", () => {
  const root = createFolder({ a: "old" });
  const pins = actingWhenCopied(() => writeFileSync(join(root, "a"), "theirs"));
  expect(() => moveAcross(pins, join(root, "a"), join(root, "b"))).toThrow(Changed);
  expect([readdirSync(root), readFileSync(join(root, "a"), "utf8")]).toEqual([["a"], "theirs"]);
});

test("a directory in which a file is changed or made meanwhile stays", () => {
  for (const name of ["deep/old", "deep/new"]) {
    const root = createFolder({ "a/deep/old": "old" });
    const pins = actingWhenCopied(() => writeFileSync(join(root, "a", name), "theirs"));
    expect(() => moveAcross(pins, join(root, "a"), join(root, "b"))).toThrow(Changed);
    expect([readdirSync(root), readFileSync(join(root, "a", name), "utf8")]).toEqual([["a"], "theirs"]);
  }
});

test("another directory in place of the one that was copied stays", () => {
  const root = createFolder({ "a/old": "old" });
  const pins = actingWhenCopied(() => {
    renameSync(join(root, "a"), join(root, "other"));
    mkdirSync(join(root, "a"));
    writeFileSync(join(root, "a/theirs"), "theirs");
  });
  expect(() => moveAcross(pins, join(root, "a"), join(root, "b"))).toThrow(Changed);
  expect([readdirSync(root), readdirSync(join(root, "a")), readdirSync(join(root, "other"))]).toEqual([["a", "other"], ["theirs"], ["old"]]);
});

test("what cannot be put in its place is back, and no copy is left", () => {
  const root = createFolder({ a: "old", "b/in": "theirs" });
  expect(() => moveAcross(choosePins(), join(root, "a"), join(root, "b"))).toThrow("EISDIR");
  expect([readdirSync(root), readFileSync(join(root, "a"), "utf8"), readdirSync(join(root, "b"))]).toEqual([["a", "b"], "old", ["in"]]);
});
