/** Reads entries of trees and indexes, and writes index entries. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { IndexChange } from "../core/head-move.ts";
import { entryIfThere } from "../disk/look.ts";
import { isSpelledOtherwise } from "../disk/spelling.ts";
import { type CallOptions, type Git, records } from "./git.ts";
import { asBytes } from "../paths/names.ts";

/** A file, a link or a nested repository in a tree. */
export interface TreeEntry {
  /** `100644`, `100755`, `120000`, `160000` */
  readonly mode: string;
  /** Object name. */
  readonly id: string;
}

/** A path where two trees, or a tree and an index, differ. A missing side is undefined. */
export interface Difference {
  /** As a string of bytes. */
  readonly path: string;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
  /** The entry is not merged. */
  readonly isUnmerged: boolean;
}

/** Bytes of arguments that fit any system's command line. */
const MAX_ARGUMENT_BYTES = 30_000;

export function fitCommandLine(paths: readonly string[]): boolean {
  return paths.reduce((sum, path) => sum + path.length * 3, 0) <= MAX_ARGUMENT_BYTES;
}

/** Returns the entries of a commit at some paths, by their bytes. Skips missing paths. */
export async function treeEntries(git: Git, commit: string, paths: readonly string[]): Promise<Map<string, TreeEntry>> {
  if (paths.length === 0) return new Map();
  // For many paths it is cheaper to read the whole tree.
  const given = fitCommandLine(paths) ? paths : [];
  const output = await git(["ls-tree", "-r", "-z", "--full-tree", commit, "--", ...given]);
  const wanted = new Set(paths.map(asBytes));
  const entries = records(output).map((line) => {
    const [, mode = "", id = "", path = ""] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
    return [path, { mode, id }] as const;
  });
  return new Map(entries.filter(([path]) => wanted.has(path)));
}

/** Parses the output of `diff-index` and `diff-tree` with `-z`. */
export function readDifferences(output: Buffer): Difference[] {
  const fields = records(output);
  const differences: Difference[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = "", newMode = "", oldId = "", newId = "", status = ""] = (fields[at] ?? "").slice(1).split(" ");
    const entry = (mode: string, id: string) => (/^0+$/.test(mode) ? undefined : { mode, id });
    const [before, after] = [entry(oldMode, oldId), entry(newMode, newId)];
    differences.push({ path: fields[at + 1] ?? "", before, after, isUnmerged: status === "U" });
  }
  return differences;
}

/** @param from undefined before the first commit */
export async function difference(git: Git, from: string | undefined, to: string): Promise<Difference[]> {
  const base = from ?? (await git(["mktree"], { input: "" })).toString().trim();
  return readDifferences(await git(["diff-tree", "-r", "-z", "--no-renames", base, to]));
}

/**
 * Returns paths below a folder that differ from a commit, or are untracked and not ignored, relative to the top, as
 * strings of bytes. Skips nested repositories. Throws `GitFailed`.
 *
 * @param commit undefined before the first one
 * @param folder relative to the top, as a string of bytes; empty for all
 */
