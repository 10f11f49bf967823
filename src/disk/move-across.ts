import { type BigIntStats, lstatSync } from "node:fs";
import { basename, dirname } from "node:path";
import { copyTree, removeTree, versionOfEntries } from "./copy-tree.ts";
import { joinPath } from "../paths/path-segments.ts";
import type { Pins } from "./pin.ts";
import { temporaryName } from "./place-file.ts";
import { attempt } from "./system-error.ts";
import { versionOf } from "./version.ts";
import { Changed } from "./volume.ts";

/**
 * A move to another file system: copied beside the new place, then the old one is set aside, then the copy put in its place.
 * Whatever fails until then is taken back, so there is never a half of it, nor both. From then on it is done: should the old one
 * resist after all, it stays behind under its hidden name.
 *
 * @param from canonical
 * @param to canonical
 */
export function moveAcross(pins: Pins, from: string, to: string): void {
  const copy = joinPath(dirname(to), temporaryName());
  const aside = joinPath(dirname(from), temporaryName());
  try {
    const before = pins.inDirectory(dirname(from), (at) => lstatSync(at(basename(from)), { bigint: true }));
    const entries = before.isDirectory() ? versionOfEntries(pins, from) : undefined;
    copyTree(pins, from, copy);
    pins.rename(from, aside, { from: (at) => checkSame(at, before, from) });
    try {
      if (entries !== undefined && versionOfEntries(pins, aside) !== entries) throw new Changed(from);
      pins.rename(copy, to);
    } catch (thrown) {
      pins.rename(aside, from);
      throw thrown;
    }
  } catch (thrown) {
    attempt(() => removeTree(pins, copy));
    throw thrown;
  }
  attempt(() => removeTree(pins, aside));
}

/** Throws `Changed` where something else stands there. What is in a directory is compared once nobody can reach it. */
function checkSame(at: string, before: BigIntStats, path: string): void {
  const now = lstatSync(at, { throwIfNoEntry: false, bigint: true });
  const isSame = before.isDirectory() ? now?.ino === before.ino && now.dev === before.dev : now !== undefined && versionOf(now) === versionOf(before);
  if (!isSame) throw new Changed(path);
}
