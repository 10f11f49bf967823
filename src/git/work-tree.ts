/**
 * The state of a work tree compared with HEAD: changed and untracked files, which a step sets aside, and ignored ones,
 * which it leaves alone.
 */
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { IndexChange } from "../core/head-move.ts";
import { namedFew } from "../core/visible.ts";
import { entryIfThere } from "../disk/look.ts";
import { openFile } from "../disk/pin.ts";
import { readPieces } from "../disk/scan.ts";
import { blobId, fitCommandLine, foldersAbove } from "./entries.ts";
import { asBytes, fromBytes, type Git, GitFailed, records } from "./git.ts";
import type { Repository } from "./repository.ts";

export interface WorkTree {
  /** Paths of changed and untracked files, without nested repositories. */
  readonly changed: readonly string[];
  /** Files removed only from the index, and ignored since: HEAD has them, the index does not. */
  readonly uncached: readonly string[];
  /** Index entries, by the bytes of their path. */
  readonly tracked: ReadonlyMap<string, Tracked>;
  /** Ignored paths, as strings of bytes. A fully ignored folder ends with a slash. */
  readonly ignored: readonly string[];
  /** Whether the checkout is sparse. */
  readonly isSparse: boolean;
}

interface Tracked {
  readonly id: string;
  /** `assume-unchanged` or `skip-worktree`: git does not check the file for changes. */
  readonly isFlagged: boolean;
  /** `skip-worktree` */
  readonly isSkipped: boolean;
}

const MAX_NAMED = 5;

/** @param known paths ignored at an earlier step, which still count as ignored; same form as `ignored` */
export async function readWorkTree(git: Git, { gitFolder }: Repository, known: readonly string[]): Promise<WorkTree> {
  const [status, entries, ignored] = await Promise.all([
    git(["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"]),
    // Otherwise git treats a file outside the sparse patterns as an ordinary one if it exists.
    git(["-c", "sparse.expectFilesOutsideOfPatterns=true", "ls-files", "-z", "--stage", "-v"]),
    git(["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"]),
  ]);
  const isKnown = isInList(known);
  const lines = records(status).filter(
    (line) => !line.endsWith("/") && !(line.startsWith("??") && isKnown(line.slice(3))),
  );
  const untracked = new Set(lines.filter((line) => line.startsWith("??")).map((line) => line.slice(3)));
  // A file removed only from the index still exists, and may now be ignored.
  const isChanged = (line: string): boolean =>
    !line.startsWith("D ") || untracked.has(line.slice(3)) || kindAt(join(git.top, fromBytes(line.slice(3)))) === "none";
  const changed = [...new Set(lines.filter(isChanged).map((line) => fromBytes(line.slice(3))))];
  // With `--directory` git skips a folder in the place of a tracked file.
  const replaced = changed.filter((path) => kindAt(join(git.top, path)) === "folder");
  const given = fitCommandLine(replaced) ? replaced : [];
  const listIgnored = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard"];
  const within = replaced.length > 0 && (await git([...listIgnored, "--", ...given]));
  return {
    changed,
    uncached: lines.filter((line) => !isChanged(line)).map((line) => fromBytes(line.slice(3))),
    tracked: new Map(records(entries).map((line) => {
      const [, tag = "", id = "", path = ""] = /^(\S) \d+ (\w+) \d\t(.*)$/s.exec(line) ?? [];
      return [path, { id, isFlagged: tag === "S" || tag !== tag.toUpperCase(), isSkipped: tag.toUpperCase() === "S" }];
    })),
    ignored: [...records(ignored), ...(within === false ? [] : records(within))],
    isSparse: existsSync(join(gitFolder, "info/sparse-checkout")),
  };
}

/** Returns a test whether a path is in a list, or in a folder of the list. */
function isInList(paths: readonly string[]): (path: string) => boolean {
  const all = new Set(paths);
  return (path) => all.has(path) || [...path.matchAll(/\//g)].some(({ index }) => all.has(path.slice(0, index + 1)));
}

/**
 * Throws `GitFailed` with the files that a step would overwrite although they are not saved: ignored files, and files
 * that git does not check for changes.
 *
 * @param differences between HEAD and the new work tree
 */
export function checkOverwrites(top: string, workTree: WorkTree, differences: readonly IndexChange[]): void {
  const { changed, tracked, isSparse } = workTree;
  const setAside = new Set(changed);
  const isOurs = (path: string): boolean => setAside.has(path) || tracked.has(asBytes(path));
  const kinds = new Map<string, Kind>();
  const kindOf = (path: string): Kind => {
    const known = kinds.get(path) ?? kindAt(join(top, path));
    kinds.set(path, known);
    return known;
  };
  const obstacles = new Set<string>();
  const hidden = new Set<string>();
  for (const { path: bytes, after } of differences) {
    const path = fromBytes(bytes);
    const above = foldersAbove(path).slice(1);
    const inTheWay = after && above.find((folder) => kindOf(folder) === "file" && !isOurs(folder));
    if (inTheWay !== undefined) obstacles.add(inTheWay);
    const kind = above.some((folder) => kindOf(folder) !== "folder") ? "none" : kindOf(path);
    const { id = "", isFlagged = false, isSkipped = false } = tracked.get(bytes) ?? {};
    const isAsInGit = (): boolean => {
      if (kind !== "file") return isSparse && isSkipped;
      return lstatSync(join(top, path)).isFile() && hasBlobBytes(join(top, path), id);
    };
    if (isFlagged && !setAside.has(path) && !isAsInGit()) hidden.add(path);
    if (after === undefined || after.mode === SUBMODULE) continue;
    if (kind === "file" && !isOurs(path)) obstacles.add(path);
    if (kind === "folder") for (const file of filesBelow(top, path)) if (!isOurs(file)) obstacles.add(file);
  }
  if (obstacles.size > 0) {
    const [are, them] = obstacles.size === 1 ? ["is", "it"] : ["are", "them"];
    const what = `${namedFew([...obstacles].toSorted(), MAX_NAMED)} ${are} ignored or untracked`;
    throw new GitFailed(`${what}, and the other commit has something else in that place; move ${them} away first`);
  }
  if (hidden.size > 0) {
    const what = `${namedFew([...hidden].toSorted(), MAX_NAMED)} ${hidden.size === 1 ? "is" : "are"} changed`;
    throw new GitFailed(
      `${what}, hidden from git by assume-unchanged or skip-worktree, and different in the other commit; clear the flag with git update-index first`,
    );
  }
}

const SUBMODULE = "160000";

type Kind = "none" | "file" | "folder";

function kindAt(path: string): Kind {
  const kind = entryIfThere(path)?.kind;
  if (kind === undefined) return "none";
  return kind === "directory" ? "folder" : "file";
}

function filesBelow(top: string, path: string): string[] {
  return readdirSync(join(top, path), { withFileTypes: true }).flatMap((entry) => {
    const one = `${path}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(top, one) : [one];
  });
}

/** Returns whether a file's unfiltered bytes are those of a blob. */
function hasBlobBytes(file: string, id: string): boolean {
  const read = (take: (piece: Buffer) => void): boolean => {
    readPieces(openFile(file), file, (piece) => (take(piece), true));
    return true;
  };
  return blobId({ size: lstatSync(file).size, read }, id) === id;
}
