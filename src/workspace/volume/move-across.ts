import { lstatSync } from "node:fs";
import { basename, dirname } from "node:path";
import { copyTree, removeTree } from "./copy-tree.ts";
import { joinPath } from "./path-segments.ts";
import type { Pins } from "./pin.ts";
import { temporaryName } from "./place-file.ts";
import { attempt } from "./system-error.ts";
import { checkVersion, versionOf } from "./version.ts";
import type { Version } from "./volume.ts";

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
    const version = versionOfFile(pins, from);
    copyTree(pins, from, copy);
    pins.rename(from, aside, { from: (at) => checkVersion(at, version, from) });
    try {
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

/** Undefined for a directory: its own tells nothing of what is in it. */
function versionOfFile(pins: Pins, path: string): Version | undefined {
  const stats = pins.inDirectory(dirname(path), (at) => lstatSync(at(basename(path)), { bigint: true }));
  return stats.isDirectory() ? undefined : versionOf(stats);
}
