import { pathsOf } from "./groups.ts";
import type { Basis, Operation, Staged } from "../disk/operation.ts";
import type { IntentRecord, LoggedOutcome } from "./log-record.ts";
import type { Log, LoggedGroup } from "./read-log.ts";

/** An operation that a run made and did not roll back. */
export interface DoneOperation {
  readonly intent: IntentRecord;
  readonly outcome: LoggedOutcome;
}

/** Returns the operations of a run, in order. Skips those of an interrupted group: run recovery first. */
export function doneOperations(log: Log): DoneOperation[] {
  const takenBack = rolledBackGroups(log.groups);
  return log.groups.flatMap((group) => (takenBack.has(group) ? [] : doneOperationsIn(group)));
}

/**
 * Returns the operations that undo a run, last one first. Each expects the state that the run left, with mode and bytes. `commit` refuses
 * it and its dependents if the state differs.
 */
export function inverseOf(log: Log): Staged[] {
  return inverses(doneOperations(log), log.file);
}

/** @param file the log's path */
export function inverses(done: readonly DoneOperation[], file: string): Staged[] {
  const staged = done.toReversed().flatMap(({ intent, outcome }) => inverse(intent, outcome, file).map((operation) => ({ operation, authors: intent.authors })));
  const touches = new Map<string, number>();
  for (const path of staged.flatMap(({ operation }) => pathsOf(operation))) touches.set(path, (touches.get(path) ?? 0) + 1);
  // If a path changed several times, an intermediate state must not count as already restored. For a directory's removal, absence is always
  // enough.
  return staged.map((one) => ({ ...one, isRepeatable: one.operation.kind === "removeDirectory" || pathsOf(one.operation).every((path) => touches.get(path) === 1) }));
}

export function doneOperationsIn({ intents, outcomes = [] }: Pick<LoggedGroup, "intents" | "outcomes">): DoneOperation[] {
  return intents.flatMap((intent, index) => {
    const outcome = outcomes[index];
    return outcome === undefined || outcome.failure !== undefined ? [] : [{ intent, outcome }];
  });
}

/** Returns groups that were dropped or rolled back, and the rollbacks themselves. */
function rolledBackGroups(groups: readonly LoggedGroup[]): ReadonlySet<LoggedGroup> {
  const taken = new Set<LoggedGroup>(groups.filter((group) => group.isRollback || group.isDropped));
  for (const [index, group] of groups.entries()) {
    if (group.isRollback && groups[index - 1]?.isRollback === false) for (const one of atomicUnitBefore(groups, index)) taken.add(one);
  }
  return taken;
}

/** Returns the group before a position, with the earlier groups of the same atomic unit. */
export function atomicUnitBefore(groups: readonly LoggedGroup[], position: number): LoggedGroup[] {
  let first = position - 1;
  while (first > 0 && groups[first - 1]?.continues === true && groups[first - 1]?.isRollback === false) first -= 1;
  return groups.slice(Math.max(first, 0), position);
}

function inverse({ operation, before, moved, after }: IntentRecord, { mode }: LoggedOutcome, file: string): Operation[] {
  switch (operation.kind) {
    case "write":
      return [restore(operation.path, before, { kind: "file", ...(after ?? NO_CONTENT), ...(mode !== undefined && { mode }) }, file)];
    case "link":
      return [restore(operation.path, before, { kind: "link", target: operation.target }, file)];
    case "unlink":
      return [restore(operation.path, before, null, file)];
    case "rename":
      return [
        { kind: "rename", from: operation.to, to: operation.from, replaced: null, basis: moved ?? null },
        ...(before === null ? [] : [restore(operation.to, before, null, file)]),
      ];
    case "makeDirectory":
      return [{ kind: "removeDirectory", path: operation.path }];
    case "removeDirectory":
      return [restore(operation.path, before, null, file)];
  }
}

/** For a log that was tampered with: reading from it fails the digest check. */
const NO_CONTENT = { size: 0, sha256: "" };
const NO_IMAGE = { offset: 0, length: 0 };

/** @param basis the expected current state */
function restore(path: string, before: IntentRecord["before"], basis: Basis, log: string): Operation {
  if (before === null) return { kind: "unlink", path, basis };
  switch (before.kind) {
    case "file": {
      const { image = NO_IMAGE, sha256, mode, uid, gid } = before;
      const kept = { ...(mode !== undefined && { mode }), ...(uid !== undefined && gid !== undefined && { owner: { uid, gid } }) };
      return { kind: "write", path, content: { log, sha256, ...image }, basis, ...kept };
    }
    case "link":
      return { kind: "link", path, target: before.target, basis };
    case "directory":
      return { kind: "makeDirectory", path, mode: before.mode, owner: { uid: before.uid, gid: before.gid } };
  }
}
