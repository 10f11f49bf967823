import { explain } from "../core/explain.ts";
import type { Failure } from "../core/failure.ts";
import type { Refused, Restored } from "../core/history.ts";
import { type Entry, isConflict, isKeptInUse } from "./attempts.ts";
import { setAsideChanged } from "./changed-since.ts";
import { DAMAGED } from "../disk/images.ts";
import { type DoneOperation, doneOperations } from "./inverse.ts";
import type { LoggedOperation } from "./log-record.ts";
import { mergeEdits } from "./merge-edits.ts";
import { withMissingFolders } from "./missing-folders.ts";
import { netChanges } from "./net-changes.ts";
import type { Log } from "./read-log.ts";
import { operationKey, pathsOf } from "./split-groups.ts";
import type { Operation, Staged } from "../disk/operation.ts";
import { isWithin } from "../paths/path-segments.ts";
import type { Pins } from "../disk/pin.ts";

export interface UndoOptions {
  readonly pins: Pins;
  /** The log of an undo of it that was interrupted: what that has done is not done again, and all else is tried again. */
  readonly begun?: Log;
  /** Brings operations to the disk, and yields what came of each. */
  readonly commit: (staged: readonly Staged[]) => Promise<ReadonlyArray<{ readonly failure?: Failure }>>;
}

export interface Undone {
  readonly restored: readonly Restored[];
  readonly refused: readonly Refused[];
}

/**
 * Takes back what a log says was done. Merges text files edited since; skips those where the edits conflict, all other files changed since, and what
 * depends on them. Throws what `commit` throws.
 */
export async function undoLog(log: Log, { pins, begun, commit }: UndoOptions): Promise<Undone> {
  const done = doneOperations(log);
  const undone = begun === undefined ? [] : doneOperations(begun);
  const { staged: all, paths: merged } = mergeEdits(log, undone);
  const { staged: possible, changed, barred } = setAsideChanged(without(all, undone), [...done, ...undone], merged);
  const staged = withMissingFolders(possible, pins);
  const outcomes = await commit(staged);
  // A step on the way that what was changed has cut off is nobody's concern where the run left nothing there.
  const concerned = new Set(netChanges(done).flatMap(({ path, movedFrom }) => (movedFrom === undefined ? [path] : [path, movedFrom])));
  const cutOff = [...barred].filter(([path]) => !changed.has(path) && concerned.has(path)).map(([path, cause]) => ({ path, reason: hangsOn(cause) }));
  return tellUndone(staged, outcomes, { file: log.file, concerned, leftAt: (path, one) => leftAt(path, all.slice(0, Math.max(0, all.indexOf(one)))), setAside: [...[...changed].map((path) => ({ path, reason: CHANGED })), ...cutOff] });
}

/** What of a log could not be taken back, as all or nothing is. */
export function refusalsOf(failed: readonly Entry[], file: string): readonly Refused[] {
  return tellUndone(failed, failed, { file, concerned: new Set(failed.flatMap(({ operation }) => pathsOf(operation))) }).refused;
}

interface Telling {
  /** The log that is taken back. */
  readonly file: string;
  /** Paths that are told of also where they only hang on others. */
  readonly concerned: ReadonlySet<string>;
  /** Where a path of an operation was in the end, when the run was over. */
  readonly leftAt?: (path: string, one: Staged) => string;
  /** What was refused before. */
  readonly setAside?: readonly Refused[];
}

/** What came of operations that take something back. */
function tellUndone(staged: readonly Staged[], outcomes: ReadonlyArray<{ readonly failure?: Failure }>, { file, concerned, leftAt: toEnd = (path) => path, setAside = [] }: Telling): Undone {
  const restored: Restored[] = [];
  const refused = new Map(setAside.map((one): [string, Refused] => [one.path, one]));
  const causes = new Map<string, Cause>();
  for (const [index, one] of staged.entries()) {
    const { operation } = one;
    const failure = outcomes[index]?.failure;
    if (failure === undefined || isKeptInUse(operation, failure)) {
      restored.push(failure === undefined ? restoredBy(one) : { path: pathOf(operation), how: "kept" });
      continue;
    }
    const isCutOff = failure.code === "run/depends";
    const path = operation.kind === "rename" && isCutOff && concerned.has(operation.to) ? operation.to : toEnd(pathOf(operation), one);
    const cause = isCutOff ? causes.get(failure.path) : causeOf(failure);
    if (cause !== undefined) for (const at of pathsOf(operation)) causes.set(at, cause);
    if (refused.has(path) || (isCutOff && !concerned.has(path))) continue;
    const isOwn = failure.code === "file/changed" && failure.path === pathOf(operation);
    const reason = isOwn ? CHANGED : cause === "damage" && !isCutOff ? `what ${file} keeps of it is damaged` : reasonOf(failure, cause);
    refused.set(path, { path, reason, ...(cause === "system" && { mayPass: true }), ...(cause === "damage" && { isLost: true }) });
  }
  return { restored: toldOnce(restored), refused: [...refused.values()] };
}

/** What an undo has restored, as its log tells. */
export function restoredIn(undo: Log): Restored[] {
  return toldOnce(doneOperations(undo).map(({ intent }) => restoredBy(intent)));
}

/** An undo keeps to its order: of operations that are alike, the first ones are done. */
function without(staged: readonly Staged[], done: readonly DoneOperation[]): Staged[] {
  const counts = new Map<string, number>();
  for (const { intent } of done) counts.set(operationKey(intent.operation), (counts.get(operationKey(intent.operation)) ?? 0) + 1);
  return staged.filter(({ operation }) => {
    const left = counts.get(operationKey(operation)) ?? 0;
    counts.set(operationKey(operation), left - 1);
    return left <= 0;
  });
}

/** Where what an operation is about stands now. */
function pathOf(operation: Operation): string {
  return operation.kind === "rename" ? operation.from : operation.path;
}

const CHANGED = "it was changed since";
const hangsOn = (path: string) => `it hangs on ${path}, which was changed since`;

/** Why something stays that nobody has changed. */
type Cause = "system" | "damage";

function causeOf(failure: Failure): Cause | undefined {
  if ("errno" in failure && failure.errno === DAMAGED) return "damage";
  return isConflict(failure) ? undefined : "system";
}

/** @param cause also of what it hangs on */
function reasonOf(failure: Failure, cause: Cause | undefined): string {
  if (failure.code === "file/changed") return hangsOn(failure.path);
  if (failure.code !== "run/depends") return explain(failure);
  return cause === undefined ? hangsOn(failure.path) : `it hangs on ${failure.path}, which could not be taken back`;
}

/** @param later what takes back what the run did after that, the last first */
function leftAt(path: string, later: readonly Staged[]): string {
  return later.reduceRight((at, { operation }) => (operation.kind === "rename" && isWithin(at, operation.to) ? operation.from + at.slice(operation.to.length) : at), path);
}

/** What the run changed in several steps. */
function toldOnce(restored: readonly Restored[]): Restored[] {
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