export async function differingPaths(git: Git, commit: string | undefined, folder: string): Promise<string[]> {
  const within = folder === "" ? [] : ["--", folder];
  const diff = ["diff", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--ignore-submodules=all", "-z"];
  const [known, others] = await Promise.all([
    git(commit === undefined ? ["ls-files", "-z", ...within] : [...diff, commit, ...within]),
    git(["ls-files", "-z", "--others", "--exclude-standard", ...within]),
  ]);
  const differing = commit === undefined ? records(known) : readDifferences(known).map(({ path }) => path);
  return [...differing, ...records(others)].filter((path) => !path.endsWith("/"));
}

/** Sets index entries to one side of the differences. */
export async function setEntries(
  git: Git, index: string, differences: readonly IndexChange[], side: "before" | "after"
): Promise<void> {
  if (differences.length === 0) return;
  const lines = removalsFirst(differences, (one) => one[side] === undefined).map((one) => {
    const other = one.before ?? one.after;
    const { mode, id } = one[side] ?? { mode: "0", id: "0".repeat(other?.id.length ?? 40) };
    return `${mode} ${id}\t${one.path}\0`;
  });
  const input = Buffer.from(lines.join(""), "latin1");
  await git(["update-index", "-z", "--replace", "--index-info"], { index, input });
}

/**
 * Adds paths of the work tree to an index as the user's `git add` would, with filters and line endings. Respects
 * assume-unchanged and skip-worktree.
 *
 * @param workTree to read the files from; defaults to the user's
 */
export async function addFiles(
  git: Git,
  files: ReadonlyArray<{ readonly path: string; readonly exists: boolean }>,
  { index, workTree }: Pick<CallOptions, "workTree"> & { readonly index: string },
): Promise<void> {
  if (files.length === 0) return;
  const top = workTree ?? git.top;
  const isBeyondLink = pathsBeyondLinks(top);
  // Git would look there and find something else.
  const isHidden = (path: string): boolean => isBeyondLink(path) || isSpelledOtherwise(join(top, path));
  const gone = new Set(files.filter(({ path, exists }) => !exists && isHidden(path)));
  const listed = (some: ReadonlyArray<{ readonly path: string }>): string =>
    some.map(({ path }) => `${path}\0`).join("");
  if (gone.size > 0)
    await git(["update-index", "-z", "--force-remove", "--stdin"], { index, input: listed([...gone]) });
  const input = listed(removalsFirst(files.filter((file) => !gone.has(file)), ({ exists }) => !exists));
  // With another work tree, only the index says whether the user leaves a file out of a sparse checkout.
  const isElsewhere = workTree === undefined ? [] : ["-c", "sparse.expectFilesOutsideOfPatterns=true"];
  const how = ["-z", "--add", "--remove", "--replace", "--ignore-skip-worktree-entries", "--stdin"];
  await git([...isElsewhere, "update-index", ...how], { index, input, workTree });
}

/** Removals come first, because a file may take the place of a folder, or a folder that of a file. */
function removalsFirst<Item>(items: readonly Item[], isGone: (item: Item) => boolean): Item[] {
  return [...items.filter(isGone), ...items.filter((item) => !isGone(item))];
}

/** Bytes read in pieces. `read` returns false if they are not kept. */
export interface BlobContent {
  readonly size: number;
  read(take: (piece: Buffer) => void): boolean;
}

export function blobContent(bytes: Buffer): BlobContent {
  return { size: bytes.length, read: (take) => (take(bytes), true) };
}

/**
 * Returns git's object name for unfiltered bytes. Undefined if they are not kept.
 *
 * @param like another object name of the repository, which tells the digest
 */
export function blobId({ size, read }: BlobContent, like: string): string | undefined {
  const digest = createHash(like.length === 40 ? "sha1" : "sha256").update(`blob ${size}\0`);
  return read((piece) => void digest.update(piece)) ? digest.digest("hex") : undefined;
}

/** Returns "", `a` and `a/b` for `a/b/c.txt`. */
export function foldersAbove(path: string): string[] {
  const segments = path.split("/");
  return segments.map((_, index) => segments.slice(0, index).join("/"));
}

/**
 * Returns a test whether a parent folder of a path is now a link. Git sees nothing at such a path and refuses questions
 * about it. Use it at once, because it caches what it has seen.
 */
export function pathsBeyondLinks(top: string): (path: string) => boolean {
  const links = new Map<string, boolean>();
  const isLink = (folder: string): boolean => {
    const is = links.get(folder) ?? entryIfThere(join(top, folder))?.kind === "link";
    links.set(folder, is);
    return is;
  };
  return (path) => foldersAbove(path).slice(1).some(isLink);
}

export function isSameEntry(left: TreeEntry | undefined, right: TreeEntry | undefined): boolean {
  return left?.id === right?.id && left?.mode === right?.mode;
}
