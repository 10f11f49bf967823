/** Keeps what a command wrote where somebody else had changed the same file meanwhile, so that neither version is lost. */
import { copyFileSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolders } from "../../state/make-folders.ts";
import { projectStateFolder } from "../../state/project-state-folder.ts";

const DAY_MS = 86_400_000;

/**
 * Copies files into a folder of their own in the state folder and yields that one. Throws system errors.
 *
 * @param files paths from the root on, and where their bytes are
 */
export function setAside(root: string, files: ReadonlyArray<{ readonly path: string; readonly source: Buffer }>): string {
  const folder = newNumbered(setAsideFolder(root));
  for (const { path, source } of files) {
    const to = join(folder, path);
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    copyFileSync(source, to);
  }
  return folder;
}

/** Folders that were set aside more than so many days ago. */
export function oldSetAside(root: string, days: number): string[] {
  return foldersIn(setAsideFolder(root)).filter((path) => (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < Date.now() - days * DAY_MS);
}

function setAsideFolder(root: string): string {
  return join(projectStateFolder(root), "aside");
}

/** A new folder in another one, named after the first number that is free. Throws where it cannot be made. */
export function newNumbered(folder: string): string {
  makeFolders(folder);
  for (let number = 1; ; number++) {
    const path = join(folder, String(number));
    try {
      mkdirSync(path, { mode: 0o700 });
      return path;
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
    }
  }
}

export function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
