/** The real file system, for reading: one file, or many fast for a search. Writes go through the journal. */
import * as fs from "node:fs";
import { readSync } from "node:fs";
import type { Access } from "../core/failure.ts";
import { readableName } from "../paths/names.ts";
import { joinPath } from "../paths/path-segments.ts";
import { openFile, pins, withFile } from "./choose-pins.ts";
import { folds, spelled, spelledThrough } from "./spelling.ts";
import { isSystemError, systemError } from "./system-error.ts";
import {
  type Entry,
  type FileContent,
  type NamedEntry,
  type ReadPieces,
  type VersionedEntry,
  versionOf,
  type Volume,
} from "./volume.ts";

/** A file that changed later may change again without a new time stamp: some file systems count in steps of 2 s. */
const SETTLED_MS = 3_000;

export class Disk implements Volume {
  /** The file read last: thousands of edits may be of one large file. */
  #last: FileContent | undefined;

  realpath(path: string): string {
    return spelledThrough(fs.realpathSync.native(path));
  }

  spelled(path: string, isThere: boolean): string {
    return isThere ? spelled(path) : path;
  }

  folds(directory: string): boolean {
    return folds(directory);
  }

  entry(path: string): VersionedEntry | undefined {
    return entryAt(path);
  }

  readLink(path: string): string {
    return fs.readlinkSync(path);
  }

  readFile(path: string, most = Infinity): FileContent {
    // Opening a FIFO wakes its writer, and opening a device may do anything.
    checkIsFile(fs.lstatSync(path), path);
    return withFile(this.#openToRead(path), (file) => {
      const stats = fs.fstatSync(file, { bigint: true });
      checkIsFile(stats, path);
      if (stats.size > most) throw systemError("EFBIG", "read", path);
      const [version, isSettled] = [versionOf(stats), Date.now() - Number(stats.ctimeMs) > SETTLED_MS];
      if (this.#last?.version === version) return this.#last;
      const content = { bytes: readAll(file, Number(stats.size)), version, names: Number(stats.nlink) };
      this.#last = isSettled ? content : undefined;
      return content;
    });
  }

  readDirectory(path: string): NamedEntry[] {
    return pins.inDirectory(path, (at) => {
      const entries: NamedEntry[] = [];
      const beginning = Buffer.from(at("./"));
      for (const bytes of fs.readdirSync(at("."), { encoding: "buffer" })) {
        const stats = fs.lstatSync(Buffer.concat([beginning, bytes]), { throwIfNoEntry: false });
        if (stats !== undefined) entries.push({ name: readableName(bytes.toString("latin1")), ...entryOf(stats) });
      }
      return entries;
    });
  }

  namesIn(path: string): ReturnType<Volume["namesIn"]> {
    return pins.inDirectory(path, (at) => namesIn(at(".")));
  }

  readPieces(path: string, visit: (piece: Buffer) => boolean, mostNames?: number): void {
    readPieces(this.#openToRead(path), path, visit, mostNames);
  }

  readIn(directory: string, act: (readPieces: ReadPieces) => void): void {
    pins.inDirectory(directory, (at) =>
      act((name, visit, mostNames) => readPieces(openFile(at(name)), joinPath(directory, name), visit, mostNames)),
    );
  }

  checkAccess(path: string, access: Access): void {
    fs.accessSync(path, access === "read" ? fs.constants.R_OK : fs.constants.W_OK);
  }

  #openToRead(path: string): number {
    try {
      return pins.openToRead(path);
    } catch (thrown) {
      throw isSystemError(thrown) && thrown.code === "ELOOP" ? systemError("ESTALE", "open", path) : thrown;
    }
  }
}

/** Returns undefined if nothing is there. */
export function entryAt(path: string): VersionedEntry | undefined {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stats && { ...entryOf(stats), version: versionOf(stats) };
}

/** The caller has seen a file here, so anything but a directory means that the path has changed. */
function checkIsFile(stats: fs.Stats | fs.BigIntStats, path: string): void {
  if (!stats.isFile()) throw systemError(stats.isDirectory() ? "EISDIR" : "ESTALE", "open", path);
}

function entryOf(stats: fs.Stats | fs.BigIntStats): Entry {
  const kind = stats.isFile() ? "file" : stats.isDirectory() ? "directory" : stats.isSymbolicLink() ? "link" : "other";
  return {
    kind,
    size: kind === "directory" ? 0 : Number(stats.size),
    modified: Number(stats.mtimeMs),
    mode: Number(stats.mode) & 0o7777,
    names: Number(stats.nlink),
  };
}

/**
 * Returns the bytes of an open file, or fewer than `size` if it was truncated meanwhile.
 *
 * @param start in bytes; defaults to the current position
 */
export function readAll(file: number, size: number, start?: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size);
  let done = 0;
  for (let read = -1; done < size && read !== 0; done += read)
    read = readSync(file, bytes, done, size - done, start === undefined ? null : start + done);
  return bytes.subarray(0, done);
}

/** Returns the names in a directory with their kinds. Escapes bytes that are not UTF-8. */
function namesIn(directory: string): Array<{ readonly name: string; readonly kind: Entry["kind"] }> {
  const entries = fs.readdirSync(directory, { withFileTypes: true });
  if (!entries.some(({ name }) => name.includes("\ufffd")))
    return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  return fs
    .readdirSync(Buffer.from(directory), { withFileTypes: true, encoding: "buffer" })
    .map((entry) => ({ name: readableName(entry.name.toString("latin1")), kind: kindOf(entry) }));
}

/**
 * Reads a regular file in pieces, until its end or until `visit` returns false, and closes it. A piece is valid only
 * during the call. Reads no more bytes than the file had at the start. Throws EMLINK if it has too many names.
 *
 * @param file a non-blocking descriptor
 * @param path for messages
 */
export function readPieces(file: number, path: string, visit: (piece: Buffer) => boolean, mostNames?: number): void {
  try {
    if (mostNames !== undefined && fs.fstatSync(file).nlink > mostNames) throw systemError("EMLINK", "open", path);
    let size = fs.readSync(file, piece, 0, piece.length, null);
    // Most files end here, so their size is never needed.
    let left = size < piece.length ? 0 : sizeOf(file) - size;
    while (size > 0 && visit(piece.subarray(0, size)) && left > 0) {
      size = fs.readSync(file, piece, 0, Math.min(piece.length, left), null);
      left -= size;
    }
  } finally {
    fs.closeSync(file);
  }
}

/** Shared, because allocating it takes longer than reading a small file. */
const piece = Buffer.allocUnsafeSlow(65_536);

function sizeOf(file: number): number {
  const stats = fs.fstatSync(file);
  return stats.isFile() ? stats.size : 0;
}

function kindOf(entry: fs.Dirent | fs.Dirent<Buffer>): Entry["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "other";
}
