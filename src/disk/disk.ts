/** The real file system. */
import * as fs from "node:fs";
import { basename, dirname } from "node:path";
import type { Access } from "../core/failure.ts";
import { choosePins } from "./choose-pins.ts";
import { moveAcross } from "./move-across.ts";
import { joinPath } from "../paths/path-segments.ts";
import { openFile, type Pins } from "./pin.ts";
import { createFile, temporaryName } from "./place-file.ts";
import { namesIn, readableName, readPieces } from "./scan.ts";
import { readAll } from "./read-all.ts";
import { attempt, isSystemError, systemError } from "./system-error.ts";
import { checkVersion, versionOf } from "./version.ts";
import type { Entry, FileContent, NamedEntry, ReadPieces, Version, VersionedEntry, Volume } from "./volume.ts";

export class Disk implements Volume {
  readonly #pins: Pins;

  constructor(pins: Pins = choosePins()) {
    this.#pins = pins;
  }

  realpath(path: string): string {
    return fs.realpathSync.native(path);
  }

  entry(path: string): VersionedEntry | undefined {
    const stats = fs.lstatSync(path, { throwIfNoEntry: false, bigint: true });
    return stats && { ...entryOf(stats), version: versionOf(stats) };
  }

  readLink(path: string): string {
    return fs.readlinkSync(path);
  }

  readFile(path: string, most = Infinity): FileContent {
    // To open a FIFO wakes whoever writes to it, and to open a device may do anything.
    checkIsFile(fs.lstatSync(path), path);
    const file = this.#openToRead(path);
    try {
      const stats = fs.fstatSync(file, { bigint: true });
      checkIsFile(stats, path);
      if (stats.size > most) throw systemError("EFBIG", "read", path);
      return { bytes: readAll(file, Number(stats.size)), version: versionOf(stats), names: Number(stats.nlink) };
    } finally {
      fs.closeSync(file);
    }
  }

  writeFile(path: string, bytes: Uint8Array, basis?: Version): void {
    this.#inParent(path, (target, beside) => {
      const old = fs.lstatSync(target, { throwIfNoEntry: false });
      // A rename would replace a file that may not be written as well; whoever made it read-only does not expect that.
      if (old?.isFile() === true && !isOwnToWrite(old)) fs.closeSync(fs.openSync(target, fs.constants.O_WRONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK));
      const temporary = beside(temporaryName());
      const file = createFile(temporary, bytes, old?.isFile() === true ? old : undefined);
      try {
        fs.closeSync(file);
        checkVersion(target, basis, path);
        fs.renameSync(temporary, target);
      } catch (thrown) {
        attempt(() => fs.unlinkSync(temporary));
        throw thrown;
      }
    });
  }

  unlink(path: string): void {
    this.#inParent(path, (at) => fs.unlinkSync(at));
  }

  rename(from: string, to: string): void {
    const stats: { from?: fs.BigIntStats; to?: fs.BigIntStats | undefined } = {};
    try {
      this.#pins.rename(from, to, {
        from: (at) => (stats.from = fs.lstatSync(at, { bigint: true })),
        to: (at) => (stats.to = fs.lstatSync(at, { bigint: true, throwIfNoEntry: false })),
      });
    } catch (thrown) {
      if (!isSystemError(thrown) || thrown.code !== "EXDEV") throw thrown;
      moveAcross(this.#pins, from, to);
    }
    if (from !== to && stats.from?.ino === stats.to?.ino && stats.from?.dev === stats.to?.dev) this.#dropOtherName(from);
  }

  makeDirectory(path: string): void {
    this.#inParent(path, (at) => fs.mkdirSync(at));
  }

  removeDirectory(path: string): void {
    this.#inParent(path, (at) => fs.rmdirSync(at));
  }

  readDirectory(path: string): NamedEntry[] {
    return this.#pins.inDirectory(path, (at) => {
      const entries: NamedEntry[] = [];
      const beginning = Buffer.from(at("./"));
      for (const bytes of fs.readdirSync(at("."), { encoding: "buffer" })) {
        const stats = fs.lstatSync(Buffer.concat([beginning, bytes]), { throwIfNoEntry: false });
        if (stats !== undefined) entries.push({ name: readableName(bytes), ...entryOf(stats) });
      }
      return entries;
    });
  }

  namesIn(path: string): ReturnType<Volume["namesIn"]> {
    return this.#pins.inDirectory(path, (at) => namesIn(at(".")));
  }

  readPieces(path: string, visit: (piece: Buffer) => boolean, mostNames?: number): void {
    readPieces(this.#openToRead(path), { path, visit, mostNames });
  }

  readIn(directory: string, act: (readPieces: ReadPieces) => void): void {
    this.#pins.inDirectory(directory, (at) => act((name, visit, mostNames) => readPieces(openFile(at(name)), { path: joinPath(directory, name), visit, mostNames })));
  }

  checkAccess(path: string, access: Access): void {
    fs.accessSync(path, access === "read" ? fs.constants.R_OK : fs.constants.W_OK);
  }

  #openToRead(path: string): number {
    try {
      return this.#pins.openToRead(path);
    } catch (thrown) {
      throw isSystemError(thrown) && thrown.code === "ELOOP" ? systemError("ESTALE", "open", path) : thrown;
    }
  }

  /** @param act gets the way to the entry, and to others in its directory */
  #inParent<Value>(path: string, act: (at: string, beside: (name: string) => string) => Value): Value {
    return this.#pins.inDirectory(dirname(path), (at) => act(at(basename(path) || "."), at));
  }

  /** Between two names of one file, POSIX renames nothing and leaves both. A file system that is blind to case lists only the new one. */
  #dropOtherName(path: string): void {
    this.#pins.inDirectory(dirname(path), (at) => {
      if (fs.readdirSync(at(".")).includes(basename(path))) fs.unlinkSync(at(basename(path)));
    });
  }
}

/** Of an owner's permission the mode says all there is to say; of anybody else's, the system. */
function isOwnToWrite({ uid, mode }: fs.Stats): boolean {
  return uid === process.geteuid?.() && (mode & fs.constants.S_IWUSR) !== 0;
}

/** Whoever asks for a file has seen one there: by now it is something else, unless it is a directory. */
function checkIsFile(stats: fs.Stats | fs.BigIntStats, path: string): void {
  if (!stats.isFile()) throw systemError(stats.isDirectory() ? "EISDIR" : "ESTALE", "open", path);
}

function entryOf(stats: fs.Stats | fs.BigIntStats): Entry {
  const kind = stats.isFile() ? "file" : stats.isDirectory() ? "directory" : stats.isSymbolicLink() ? "link" : "other";
  return { kind, size: kind === "directory" ? 0 : Number(stats.size), modified: Number(stats.mtimeMs), mode: Number(stats.mode) & 0o7777, names: Number(stats.nlink) };
}
