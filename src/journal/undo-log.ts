import { explain } from "../core/explain.ts";
import type { Failure } from "../core/failure.ts";
import type { Refused, Restored } from "../core/history.ts";
import { choosePins } from "../disk/choose-pins.ts";
import { DAMAGED } from "../disk/images.ts";
import type { Operation, Staged } from "../disk/operation.ts";
import type { Pins } from "../disk/pin.ts";
import { PathMap } from "../paths/path-map.ts";
import { isWithin } from "../paths/path-segments.ts";
import { withMissingFolders } from "./commit.ts";
import { type Entry, isConflict, isDirectoryInUse, movesDirectory, operationKey, pathsOf } from "./groups.ts";
import { type DoneOperation, doneOperations } from "./inverse.ts";
import { type LoggedOperation } from "./log-record.ts";
import { lookAtIfThere } from "./look-at.ts";
import { mergeEdits } from "./merge-edits.ts";
import { isAlike, netChanges } from "./net-changes.ts";
import type { Log } from "./read-log.ts";

export interface UndoOptions {
  readonly pins: Pins;
  /** Log of an interrupted undo of the same run. Its operations are not repeated; all others are tried again. */
  readonly begun?: Log;
  /** Brings operations to the disk and returns their outcomes. */
  readonly commit: (staged: readonly Staged[]) => Promise<ReadonlyArray<{ readonly failure?: Failure }>>;
}

export interface Undone {
  readonly restored: readonly Restored[];
  readonly refused: readonly Refused[];
}

/**
 * Undoes a run. Merges text files edited since. Skips files whose edits conflict, other files changed since, and
 * anything that depends on them. Rethrows errors of `commit`.
 */
export async function undoLog(log: Log, { pins, begun, commit }: UndoOptions): Promise<Undone> {
  const done = doneOperations(log);
  const undone = begun === undefined ? [] : doneOperations(begun);
  const { staged: all, paths: merged } = mergeEdits(log, undone);
  const { staged: possible, changed, blocked } = partitionConflicts(withoutDone(all, undone), [...done, ...undone], merged);
  const staged = withMissingFolders(possible, pins);
  const outcomes = await commit(staged);
  // Reports a blocked path only if the run left a change there; intermediate paths do not matter to the user.
  const reportedPaths = new Set(netChanges(done).flatMap(({ path, movedFrom }) => (movedFrom === undefined ? [path] : [path, movedFrom])));
  const cutOff = [...blocked].filter(([path]) => !changed.has(path) && reportedPaths.has(path)).map(([path, cause]) => ({ path, reason: dependsOnSentence(cause) }));
  const leftAt = (path: string, one: Staged) => finalPathOf(path, all.slice(0, Math.max(0, all.indexOf(one))));
  const alreadyRefused = [...[...changed].map((path) => ({ path, reason: CHANGED })), ...cutOff];
  return describeUndo(staged, outcomes, { file: log.file, reportedPaths, leftAt, alreadyRefused });
}

/** Returns what an atomic rollback could not restore. */
export function refusalsOf(failed: readonly Entry[], file: string): readonly Refused[] {
  return describeUndo(failed, failed, { file, reportedPaths: new Set(failed.flatMap(({ operation }) => pathsOf(operation))) }).refused;
}

interface UndoContext {
  /** Path of the log that is undone. */
  readonly file: string;
  /** Paths that are reported even if they only depend on others. */
  readonly reportedPaths: ReadonlySet<string>;
  /** Returns the path that an entry had when the run was over. */
  readonly leftAt?: (path: string, one: Staged) => string;
  /** Refusals from before the commit. */
  readonly alreadyRefused?: readonly Refused[];
}

