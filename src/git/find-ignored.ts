import { basename } from "node:path";
import { writeRules } from "./before-tree.ts";
import type { CommitFile } from "./commit-file.ts";
import { type Git, GitFailed, reasonOf } from "./git.ts";

/** Paths of files that git ignores. What the index has never is. */
export interface Ignored {
  readonly now: ReadonlySet<string>;
  /** When the run began. */
  readonly before: ReadonlySet<string>;
}

/**
 * What stands there now is judged by the ignore files as they are now, what stood there before by what they said then: a folder may have moved along with its own, and
 * with what that keeps out of commits. Throws `GitFailed`.
 *
 * @param all the run's files: among them may be ignore files
 * @param folder to be filled with those of before
 */
export async function findIgnored(git: Git, files: readonly CommitFile[], { all, folder }: { readonly all: readonly CommitFile[]; readonly folder: string }): Promise<Ignored> {
  const now = await ignoredAmong(git, files.filter(({ exists }) => exists));
  const isSame = all.every(({ path }) => basename(path) !== ".gitignore");
  // What is ignored now is left out of both commits.
  const then = files.filter(({ path, before, exists }) => before !== undefined && !(exists && (isSame || now.has(path))));
  if (then.length > 0) writeRules(folder, git.top, ".gitignore", then, all);
  return { now, before: await ignoredAmong(git, then, folder) };
}

/** @param workTree where the ignore files are; else the user's. The files themselves need not be there */
async function ignoredAmong(git: Git, files: readonly CommitFile[], workTree?: string): Promise<Set<string>> {
  if (files.length === 0) return new Set();
  // It takes no path as it is, but one that begins so cannot be anything else.
  const input = files.map(({ path }) => `./${path}\0`).join("");
  const answer = await git.attempt(["--no-literal-pathspecs", "check-ignore", "-z", "--stdin"], { input, ...(workTree !== undefined && { workTree }) });
  if (answer.exitCode !== 0 && answer.exitCode !== 1) throw new GitFailed(reasonOf(answer));
  return new Set(answer.stdout.toString().split("\0").map((path) => path.slice(2)));
}
