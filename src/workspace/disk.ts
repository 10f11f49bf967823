/** The real file system. */
import * as fs from "node:fs";
import { basename, dirname } from "node:path";
import { copyTree, keptMode } from "./copy-tree.ts";
import { joinPath } from "./path-segments.ts";
import { namesIn, readableName, readPieces } from "./scan.ts";
import { attempt, isSystemError, systemError } from "./system-error.ts";
import type { Entry, NamedEntry, Volume } from "./volume.ts";

export class Disk implements Volume {
  realpath(path: string): string {
    return fs.realpathSync.native(path);
  }

  entry(path: string): Entry | undefined {
    const stats = fs.lstatSync(path, { throwIfNoEntry: false });
    return stats && entryOf(stats);
  }

  readLink(path: string): string {
    return fs.readlinkSync(path);
  }

  /** Should a link or a FIFO have taken the file's place since the guard looked, it is neither followed nor waited for. */
  readFile(path: string): Buffer {
    const file = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
    try {
      return fs.readFileSync(file);
    } finally {
      fs.closeSync(file);
    }
  }

  writeFile(path: string, bytes: Uint8Array): void {
    const old = fs.lstatSync(path, { throwIfNoEntry: false });
    if (old?.isDirectory() === true) throw systemError("EISDIR", "open", path);
    // A rename would replace a file that may not be written as well; whoever made it read-only does not expect that.
    if (old?.isFile() === true) fs.closeSync(fs.openSync(path, fs.constants.O_WRONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK));
    const temporary = temporaryIn(dirname(path));
    const file = fs.openSync(temporary, fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL | fs.constants.O_NOFOLLOW, 0o666);
    try {
      try {
        writeAll(file, bytes);
        if (old?.isFile() === true) keepOwnerAndMode(file, old);
      } finally {
        fs.closeSync(file);
      }
      fs.renameSync(temporary, path);
    } catch (thrown) {
      fs.rmSync(temporary, { force: true });
      throw thrown;
    }
  }

  unlink(path: string): void {
    fs.unlinkSync(path);
  }

  rename(from: string, to: string): void {
    try {
      fs.renameSync(from, to);
    } catch (thrown) {
      if (!isSystemError(thrown) || thrown.code !== "EXDEV") throw thrown;
      moveAcross(from, to);
    }
    if (from !== to) dropOtherName(from, to);
  }

  makeDirectory(path: string): void {
    fs.mkdirSync(path);
  }

  removeDirectory(path: string): void {
    fs.rmdirSync(path);
  }

  readDirectory(path: string): NamedEntry[] {
    const entries: NamedEntry[] = [];
    for (const bytes of fs.readdirSync(path, { encoding: "buffer" })) {
      const stats = fs.lstatSync(Buffer.concat([Buffer.from(joinPath(path, "")), bytes]), { throwIfNoEntry: false });
      if (stats !== undefined) entries.push({ name: readableName(bytes), ...entryOf(stats) });
    }
    return entries;
  }

  namesIn(path: string): ReturnType<Volume["namesIn"]> {
    return namesIn(path);
  }

  readPieces(path: string, visit: (piece: Buffer) => boolean): void {
    readPieces(path, visit);
  }

  checkWritable(path: string): void {
    fs.accessSync(path, fs.constants.W_OK);
  }
}

function entryOf(stats: fs.Stats): Entry {
  const kind = stats.isFile() ? "file" : stats.isDirectory() ? "directory" : stats.isSymbolicLink() ? "link" : "other";
  return { kind, size: kind === "directory" ? 0 : stats.size, modified: stats.mtimeMs, mode: stats.mode & 0o7777 };
}

/** A name in the same directory, so that it can be renamed, and a short one: the name it will replace may be as long as names can be. */
function temporaryIn(directory: string): string {
  return joinPath(directory, `.loaf-${Math.random().toString(36).slice(2, 12)}`);
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += fs.writeSync(file, bytes, done);
}

function keepOwnerAndMode(file: number, { uid, gid, mode }: fs.Stats): void {
  const made = fs.fstatSync(file);
  const isKept = (made.uid === uid && made.gid === gid) || attempt(() => fs.fchownSync(file, uid, gid));
  fs.fchmodSync(file, keptMode(mode, isKept));
}

/** Between two names of one file, POSIX renames nothing and leaves both. A file system that is blind to case lists only the new one. */
function dropOtherName(from: string, to: string): void {
  const old = fs.lstatSync(from, { throwIfNoEntry: false });
  if (old === undefined || old.ino !== fs.lstatSync(to).ino) return;
  if (fs.readdirSync(dirname(from)).includes(basename(from))) fs.unlinkSync(from);
}

/**
 * A move to another file system: copied beside the new place, then the old one is set aside, then the copy put in its place.
 * Whatever fails until then is taken back, so there is never a half of it, nor both. From then on it is done: should the old one
 * resist after all, it stays behind under its hidden name.
 */
function moveAcross(from: string, to: string): void {
  const copy = temporaryIn(dirname(to));
  const aside = temporaryIn(dirname(from));
  try {
    copyTree(Buffer.from(from), Buffer.from(copy));
    fs.renameSync(from, aside);
    try {
      fs.renameSync(copy, to);
    } catch (thrown) {
      fs.renameSync(aside, from);
      throw thrown;
    }
  } catch (thrown) {
    removeTree(copy);
    throw thrown;
  }
  removeTree(aside);
}

function removeTree(path: string): void {
  attempt(() => fs.rmSync(path, { recursive: true, force: true }));
}
