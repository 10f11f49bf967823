import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { InputError } from "./input.ts";

/**
 * The root of the project that a folder lies in: the nearest one upwards with a loaf.yml or .git, else the folder itself. Links are
 * resolved. Throws `InputError` where there is no current folder.
 */
export function findRoot(folder: string = currentFolder()): string {
  const start = realpathSync(folder);
  for (let here = start; ; here = dirname(here)) {
    if (existsSync(join(here, "loaf.yml")) || existsSync(join(here, ".git"))) return here;
    if (here === dirname(here)) return start;
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
