import { type BigIntStats, lstatSync } from "node:fs";
import { Changed, type Version } from "./volume.ts";

export function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): Version {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** Whether a version came to be after a moment, by the clock of the file system, in nanoseconds. What only waits in memory did not. */
export function isNewerThan(version: Version, moment: bigint): boolean {
  const changed = version.split(":")[4];
  return changed !== undefined && BigInt(changed) > moment;
}

/** Whether a directory was moved to its place after a moment, or got other permissions: a new entry in it would have changed its time of modification, too. */
export function isMovedSince(version: Version, moment: bigint): boolean {
  const modified = version.split(":")[3];
  return isNewerThan(version, moment) && modified !== undefined && BigInt(modified) <= moment;
}

/**
 * Throws `Changed` where another version stands there than the one that a change is based on.
 *
 * @param at the path, through a pin
 * @param basis null where nothing stood there; undefined where it does not matter
 * @param path to name in the error
 */
export function checkVersion(at: string, basis: Version | null | undefined, path: string): void {
  if (basis === undefined) return;
  const stats = lstatSync(at, { throwIfNoEntry: false, bigint: true });
  if ((stats === undefined ? null : versionOf(stats)) !== basis) throw new Changed(path);
}
