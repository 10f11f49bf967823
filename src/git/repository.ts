/** Where the repository of a project is, and what it is in the middle of: told by its files, without starting git. */
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export interface Repository {
  /** The top of the work tree. */
  readonly top: string;
  /** Of this work tree: HEAD and the index are here. */
  readonly gitFolder: string;
}

/** The repository in whose work tree a folder lies, which may be a worktree's or a submodule's; undefined where there is none, as in a bare one. */
export function findRepository(folder: string): Repository | undefined {
  for (let top = folder; ; top = dirname(top)) {
    const gitFolder = gitFolderAt(top);
    if (gitFolder !== undefined) return { top, gitFolder };
    if (dirname(top) === top) return undefined;
  }
}

function gitFolderAt(top: string): string | undefined {
  const place = join(top, ".git");
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  // A worktree and a submodule have a file that says where.
  const folder = stats.isFile() ? /^gitdir: (.+?)\r?\n?$/s.exec(textOf(place))?.[1] : place;
  if (folder === undefined) return undefined;
  const gitFolder = resolve(top, folder);
  return lstatSync(join(gitFolder, "HEAD"), { throwIfNoEntry: false }) === undefined ? undefined : gitFolder;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** What git itself leaves while it waits for the user to go on. A commit in between would become a part of it. */
const OPERATIONS: ReadonlyArray<readonly [name: string, what: string]> = [
  ["MERGE_HEAD", "a merge"],
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase, or the applying of patches,"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["sequencer", "a cherry-pick or revert"],
  ["BISECT_LOG", "a bisect"],
];

/** What is in progress: `a merge`, or undefined. */
export function operationInProgress({ gitFolder }: Repository): string | undefined {
  return OPERATIONS.find(([name]) => existsSync(join(gitFolder, name)))?.[1];
}

/** Those of some paths that lie in another repository within the work tree: a submodule, or one that git does not know of. */
export function withinOthers({ top }: Repository, paths: readonly string[]): string[] {
  const known = new Map([[top, false]]);
  const isInAnother = (folder: string): boolean => {
    const isIn = known.get(folder) ?? (existsSync(join(folder, ".git")) || isInAnother(dirname(folder)));
    known.set(folder, isIn);
    return isIn;
  };
  return paths.filter((path) => isInAnother(dirname(join(top, path))));
}
