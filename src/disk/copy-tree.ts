import { isUtf8 } from "node:buffer";
import * as fs from "node:fs";
import { basename, dirname } from "node:path";
import { joinPath } from "../paths/path-segments.ts";
import { type At, atEntry, openFile, type Pins, withFile } from "./pin.ts";
import { createFile, keptMode } from "./place-file.ts";
import { attempt, systemError } from "./system-error.ts";

/**
 * Copies a file, a link or a directory tree to a free path, with modes, times and, if permitted, owners: only root may
 * give files away. Pins each directory, so that nothing else is copied.
 *
 * The source is about to be moved, so a directory whose entries cannot be removed is refused. A directory whose name is
 * not UTF-8 is refused too, because it cannot be pinned; files in it may have such names.
 *
 * @param from canonical
 * @param to canonical
 */
export function copyTree(pins: Pins, from: string, to: string): void {
  copyEntry(
    pins,
    { directory: dirname(from), name: Buffer.from(basename(from)) },
    { directory: dirname(to), name: Buffer.from(basename(to)) },
  );
}

/** Removes a file, a link or a directory tree. Leaves contents of directories whose names are not UTF-8. */
export function removeTree(pins: Pins, path: string): void {
  removeEntry(pins, { directory: dirname(path), name: Buffer.from(basename(path)) });
}

interface Place {
  readonly directory: string;
  readonly name: Buffer;
}

function copyEntry(pins: Pins, from: Place, to: Place): void {
  const stats = inside(pins, from, (path) => fs.lstatSync(path));
  if (stats.isSymbolicLink()) copyLink(pins, from, to, stats);
  else if (stats.isDirectory()) copyDirectory(pins, pathOf(from), pathOf(to), stats);
  else if (stats.isFile()) copyFile(pins, from, to);
  else throw systemError("ENOTSUP", "copyfile", shown(from));
}

function copyLink(pins: Pins, from: Place, to: Place, { uid, gid }: fs.Stats): void {
  const target = inside(pins, from, (path) => fs.readlinkSync(path, { encoding: "buffer" }));
  inside(pins, to, (path) => {
    fs.symlinkSync(target, path);
    attempt(() => fs.lchownSync(path, uid, gid));
  });
}

function copyDirectory(pins: Pins, from: string, to: string, stats: fs.Stats): void {
  const names = pins.inDirectory(from, (at) => {
    const found = fs.readdirSync(at("."), { encoding: "buffer" });
    if (found.length > 0) fs.accessSync(at("."), fs.constants.W_OK | fs.constants.X_OK);
    return found;
  });
  atEntry(pins, to, (place) => fs.mkdirSync(place, 0o700));
  for (const name of names) copyEntry(pins, { directory: from, name }, { directory: to, name });
  pins.inDirectory(to, (at) =>
    withFile(fs.openSync(at("."), fs.constants.O_RDONLY | fs.constants.O_DIRECTORY), (made) => keepStats(made, stats)),
  );
}

function copyFile(pins: Pins, from: Place, to: Place): void {
  withFile(inside(pins, from, openFile), (source) => {
    const stats = fs.fstatSync(source);
    if (!stats.isFile()) throw systemError("ESTALE", "open", shown(from));
    const copied = inside(pins, to, (path) => createFile(path, (file) => copyBytes(source, file), stats));
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

function keepStats(directory: number, { uid, gid, mode, atime, mtime }: fs.Stats): void {
  const isKept = attempt(() => fs.fchownSync(directory, uid, gid));
  fs.fchmodSync(directory, keptMode(mode, isKept));
  fs.futimesSync(directory, atime, mtime);
}

function removeEntry(pins: Pins, place: Place): void {
  if (!inside(pins, place, (path) => fs.lstatSync(path)).isDirectory()) {
    inside(pins, place, (path) => fs.unlinkSync(path));
    return;
  }
  const path = pathOf(place);
  const names = pins.inDirectory(path, (at) => fs.readdirSync(at("."), { encoding: "buffer" }));
  for (const name of names) removeEntry(pins, { directory: path, name });
  inside(pins, place, (at) => fs.rmdirSync(at));
}

/** @param act receives the path of the entry through a pin of its directory */
function inside<Value>(pins: Pins, { directory, name }: Place, act: (path: Buffer) => Value): Value {
  return pins.inDirectory(directory, (at: At) => act(Buffer.concat([Buffer.from(at("./")), name])));
}

function pathOf(place: Place): string {
  if (!isUtf8(place.name)) throw systemError("EILSEQ", "copyfile", shown(place));
  return joinPath(place.directory, place.name.toString("utf8"));
}

function shown({ directory, name }: Place): string {
  return joinPath(directory, name.toString("utf8"));
}
