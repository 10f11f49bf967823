/**
 * The records of a run's log. Each record is one line: a digest over all lines so far, a space, and the record as JSON.
 * The bytes of an image follow its line. The JSON keys are stored on disk and must not change.
 */
import { hash } from "node:crypto";
import type { Put, State } from "../core/change-set.ts";
import type { Failure } from "../core/failure.ts";
import type { HeadMove } from "../core/head-move.ts";
import type { LineCounts } from "../core/progress.ts";

export type LogRecord =
  | LogHeader
  | ImageRecord
  | GroupRecord
  | PutRecord
  | PreparedRecord
  | DoneRecord
  | DroppedRecord
  | UndoneRecord
  | UnconfinedRecord
  | MovingRecord
  | MovedRecord
  | EndRecord;

/** The first record. */
export interface LogHeader {
  readonly type: "header";
  /** Version of the log format. */
  readonly version: 3;
  /** Position in the order of runs. */
  readonly sequence: number;
  readonly kind: "run" | "undo" | "step";
  /** Sequence of the run that an undo reverts, or of the step whose files a step brings back. */
  readonly of?: number;
  /** A step set files of the user's aside: its log is kept until another one brings them back. */
  readonly setsAside?: true;
  /** ISO 8601. For display only, because clocks jump. */
  readonly started: string;
  /** The project's root. */
  readonly root: string;
}

/** This many bytes follow its line. */
export interface ImageRecord {
  readonly type: "image";
  readonly length: number;
}

/** Starts a change set: puts that are brought to the disk together. No path is touched twice in it. */
export interface GroupRecord {
  readonly type: "group";
  /** All of its puts are made, or none. */
  readonly isAtomic: boolean;
  /** The next group belongs to the same unit: it is separate only because it touches the same paths again. */
  readonly continues: boolean;
  /** The group takes back parts of the unit before it, or all of that. */
  readonly isRollback: boolean;
  /** Actions of the unit that have failed already, by their positions. */
  readonly failed?: readonly number[];
  /** A hook made the puts, and they were logged afterwards. Without a `done` record the group does not count. */
  readonly isObserved?: true;
}

/** One path about to be changed, with all that is needed to detect whether it was, to finish it and to undo it. */
export interface PutRecord extends Put {
  readonly type: "put";
  /** Positions of the actions that requested it. */
  readonly authors: readonly number[];
  /**
   * New state. The mode of a file may be known only once it is written. Text that replaces a file is kept, for a
   * three-way merge.
   */
  readonly after: State | null;
  /** The entry at `from` is renamed here, and nothing is left there: a put of that path too, made with the same call. */
  readonly isRename?: true;
  /** An undo wrote this content, merged with the user's edits since the run. */
  readonly isMerged?: true;
  /** Path of the new file or link until it is renamed into place. */
  readonly temporary?: string;
}

/**
 * The new files exist, everything needed to finish or roll back is on the disk, and the first put is about to be made.
 */
export interface PreparedRecord {
  readonly type: "prepared";
}

/** The group is over, with the outcome of each put. */
export interface DoneRecord {
  readonly type: "done";
  readonly outcomes: readonly LoggedOutcome[];
  /** Positions of the actions of the unit that have failed so far. */
  readonly failed?: readonly number[];
}

export interface LoggedOutcome {
  /** Permission bits of a written file. */
  readonly mode?: number;
  readonly failure?: Failure;
}

/** No put of the group was made. */
export interface DroppedRecord {
  readonly type: "dropped";
}

/** The rollback is over. Files that were not restored have been changed by others. */
export interface UndoneRecord {
  readonly type: "undone";
}

/** A command is about to run without a sandbox, on the files themselves. What it changes is unknown. */
export interface UnconfinedRecord {
  readonly type: "unconfined";
}

/** HEAD of the user's repository is about to move. */
export interface MovingRecord {
  readonly type: "moving";
  readonly move: HeadMove;
}

/** HEAD has moved. */
export interface MovedRecord {
  readonly type: "moved";
  /** The new commit, if it was not known before. */
  readonly to?: string;
  /** It has the user's own changes: the run's could not be committed. */
  readonly isOnlyBefore?: true;
}

/** The run is over. */
export interface EndRecord {
  readonly type: "end";
  /** What the run did, for display: `write 3 files, edit src/app.ts`. */
  readonly summary?: string | undefined;
  /** Hashes of the blocks whose edits succeeded. They identify an answer that was run before. */
  readonly edits?: readonly string[];
  /** Paths that an undo left alone. */
  readonly kept?: readonly string[];
  /** Lines that the run added and removed, for display. */
  readonly lines?: LineCounts | undefined;
  /** The first words of its answer, for display. */
  readonly answer?: string | undefined;
  /** Number of blocks that failed or could not be read, for display. */
  readonly failed?: number | undefined;
  /** Milliseconds, by a monotonic clock. */
  readonly duration: number;
}

/** @param digest of the record before, "" for the first: a remainder of an older record cannot pass for the next one */
export function encodeRecord(record: LogRecord, digest: string): { readonly line: Buffer; readonly digest: string } {
  const text = JSON.stringify(record);
  const next = digestOf(text, digest);
  return { line: Buffer.from(`${next} ${text}\n`), digest: next };
}

/** Returns undefined for an incomplete or damaged line. */
export function decodeRecord(
  line: string,
  digest: string,
): { readonly record: LogRecord; readonly digest: string } | undefined {
  const [next, text] = [line.slice(0, DIGEST_LENGTH), line.slice(DIGEST_LENGTH + 1)];
  if (line[DIGEST_LENGTH] !== " " || next !== digestOf(text, digest)) return undefined;
  return { record: JSON.parse(text) as LogRecord, digest: next };
}

const DIGEST_LENGTH = 16;

function digestOf(text: string, before: string): string {
  return hash("sha256", before + text, "hex").slice(0, DIGEST_LENGTH);
}
