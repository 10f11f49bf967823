import { choosePins } from "../disk/choose-pins.ts";
import type { DoneOperation } from "./inverse.ts";
import { lookAtIfThere } from "./look-at.ts";
import { movesDirectory, pathsOf } from "./split-groups.ts";
import type { Staged } from "../disk/operation.ts";
import { PathMap } from "../paths/path-map.ts";
import { isWithin } from "../paths/path-segments.ts";
import { isAlike, netChanges } from "./net-changes.ts";

export interface Separated {
  /** What can be tried. */
  readonly staged: readonly Staged[];
  /** Paths that somebody has changed since. */
  readonly changed: ReadonlySet<string>;
  /** These, and what hangs on them, each with what it hangs on: where one step of a way is barred, none of it is gone. */
  readonly barred: ReadonlyMap<string, string>;
}

/**
 * Sets aside what cannot be taken back, of files that a run has changed in several steps. Each step by itself would only look at what
 * it finds, and might take what somebody has done since for an earlier one of its own: a file deleted, where the run had deleted
 * it and made it anew. So these are judged by what the steps together have left.
 *
 * @param merged where files are that were edited since, and whose steps expect that
 */
export function setAsideChanged(staged: readonly Staged[], done: readonly DoneOperation[], merged: ReadonlySet<string>): Separated {
  const steps = new Map<string, number>();
  for (const path of done.flatMap(({ intent }) => pathsOf(intent.operation))) steps.set(path, (steps.get(path) ?? 0) + 1);
  const changed = new Set<string>();
  const net = netChanges(done);
  const directories = new Set(net.flatMap(({ path, before, after }) => (before?.kind === "directory" || after?.kind === "directory" ? [path] : [])));
  // What stands in a directory that was moved there has come with it.
  const arrived = net.flatMap(({ path, movedFrom, after }) => (movedFrom !== undefined && after?.kind === "directory" ? [path] : []));
  for (const { path, before, after } of net) {
    const isGoneThere = after === undefined && arrived.some((one) => isWithin(path, one));
    if (merged.has(path) || directories.has(path) || isGoneThere || (steps.get(path) ?? 0) < 2) continue;
    const found = lookAtIfThere(choosePins(), path)?.state;
    if (found?.kind === "other" || (!isAlike(found, after) && !isAlike(found, before))) changed.add(path);
  }
  // Of a directory that the run made and removed again nothing is left: one that stands there, unless it came with another, is somebody else's.
  const moved = net.flatMap(({ path, movedFrom }) => (movedFrom === undefined ? [] : [path, movedFrom]));
  const isLeft = (path: string): boolean => net.some((one) => one.path === path) || moved.some((one) => isWithin(path, one));
  const foreign = [...removedAgain(done)].filter((path) => !isLeft(path) && lookAtIfThere(choosePins(), path) !== undefined);
  const barred = new Map([...changed, ...foreign].map((path) => [path, path]));
  // What was done in a directory that stays where the run has moved it is there now.
  const folders = new PathMap<string>();
  const isBarred = ({ operation }: Staged): boolean => {
    const paths = pathsOf(operation);
    const cause = paths.map((path) => barred.get(path) ?? folders.get(folders.nearest(path) ?? path)).find((one) => one !== undefined);
    if (cause === undefined) return false;
    for (const path of paths) {
      if (!barred.has(path)) barred.set(path, cause);
      if (movesDirectory(operation)) folders.set(path, cause);
    }
    return true;
  };
  let rest = staged;
  for (let length = -1; length !== rest.length; ) {
    length = rest.length;
    rest = rest.filter((one) => !isBarred(one));
  }
  return { staged: rest, changed, barred };
}

/** The directories that were made and removed again, where nothing came after that. */
function removedAgain(done: readonly DoneOperation[]): ReadonlySet<string> {
  const [made, removed] = [new Set<string>(), new Set<string>()];
  for (const { operation } of done.map(({ intent }) => intent)) {
    const path = operation.kind === "rename" ? operation.to : operation.path;
    if (operation.kind === "makeDirectory") made.add(path);
    if (operation.kind === "removeDirectory" && made.has(path)) removed.add(path);
    else removed.delete(path);
  }
  return removed;
}
