import { explain } from "../../core/explain.ts";
import type { Failure } from "../../core/failure.ts";
import type { Refused, Restored } from "../../core/history.ts";
import { isConflict } from "./attempts.ts";
import { setAsideChanged } from "./changed-since.ts";
import { type DoneOperation, doneOperations, inverseOf } from "./inverse.ts";
import type { LoggedOperation } from "./log-record.ts";
import { withMissingFolders } from "./missing-folders.ts";
import { netChanges } from "./net-changes.ts";
import type { Log } from "./read-log.ts";
import { pathsOf } from "./split-groups.ts";
import type { Operation, Staged } from "../volume/operation.ts";
import type { Pins } from "../volume/pin.ts";

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

/** Takes back what a log says was done. What was changed since stays, and what hangs on it. Throws what `commit` throws. */
export async function undoLog(log: Log, { pins, begun, commit }: UndoOptions): Promise<Undone> {
  const done = doneOperations(log);
  const undone = begun === undefined ? [] : doneOperations(begun);
  const { staged: possible, changed, barred } = setAsideChanged(without(inverseOf(log), undone), [...done, ...undone]);
  const staged = withMissingFolders(possible, pins);
  const outcomes = await commit(staged);
  // A step on the way that what was changed has cut off is nobody's concern where the run left nothing there.
  const concerned = new Set(netChanges(done).flatMap(({ path, movedFrom }) => (movedFrom === undefined ? [path] : [path, movedFrom])));
  const restored: Restored[] = [];
  const refused = new Map<string, Refused>();
  // Where the system has refused something.
  const troubled = new Set<string>();
  for (const path of changed) refused.set(path, { path, reason: CHANGED });
  for (const [path, cause] of barred) if (!changed.has(path) && concerned.has(path)) refused.set(path, { path, reason: hangsOn(cause) });
  for (const [index, { operation }] of staged.entries()) {
    const failure = outcomes[index]?.failure;
    if (failure === undefined || isKept(operation, failure)) {
      restored.push(failure === undefined ? restoredBy(operation) : { path: pathOf(operation), how: "kept" });
    } else {
      const isCutOff = failure.code === "run/depends";
      const path = operation.kind === "rename" && isCutOff && concerned.has(operation.to) ? operation.to : pathOf(operation);
      if (!isConflict(failure)) for (const one of pathsOf(operation)) troubled.add(one);
      const mayPass = !isConflict(failure) || (isCutOff && troubled.has(failure.path));
      if (!refused.has(path) && (!isCutOff || concerned.has(path))) refused.set(path, { path, reason: reasonOf(failure, path, mayPass), ...(mayPass && { mayPass }) });
    }
  }
  return { restored: toldOnce(restored), refused: [...refused.values()] };
}

/** What an undo has restored, as its log tells. */
export function restoredIn(undo: Log): Restored[] {
  return toldOnce(doneOperations(undo).map(({ intent }) => restoredBy(intent.operation)));
}

/** An undo keeps to its order: of operations that are alike, the first ones are done. */
function without(staged: readonly Staged[], done: readonly DoneOperation[]): Staged[] {
  const counts = new Map<string, number>();
  for (const { intent } of done) counts.set(keyOf(intent.operation), (counts.get(keyOf(intent.operation)) ?? 0) + 1);
  return staged.filter(({ operation }) => {
    const left = counts.get(keyOf(operation)) ?? 0;
    counts.set(keyOf(operation), left - 1);
    return left <= 0;
  });
}

function keyOf(operation: Operation | LoggedOperation): string {
  return [operation.kind, ...pathsOf(operation)].join("\0");
}

/** Where what an operation is about stands now. */
function pathOf(operation: Operation): string {
  return operation.kind === "rename" ? operation.from : operation.path;
}

/** A directory that the run made, and that holds what others have put there. */
function isKept({ kind }: Operation, failure: Failure): boolean {
  return kind === "removeDirectory" && "errno" in failure && failure.errno === "ENOTEMPTY";
}

const CHANGED = "it was changed since";
const hangsOn = (path: string) => `it hangs on ${path}, which was changed since`;

/** @param mayPass whether what hangs on something does so on what the system refused */
function reasonOf(failure: Failure, path: string, mayPass: boolean): string {
  if (failure.code === "file/changed") return failure.path === path ? CHANGED : hangsOn(failure.path);
  if (failure.code !== "run/depends") return explain(failure);
  return mayPass ? `it hangs on ${failure.path}, which could not be taken back` : hangsOn(failure.path);
}

/** What the run changed in several steps. */
function toldOnce(restored: readonly Restored[]): Restored[] {
  return [...new Map(restored.map((one) => [`${one.how} ${one.path}`, one])).values()];
}

function restoredBy(operation: Operation | LoggedOperation): Restored {
  switch (operation.kind) {
    case "rename":
      return { path: operation.to, how: "moved", from: operation.from };
    case "unlink":
    case "removeDirectory":
      return { path: operation.path, how: "removed" };
    default:
      return { path: operation.path, how: "restored" };
  }
}
