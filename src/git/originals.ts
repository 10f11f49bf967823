/** What git does not keep of files that leave the work tree: permissions, bytes that filters and line endings change, folders. */
import { chmodSync, closeSync, copyFileSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync, readSync, renameSync, rmdirSync, rmSync, type Stats, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { blobId, type TreeEntry, treeEntries } from "./entries.ts";
import { asBytes, type Git } from "./git.ts";
import type { Repository } from "./repository.ts";

/** What a commit of files does not have of them. */
export interface Originals {
  /** The commit. */
  readonly of: string;
  readonly files: readonly Original[];
  /** Folders that may leave with their files, or give way to one; those that git would make alike are left out. */
  readonly folders: ReadonlyArray<{ readonly path: string; readonly mode: number }>;
}

interface Original {
  /** From the top of the work tree on. */
  readonly path: string;
  /** What the commit has there. */
  readonly id: string;
  /** Permission bits, of which git has the executable one; absent for a link. No set-user-ID: who brings the file back owns it then, and need not have before. */
  readonly mode?: number;
  /** The name of a copy of its bytes, where a filter or the line endings give git others. */
  readonly copy?: string;
}

interface Leaving {
  readonly paths: Iterable<string>;
  /** Those of which even what git itself would bring back is noted: it may leave them out. */
  readonly isNotedAnyway: (path: string) => boolean;
  readonly folders: Originals["folders"];
}

/** Keeps what a commit does not have of these files, as they stand. */
export async function keepOriginals(git: Git, { gitFolder }: Repository, commit: string, { paths, isNotedAnyway, folders }: Leaving): Promise<Originals> {
  const all = [...paths];
  const held = all.length === 0 ? new Map<string, TreeEntry>() : await treeEntries(git, commit, all);
  const folder = asideFolder(gitFolder, commit);
  const files = all.flatMap((path, place): Original[] => {
    const [file, entry] = [join(git.top, path), held.get(asBytes(path))];
    const stats = lookAt(file);
    if (entry === undefined || stats === undefined) return [];
    if (stats.isSymbolicLink()) return isNotedAnyway(path) ? [{ path, id: entry.id }] : [];
    if (!stats.isFile()) return [];
    const original = { path, id: entry.id, mode: stats.mode & 0o777 };
    if (isAsHeld(file, entry.id)) return isNotedAnyway(path) || original.mode !== modeOf(entry) ? [original] : [];
    const copy = String(place);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    copyFileSync(file, join(folder, copy));
    return [{ ...original, copy }];
  });
  return { of: commit, files, folders };
}

/** As git makes files. */
function modeOf({ mode }: TreeEntry): number {
  return (mode === "100755" ? 0o777 : 0o666) & ~process.umask();
}

/** Folders of the originals that are not there now: what makes them anew does not know their permissions. */
export function missingFolders({ top }: Git, { folders }: Originals): Originals["folders"] {
  return folders.filter(({ path }) => lookAt(join(top, path)) === undefined);
}

/**
 * Gives files of a commit what git did not keep of them.
 *
 * @param commit whose files are in the work tree; only those that it has as `of` has them are meant
 * @param folders that are to be there, as `missingFolders` told before
 * @param isJustNow whether nobody can have changed them since; else it is given to those only that hold what the commit has
 */
export async function bringBackOriginals(git: Git, { gitFolder }: Repository, commit: string, { of, files }: Originals, { folders, isJustNow }: { readonly folders: Originals["folders"]; readonly isJustNow: boolean }): Promise<void> {
  const held = files.length === 0 ? new Map<string, TreeEntry>() : await treeEntries(git, commit, files.map(({ path }) => path));
  const folder = asideFolder(gitFolder, of);
  for (const { path, id, mode, copy } of files) {
    const file = join(git.top, path);
    if (held.get(asBytes(path))?.id !== id) continue;
    const stats = lookAt(file);
    if (mode === undefined) {
      if (stats === undefined) symlinkSync(await git(["cat-file", "blob", id]), inFolder(file));
      continue;
    }
    if (stats !== undefined && !stats.isFile()) continue;
    const isHeld = stats !== undefined && isAsHeld(file, id);
    if (stats !== undefined && !isJustNow && !isHeld) continue;
    if (copy === undefined && isHeld) chmodSync(file, mode);
    else {
      const ready = join(folder, "ready");
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      rmSync(ready, { force: true });
      // Copied, not read: it may be larger than what memory holds.
      if (copy === undefined) writeFileSync(ready, await git(["cat-file", "blob", id]));
      else copyFileSync(join(folder, copy), ready);
      putInPlace(ready, inFolder(file), mode);
    }
  }
  for (const { path } of folders) if (lookAt(join(git.top, path)) === undefined) mkdirSync(join(git.top, path), { recursive: true });
  // The innermost first: another one may not let anybody in.
  for (const { path, mode } of [...folders].toSorted((one, other) => other.path.length - one.path.length)) if (lookAt(join(git.top, path))?.isDirectory() === true) chmodSync(join(git.top, path), mode);
}

/** The path, of which the folders are there then. */
function inFolder(file: string): string {
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

/** Undefined where nothing is, also where a file is in the place of a folder above it. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (thrown) {
    if (["ENOENT", "ENOTDIR"].includes((thrown as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw thrown;
  }
}

/** @param kept the commits whose originals are still wanted */
export function forgetOriginals({ gitFolder }: Repository, kept: readonly string[]): void {
  const folder = join(gitFolder, FOLDER);
  if (!existsSync(folder)) return;
  for (const commit of readdirSync(folder)) if (!kept.includes(commit)) rmSync(join(folder, commit), { recursive: true, force: true });
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

/** At once, unless the repository is on another file system. */
function putInPlace(ready: string, file: string, mode: number): void {
  chmodSync(ready, mode);
  try {
    renameSync(ready, file);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EXDEV") throw thrown;
    copyFileSync(ready, file);
    chmodSync(file, mode);
  }
}

/** Whether a file's bytes are, as they are, those of a blob. */
export function isAsHeld(file: string, id: string): boolean {
  const descriptor = openSync(file, "r");
  try {
    const piece = Buffer.allocUnsafe(65_536);
    const read = (take: (piece: Buffer) => void): boolean => {
      for (let size = readSync(descriptor, piece); size > 0; size = readSync(descriptor, piece)) take(piece.subarray(0, size));
      return true;
    };
    return blobId({ size: lstatSync(file).size, read }, id) === id;
  } finally {
    closeSync(descriptor);
  }
}

const FOLDER = "loaf-originals";

/** Where what belongs to a commit of files is kept. It need not be there. */
export function asideFolder(gitFolder: string, commit: string): string {
  return join(gitFolder, FOLDER, commit);
}
