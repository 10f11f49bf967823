/** Creates files atomically: bytes are written under a temporary name, which is then renamed. */
import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { attempt } from "./system-error.ts";

/** What a file inherits from the one it replaces. Compatible with `Stats`. */
export interface Kept {
  /** Permission bits. */
  readonly mode: number;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
}

/** Returns an unpredictable name. It is short, because the final name may have the maximum length. */
export function temporaryName(): string {
  const random = randomUUID();
  return `.loaf-${random.slice(0, 8)}${random.slice(-8)}`;
}

/**
 * Creates a file. Leaves nothing behind if it fails.
 *
 * @param path through a pin; nothing is there
 * @param bytes or a function that writes them to the descriptor
 * @param like attributes of the replaced file; if its owner cannot be kept, the set-user-ID bit is dropped
 * @returns a descriptor for writing, to be closed
 */
export function createFile(path: string | Buffer, bytes: Uint8Array | ((file: number) => void), like?: Kept): number {
  const file = fs.openSync(
    path,
    fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL | fs.constants.O_NOFOLLOW,
    0o666,
  );
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

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += fs.writeSync(file, bytes, done, bytes.length - done, done);
}

function keepOwnerAndMode(file: number, { mode, uid, gid }: Kept): void {
  const made = fs.fstatSync(file);
  const isKept =
    uid === undefined ||
    gid === undefined ||
    (made.uid === uid && made.gid === gid) ||
    attempt(() => fs.fchownSync(file, uid, gid));
  // Set-user-ID and the like must not pass to another owner.
  const wanted = mode & (isKept ? 0o7777 : 0o777);
  if ((made.mode & 0o7777) !== wanted) fs.fchmodSync(file, wanted);
}
