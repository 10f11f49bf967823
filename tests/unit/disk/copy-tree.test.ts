import { existsSync, readFileSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { choosePins } from "../../../src/disk/choose-pins.ts";
import { copyTree, removeTree } from "../../../src/disk/copy-tree.ts";
import type { Pins } from "../../../src/disk/pin.ts";
import { grow, temporaryDirectory } from "../files/project.ts";

/** Puts a link to a place outside where `directory` was, after it was looked at and before it is gone into. */
function swappingAt(directory: string, outside: string): Pins {
  const pins = choosePins();
  let isSwapped = false;
  return {
    ...pins,
    inDirectory(path, act) {
      if (path === directory && !isSwapped) {
        isSwapped = true;
        renameSync(directory, `${directory}.old`);
        symlinkSync(outside, directory);
      }
      return pins.inDirectory(path, act);
    },
  };
}

const trees = (): [tree: string, outside: string, directory: string] => {
  const directory = temporaryDirectory();
  grow(directory, { "tree/sub/a.txt": "a", "outside/s.txt": "secret" });
  return [join(directory, "tree"), join(directory, "outside"), directory];
};

test("a directory that turns into a link while a tree is copied is not followed", () => {
  const [tree, outside, directory] = trees();
  expect(() => copyTree(swappingAt(join(tree, "sub"), outside), tree, join(directory, "copy"))).toThrow(/^ESTALE/);
  expect(existsSync(join(directory, "copy/sub/s.txt"))).toBe(false);
});

test("a directory that turns into a link while a tree is removed is not followed", () => {
  const [tree, outside] = trees();
  expect(() => removeTree(swappingAt(join(tree, "sub"), outside), tree)).toThrow(/^ESTALE/);
  expect(readFileSync(join(outside, "s.txt"), "utf8")).toBe("secret");
});

test("a large file is copied whole", () => {
  const directory = temporaryDirectory();
  const bytes = Buffer.alloc(2_500_000, "0123456789");
  writeFileSync(join(directory, "a"), bytes);
  copyTree(choosePins(), join(directory, "a"), join(directory, "b"));
  expect(readFileSync(join(directory, "b")).equals(bytes)).toBe(true);
});

test("a directory whose name is not UTF-8 is refused, and stays", () => {
  const directory = temporaryDirectory();
  grow(directory, { tree: null });
  const odd = Buffer.concat([Buffer.from(`${directory}/tree/`), Buffer.from([0xe9])]);
  symlinkSync("nowhere", odd);
  copyTree(choosePins(), join(directory, "tree"), join(directory, "copy"));
  expect(readdirSync(join(directory, "copy"), { encoding: "buffer" })).toEqual([Buffer.from([0xe9])]);
  removeTree(choosePins(), join(directory, "copy"));
  expect(existsSync(join(directory, "copy"))).toBe(false);
  renameSync(odd, Buffer.from(`${directory}/link`));
  grow(directory, { made: null });
  renameSync(join(directory, "made"), odd);
  expect(() => copyTree(choosePins(), join(directory, "tree"), join(directory, "other"))).toThrow(/^EILSEQ/);
  expect(existsSync(odd)).toBe(true);
});
