/** What the file system tells of how an entry came to where it stands. Paths are bytes: a name need not be UTF-8. */
import * as fs from "node:fs";
import { createHash } from "node:crypto";

export type Arrival =
  /** It was made since. */
  | { readonly is: "new" }
  /** One of the known files was moved there; `isCarried`: with its directory. */
  | { readonly is: "moved"; readonly from: string; readonly isCarried: boolean }
  /** It was there before or has come from elsewhere, and was changed since. */
  | { readonly is: "changed" }
  | { readonly is: "old" };

/**
 * How something came to a path at which none of the known files stood. What is not new may hold what nobody else has, such as a file that used to be
 * ignored. Where the file system knows no times of birth, all of it passes for new.
 *
 * @param since by the clock of the file system, in nanoseconds
 * @param known paths by inode number, as far as 32 bits tell it
 */
export function arrivalOf(path: Buffer, since: bigint, known: () => ReadonlyMap<number, string>): Arrival {
  const stats = statsOf(path);
  if (stats === undefined) return { is: "old" };
  if (stats.birthtimeNs === 0n || stats.birthtimeNs >= since) return { is: "new" };
  const from = known().get(Number(stats.ino & 0xffff_ffffn));
  if (from !== undefined) return { is: "moved", from, isCarried: stats.ctimeNs < since };
  return { is: stats.ctimeNs >= since ? "changed" : "old" };
}

/** When what stands at a path was changed last or, where nothing does, the nearest directory above it; in nanoseconds. */
export function changedAt(path: Buffer): bigint {
  const stats = statsOf(path);
  return stats?.ctimeNs ?? (path.length > 1 ? changedAt(path.subarray(0, Math.max(1, path.lastIndexOf(SLASH)))) : 0n);
}

/** The permissions of a folder, with the bits that say whose new files in it are; undefined where there is none. */
export function folderMode(path: Buffer): number | undefined {
  try {
    const stats = fs.lstatSync(withoutSlash(path));
    return stats.isDirectory() ? stats.mode & 0o7777 : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a copy of it can be kept: a file that may be read and is not too large, with its permissions, or a link. */
export function canBeKept(path: Buffer, mostBytes: number): { readonly size: number; readonly mode: number | undefined } | undefined {
  const stats = statsOf(path);
  if (stats?.isSymbolicLink() === true) return { size: 0, mode: undefined };
  if (stats?.isFile() !== true || stats.size > mostBytes) return undefined;
  try {
    fs.accessSync(path, fs.constants.R_OK);
    return { size: Number(stats.size), mode: Number(stats.mode) & 0o7777 };
  } catch {
    return undefined;
  }
}

/**
 * Tells an entry, with all that is below it, from what it is after any change; empty where nothing is. Of a repository's own files only those count that
 * say what is checked out.
 */
export function fingerprintOf(path: Buffer): string {
  const stats = statsOf(path);
  if (stats === undefined) return "";
  const digest = createHash("sha256");
  let left = MOST_ENTRIES;
  const visit = (at: Buffer, { dev, ino, size, mtimeNs, ctimeNs, mode }: fs.BigIntStats, isOfGit: boolean): void => {
    const isDirectory = (mode & BigInt(fs.constants.S_IFMT)) === BigInt(fs.constants.S_IFDIR);
    // The directory's own times tell of locks that come and go.
    digest.update(at).update(isOfGit && isDirectory ? "\0" : `\0${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}:${mode}\0`);
    if (!isDirectory || left <= 0) return;
    for (const name of namesIn(at)) {
      const isGit = name.equals(GIT);
      if (isOfGit && !CHECKED_OUT.test(name.toString())) continue;
      const child = Buffer.concat([at, Buffer.of(SLASH), name]);
      const found = statsOf(child);
      left -= 1;
      if (found !== undefined) visit(child, found, isOfGit || isGit);
    }
  };
  visit(withoutSlash(path), stats, false);
  return digest.digest("hex");
}

/** Beyond so many a change may go unnoticed, as it would take too long to look. */
const MOST_ENTRIES = 50_000;
const SLASH = 47;
const GIT = Buffer.from(".git");
const CHECKED_OUT = /^(HEAD|packed-refs)$/;

function namesIn(directory: Buffer): Buffer[] {
  try {
    return fs.readdirSync(directory, { encoding: "buffer" }).toSorted(Buffer.compare);
  } catch {
    return [];
  }
}

function statsOf(path: Buffer): fs.BigIntStats | undefined {
  try {
    return fs.lstatSync(withoutSlash(path), { bigint: true });
  } catch {
    return undefined;
  }
}

function withoutSlash(path: Buffer): Buffer {
  return path.at(-1) === SLASH && path.length > 1 ? path.subarray(0, -1) : path;
}
