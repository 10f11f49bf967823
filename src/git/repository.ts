/** Finds a project's repository and the operation in progress from its files, without starting git. */
import { existsSync, lstatSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { tryOr } from "../core/errors.ts";
import { Disk } from "../disk/disk.ts";
import { gitFolderNamedIn, provenGitDirectories } from "../guard/built-in.ts";
import { type Git, reasonOf } from "./git.ts";

export interface Repository {
  /** The top of the work tree. */
  readonly top: string;
  /** Git folder of this work tree, with HEAD and the index. */
  readonly gitFolder: string;
}

/**
 * Returns the repository whose work tree contains a folder. It may be a linked work tree or a submodule. Undefined if
 * there is none, it is bare, or it is another's.
 */
export function findRepository(folder: string): Repository | undefined {
  const repository = nearest(folder);
  return repository?.isForeign === false ? repository : undefined;
}

/**
 * Returns the git folder that a file `.git` names although that folder does not name the work tree. Git would take its
 * hooks and configuration from there. Undefined if there is none.
 */
export function foreignGitFolder(folder: string): string | undefined {
  const repository = nearest(folder);
  return repository?.isForeign === true ? repository.gitFolder : undefined;
}

type Nearest = Repository & { readonly isForeign: boolean };

function nearest(folder: string): Nearest | undefined {
  const above = dirname(folder);
  return repositoryAt(folder) ?? (above === folder ? undefined : nearest(above));
}

function repositoryAt(top: string): Nearest | undefined {
  const place = join(top, ".git");
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  // A linked work tree or submodule has a file that names the git folder.
  const text = stats.isFile() ? tryOr(() => readFileSync(place, "utf8"), "") : undefined;
  const named = text === undefined ? place : gitFolderNamedIn(text);
  if (named === undefined) return undefined;
  const gitFolder = resolve(top, named);
  if (lstatSync(join(gitFolder, "HEAD"), { throwIfNoEntry: false }) === undefined) return undefined;
  const isForeign = text !== undefined && provenGitDirectories(new Disk(), realpathSync(top)).length === 0;
  return { top, gitFolder, isForeign };
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

/** Pushes the branch of HEAD as the user has configured it, without asking. Returns the reason if it fails. */
export async function push(git: Git, args: readonly string[] = []): Promise<string | undefined> {
  const { transport } = git.execution.excluded;
  if (transport.length > 0)
    return `git would reach the server through '${transport.join("', '")}', and Loaf starts only single programs outside the project: push yourself`;
  const answer = await git.attempt(["push", "--quiet", ...args], { runsHooks: true, isAlone: true });
  if (answer.exitCode === 0) return undefined;
  // Git names the branches that a server refused. After a hook it says only that it failed.
  const said = answer.stderr.replace(/^error: failed to push .*\n?/m, "");
  const isHook = git.execution.hooks && said !== answer.stderr && !/^ ! \[/m.test(said);
  return isHook ? `a git hook refused it: ${reasonOf({ ...answer, stderr: said })}` : reasonOf(answer);
}

/** Returns whether a remote-tracking branch contains a commit. */
export async function isPushed(git: Git, commit: string): Promise<boolean> {
  const refs = await git(["for-each-ref", "--count=1", "--format=%(refname)", "--contains", commit, "refs/remotes"]);
  return refs.length > 0;
}
