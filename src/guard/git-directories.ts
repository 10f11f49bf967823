import { dirname, resolve } from "node:path";
import { joinPath } from "../paths/path-segments.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import { follow } from "../disk/follow.ts";
import type { Looking } from "./seen.ts";

/**
 * Returns the path of `.git`. If that is a file, as in a linked work tree, adds the directory it names and its common
 * directory.
 */
export function gitDirectories(volume: Looking, root: string): string[] {
  const entry = joinPath(root, ".git");
  const own = /^gitdir: (.+?)\s*$/s.exec(readOrNothing(volume, entry))?.[1];
  if (own === undefined) return [entry];
  const directory = resolve(root, own);
  const common = readOrNothing(volume, joinPath(directory, "commondir")).trim();
  return common === "" ? [entry, directory] : [entry, directory, resolve(directory, common)];
}

/**
 * Returns those git directories outside the root that refer back to this work tree, as for a linked work tree or a
 * submodule.
 *
 * A `.git` file that came with the project may name any folder, and the named folder would be visible to commands.
 */
export function provenGitDirectories(volume: Looking, root: string): string[] {
  const [entry = "", directory, common] = gitDirectories(volume, root);
  if (directory === undefined) return [];
  const isLinked = resolve(directory, readOrNothing(volume, joinPath(directory, "gitdir")).trim()) === entry;
  if (common !== undefined) return isLinked && dirname(dirname(directory)) === common ? [directory, common] : [];
  const tree = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(readOrNothing(volume, joinPath(directory, "config")))?.[1];
  return tree !== undefined && resolve(directory, tree) === root ? [directory] : [];
}

/** Follows links without asking the guard, since actions never see the content. */
function readOrNothing(volume: Looking, path: string): string {
  const { path: file, isMissing, errno } = follow(volume, path, "follow");
  const read = () => (volume.entry(file)?.kind === "file" ? volume.readFile(file).bytes.toString("utf8") : "");
  return isMissing || errno !== undefined ? "" : unlessSystemError(read, "");
}
