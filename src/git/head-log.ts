/** What git's own log of HEAD tells: a line for each move, with what HEAD was and what it has become. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type TreeEntry, treeEntries } from "./entries.ts";
import { asBytes, type Git } from "./git.ts";
import type { Repository } from "./repository.ts";

export interface SinceThen {
  readonly repository: Repository;
  /** Where the log ended then, by `endOfHeadLog`; undefined: nothing is known. */
  readonly headLogEnd?: number | undefined;
}

const NONE = /^0+$/;

/** Where the log ends now, in bytes: a moment by which HEAD is known later. */
export function endOfHeadLog(repository: Repository): number {
  return statSync(pathOf(repository), { throwIfNoEntry: false })?.size ?? 0;
}

/** What HEAD was before it was moved to a commit, if that was its last move; undefined where the log does not tell. */
export function lastMove(repository: Repository, commit: string): string | undefined {
  const last = read(repository).trimEnd().split("\n").at(-1) ?? "";
  return new RegExp(`^([0-9a-f]+) ${commit} `).exec(last)?.[1];
}

/**
 * Those of some paths that a commit since has changed, or at which the branch that is checked out since has something else.
 *
 * @param inHead what HEAD has by now
 */
export async function committedSince(git: Git, { repository, headLogEnd: end }: SinceThen, paths: readonly string[], inHead: ReadonlyMap<string, TreeEntry>): Promise<ReadonlySet<string>> {
  const then = end === undefined || paths.length === 0 ? undefined : /^([0-9a-f]{40,64}) [0-9a-f]{40,64} /.exec(read(repository).slice(end))?.[1];
  if (then === undefined) return new Set();
  const known = NONE.test(then) ? new Map<string, TreeEntry>() : await treeEntries(git, then, paths);
  const isSame = (one: TreeEntry | undefined, other: TreeEntry | undefined): boolean => one?.id === other?.id && one?.mode === other?.mode;
  return new Set(paths.filter((path) => !isSame(known.get(asBytes(path)), inHead.get(asBytes(path)))));
}

/** A character for each byte; empty where there is none. */
function read(repository: Repository): string {
  try {
    return readFileSync(pathOf(repository), "latin1");
  } catch {
    return "";
  }
}

function pathOf({ gitFolder }: Repository): string {
  return join(gitFolder, "logs/HEAD");
}
