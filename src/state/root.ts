import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, sep } from "node:path";
import { InputError } from "./input.ts";
import { otherHomes, stateFolder } from "./places.ts";
import { tryOr } from "../core/errors.ts";
import { spelledThrough } from "../disk/spelling.ts";

/**
 * Returns the project root of a folder, with links resolved: the nearest parent with a loaf.yml or .git, or the folder
 * itself. Never a home folder or a parent of one, nor a folder like /tmp, into which everybody may put a loaf.yml.
 *
 * Throws `InputError` if the folder itself is one of these, or the current folder does not exist.
 */
export function findRoot(folder: string = currentFolder()): string {
  const start = spelledThrough(realpathSync(folder));
  const isTooWide = containsHome();
  refuseHome(start);
  if (isShared(start)) {
    throw new InputError(
      `'${start}'`,
      "is shared by all users of this machine, so everybody's files in it would be the project: change to the project's folder, or name one with --root",
    );
  }
  for (let here = start; !isTooWide(here) && !isShared(here); here = dirname(here)) {
    if (existsSync(join(here, "loaf.yml")) || existsSync(join(here, ".git"))) return here;
  }
  return start;
}

/** Returns a test for a home folder, and for folders above one. */
function containsHome(): (path: string) => boolean {
  const homes = [homedir(), ...otherHomes()].map(resolveLinks);
  return (path) => path === dirname(path) || homes.some((home) => contains(path, home));
}

function refuseHome(path: string): void {
  if (!containsHome()(path)) return;
  throw new InputError(
    `'${path}'`,
    "is your home folder or contains it, so everything in it would be the project: change to the project's folder, or name one with --root",
  );
}

/** Returns whether everybody may create files in a folder, and nobody may remove another's: its sticky bit is set. */
function isShared(folder: string): boolean {
  return (statSync(folder).mode & 0o1002) === 0o1002;
}

/**
 * Throws `InputError` if the root is a home folder or above one, or Loaf's state folder is in it. Commands could see
 * the files there, and runs commit them.
 */
export function refuseRoot(root: string): void {
  refuseHome(root);
  const state = stateFolder();
  if (contains(root, resolveLinks(state))) {
    throw new InputError(
      `Loaf's state folder '${state}'`,
      `lies in the project '${root}': set XDG_STATE_HOME to a folder outside it, or name a smaller project with --root`,
    );
  }
}

/** Returns whether a canonical path is the folder or in it. */
function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Resolves the links in the existing part of a path. */
export function resolveLinks(path: string): string {
  const parent = dirname(path);
  return (
    tryOr(() => realpathSync(path), undefined) ?? (parent === path ? path : join(resolveLinks(parent), basename(path)))
  );
}

/** Returns whether the user may change a file, or create files in a folder. */
export function isWritable(path: string): boolean {
  return tryOr(() => (accessSync(path, constants.W_OK), true), false);
}

/** Like `isWritable`, for a folder that may not exist yet. */
export function couldBeWritable(folder: string): boolean {
  return existsSync(folder) || dirname(folder) === folder ? isWritable(folder) : couldBeWritable(dirname(folder));
}

/**
 * Returns the path of a directory with links resolved, or undefined if it is none. Throws `InputError` if it is
 * unreadable.
 */
export function canonicalDirectory(path: string): string | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? spelledThrough(realpathSync(path)) : undefined;
  } catch (thrown) {
    throw new InputError(`'${path}'`, `cannot be read (${(thrown as NodeJS.ErrnoException).code})`);
  }
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new InputError(
      "The current folder", "no longer exists: change to another one, or name the project's with --root"
    );
  }
}
