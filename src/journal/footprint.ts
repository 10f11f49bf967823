import { relative, sep } from "node:path";
import { type DoneOperation, doneOperations } from "./inverse.ts";
import type { Log } from "./read-log.ts";
import { netChanges, type NetChange } from "./net-changes.ts";

/** The net changes of a run, by its actions, commands and hooks, as recorded in its log. */
export interface RunFootprint {
  /** State before and after the run, with digests and modes. Sorted by absolute path. */
  readonly changes: readonly NetChange[];
  /** Files changed by actions and commands, without those that only hooks changed. Relative to the root, in the order of the first change. */
  readonly modifiedFiles: readonly string[];
}

/** @param log undefined for a run that changed nothing */
export function footprintOf(log: Log | undefined, root: string): RunFootprint {
  const done = log === undefined ? [] : doneOperations(log);
  const changes = netChanges(done);
  const byActions = done.filter(isByAction);
  const isChanged = new Set(pathsOf(changes));
  const touched = [...new Set(byActions.flatMap(({ intent: { operation } }) => (operation.kind === "rename" ? [operation.from, operation.to] : [operation.path])))];
  const place = new Map(touched.map((path, index) => [path, index]));
  // Files moved with their directory have no place of their own.
  const placeOf = (path: string): number => place.get(path) ?? touched.length;
  const modified = pathsOf(byActions.length === done.length ? changes : netChanges(byActions)).filter((path) => isChanged.has(path));
  const modifiedFiles = modified.toSorted((one, other) => placeOf(one) - placeOf(other)).map((path) => relative(root, path).split(sep).join("/"));
  return { changes, modifiedFiles };
}

function pathsOf(changes: readonly NetChange[]): string[] {
  return [...new Set(changes.filter(isOfFile).flatMap(({ path, movedFrom }) => (movedFrom === undefined ? [path] : [movedFrom, path])))];
}

/** Returns whether a change concerns a file or link. A moved directory counts, because its files moved. */
export function isOfFile({ before, after, movedFrom }: NetChange): boolean {
  return movedFrom !== undefined || [before, after].some((one) => one !== undefined && one.kind !== "directory");
}

function isByAction({ intent }: DoneOperation): boolean {
  return intent.authors.some((author) => author > 0);
}
