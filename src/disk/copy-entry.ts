/** Copies a file or a link that is about to be moved to another file system. */
import * as fs from "node:fs";
import { atEntry, openFile, type Pins, withFile } from "./pin.ts";
import { createFile } from "./place-file.ts";
import { attempt, systemError } from "./system-error.ts";

/**
 * Copies a file or a link to a free path, with mode, times and, if permitted, owner: only root may give files away.
 *
 * @param from canonical
 * @param to canonical
 */
export function copyEntry(pins: Pins, from: string, to: string): void {
  const stats = atEntry(pins, from, (path) => fs.lstatSync(path));
  if (stats.isSymbolicLink()) copyLink(pins, from, to, stats);
  else copyFile(pins, from, to);
}

function copyLink(pins: Pins, from: string, to: string, { uid, gid }: fs.Stats): void {
  const target = atEntry(pins, from, (path) => fs.readlinkSync(path, { encoding: "buffer" }));
  atEntry(pins, to, (path) => {
    fs.symlinkSync(target, path);
    attempt(() => fs.lchownSync(path, uid, gid));
  });
}

function copyFile(pins: Pins, from: string, to: string): void {
  withFile(atEntry(pins, from, openFile), (source) => {
    const stats = fs.fstatSync(source);
    if (!stats.isFile()) throw systemError("ESTALE", "open", from);
    const copied = atEntry(pins, to, (path) => createFile(path, (file) => copyBytes(source, file), stats));
    withFile(copied, () => fs.futimesSync(copied, stats.atime, stats.mtime));
  });
}

const CHUNK = 2 ** 20;

export function copyBytes(from: number, to: number): void {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let length = fs.readSync(from, buffer); length > 0; length = fs.readSync(from, buffer)) {
    for (let done = 0; done < length;) done += fs.writeSync(to, buffer, done, length - done);
  }
}
