/** Reads entries of trees and indexes, and writes index entries. */
import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { IndexChange } from "../core/head-move.ts";
import { isSpelledOtherwise } from "../disk/spelling.ts";
import { asBytes, type CallOptions, type Git, records } from "./git.ts";

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

export async function difference(git: Git, from: string, to: string): Promise<Difference[]> {
  return readDifferences(await git(["diff-tree", "-r", "-z", "--no-renames", from, to]));
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
  const known = new Map<string, "folder" | "link" | "neither">([["", "folder"]]);
  return (path) => {
    let above: ReturnType<typeof known.get> = "folder";
    for (const folder of foldersAbove(path)) {
      if (above !== "folder") break;
      above = known.get(folder) ?? kindOf(join(top, folder));
      known.set(folder, above);
    }
    return above === "link";
  };
}

function kindOf(path: string): "folder" | "link" | "neither" {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink() === true) return "link";
  return stats?.isDirectory() === true ? "folder" : "neither";
}
