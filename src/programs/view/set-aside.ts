/** Saves files that have no place in the project any more, so that they are not lost. */
import { lstatSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolders, projectStateFolder } from "../../state/places.ts";
import { tryOr } from "../../core/errors.ts";
import { Syncing, withAncestors } from "../../disk/sync.ts";

const DAY_MS = 86_400_000;

/**
 * Writes files into a new folder within the state folder and returns it. They may be the only copies, so they are
 * synced first. Throws system errors.
 *
 * @param files paths relative to the folder, and how to write each to a path
 */
export async function setAside(
  root: string, files: ReadonlyArray<{ readonly path: string; write(to: string): void }>
): Promise<string> {
  const folder = makeNumberedFolder(setAsideFolder(root));
  for (const { path, write } of files) {
    const to = join(folder, path);
    makeFolders(dirname(to));
    write(to);
  }
  const syncing = new Syncing(true);
  await syncing.trees([folder]);
  await syncing.directories(withAncestors(dirname(realpathSync(folder))));
  await syncing.finished();
  return folder;
}

/** Returns saved folders older than this many days. */
export function expiredAsides(root: string, days: number): string[] {
  return foldersIn(setAsideFolder(root)).filter(
    (path) => (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < Date.now() - days * DAY_MS,
  );
}

function setAsideFolder(root: string): string {
  return join(projectStateFolder(root), "aside");
}

/** Makes a new folder, named by the first free number. Throws if it cannot be made. */
export function makeNumberedFolder(folder: string): string {
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

export function foldersIn(folder: string, prefix = ""): string[] {
  return tryOr(
    () =>
      readdirSync(folder).filter((name) => name.startsWith(prefix)).map((name) => join(folder, name)),
    [],
  );
}
