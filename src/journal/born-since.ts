import * as fs from "node:fs";

/** The file system of containers: what lies in a lower layer is made anew, and so born, when it is first changed. */
const OVERLAY = 0x794c7630;

/**
 * Whether what stands at a path has come to be since a time: false also where the file system does not tell.
 *
 * @param time by the clock of the file system, in nanoseconds
 */
export function isBornSince(path: string, time: bigint): boolean {
  const born = bornAt(path);
  return born !== undefined && born >= time;
}

/** Whether it certainly was there before: false also where the file system does not tell. */
export function wasThere(path: string, time: bigint): boolean {
  const born = bornAt(path);
  return born !== undefined && born < time;
}

/** In nanoseconds. */
function bornAt(path: string): bigint | undefined {
  const stats = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined || stats.birthtimeNs === 0n || fs.statfsSync(path).type === OVERLAY ? undefined : stats.birthtimeNs;
}
