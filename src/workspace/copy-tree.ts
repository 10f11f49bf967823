import * as fs from "node:fs";
import { sep } from "node:path";
import { isSystemError, systemError } from "./system-error.ts";

/**
 * Copies a file, a link or a directory with all in it to a path where nothing is, with modes, times and, as far as the system
 * lets us, owners. Paths are bytes, since a name in the tree need not be UTF-8.
 */
export function copyTree(from: Buffer, to: Buffer): void {
  const stats = fs.lstatSync(from);
  if (stats.isSymbolicLink()) {
    fs.symlinkSync(fs.readlinkSync(from, { encoding: "buffer" }), to);
    keepOwner(() => fs.lchownSync(to, stats.uid, stats.gid));
    return;
  }
  if (stats.isDirectory()) {
    fs.mkdirSync(to, 0o700);
    for (const name of fs.readdirSync(from, { encoding: "buffer" })) copyTree(below(from, name), below(to, name));
  } else if (stats.isFile()) fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
  else throw systemError("ENOTSUP", "copyfile", from.toString());
  const isKept = keepOwner(() => fs.chownSync(to, stats.uid, stats.gid));
  fs.chmodSync(to, keptMode(stats.mode, isKept));
  fs.utimesSync(to, stats.atime, stats.mtime);
}

/** Whether a file got its owner back: only root may give files away. */
export function keepOwner(change: () => void): boolean {
  try {
    change();
    return true;
  } catch (thrown) {
    if (isSystemError(thrown)) return false;
    throw thrown;
  }
}

/** The permissions of a file; set-user-ID and its like must not go over to another owner. */
export function keptMode(mode: number, isOwnerKept: boolean): number {
  return mode & (isOwnerKept ? 0o7777 : 0o777);
}

function below(directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, Buffer.from(sep), name]);
}
