/** Snapshots of files and links, kept to restore them. */
import { type BigIntStats, lstatSync } from "node:fs";
import { choosePins } from "../disk/choose-pins.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import { versionOf } from "../disk/version.ts";
import type { Version } from "../disk/volume.ts";
import { lookAtIfThere } from "./look-at.ts";

export type Snapshot = { readonly kind: "file"; readonly bytes: Buffer; readonly mode: number } | { readonly kind: "link"; readonly target: string };

/** Returns the version, undefined if there is no file or link. The size is in bytes. */
export function sizeAndVersion(path: string): { readonly size?: number; readonly version: Version | undefined } {
  const stats = statsIfThere(path);
  return stats === undefined || stats.isDirectory() ? { version: undefined } : { size: Number(stats.size), version: versionOf(stats) };
}

/** Returns undefined if there is no file or link, or the file is too large to hold. */
export function takeSnapshot(path: string): Snapshot | undefined {
  const found = lookAtIfThere(choosePins(), path);
  if (found?.state.kind === "link") return { kind: "link", target: found.state.target };
  if (found?.state.kind !== "file" || found.bytes === undefined) return undefined;
  return { kind: "file", bytes: found.bytes, mode: found.state.mode ?? 0o644 };
}

/** Takes over the permissions of the current file, unless they differ in being executable. Git records nothing else. */
export function withCurrentPermissions(path: string, before: Snapshot): Snapshot {
  const stats = statsIfThere(path);
  if (before.kind === "link" || stats?.isFile() !== true) return before;
  const mode = Number(stats.mode) & 0o7777;
  return (mode & 0o100) === (before.mode & 0o100) ? { ...before, mode } : before;
}

/** Returns undefined also if a parent is not a directory. */
function statsIfThere(path: string): BigIntStats | undefined {
  return unlessSystemError(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }), undefined, ["ENOTDIR"]);
}
