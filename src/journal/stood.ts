/** What stands at a path, kept so that it can be put back. */
import { type BigIntStats, lstatSync } from "node:fs";
import { choosePins } from "../disk/choose-pins.ts";
import { isSystemError } from "../disk/system-error.ts";
import { versionOf } from "../disk/version.ts";
import type { Version } from "../disk/volume.ts";
import { lookAtIfThere } from "./look-at.ts";

/** A file with its bytes, or a link. */
export type Stood = { readonly kind: "file"; readonly bytes: Buffer; readonly mode: number } | { readonly kind: "link"; readonly target: string };

/** Without a version where no file or link stands there. The size is in bytes. */
export function sizeAndVersion(path: string): { readonly size?: number; readonly version: Version | undefined } {
  const stats = statsIfThere(path);
  return stats === undefined || stats.isDirectory() ? { version: undefined } : { size: Number(stats.size), version: versionOf(stats) };
}

/** Undefined where neither a file nor a link stands there, or a file that is too large to be held. */
export function stoodAt(path: string): Stood | undefined {
  const found = lookAtIfThere(choosePins(), path);
  if (found?.state.kind === "link") return { kind: "link", target: found.state.target };
  if (found?.state.kind !== "file" || found.bytes === undefined) return undefined;
  return { kind: "file", bytes: found.bytes, mode: found.state.mode ?? 0o644 };
}

/** Takes the permissions of the file that stands there now, unless one of the two may be executed and the other not: more git does not know. */
export function withPermissionsOf(path: string, before: Stood): Stood {
  const stats = statsIfThere(path);
  if (before.kind === "link" || stats?.isFile() !== true) return before;
  const mode = Number(stats.mode) & 0o7777;
  return (mode & 0o100) === (before.mode & 0o100) ? { ...before, mode } : before;
}

/** Undefined also where what stands in its folder's place is none. */
function statsIfThere(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (thrown) {
    if (isSystemError(thrown) && thrown.code === "ENOTDIR") return undefined;
    throw thrown;
  }
}
