import type { IntentRecord, LoggedOutcome } from "./log-record.ts";
import type { Basis, Operation, Staged } from "../disk/operation.ts";
import type { Log, LoggedGroup } from "./read-log.ts";
import { pathsOf } from "./split-groups.ts";

/** An operation that a run has made, and that stands. */
export interface DoneOperation {
  readonly intent: IntentRecord;
  readonly outcome: LoggedOutcome;
}

/** What a run has done, in its order. Of a run that was interrupted, what is not told by its log yet is left out: recovery comes first. */
export function doneOperations(log: Log): DoneOperation[] {
  const takenBack = takenBackGroups(log.groups);
  return log.groups.flatMap((group) => (takenBack.has(group) ? [] : doneIn(group)));
}

/**
 * The operations that take back what a run has done, the last one first. Each expects what the run has left at its path, with mode and
 * bytes; a `commit` refuses it where something else stands there, and with it what depends on it.
 */
export function inverseOf(log: Log): Staged[] {
  return inverses(doneOperations(log), log.file);
}

/** @param file the log's */
export function inverses(done: readonly DoneOperation[], file: string): Staged[] {
  const staged = done.toReversed().flatMap(({ intent, outcome }) => inverse(intent, outcome, file).map((operation) => ({ operation, authors: intent.authors })));
  const touches = new Map<string, number>();
  for (const path of staged.flatMap(({ operation }) => pathsOf(operation))) touches.set(path, (touches.get(path) ?? 0) + 1);
  // Of a path that was changed several times, what an operation on the way leads to is no state that anybody had before the run; that a directory is gone is all that
  // its removal is for.
  return staged.map((one) => ({ ...one, isRepeatable: one.operation.kind === "removeDirectory" || pathsOf(one.operation).every((path) => touches.get(path) === 1) }));
}

export function doneIn({ intents, outcomes = [] }: Pick<LoggedGroup, "intents" | "outcomes">): DoneOperation[] {
  return intents.flatMap((intent, index) => {
    const outcome = outcomes[index];
    return outcome === undefined || outcome.failure !== undefined ? [] : [{ intent, outcome }];
  });
}

/** The groups of which nothing stands, and those that took them back. */
function takenBackGroups(groups: readonly LoggedGroup[]): ReadonlySet<LoggedGroup> {
  const taken = new Set<LoggedGroup>(groups.filter((group) => group.takesBack || group.isDropped));
  for (const [index, group] of groups.entries()) {
    if (group.takesBack && groups[index - 1]?.takesBack === false) for (const one of wholeBefore(groups, index)) taken.add(one);
  }
  return taken;
}

/** The group before a position, and those before it that belong together with it. */
export function wholeBefore(groups: readonly LoggedGroup[], position: number): LoggedGroup[] {
  let first = position - 1;
  while (first > 0 && groups[first - 1]?.goesOn === true && groups[first - 1]?.takesBack === false) first -= 1;
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

/** Of a log that somebody has changed: what is taken from it is refused. */
const NO_CONTENT = { size: 0, sha256: "" };
const NO_IMAGE = { offset: 0, length: 0 };

/** @param basis what stands there */
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
