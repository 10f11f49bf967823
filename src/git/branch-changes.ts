/** What a branch changes: its commits, and its files compared with where it began. */
import { join, relative } from "node:path";
import { isWithin } from "../paths/path-segments.ts";
import { type Git, records } from "./git.ts";
import { fromBytes } from "../paths/byte-names.ts";
import { commitAt } from "./record-commit.ts";

export interface BranchChanges {
  /** What the branch is compared with: `origin/main`. */
  readonly base: string;
  /** One line for each commit, newest first. */
  readonly log: readonly string[];
  /** A diff from the base to the files as they are, committed or not. */
  readonly diff: string;
  /** Number of changed files that are not in the diff. */
  readonly omitted: number;
}

/**
 * Compares with the branch's upstream, or else with main. Prefers one that the branch is ahead of. Undefined if there
 * is none, as before the first commit. Throws `GitFailed`.
 *
 * @param root of the project; files elsewhere in the repository are ignored
 * @param mayRead whether a file may be shown
 */
export async function branchChanges(
  git: Git, root: string, mayRead: (path: string) => boolean
): Promise<BranchChanges | undefined> {
  const base = await findBase(git);
  if (base === undefined) return undefined;
  const [log, names] = await Promise.all([
    git(["log", `--max-count=${MAX_COMMITS}`, "--no-show-signature", "--format=%h %as %s", `${base.start}..HEAD`]),
    git(["diff", "--name-only", "-z", ...PLAIN, base.start]),
  ]);
  const paths = records(names).map((path) => join(git.top, fromBytes(path))).filter((path) => isWithin(path, root));
  const shown = paths.filter(mayRead).slice(0, MAX_FILES);
  const named = shown.map((path) => relative(git.top, path));
  const diff = named.length === 0 ? "" : (await git(["diff", ...PLAIN, base.start, "--", ...named])).toString();
  return {
    base: base.name,
    log: log.toString().split("\n").filter((line) => line !== ""),
    diff,
    omitted: paths.length - shown.length,
  };
}

const MAX_COMMITS = 50;
/** The length of a command line is limited. */
const MAX_FILES = 1_000;
/** No program of the repository's takes part. No renames, because the old name may be one that must not be read. */
const PLAIN = [
  "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--ignore-submodules=all", "--src-prefix=a/",
  "--dst-prefix=b/",
];

/** @returns its name, and the commit at which the branch left it */
async function findBase(git: Git): Promise<{ readonly name: string; readonly start: string } | undefined> {
  const read = async (...args: string[]): Promise<string | undefined> => {
    const { exitCode, stdout } = await git.attempt(args);
    return exitCode === 0 && stdout.length > 1 ? stdout.toString().trim() : undefined;
  };
  const head = await commitAt(git, "HEAD");
  if (head === undefined) return undefined;
  let found: { name: string; start: string } | undefined;
  for (const candidate of ["@{upstream}", "origin/HEAD", "refs/heads/main", "refs/heads/master", "HEAD"]) {
    const start = await read("merge-base", "HEAD", candidate);
    if (start === undefined) continue;
    const name = (await read("rev-parse", "--abbrev-ref", candidate)) ?? candidate;
    if (start !== head) return { name, start };
    found ??= { name, start };
  }
  return found;
}
