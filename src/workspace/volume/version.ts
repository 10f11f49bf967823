import { type BigIntStats, lstatSync } from "node:fs";
import { Changed, type Version } from "./volume.ts";

export function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): Version {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
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
