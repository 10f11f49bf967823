/** How a file comes to be whole or not at all: its bytes under a name of their own, which then becomes the file's. */
import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { attempt } from "./system-error.ts";

/** What a file keeps of the one that it replaces. `Stats` have it. */
export interface Kept {
  /** Permission bits. */
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
}

/** A short name, since the one that it will give way to may be as long as names can be; no other program can foresee it. */
export function temporaryName(): string {
  const random = randomUUID();
  return `.loaf-${random.slice(0, 8)}${random.slice(-8)}`;
}

/**
 * Makes a new file. Where that fails there is none.
 *
 * @param path through a pin; nothing stands there
 * @param bytes or a function that writes them to the descriptor
 * @param like what it has of the file that it will replace; where that one's owner cannot be kept, its set-user-ID bit is dropped
 * @returns a descriptor for writing, to be synced or not, and to be closed
 */
export function createFile(path: string | Buffer, bytes: Uint8Array | ((file: number) => void), like?: Kept): number {
  const file = fs.openSync(path, fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL | fs.constants.O_NOFOLLOW, 0o666);
  try {
    if (typeof bytes === "function") bytes(file);
    else writeAll(file, bytes);
    if (like !== undefined) keepOwnerAndMode(file, like);
    return file;
  } catch (thrown) {
    fs.closeSync(file);
    attempt(() => fs.unlinkSync(path));
    throw thrown;
  }
}

/** The permissions of a file; set-user-ID and its like must not go over to another owner. */
export function keptMode(mode: number, isOwnerKept: boolean): number {
  return mode & (isOwnerKept ? 0o7777 : 0o777);
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += fs.writeSync(file, bytes, done, bytes.length - done, done);
}

function keepOwnerAndMode(file: number, { mode, uid, gid }: Kept): void {
  const made = fs.fstatSync(file);
  const isKept = uid === undefined || gid === undefined || (made.uid === uid && made.gid === gid) || attempt(() => fs.fchownSync(file, uid, gid));
  const wanted = keptMode(mode, isKept);
  if ((made.mode & 0o7777) !== wanted) fs.fchmodSync(file, wanted);
}
