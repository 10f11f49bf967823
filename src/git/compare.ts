/** Finds files below a folder that differ from a commit. */
import { readDifferences } from "./entries.ts";
import { asBytes, type Git, records } from "./git.ts";
import { commitAt } from "./record-commit.ts";

/** A commit to compare the work tree with. */
export interface Base {
  readonly git: Git;
  /** Undefined before the first commit. */
  readonly commit: string | undefined;
  /** The folder to compare, relative to the top; empty for all. */
  readonly folder: string;
}

/** @param folder relative to the top */
export async function baseAtHead(git: Git, folder: string): Promise<Base> {
  const name = folder.replaceAll("\\", process.platform === "win32" ? "/" : "\\");
  return { git, commit: await commitAt(git, "HEAD"), folder: asBytes(name) };
}

/**
 * Returns paths that differ or are untracked and not ignored, relative to the top, as strings of bytes. Skips nested
 * repositories. Throws `GitFailed`.
 */
export async function differingPaths({ git, commit, folder }: Base): Promise<string[]> {
  const within = folder === "" ? [] : ["--", folder];
  const diff = ["diff", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--ignore-submodules=all", "-z"];
  const [known, others] = await Promise.all([
    git(commit === undefined ? ["ls-files", "-z", ...within] : [...diff, commit, ...within]),
    git(["ls-files", "-z", "--others", "--exclude-standard", ...within]),
  ]);
  const differing = commit === undefined ? records(known) : readDifferences(known).map(({ path }) => path);
  return [...differing, ...records(others)].filter((path) => !path.endsWith("/"));
}
