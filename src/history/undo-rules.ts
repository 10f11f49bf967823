/**
 * Which run an undo or redo picks, as in an editor. Undo picks the newest run that is not undone. Redo picks the last
 * undone run, until a new run changes something.
 *
 * An undo is logged as a change of its own. A redo is the undo of an undo. Logs are never rewritten.
 */

/** The facts about a log that these rules need. Logs without changes are not part of history. */
export interface Logged {
  readonly sequence: number;
  readonly kind: "run" | "undo";
  /** The log that an undo reverts. */
  readonly of?: number | undefined;
}

/** Returns the runs that can be undone, in that order. */
export function undoable<Log extends Logged>(logs: readonly Log[]): Log[] {
  const undone = undoneBy(logs);
  return newestFirst(logs).filter(({ kind, sequence }) => kind === "run" && !undone.has(sequence));
}

/** Returns the undo that a redo reverts. Undefined if there is none, or a newer run exists. */
export function redoable<Log extends Logged>(logs: readonly Log[]): Log | undefined {
  const undone = undoneBy(logs);
  const runs = new Set(logs.filter(({ kind }) => kind === "run").map(({ sequence }) => sequence));
  const last = newestFirst(logs).find(({ kind, sequence, of }) => kind === "run" || (runs.has(of ?? 0) && !undone.has(sequence)));
  return last?.kind === "undo" ? last : undefined;
}

/** Returns the log that reverted each undone run, and each redone undo. */
export function undoneBy<Log extends Logged>(logs: readonly Log[]): ReadonlyMap<number, Log> {
  const by = new Map<number, Log>();
  for (const log of newestFirst(logs)) {
    if (log.kind === "undo" && log.of !== undefined && !by.has(log.sequence)) by.set(log.of, log);
  }
  return by;
}

function newestFirst<Log extends Logged>(logs: readonly Log[]): Log[] {
  return logs.toSorted((a, b) => b.sequence - a.sequence);
}
