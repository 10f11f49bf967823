import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, sep } from "node:path";
import { InputError } from "./input.ts";
import { otherHomes, stateFolder } from "./places.ts";

/**
 * Returns the root of the project that a folder lies in: the nearest one upwards with a loaf.yml or .git, else the folder itself. A home folder and what
 * is above it are never found so. Links are resolved. Throws `InputError` where the folder is one of these, and where there is no current folder.
 */
export function findRoot(folder: string = currentFolder()): string {
  const start = realpathSync(folder);
  const homes = [homedir(), ...otherHomes()].map(realOrSame);
  const isTooWide = (path: string): boolean => path === dirname(path) || homes.some((home) => contains(path, home));
  if (isTooWide(start)) throw new InputError(`'${start}'`, "is your home folder or contains it, and everything in it would be the project: go to the project's folder, or name one with --root");
  for (let here = start; !isTooWide(here); here = dirname(here)) {
    if (existsSync(join(here, "loaf.yml")) || existsSync(join(here, ".git"))) return here;
  }
  return start;
}

/** Throws `InputError` where Loaf's state folder lies in a project: its files would be the project's, for commands and commits. */
export function refuseStateIn(root: string): void {
  const state = stateFolder();
  if (contains(root, realOrSame(state))) {
    throw new InputError(`Loaf's state folder '${state}'`, `lies in the project '${root}': set XDG_STATE_HOME to a folder outside of it, or name a smaller project with --root`);
  }
}

/** Whether a canonical path is a folder's or lies in it. */
function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** With the links of what exists of it resolved. */
function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realOrSame(dirname(path)), basename(path));
  }
}

/** Whether files can be created in a folder. */
export function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The same of one that need not be there yet. */
export function couldBeWritable(folder: string): boolean {
  return existsSync(folder) || dirname(folder) === folder ? isWritable(folder) : couldBeWritable(dirname(folder));
}

/** A directory's path with its links resolved, or undefined where it is none. Throws `InputError` where that cannot be told. */
export function canonicalDirectory(path: string): string | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? realpathSync(path) : undefined;
  } catch (thrown) {
    throw new InputError(`'${path}'`, `cannot be read (${(thrown as NodeJS.ErrnoException).code})`);
  }
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new InputError("The current folder", "does not exist any more: go to one that does, or name the project's with --root");
  }
}
