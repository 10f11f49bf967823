import type { BigIntStats } from "node:fs";
import type { Version } from "./volume.ts";

export function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): Version {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/**
 * Returns whether a version is newer than a moment, by the clock of the file system, in nanoseconds. False for pending
 * changes.
 */
export function isNewerThan(version: Version, moment: bigint): boolean {
  const changed = version.split(":")[4];
  return changed !== undefined && BigInt(changed) > moment;
}

/**
 * Returns whether a directory was moved here after a moment, or its permissions changed. A new entry would also have
 * changed its modification time.
 */
export function isMovedSince(version: Version, moment: bigint): boolean {
  const modified = version.split(":")[3];
  return isNewerThan(version, moment) && modified !== undefined && BigInt(modified) <= moment;
}
