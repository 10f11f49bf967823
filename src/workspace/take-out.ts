import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { attempt } from "./volume/system-error.ts";

export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Whole paths; none where it is no directory, or cannot be listed. */
export function childrenOf(path: string): string[] {
  try {
    return readdirSync(path).map((name) => join(path, name));
  } catch {
    return [];
  }
}

/**
 * Moves an entry of a project out of it, with all that is in it. To be called while nobody else changes the project.
 *
 * @param folder keeps it, under its path from the root on
 * @returns false where it could not be moved: then it is where it was
 */
export function takeOut(path: string, folder: string, root: string): boolean {
  const to = join(folder, relative(root, path));
  const parent = dirname(path);
  const mode = lstatSync(parent).mode & 0o7777;
  try {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    // Whoever made it may have taken the right to move it away.
    if ((mode & OWN) !== OWN) chmodSync(parent, mode | OWN);
    open(path);
    move(path, to);
    return true;
  } catch {
    return false;
  } finally {
    if ((mode & OWN) !== OWN) attempt(() => chmodSync(parent, mode));
  }
}

const OWN = 0o700;

/** To another place in the tree a directory is moved only by who may write in it, and copied by who may read it. */
function open(path: string): void {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return;
  if ((stats.mode & OWN) !== OWN) chmodSync(path, (stats.mode & 0o7777) | OWN);
  for (const child of childrenOf(path)) open(child);
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EXDEV") throw thrown;
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    rmSync(from, { recursive: true, force: true });
  }
}
