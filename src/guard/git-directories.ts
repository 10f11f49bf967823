import { dirname, resolve } from "node:path";
import { joinPath } from "../paths/path-segments.ts";
import { isSystemError } from "../disk/system-error.ts";
import { follow } from "../disk/follow.ts";
import type { Looking } from "./seen.ts";

/** `.git` and, where it is a file, as in a work tree: the directory it names, and the one that shares its objects. */
export function gitDirectories(volume: Looking, root: string): string[] {
  const entry = joinPath(root, ".git");
  const own = /^gitdir: (.+?)\s*$/s.exec(readOrNothing(volume, entry))?.[1];
  if (own === undefined) return [entry];
  const directory = resolve(root, own);
  const common = readOrNothing(volume, joinPath(directory, "commondir")).trim();
  return common === "" ? [entry, directory] : [entry, directory, resolve(directory, common)];
}

/**
 * Those of them that say themselves that they belong to this work tree: as git makes them for a linked one, and for a submodule. A `.git` that came with the
 * project may name any folder, and what it names is shown to commands.
 */
export function provenGitDirectories(volume: Looking, root: string): string[] {
  const [entry = "", directory, common] = gitDirectories(volume, root);
  if (directory === undefined) return [];
  const isLinked = resolve(directory, readOrNothing(volume, joinPath(directory, "gitdir")).trim()) === entry;
  if (common !== undefined) return isLinked && dirname(dirname(directory)) === common ? [directory, common] : [];
  const tree = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(readOrNothing(volume, joinPath(directory, "config")))?.[1];
  return tree !== undefined && resolve(directory, tree) === root ? [directory] : [];
}

/** Through links too: it is Loaf that reads here, not an action. */
function readOrNothing(volume: Looking, path: string): string {
  const { path: file, isMissing, errno } = follow(volume, path, "follow");
  try {
    return isMissing || errno !== undefined || volume.entry(file)?.kind !== "file" ? "" : volume.readFile(file).bytes.toString("utf8");
  } catch (thrown) {
    if (isSystemError(thrown)) return "";
    throw thrown;
  }
}
