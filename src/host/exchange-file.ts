/**
 * Changes a file that others may save at any moment, by whatever way of saving, so that nothing they save is lost.
 *
 * The file is taken aside first, whichever one stands there by then, and at once the new one gets its name, if nobody has taken that meanwhile: so no
 * save is written over, at the price that for two calls of the system there is no file. What is saved in the very moment before, and whatever is
 * written by those who had the file open, is in the one that was taken aside, which is therefore kept open and looked after.
 */
import { closeSync, fchmodSync, fchownSync, fsyncSync, fstatSync, linkSync, lstatSync, openSync, readFileSync, readSync, realpathSync, renameSync, rmSync, type Stats, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { InputError } from "./input.ts";

export interface Exchanged {
  /** What was in the file, and what is in it now. */
  readonly before: Save;
  readonly after: Buffer;
  /** The file that was there, which somebody may still be writing to. */
  readonly old: HeldFile;
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
 * @param change may be called several times, where the file is saved meanwhile
 */
export function exchangeFile(path: string, change: (now: Save) => Buffer): Exchanged {
  const file = realpathSync(path);
  const { aside, fresh } = besideOf(file);
  try {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const fd = openSync(file, "r");
      try {
        const before = { content: contentOf(fd), at: fstatSync(fd, { bigint: true }).mtimeNs };
        const after = change(before);
        writeLike(fstatSync(fd), fresh, after);
        const old = readFileSync(file).equals(before.content) ? swap(file, { aside, fresh }) : undefined;
        if (old !== undefined) return { before, after, old: hold(old, before.content) };
      } finally {
        closeSync(fd);
      }
    }
    throw new InputError(`'${path}'`, "is being saved all the time, so nothing was put into it");
  } finally {
    rmSync(fresh, { force: true });
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

/** Returns the file that was there, open, or undefined where somebody has saved another one in its place. */
function swap(file: string, { aside, fresh }: ReturnType<typeof besideOf>): number | undefined {
  renameSync(file, aside);
  let isDone = false;
  try {
    isDone = giveName(fresh, file);
    return isDone ? openSync(aside, "r") : undefined;
  } finally {
    if (!isDone) giveName(aside, file);
    rmSync(aside, { force: true });
  }
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
  let known = before;
  let stamp = "";
  return {
    changed() {
      const { mtimeNs, size, mtimeMs } = fstatSync(fd, { bigint: true });
      // Times are coarse: what was written right after a look may bear the same one.
      const isSettled = Date.now() - Number(mtimeMs) > COARSEST;
      if (stamp === `${mtimeNs} ${size}`) return undefined;
      const now = contentOf(fd);
      stamp = isSettled ? `${mtimeNs} ${size}` : "";
      if (now.equals(known)) return undefined;
      known = now;
      return { content: now, at: mtimeNs };
    },
    close: () => closeSync(fd),
  };
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
