/**
 * Changes a file that other programs may save at any moment, in any way, without losing a save.
 *
 * Renames the old file away, then links the new one into place, if the renamed file is the one that was read and no
 * other file has taken the name. So no save is overwritten, at the price that the file is missing during three system
 * calls.
 *
 * Programs that had the old file open still write to it. So it is kept open and watched for changes.
 */
import { hash } from "node:crypto";
import {
  closeSync, fchmodSync, fchownSync, fsyncSync, fstatSync, linkSync, lstatSync, openSync, readFileSync, readSync,
  realpathSync, renameSync, rmSync, type Stats, writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { InputError } from "./input.ts";
import { tryOr } from "../core/errors.ts";
import { withFile } from "../disk/choose-pins.ts";
import { unlessSystemError } from "../disk/system-error.ts";

export interface Exchanged {
  /** Old and new content of the file. */
  readonly before: Save;
  readonly after: Buffer;
  /** The replaced files, to which other programs may still be writing. */
  readonly old: readonly HeldFile[];
}

export interface Save {
  readonly content: Buffer;
  /** Nanoseconds of the file system's clock, which is coarse. */
  readonly at: bigint;
}

/** An open file that has lost its name. */
export interface HeldFile {
  /** Returns the content if it has changed since the last check. */
  changed(): Save | undefined;
  close(): void;
}

/**
 * Replaces the content of a file. Follows links, and keeps owner and mode. Throws a system error, and leaves the file
 * unchanged, if the file is missing or its folder not writable.
 *
 * @param change called again if the file is saved meanwhile; returns undefined to leave the file unchanged
 */
export function exchangeFile(path: string, change: (now: Save) => Buffer): Exchanged;
export function exchangeFile(path: string, change: (now: Save) => Buffer | undefined): Exchanged | undefined;
export function exchangeFile(path: string, change: (now: Save) => Buffer | undefined): Exchanged | undefined {
  const file = realpathSync(path);
  const beside = besideOf(file);
  // An exchange that failed may have left the only copy of a save, under the name that this one needs.
  restoreExchanged(path);
  const displaced: HeldFile[] = [];
  let isDone = false;
  try {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const fd = openSync(file, "r");
      let isKept = false;
      try {
        // The ctime, since moving a file here counts as a save, however old its content.
        const before = { content: contentOf(fd), at: fstatSync(fd, { bigint: true }).ctimeNs };
        const after = change(before);
        if (after === undefined) return undefined;
        writeLike(fstatSync(fd), beside.fresh, after);
        if (!readFileSync(file).equals(before.content)) continue;
        isKept = isDone = swap(file, { ...beside, fd, displaced });
        if (isDone) return { before, after, old: [hold(fd, before.content), ...displaced] };
      } finally {
        if (!isKept) closeSync(fd);
      }
    }
    throw new InputError(`'${path}'`, "is saved again and again, so nothing was put into it");
  } finally {
    rmSync(beside.fresh, { force: true });
    if (!isDone) for (const held of displaced) held.close();
  }
}

const MAX_ROUNDS = 100;

/**
 * Restores a file that a killed process had renamed away and not yet replaced. If another file has its name and lacks
 * its content, gives it a name beside that. Returns its path, or undefined if nothing had to be restored. Throws system
 * errors.
 */
export function restoreExchanged(path: string): string | undefined {
  const file = followed(path);
  const { aside, fresh } = besideOf(file);
  rmSync(fresh, { force: true });
  if (lstatSync(aside, { throwIfNoEntry: false }) === undefined) return undefined;
  let place: string | undefined;
  if (giveName(aside, file)) place = path;
  else if (!contains(file, aside)) place = takeBeside(path, (name) => giveName(aside, name));
  rmSync(aside, { force: true });
  return place;
}

/** Calls `take` with names beside a file until it returns true. Returns that name. */
export function takeBeside(path: string, take: (name: string) => boolean): string {
  for (let number = 1; ; number++) {
    const name = `${path}.saved-meanwhile-${number}`;
    if (take(name)) return name;
  }
}

/** Returns whether a file has all bytes of another, for example below a report. False if one is unreadable. */
function contains(file: string, other: string): boolean {
  return tryOr(() => readFileSync(file).includes(withoutMark(readFileSync(other))), false);
}

