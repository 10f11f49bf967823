/** Reads git's log of HEAD: one line for each move, with the old and the new commit. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type TreeEntry, treeEntries } from "./entries.ts";
import { asBytes, type Git } from "./git.ts";
import type { Repository } from "./repository.ts";
import { tryOr } from "../core/errors.ts";

export interface SinceThen {
  readonly repository: Repository;
  /** Length of the log at the start, from `endOfHeadLog`. Undefined if unknown. */
  readonly headLogEnd?: number | undefined;
}

const NONE = /^0+$/;

/** Returns the length of the log in bytes, to find later moves of HEAD. */
export function endOfHeadLog(repository: Repository): number {
  return statSync(pathOf(repository), { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Returns the paths whose entry in HEAD has changed since the start, by a commit or a checkout.
 *
 * @param inHead entries of the current HEAD
 */
export async function committedSince(
  git: Git, { repository, headLogEnd: end }: SinceThen, paths: readonly string[], inHead: ReadonlyMap<string, TreeEntry>
): Promise<ReadonlySet<string>> {
  const log = end === undefined || paths.length === 0 ? "" : read(repository).slice(end);
  const then = /^([0-9a-f]{40,64}) [0-9a-f]{40,64} /.exec(log)?.[1];
  if (then === undefined) return new Set();
  const known = NONE.test(then) ? new Map<string, TreeEntry>() : await treeEntries(git, then, paths);
  const isSame = (one: TreeEntry | undefined, other: TreeEntry | undefined): boolean =>
    one?.id === other?.id && one?.mode === other?.mode;
  return new Set(paths.filter((path) => !isSame(known.get(asBytes(path)), inHead.get(asBytes(path)))));
}

/** Returns one character for each byte, or nothing if there is no log. */
function read(repository: Repository): string {
  return tryOr(() => readFileSync(pathOf(repository), "latin1"), "");
}

function pathOf({ gitFolder }: Repository): string {
  return join(gitFolder, "logs/HEAD");
}