/** Describes the outcomes of operations that undo a run. */
function describeUndo(staged: readonly Staged[], outcomes: ReadonlyArray<{ readonly failure?: Failure }>, { file, reportedPaths, leftAt: toEnd = (path) => path, alreadyRefused = [] }: UndoContext): Undone {
  const restored: Restored[] = [];
  const refused = new Map(alreadyRefused.map((one): [string, Refused] => [one.path, one]));
  const causes = new Map<string, Cause>();
  for (const [index, one] of staged.entries()) {
    const { operation } = one;
    const failure = outcomes[index]?.failure;
    if (failure === undefined || isDirectoryInUse(operation, failure)) {
      restored.push(failure === undefined ? restoredBy(one) : { path: currentPathOf(operation), how: "kept" });
      continue;
    }
    const isCutOff = failure.code === "run/depends";
    const path = operation.kind === "rename" && isCutOff && reportedPaths.has(operation.to) ? operation.to : toEnd(currentPathOf(operation), one);
    const cause = isCutOff ? causes.get(failure.path) : causeOf(failure);
    if (cause !== undefined) for (const at of pathsOf(operation)) causes.set(at, cause);
    if (refused.has(path) || (isCutOff && !reportedPaths.has(path))) continue;
    const isOwn = failure.code === "file/changed" && failure.path === currentPathOf(operation);
    const reason = isOwn ? CHANGED : cause === "damage" && !isCutOff ? `its pre-image in ${file} is damaged` : reasonOf(failure, cause);
    refused.set(path, { path, reason, ...(cause === "system" && { mayPass: true }), ...(cause === "damage" && { isLost: true }) });
  }
  return { restored: withoutDuplicates(restored), refused: [...refused.values()] };
}

/** Returns what an undo restored, from its log. */
export function restoredIn(undo: Log): Restored[] {
  return withoutDuplicates(doneOperations(undo).map(({ intent }) => restoredBy(intent)));
}

/** Removes finished operations. An undo keeps its order, so of equal operations the first ones are done. */
function withoutDone(staged: readonly Staged[], done: readonly DoneOperation[]): Staged[] {
  const counts = new Map<string, number>();
  for (const { intent } of done) counts.set(operationKey(intent.operation), (counts.get(operationKey(intent.operation)) ?? 0) + 1);
  return staged.filter(({ operation }) => {
    const left = counts.get(operationKey(operation)) ?? 0;
    counts.set(operationKey(operation), left - 1);
    return left <= 0;
  });
}

/** Returns the current path of what an operation touches. */
function currentPathOf(operation: Operation): string {
  return operation.kind === "rename" ? operation.from : operation.path;
}

const CHANGED = "it has changed since";
const dependsOnSentence = (path: string) => `it depends on ${path}, which has changed since`;

/** Why a file stays that nobody has changed. */
type Cause = "system" | "damage";

function causeOf(failure: Failure): Cause | undefined {
  if ("errno" in failure && failure.errno === DAMAGED) return "damage";
  return isConflict(failure) ? undefined : "system";
}

/** @param cause of the operation, or of the one it depends on */
function reasonOf(failure: Failure, cause: Cause | undefined): string {
  if (failure.code === "file/changed") return dependsOnSentence(failure.path);
  if (failure.code !== "run/depends") return explain(failure);
  return cause === undefined ? dependsOnSentence(failure.path) : `it depends on ${failure.path}, which could not be restored`;
}

/** @param later operations that undo the run's later steps, last step first */
function finalPathOf(path: string, later: readonly Staged[]): string {
  return later.reduceRight((at, { operation }) => (operation.kind === "rename" && isWithin(at, operation.to) ? operation.from + at.slice(operation.to.length) : at), path);
}

/** Removes duplicates from files that the run changed in several steps. */
function withoutDuplicates(restored: readonly Restored[]): Restored[] {
  return [...new Map(restored.map((one) => [`${one.how} ${one.path}`, one])).values()];
}

function restoredBy({ operation, isMerged }: { readonly operation: Operation | LoggedOperation; readonly isMerged?: true }): Restored {
  switch (operation.kind) {
    case "rename":
      return { path: operation.to, how: "moved", from: operation.from };
    case "unlink":
    case "removeDirectory":
      return { path: operation.path, how: "removed" };
    default:
      return { path: operation.path, how: isMerged ? "merged" : "restored" };
  }
}

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
function partitionConflicts(staged: readonly Staged[], done: readonly DoneOperation[], merged: ReadonlySet<string>): Partition {
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