/** A byte order mark is put before the report. */
function withoutMark(content: Buffer): Buffer {
  return content.subarray(content.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0);
}

export const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Resolves links, if the file exists. */
function followed(path: string): string {
  return tryOr(() => realpathSync(path), path);
}

function besideOf(file: string): { readonly aside: string; readonly fresh: string } {
  const place = (purpose: string) => join(dirname(file), `.${basename(file)}.loaf-${purpose}`);
  return { aside: place("old"), fresh: place("new") };
}

/** Flushes the new file, which must be safe on the disk before the old one is renamed away. */
function writeLike({ mode, uid, gid }: Stats, path: string, content: Buffer): void {
  rmSync(path, { force: true });
  withFile(openSync(path, "wx", 0o600), (fd) => {
    writeFileSync(fd, content);
    const stats = fstatSync(fd);
    // Only root can give a file away. For others, the new file becomes theirs.
    if (stats.uid !== uid || stats.gid !== gid)
      unlessSystemError(() => fchownSync(fd, uid, gid), undefined, ["EPERM"]);
    fchmodSync(fd, mode & 0o7777);
    fsyncSync(fd);
  });
}

interface Swap extends ReturnType<typeof besideOf> {
  /** Descriptor of the file that was read. */
  readonly fd: number;
  /** Receives a file that cannot be put back, because another save has taken its name. */
  readonly displaced: HeldFile[];
}

/** Returns false, with the other file in place, if another save has replaced the file. */
function swap(file: string, { aside, fresh, fd, displaced }: Swap): boolean {
  renameSync(file, aside);
  let isPlaced = false;
  try {
    if (isSameFile(lstatSync(aside), fstatSync(fd)) && giveName(fresh, file)) return (isPlaced = true);
    if (!giveName(aside, file)) displaced.push(holdAsIs(aside));
    isPlaced = true;
    return false;
  } catch (thrown) {
    isPlaced = giveName(aside, file);
    throw thrown;
  } finally {
    // Otherwise it may be the only copy. The next exchange or start of Loaf restores it, or keeps it beside another.
    if (isPlaced) rmSync(aside, { force: true });
  }
}

function isSameFile(left: Stats, right: Stats): boolean {
  return left.ino === right.ino && left.dev === right.dev;
}

function holdAsIs(path: string): HeldFile {
  const fd = openSync(path, "r");
  return hold(fd, contentOf(fd));
}

/** Returns false if the name exists. */
function giveName(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    // File systems without hard links: a save between this check and the rename would be lost.
    if (lstatSync(name, { throwIfNoEntry: false }) !== undefined) return false;
    renameSync(file, name);
    return true;
  }
}

function hold(fd: number, before: Buffer): HeldFile {
  let known = digestOf(before);
  let stamp = "";
  return {
    changed() {
      const { mtimeNs, ctimeNs, size, mtimeMs } = fstatSync(fd, { bigint: true });
      // Times are coarse: a write right after a check may have the same time.
      const isSettled = Date.now() - Number(mtimeMs) > COARSEST;
      const now = `${mtimeNs} ${ctimeNs} ${size}`;
      if (stamp === now) return undefined;
      const content = contentOf(fd);
      stamp = isSettled ? now : "";
      const digest = digestOf(content);
      if (digest === known) return undefined;
      known = digest;
      return { content, at: fstatSync(fd, { bigint: true }).mtimeNs };
    },
    close: () => closeSync(fd),
  };
}

/** Digests, since held files may be large. */
function digestOf(content: Buffer): string {
  return hash("sha256", content, "base64url");
}

/** Assumed resolution of file times, in milliseconds. */
const COARSEST = 50;

/** Reads from the start, wherever the descriptor's position is. */
function contentOf(fd: number): Buffer {
  const chunks: Buffer[] = [];
  for (let position = 0; ; ) {
    const chunk = Buffer.allocUnsafe(Math.max(1, fstatSync(fd).size - position + 1));
    const count = readSync(fd, chunk, 0, chunk.length, position);
    if (count === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, count));
    position += count;
  }
}
