import * as fs from "node:fs";

/** The file system of containers: what lies in a lower layer is made anew, and so born, when it is first changed. */
const OVERLAY = 0x794c7630;

/**
 * Whether what stands at a path has come to be since a time: false also where the file system does not tell.
 *
 * @param time by the clock of the file system, in nanoseconds
 */
export function isBornSince(path: string, time: bigint): boolean {
  const stats = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats !== undefined && stats.birthtimeNs >= time && fs.statfsSync(path).type !== OVERLAY;
}

/** Whether entries of a directory have come or gone since; true also for what is no directory. */
export function isFilledSince(path: string, time: bigint): boolean {
  const stats = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined || stats.mtimeNs >= time;
}
