import * as fs from "node:fs";

/** The overlay file system of containers copies a file on its first change, which gives it a new birth time. */
const OVERLAY = 0x794c7630;

/**
 * Returns whether the entry at a path was created at or after a time. False where the file system has no birth times.
 *
 * @param time by the clock of the file system, in nanoseconds
 */
export function isBornSince(path: string, time: bigint): boolean {
  const born = bornAt(path);
  return born !== undefined && born >= time;
}

/** Returns whether the entry certainly existed before a time. False where the file system has no birth times. */
export function existedBefore(path: string, time: bigint): boolean {
  const born = bornAt(path);
  return born !== undefined && born < time;
}

function bornAt(path: string): bigint | undefined {
  const stats = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined || stats.birthtimeNs === 0n || fs.statfsSync(path).type === OVERLAY ? undefined : stats.birthtimeNs;
}
