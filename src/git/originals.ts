import { chmodSync, closeSync, copyFileSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync, readSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addFiles, blobId, treeEntries } from "./entries.ts";
import { asBytes, type Git } from "./git.ts";
import type { Repository } from "./repository.ts";

/** What a commit of files as they stand does not have of them. */
export interface Originals {
  /** The commit. */
  readonly of: string;
  readonly files: ReadonlyArray<{
    /** From the top of the work tree on. */
    readonly path: string;
    /** Permission bits, of which git has the executable one. No set-user-ID: who brings the file back owns it then, and need not have before. */
    readonly mode: number;
    /** The name of a copy of its bytes, where a filter or the line endings give git others. */
    readonly copy?: string;
  }>;
}

/** Keeps what a commit does not have of these files, as they stand. */
export async function keepOriginals(git: Git, { gitFolder }: Repository, commit: string, paths: readonly string[]): Promise<Originals> {
  const held = await treeEntries(git, commit, paths);
  const folder = folderOf(gitFolder, commit);
  const files = paths.flatMap((path, place) => {
    const [file, entry] = [join(git.top, path), held.get(asBytes(path))];
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (entry === undefined || stats?.isFile() !== true) return [];
    const original = { path, mode: stats.mode & 0o777 };
    if (isAsHeld(file, entry.id)) return [original];
    const copy = String(place);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    copyFileSync(file, join(folder, copy));
    return [{ ...original, copy }];
  });
  return { of: commit, files };
}

/**
 * Gives files that were checked out, as the index says too, what git did not keep of them.
 *
 * @param commit that was checked out, and has these files as `of` has them
 * @param isJustNow whether nobody can have changed them since; else it is given to those only that hold what the commit has
 */
export async function bringBackOriginals(git: Git, { gitFolder }: Repository, commit: string, { of, files }: Originals, isJustNow: boolean): Promise<void> {
  const held = await treeEntries(git, commit, files.map(({ path }) => path));
  const folder = folderOf(gitFolder, of);
  const replaced: Array<{ readonly path: string; readonly exists: true }> = [];
  for (const { path, mode, copy } of files) {
    const [file, entry] = [join(git.top, path), held.get(asBytes(path))];
    if (entry === undefined || lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) continue;
    const isHeld = isAsHeld(file, entry.id);
    if (!isJustNow && !isHeld) continue;
    if (copy === undefined && isHeld) chmodSync(file, mode);
    else {
      const ready = join(folder, "ready");
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      rmSync(ready, { force: true });
      // Copied, not read: it may be larger than what memory holds.
      if (copy === undefined) writeFileSync(ready, await git(["cat-file", "blob", entry.id]));
      else copyFileSync(join(folder, copy), ready);
      putInPlace(ready, file, mode);
      replaced.push({ path, exists: true });
    }
  }
  // Of another size they would count as changed, whatever a filter makes of them.
  await addFiles(git, replaced, { index: join(gitFolder, "index") });
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
function isAsHeld(file: string, id: string): boolean {
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

function folderOf(gitFolder: string, commit: string): string {
  return join(gitFolder, FOLDER, commit);
}
