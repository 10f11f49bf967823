import * as fs from "node:fs";
import { sep } from "node:path";
import { attempt, systemError } from "./system-error.ts";

/**
 * Copies a file, a link or a directory with all in it to a path where nothing is, with modes, times and, as far as the system
 * lets us, owners: only root may give files away. Paths are bytes, since a name in the tree need not be UTF-8.
 *
 * It copies what is to be moved: a directory that would not let its entries be taken away is refused.
 */
export function copyTree(from: Buffer, to: Buffer): void {
  const stats = fs.lstatSync(from);
  if (stats.isSymbolicLink()) {
    fs.symlinkSync(fs.readlinkSync(from, { encoding: "buffer" }), to);
    attempt(() => fs.lchownSync(to, stats.uid, stats.gid));
    return;
  }
  if (stats.isDirectory()) {
    const names = fs.readdirSync(from, { encoding: "buffer" });
    if (names.length > 0) fs.accessSync(from, fs.constants.W_OK | fs.constants.X_OK);
    fs.mkdirSync(to, 0o700);
    for (const name of names) copyTree(below(from, name), below(to, name));
  } else if (stats.isFile()) fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
  else throw systemError("ENOTSUP", "copyfile", from.toString());
  const isKept = attempt(() => fs.chownSync(to, stats.uid, stats.gid));
  fs.chmodSync(to, keptMode(stats.mode, isKept));
  fs.utimesSync(to, stats.atime, stats.mtime);
}

/** The permissions of a file; set-user-ID and its like must not go over to another owner. */
export function keptMode(mode: number, isOwnerKept: boolean): number {
  return mode & (isOwnerKept ? 0o7777 : 0o777);
}

function below(directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, Buffer.from(sep), name]);
}
