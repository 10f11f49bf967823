/** What is told of a project's past runs, and of taking them back. */

/** A run as the log has it. */
export interface PastRun {
  /** Its number, by which `loaf diff` and messages name it. Undoing and redoing count as well, so numbers are left out. */
  readonly run: number;
  /** ISO 8601, UTC, by the clock of that time. */
  readonly started: string;
  /** What it did: `write 3 files, edit src/app.ts`. */
  readonly summary: string;
  /** `unfinished`: it, or an undo or redo of it, is going on, or was interrupted, and the next command that changes something finishes it. */
  readonly state: "done" | "undone" | "redone" | "unfinished";
  /** Paths of an undone run that were not taken back, since they had been changed. */
  readonly kept?: readonly string[];
}

export interface History {
  /** Newest first. */
  readonly runs: readonly PastRun[];
  /** The last run that was dropped from the log, where some were: what is older cannot be undone. */
  readonly droppedUpTo?: number;
}

/** What an undo or a redo did. */
export interface Reversal {
  readonly kind: "undo" | "redo";
  /** In the order in which they were taken back, or brought back. */
  readonly runs: readonly ReversedRun[];
  /** How many runs less there were than it was asked for. */
  readonly missing: number;
  /** What happened besides and the user should know. Sentences. */
  readonly notices: readonly string[];
}

export interface ReversedRun {
  readonly run: number;
  readonly summary: string;
  readonly restored: readonly Restored[];
  /** What stays as it is. */
  readonly refused: readonly Refused[];
  /** The name of the commit that reverts the run's; absent where none was added. */
  readonly commit?: string;
  /** Where HEAD is now, if the run's own commits were taken off the branch, or put back on it. */
  readonly head?: MovedHead;
}

export interface MovedHead {
  /** Absent where HEAD is detached. */
  readonly branch?: string;
  /** Absent where the branch has none. */
  readonly commit?: string;
}

/** A path at which there is again what there was. */
export interface Restored {
  readonly path: string;
  /** `removed`: nothing was there. `moved`: it is back from elsewhere. `kept`: a directory that the run made, but not all that is in it. `merged`: without the run's changes, but with what was edited since. */
  readonly how: "restored" | "removed" | "moved" | "kept" | "merged";
  /** Where it was moved from. */
  readonly from?: string;
}

export interface Refused {
  readonly path: string;
  /** `it was changed since`: a clause without a full stop. */
  readonly reason: string;
  /** The system refused, and may not the next time. */
  readonly mayPass?: true;
  /** Nobody knows what the run did there. */
  readonly isUnknown?: true;
  /** What is kept of it is damaged. */
  readonly isLost?: true;
}

export interface Recovery {
  /** Nothing is left unfinished: false where something had been changed by somebody else, and stays as it is. */
  readonly isWhole: boolean;
  /** What was done, in sentences; none where nothing was unfinished. */
  readonly notices: readonly string[];
}
