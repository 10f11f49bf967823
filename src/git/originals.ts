/** What git does not record about files: permissions, bytes before filters and line endings, folders. */
import {
  chmodSync, copyFileSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync, readSync, renameSync,
  rmdirSync, rmSync, symlinkSync, writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { entryIfThere } from "../disk/look.ts";
import { withFile } from "../disk/pin.ts";
import { blobId, type TreeEntry, treeEntries } from "./entries.ts";
import { asBytes, type Git } from "./git.ts";
import type { Repository } from "./repository.ts";

/** What a commit does not record about its files. */
export interface Originals {
  /** The commit. */
  readonly of: string;
  readonly files: readonly Original[];
  /** Folders that may be removed with their files or replaced by one. Skips those that git would make the same way. */
  readonly folders: ReadonlyArray<{ readonly path: string; readonly mode: number }>;
}

interface Original {
  /** Relative to the top of the work tree. */
  readonly path: string;
  /** The object in the commit. */
  readonly id: string;
  /**
   * Permission bits; git records only the executable one. Absent for a link. Without set-user-ID, because restoring a
   * file may change its owner.
   */
  readonly mode?: number;
  /** Name of a copy of its bytes, if filters or line endings change them for git. */
  readonly copy?: string;
}

interface FilesToKeep {
  readonly paths: Iterable<string>;
  /** Whether to record a file even if git would restore it exactly, because a sparse checkout may leave it out. */
  readonly isNotedAnyway: (path: string) => boolean;
  readonly folders: Originals["folders"];
}

/** Saves what a commit does not record about these files. */
export async function keepOriginals(
  git: Git, { gitFolder }: Repository, commit: string, { paths, isNotedAnyway, folders }: FilesToKeep
): Promise<Originals> {
  const all = [...paths];
  const held = await treeEntries(git, commit, all);
  const folder = asideFolder(gitFolder, commit);
  const files = all.flatMap((path, place): Original[] => {
    const [file, entry] = [join(git.top, path), held.get(asBytes(path))];
    const found = entryIfThere(file);
    if (entry === undefined || found === undefined) return [];
    if (found.kind === "link") return isNotedAnyway(path) ? [{ path, id: entry.id }] : [];
    if (found.kind !== "file") return [];
    const original = { path, id: entry.id, mode: found.mode & 0o777 };
    if (hasBlobBytes(file, entry.id)) return isNotedAnyway(path) || original.mode !== modeOf(entry) ? [original] : [];
    const copy = String(place);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    copyFileSync(file, join(folder, copy));
    return [{ ...original, copy }];
  });
  return { of: commit, files, folders };
}

/** Returns the permissions that git gives a new file. */
function modeOf({ mode }: TreeEntry): number {
  return (mode === "100755" ? 0o777 : 0o666) & ~process.umask();
}

/** Returns recorded folders that are missing now, or replaced by a file: git would not restore their permissions. */
export function missingFolders({ top }: Git, { folders }: Originals): Originals["folders"] {
  return folders.filter(({ path }) => entryIfThere(join(top, path))?.kind !== "directory");
}

interface Restoring extends Pick<Originals, "folders"> {
  readonly isJustNow: boolean;
}

/**
 * Restores what git does not record about the files of a commit.
 *
 * @param commit checked out in the work tree; only files with the same object as in `of` are restored
 * @param folders to restore, from an earlier call of `missingFolders`
 * @param isJustNow whether nobody can have changed the files since; otherwise files that differ from the commit stay
 */
export async function restoreOriginals(
  git: Git, { gitFolder }: Repository, commit: string, { of, files }: Originals, { folders, isJustNow }: Restoring
): Promise<void> {
  const held = await treeEntries(git, commit, files.map(({ path }) => path));
  const folder = asideFolder(gitFolder, of);
  for (const { path, id, mode, copy } of files) {
    const file = join(git.top, path);
    if (held.get(asBytes(path))?.id !== id) continue;
    const found = entryIfThere(file);
    if (mode === undefined) {
      if (found === undefined) symlinkSync(await git(["cat-file", "blob", id]), withParents(file));
      continue;
    }
    if (found !== undefined && found.kind !== "file") continue;
    const isHeld = found !== undefined && hasBlobBytes(file, id);
    if (found !== undefined && !isJustNow && !isHeld) continue;
    if (copy === undefined && isHeld) chmodSync(file, mode);
    else {
      const ready = join(folder, "ready");
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      rmSync(ready, { force: true });
      // Copies instead of reading, because the file may be larger than memory.
      if (copy === undefined) writeFileSync(ready, await git(["cat-file", "blob", id]));
      else copyFileSync(join(folder, copy), ready);
      moveIntoPlace(ready, withParents(file), mode);
    }
  }
  for (const { path } of folders)
    if (entryIfThere(join(git.top, path)) === undefined) mkdirSync(join(git.top, path), { recursive: true });
  restoreModes(git, folders);
}

/** Restores the permissions of folders that are there. */
export function restoreModes({ top }: Git, folders: Originals["folders"]): void {
  // Innermost first, because an outer folder may become inaccessible.
  for (const { path, mode } of [...folders].toSorted((one, other) => other.path.length - one.path.length)) {
    const found = entryIfThere(join(top, path));
    if (found?.kind === "directory" && found.mode !== mode) chmodSync(join(top, path), mode);
  }
}

/** Makes the parent folders of a path and returns it. */
function withParents(file: string): string {
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

/** @param kept commits whose originals are still needed */
export function forgetOriginals({ gitFolder }: Repository, kept: readonly string[]): void {
  const folder = join(gitFolder, FOLDER);
  if (!existsSync(folder)) return;
  for (const commit of readdirSync(folder))
    if (!kept.includes(commit)) rmSync(join(folder, commit), { recursive: true, force: true });
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

/** Renames it atomically, or copies it across file systems. */
function moveIntoPlace(ready: string, file: string, mode: number): void {
  chmodSync(ready, mode);
  try {
    renameSync(ready, file);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EXDEV") throw thrown;
    copyFileSync(ready, file);
    chmodSync(file, mode);
  }
}

/** Returns whether a file's unfiltered bytes are those of a blob. */
export function hasBlobBytes(file: string, id: string): boolean {
  return withFile(openSync(file, "r"), (descriptor) => {
    const piece = Buffer.allocUnsafe(65_536);
    const read = (take: (piece: Buffer) => void): boolean => {
      for (let size = readSync(descriptor, piece); size > 0; size = readSync(descriptor, piece))
        take(piece.subarray(0, size));
      return true;
    };
    return blobId({ size: lstatSync(file).size, read }, id) === id;
  });
}

/** In the git folder, which no push reaches. */
const FOLDER = "loaf-originals";

/** Returns the folder for the originals of a commit, which need not exist. */
export function asideFolder(gitFolder: string, commit: string): string {
  return join(gitFolder, FOLDER, commit);
}
