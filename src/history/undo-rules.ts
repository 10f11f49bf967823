/**
 * Which run an undo takes and which a redo, as in an editor: undo takes the newest run that still stands; redo brings back the one
 * that was undone last, until a new run changes something.
 *
 * An undo is in the log as a change of its own, and so is a redo, which is the undo of an undo. Nothing in a log is ever rewritten.
 */

/** What there is to know of a log. Those in which nothing was changed are no part of history. */
export interface Logged {
  readonly sequence: number;
  readonly kind: "run" | "undo";
  /** What an undo has taken back. */
  readonly of?: number | undefined;
}

/** The runs that an undo takes, in its order. */
export function undoable<Log extends Logged>(logs: readonly Log[]): Log[] {
  const undone = undoneBy(logs);
  return newestFirst(logs).filter(({ kind, sequence }) => kind === "run" && !undone.has(sequence));
}

/** The undo that a redo takes back, or undefined where there is none, or a run has come after all of them. */
export function redoable<Log extends Logged>(logs: readonly Log[]): Log | undefined {
  const undone = undoneBy(logs);
  const runs = new Set(logs.filter(({ kind }) => kind === "run").map(({ sequence }) => sequence));
  const last = newestFirst(logs).find(({ kind, sequence, of }) => kind === "run" || (runs.has(of ?? 0) && !undone.has(sequence)));
  return last?.kind === "undo" ? last : undefined;
}

/** For each run that does not stand what took it back, and for each undo that does not what brought it back. */
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
