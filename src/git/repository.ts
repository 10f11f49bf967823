/** Finds a project's repository and the operation in progress from its files, without starting git. */
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { tryOr } from "../core/try-or.ts";

export interface Repository {
  /** The top of the work tree. */
  readonly top: string;
  /** Git folder of this work tree, with HEAD and the index. */
  readonly gitFolder: string;
}

/**
 * Returns the repository whose work tree contains a folder. It may be a linked work tree or a submodule. Undefined if
 * there is none, or it is bare.
 */
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
  // A linked work tree or submodule has a file that names the git folder.
  const folder = stats.isFile() ? /^gitdir: (.+?)\r?\n?$/s.exec(tryOr(() => readFileSync(place, "utf8"), ""))?.[1] : place;
  if (folder === undefined) return undefined;
  const gitFolder = resolve(top, folder);
  return lstatSync(join(gitFolder, "HEAD"), { throwIfNoEntry: false }) === undefined ? undefined : gitFolder;
}

/**
 * Files that git leaves while it waits for the user to continue. A commit in between would become part of that
 * operation.
 */
const OPERATIONS: ReadonlyArray<readonly [name: string, what: string]> = [
  ["MERGE_HEAD", "a merge"],
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase or git am"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["sequencer", "a cherry-pick or revert"],
  ["BISECT_LOG", "a bisect"],
];

/** Returns the operation in progress, such as `a merge`, or undefined. */
export function operationInProgress({ gitFolder }: Repository): string | undefined {
  return OPERATIONS.find(([name]) => existsSync(join(gitFolder, name)))?.[1];
}

/** Returns paths that lie in a nested repository: a submodule, or one unknown to git. */
export function inNestedRepositories({ top }: Repository, paths: readonly string[]): string[] {
  const known = new Map([[top, false]]);
  const isInAnother = (folder: string): boolean => {
    const isIn = known.get(folder) ?? (existsSync(join(folder, ".git")) || isInAnother(dirname(folder)));
    known.set(folder, isIn);
    return isIn;
  };
  return paths.filter((path) => isInAnother(dirname(join(top, path))));
}
