import { basename } from "node:path";
import { writeRules } from "./before-tree.ts";
import type { CommitFile } from "./commit-file.ts";
import { type Git, GitFailed, reasonOf } from "./git.ts";

/** Paths that git ignores. A file in the index is never ignored. */
export interface Ignored {
  readonly now: ReadonlySet<string>;
  /** At the start of the run. */
  readonly before: ReadonlySet<string>;
}

/**
 * Judges current files by the current ignore files, and pre-images by the ones before the run. A folder may have moved with its ignore file
 * and the files that it hides. Throws `GitFailed`.
 *
 * @param all the run's files, which may include ignore files
 * @param folder to write the earlier ignore files to
 */
export async function findIgnored(git: Git, files: readonly CommitFile[], { all, folder }: { readonly all: readonly CommitFile[]; readonly folder: string }): Promise<Ignored> {
  const now = await ignoredAmong(git, files.filter(({ exists }) => exists));
  const isSame = all.every(({ path }) => basename(path) !== ".gitignore");
  // A file ignored now is in neither commit.
  const earlier = files.filter(({ path, before, exists }) => before !== undefined && !(exists && (isSame || now.has(path))));
  if (earlier.length > 0) writeRules(folder, git.top, ".gitignore", earlier, all);
  return { now, before: await ignoredAmong(git, earlier, folder) };
}

/** @param workTree with the ignore files; defaults to the user's. The files themselves need not exist */
async function ignoredAmong(git: Git, files: readonly CommitFile[], workTree?: string): Promise<Set<string>> {
  if (files.length === 0) return new Set();
  // `check-ignore` does not take paths literally, but one with `./` cannot be mistaken for anything else.
  const input = files.map(({ path }) => `./${path}\0`).join("");
  const answer = await git.attempt(["--no-literal-pathspecs", "check-ignore", "-z", "--stdin"], { input, ...(workTree !== undefined && { workTree }) });
  if (answer.exitCode !== 0 && answer.exitCode !== 1) throw new GitFailed(reasonOf(answer));
  return new Set(answer.stdout.toString().split("\0").map((path) => path.slice(2)));
}
