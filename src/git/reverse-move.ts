/** Moves HEAD and the index back to where they were before a move that Loaf made. */
import { existsSync, lstatSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { HeadMove, IndexChange, IndexEntry } from "../core/head-move.ts";
import { difference, fitCommandLine, isSameEntry, setEntries, treeEntries } from "./entries.ts";
import { type Git, GitFailed, records } from "./git.ts";
import { asBytes, fromBytes } from "../paths/names.ts";
import { COMMIT_FOLDER, copyIndex, lockIndex } from "./index-lock.ts";
import { readHead } from "./record-commit.ts";
import type { Repository } from "./repository.ts";

/** Returns the opposite move, of the index entries that are still as the move left them. */
export async function inverseMove(git: Git, { branch, from, to, index, isCommit }: HeadMove): Promise<HeadMove> {
  const changes = isCommit && to !== undefined ? await changesByCommit(git, from, to, index) : index;
  const now = await indexAt(git, changes.map(({ path }) => path));
  const missing = await missingObjects(git, changes.flatMap(({ before }) => before?.id ?? []));
  const unstaged = changes.filter(({ path, after }) => isSameEntry(now.get(path), after));
  const left = unstaged.filter(({ before, after }) => !isSameEntry(before, after) && !missing.has(before?.id ?? ""));
  const back = left.map(({ path, before, after }) => ({ path, before: after, after: before }));
  return { ...(branch && { branch }), ...(to && { from: to }), ...(from && { to: from }), index: back };
}

/**
 * Moves HEAD, then the index. Can be interrupted and called again. Throws `GitFailed` if somebody else has moved HEAD.
 *
 * @param message for git's log of HEAD
 */
export async function applyMove(
  git: Git, { gitFolder }: Repository, { branch, from, to, index }: HeadMove, message: string
): Promise<void> {
  const lock = await lockIndex(gitFolder);
  const folder = mkdtempSync(join(gitFolder, COMMIT_FOLDER));
  try {
    const copy = join(folder, "index");
    if (existsSync(lock.index)) copyIndex(lock.index, copy);
    const now = await indexAt(git, index.map(({ path }) => path));
    const left = index.filter(({ path, before }) => isSameEntry(now.get(path), before));
    const withoutIntents = left.map((put) => ({ ...put, after: put.after?.isIntended ? undefined : put.after }));
    await setEntries(git, copy, withoutIntents, "after");
    await addIntents(git, copy, left.flatMap(({ path, after }) => (after?.isIntended ? [fromBytes(path)] : [])));
    const head = await readHead(git);
    const isFound = head.branch === branch && (head.commit === from || head.commit === to);
    if (!isFound) throw new GitFailed("HEAD has moved meanwhile");
    const name = branch ?? "HEAD";
    const change = to === undefined ? ["-d", name, from ?? ""] : [name, to, from ?? "0".repeat(to.length)];
    if (head.commit !== to) await git(["update-ref", "-m", message, ...change]);
    if (left.length > 0) lock.replace(copy);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    lock.release();
  }
}

/** Repeats `git add --intent-to-add`. A missing file, or one that git now refuses, stays untracked. */
async function addIntents(git: Git, index: string, paths: readonly string[]): Promise<void> {
  // Git refuses all paths if one is missing, and adds everything below a folder.
  const statsOf = (path: string) => lstatSync(join(git.top, path), { throwIfNoEntry: false });
  const standing = paths.filter((path) => statsOf(path)?.isDirectory() === false);
  if (standing.length > 0) await git.attempt(["add", "--intent-to-add", "--force", "--", ...standing], { index });
}

/** Returns the changes of the commits. Index paths that differed from HEAD get their earlier entry. */
export async function changesByCommit(
  git: Git, from: string | undefined, to: string, index: readonly IndexChange[]
): Promise<IndexChange[]> {
  const changes = new Map<string, IndexChange>();
  for (const { path, before, after } of await difference(git, from, to)) changes.set(path, { path, before, after });
  const committed = await treeEntries(git, to, index.map(({ path }) => fromBytes(path)));
  for (const { path, before } of index) changes.set(path, { path, before, after: committed.get(path) });
  return [...changes.values()];
}

/** Returns the user's index entries at paths, which are strings of bytes. */
export async function indexAt(git: Git, paths: readonly string[]): Promise<ReadonlyMap<string, IndexEntry>> {
  if (paths.length === 0) return new Map();
  const given = paths.map(fromBytes);
  const isExact = fitCommandLine(given) && given.every((path, at) => asBytes(path) === paths[at]);
  const lines = records(await git(["ls-files", "--stage", "-z", "--", ...(isExact ? given : [])]));
  const entries = lines.map((line): [string, IndexEntry] => {
    const [, mode = "", id = "", path = ""] = /^(\d+) (\w+) \d\t(.*)$/s.exec(line) ?? [];
    return [path, { mode, id }];
  });
  return new Map(entries);
}

/** Marks entries from `git add --intent-to-add`, which look like empty files. */
export async function flagIntents(git: Git, commit: string, entries: readonly IndexChange[]): Promise<IndexChange[]> {
  const isEmpty = ({ before }: IndexChange): boolean => EMPTY_FILES.includes(before?.id ?? "");
  const empty = entries.filter(isEmpty).map(({ path }) => fromBytes(path));
  if (empty.length === 0) return [...entries];
  const how = ["--cached", "--name-only", "-z", "--ita-invisible-in-index"];
  const staged = new Set(records(await git(["diff-index", ...how, commit, "--", ...empty])));
  return entries.map(({ path, before }) => {
    const isIntended = isEmpty({ path, before }) && !staged.has(path);
    return { path, before: before && isIntended ? { ...before, isIntended } : before };
  });
}

/** For SHA-1 and SHA-256. */
const EMPTY_FILES = [
  "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
];

/** Git garbage-collects objects that only the index had after some weeks. */
async function missingObjects(git: Git, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const output = await git(["cat-file", "--batch-check=%(objectname) %(objecttype)"], { input: `${ids.join("\n")}\n` });
  const answers = records(output, "\n");
  return new Set(answers.flatMap((line) => /^(\w+) missing$/.exec(line)?.[1] ?? []));
}
