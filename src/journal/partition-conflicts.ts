import { choosePins } from "../disk/choose-pins.ts";
import type { DoneOperation } from "./inverse.ts";
import { lookAtIfThere } from "./look-at.ts";
import { movesDirectory, pathsOf } from "./split-groups.ts";
import type { Staged } from "../disk/operation.ts";
import { PathMap } from "../paths/path-map.ts";
import { isWithin } from "../paths/path-segments.ts";
import { isAlike, netChanges } from "./net-changes.ts";

export interface Partition {
  /** Operations that can be tried. */
  readonly staged: readonly Staged[];
  /** Paths that somebody else has changed since. */
  readonly changed: ReadonlySet<string>;
  /** The changed paths and all paths that depend on them, each with the changed path. If one step of a file is blocked, all its steps are. */
  readonly blocked: ReadonlyMap<string, string>;
}

/**
 * Sets aside operations on files that somebody else has changed since, where the run changed the file in several steps. A single step
 * compares only with its own state, and could mistake a user's change for one of its own. Example: the user deleted a file that the run had
 * deleted and made again. So these files are compared with their net change.
 *
 * @param merged the current paths of files edited since, whose steps already expect the edits
 */
export function partitionConflicts(staged: readonly Staged[], done: readonly DoneOperation[], merged: ReadonlySet<string>): Partition {
  const steps = new Map<string, number>();
  for (const path of done.flatMap(({ intent }) => pathsOf(intent.operation))) steps.set(path, (steps.get(path) ?? 0) + 1);
  const changed = new Set<string>();
  const net = netChanges(done);
  const directories = new Set(net.flatMap(({ path, before, after }) => (before?.kind === "directory" || after?.kind === "directory" ? [path] : [])));
  // Entries of a directory that was moved here have moved with it.
  const arrived = net.flatMap(({ path, movedFrom, after }) => (movedFrom !== undefined && after?.kind === "directory" ? [path] : []));
  for (const { path, before, after } of net) {
    const isRemovedThere = after === undefined && arrived.some((one) => isWithin(path, one));
    if (merged.has(path) || directories.has(path) || isRemovedThere || (steps.get(path) ?? 0) < 2) continue;
    const found = lookAtIfThere(choosePins(), path)?.state;
    if (found?.kind === "other" || (!isAlike(found, after) && !isAlike(found, before))) changed.add(path);
  }
  // A directory that the run made and removed should be gone. If one is there and did not arrive with a moved directory, it is not ours.
  const moved = net.flatMap(({ path, movedFrom }) => (movedFrom === undefined ? [] : [path, movedFrom]));
  const isPartOfNet = (path: string): boolean => net.some((one) => one.path === path) || moved.some((one) => isWithin(path, one));
  const foreign = [...madeAndRemoved(done)].filter((path) => !isPartOfNet(path) && lookAtIfThere(choosePins(), path) !== undefined);
  const blocked = new Map([...changed, ...foreign].map((path) => [path, path]));
  // If a moved directory stays, changes made in it before the move now lie at its new path.
  const movedFolders = new PathMap<string>();
  const isBlocked = ({ operation }: Staged): boolean => {
    const paths = pathsOf(operation);
    const cause = paths.map((path) => blocked.get(path) ?? movedFolders.get(movedFolders.nearest(path) ?? path)).find((one) => one !== undefined);
    if (cause === undefined) return false;
    for (const path of paths) {
      if (!blocked.has(path)) blocked.set(path, cause);
      if (movesDirectory(operation)) movedFolders.set(path, cause);
    }
    return true;
  };
  let rest = staged;
  for (let length = -1; length !== rest.length; ) {
    length = rest.length;
    rest = rest.filter((one) => !isBlocked(one));
  }
  return { staged: rest, changed, blocked };
}

/** Returns directories that were made and removed, with nothing made there afterwards. */
function madeAndRemoved(done: readonly DoneOperation[]): ReadonlySet<string> {
  const [made, removed] = [new Set<string>(), new Set<string>()];
  for (const { operation } of done.map(({ intent }) => intent)) {
    const path = operation.kind === "rename" ? operation.to : operation.path;
    if (operation.kind === "makeDirectory") made.add(path);
    if (operation.kind === "removeDirectory" && made.has(path)) removed.add(path);
    else removed.delete(path);
  }
  return removed;
}
