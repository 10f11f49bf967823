import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** The root of the project that a folder lies in: the nearest one upwards with a loaf.yml or .git, else the folder itself. Links are resolved. */
export function findRoot(folder: string): string {
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

/** A directory's path with its links resolved, or undefined where it is none. */
export function canonicalDirectory(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? realpathSync(path) : undefined;
}
