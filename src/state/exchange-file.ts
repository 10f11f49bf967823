/**
 * Changes a file that others may save at any moment, by whatever way of saving, so that nothing they save is lost.
 *
 * The file is taken aside first, and at once the new one gets its name, if what was taken is the very file that was read and nobody has taken the name
 * meanwhile: so no save is written over, at the price that for three calls of the system there is no file. What is written by those who had the file
 * open is in the one that was taken aside, which is therefore kept open and looked after.
 */
import { createHash } from "node:crypto";
import { closeSync, fchmodSync, fchownSync, fsyncSync, fstatSync, linkSync, lstatSync, openSync, readFileSync, readSync, realpathSync, renameSync, rmSync, type Stats, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { InputError } from "./input.ts";

export interface Exchanged {
  /** What was in the file, and what is in it now. */
  readonly before: Save;
  readonly after: Buffer;
  /** The files that were there, which somebody may still be writing to. */
  readonly old: readonly HeldFile[];
}

/** What was saved, and when: nanoseconds of the file system's clock, which is coarse. */
export interface Save {
  readonly content: Buffer;
  readonly at: bigint;
}

/** A file without a name. */
export interface HeldFile {
  /** What is in it, where that is no longer what it was when it was last looked at. */
  changed(): Save | undefined;
  close(): void;
}

/**
 * Puts into a file what `change` makes of its content. Links are followed; owner and mode stay. Throws a system error where the file is not there or
 * its folder cannot be written to; the file is as it was then.
 *
 * @param change may be called several times, where the file is saved meanwhile; undefined leaves it as it is
 */
export function exchangeFile(path: string, change: (now: Save) => Buffer): Exchanged;
export function exchangeFile(path: string, change: (now: Save) => Buffer | undefined): Exchanged | undefined;
export function exchangeFile(path: string, change: (now: Save) => Buffer | undefined): Exchanged | undefined {
  const file = realpathSync(path);
  const beside = besideOf(file);
  const displaced: HeldFile[] = [];
  let isDone = false;
  try {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const fd = openSync(file, "r");
      let isKept = false;
      try {
        // A file that is moved here comes to be here by that, whenever it was written.
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
    throw new InputError(`'${path}'`, "is being saved all the time, so nothing was put into it");
  } finally {
    rmSync(beside.fresh, { force: true });
    if (!isDone) for (const held of displaced) held.close();
  }
}

const MOST_ROUNDS = 100;

/** Brings back a file that was taken aside by a process that was killed before its successor had its name. False where there is nothing to do. */
export function restoreExchanged(path: string): boolean {
  const { aside, fresh } = besideOf(followed(path));
  rmSync(fresh, { force: true });
  if (lstatSync(aside, { throwIfNoEntry: false }) === undefined) return false;
  const isBack = giveName(aside, followed(path));
  rmSync(aside, { force: true });
  return isBack;
}

/** Where a link leads, also where nothing is there. */
function followed(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function besideOf(file: string): { readonly aside: string; readonly fresh: string } {
  const place = (purpose: string) => join(dirname(file), `.${basename(file)}.loaf-${purpose}`);
  return { aside: place("old"), fresh: place("new") };
}

/** The new file has to be safe on the disk before the old one is gone. */
function writeLike({ mode, uid, gid }: Stats, path: string, content: Buffer): void {
  rmSync(path, { force: true });
  const fd = openSync(path, "wx", 0o600);
  try {
    writeFileSync(fd, content);
    const own = fstatSync(fd);
    if (own.uid !== uid || own.gid !== gid) giveTo(fd, uid, gid);
    fchmodSync(fd, mode & 0o7777);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Only root can give a file away; anyone else's file becomes one's own. */
function giveTo(fd: number, uid: number, gid: number): void {
  try {
    fchownSync(fd, uid, gid);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EPERM") throw thrown;
  }
}

/** What a swap is about. */
interface Swap extends ReturnType<typeof besideOf> {
  /** The file that was read. */
  readonly fd: number;
  /** Gets a file that could not be put back, since somebody has saved another one in its place. */
  readonly displaced: HeldFile[];
}

/** False where somebody has saved another file in its place, which is there then. */
function swap(file: string, { aside, fresh, fd, displaced }: Swap): boolean {
  renameSync(file, aside);
  try {
    if (isSameFile(lstatSync(aside), fstatSync(fd)) && giveName(fresh, file)) return true;
    if (!giveName(aside, file)) displaced.push(holdAsIs(aside));
    return false;
  } catch (thrown) {
    giveName(aside, file);
    throw thrown;
  } finally {
    rmSync(aside, { force: true });
  }
}

function isSameFile(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

function holdAsIs(path: string): HeldFile {
  const fd = openSync(path, "r");
  return hold(fd, contentOf(fd));
}

/** False where something has the name already. */
function giveName(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    // File systems without links: what is saved in between the look and the renaming would be lost.
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
      // Times are coarse: what was written right after a look may bear the same one.
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

/** Files are held for long, and may be large. */
function digestOf(content: Buffer): string {
  return createHash("sha256").update(content).digest("base64url");
}

/** Milliseconds. */
const COARSEST = 50;

/** All of it, from its beginning: a descriptor that was read from stands at the end. */
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
