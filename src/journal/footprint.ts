import { relative, sep } from "node:path";
import { type DoneOperation, doneOperations } from "./inverse.ts";
import type { Log } from "./read-log.ts";
import { netChanges, type NetChange } from "./net-changes.ts";

/** What a run has left changed: its own writes and what its commands and hooks did, told by its log alone. */
export interface RunFootprint {
  /** What stood at each path before the run and what stands there now, with digests and modes; sorted by path. Absolute. */
  readonly changes: readonly NetChange[];
  /** What actions and commands changed, but not what only hooks did; from the root on, in the order of the first change. */
  readonly modifiedFiles: readonly string[];
}

/** @param log undefined where the run has none, as it has changed nothing */
export function footprintOf(log: Log | undefined, root: string): RunFootprint {
  const done = log === undefined ? [] : doneOperations(log);
  const changes = netChanges(done);
  const byActions = done.filter(isByAction);
  const isChanged = new Set(pathsOf(changes));
  const touched = [...new Set(byActions.flatMap(({ intent: { operation } }) => (operation.kind === "rename" ? [operation.from, operation.to] : [operation.path])))];
  const place = new Map(touched.map((path, index) => [path, index]));
  // What came along with a directory was not touched by itself.
  const placeOf = (path: string): number => place.get(path) ?? touched.length;
  const modified = pathsOf(byActions.length === done.length ? changes : netChanges(byActions)).filter((path) => isChanged.has(path));
  const modifiedFiles = modified.toSorted((one, other) => placeOf(one) - placeOf(other)).map((path) => relative(root, path).split(sep).join("/"));
  return { changes, modifiedFiles };
}

function pathsOf(changes: readonly NetChange[]): string[] {
  return [...new Set(changes.filter(isOfFile).flatMap(({ path, movedFrom }) => (movedFrom === undefined ? [path] : [movedFrom, path])))];
}

/** A directory by itself is none; one that was moved stands for the files in it. */
export function isOfFile({ before, after, movedFrom }: NetChange): boolean {
  return movedFrom !== undefined || [before, after].some((one) => one !== undefined && one.kind !== "directory");
}

function isByAction({ intent }: DoneOperation): boolean {
  return intent.authors.some((author) => author > 0);
}
