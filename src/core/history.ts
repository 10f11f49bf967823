/** Past runs of a project, and results of undoing them. */
import type { LineCounts } from "./outcome.ts";

export interface PastRun {
  /** Its number for `loaf diff` and messages. Undos and redos are numbered too, so the numbers of runs have gaps. */
  readonly run: number;
  /** ISO 8601, UTC, as the clock showed then. */
  readonly started: string;
  /** `write 3 files, edit src/app.ts` */
  readonly summary: string;
  /**
   * `running`: the run, or its undo or redo, is in progress. `unfinished`: it was interrupted within a change, which
   * the next command with changes finishes. `interrupted`: it was interrupted between changes, which stay.
   */
  readonly state: "done" | "undone" | "redone" | "running" | "unfinished" | "interrupted";
  /** Set for `loaf back` and `loaf forward`, which undo leaves alone. */
  readonly isStep?: true;
  /** ID of its commit: the last one, if it was redone. Absent if it was not committed. */
  readonly commit?: string;
  /** Absent in logs of earlier versions, and if the run changed too much to count. */
  readonly lines?: LineCounts;
  /** The first words of its answer. Absent if it had none above its first block, and in logs of earlier versions. */
  readonly answer?: string;
  /** Number of its blocks that failed or could not be read. Absent if there were none. */
  readonly failed?: number;
  /** Paths of an undone run that were not restored, because they had been changed. */
  readonly kept?: readonly string[];
}

export interface History {
  /** Newest first. */
  readonly runs: readonly PastRun[];
  /** The last run dropped from the log, if any: it and older ones cannot be undone. */
  readonly droppedUpTo?: number;
  /** The last run that an older version of Loaf logged, if any: it and those before cannot be undone. */
  readonly olderUpTo?: number;
}

/** The runs to undo: one by its number, or the last ones that are not undone. */
export interface WhichRuns {
  readonly run?: number | undefined;
  /** Default: 1. */
  readonly last?: number | undefined;
}

/** The result of an undo or a redo. */
export interface Reversal {
  readonly kind: "undo" | "redo";
  /** In the order of their reversal. */
  readonly runs: readonly ReversedRun[];
  /** Number of requested runs that do not exist. */
  readonly missing: number;
  /** The run that could be undone next. */
  readonly next?: number;
  /** Other events that the user should know, as sentences. */
  readonly notices: readonly string[];
}

export interface ReversedRun {
  readonly run: number;
  readonly summary: string;
  /** Whether it counts as undone, or redone: something was taken back. */
  readonly isReversed: boolean;
  readonly restored: readonly Restored[];
  /** Paths that were not reverted. */
  readonly refused: readonly Refused[];
  /** ID of the commit that reverts the run's. Absent if none was made. */
  readonly commit?: string;
  /** The new HEAD, if the run's own commits were removed from the branch, or put back. */
  readonly head?: MovedHead;
}

export interface MovedHead {
  /** Absent if HEAD is detached. */
  readonly branch?: string;
  /** Absent if the branch has none. */
  readonly commit?: string;
}

/** A reverted path. */
export interface Restored {
  readonly path: string;
  /**
   * `removed`: the run had created it. `moved`: moved back. `kept`: a directory that the run made, but with other
   * entries in it. `merged`: without the run's changes, but with later edits. `unchanged`: it was that way already.
   */
  readonly how: "restored" | "removed" | "moved" | "kept" | "merged" | "unchanged";
  /** The path before it was moved back. */
  readonly from?: string;
}

export interface Refused {
  readonly path: string;
  /** `it has changed since`: a clause without a full stop. */
  readonly reason: string;
  /** A system error: a retry may succeed. */
  readonly mayPass?: true;
  /** The run's changes there are not known. */
  readonly isUnknown?: true;
  /** Its pre-image is damaged. */
  readonly isLost?: true;
}

export interface Recovery {
  /** False if conflicts with changes by others left something unfinished. */
  readonly isWhole: boolean;
  /** What was done, as sentences. Empty if nothing was unfinished. */
  readonly notices: readonly string[];
}
