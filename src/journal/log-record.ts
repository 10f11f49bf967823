/**
 * What stands in the log of a run, as data. A log is a list of records, each a line: the digest of all lines up to and with this one,
 * a space, and the record as JSON. The bytes of an image follow its line.
 */
import { hash } from "node:crypto";
import type { Failure } from "../core/failure.ts";
import type { HeadMove } from "../core/head-move.ts";
import type { Content, ImagePlace, Owner, State } from "../disk/operation.ts";

export type LogRecord = LogHeader | ImageRecord | GroupRecord | IntentRecord | PreparedRecord | DoneRecord | DroppedRecord | UndoneRecord | MovingRecord | MovedRecord | EndRecord;

/** The first record. */
export interface LogHeader {
  readonly type: "header";
  /** Of the form of the log. */
  readonly version: 1;
  /** The order of runs. */
  readonly sequence: number;
  readonly kind: "run" | "undo";
  /** The sequence of the run that an undo takes back. */
  readonly of?: number;
  /** ISO 8601. For show only: clocks jump. */
  readonly started: string;
  /** The project's. */
  readonly root: string;
  readonly transaction: "keep" | "all-or-nothing";
}

/** As many bytes follow its line. */
export interface ImageRecord {
  readonly type: "image";
  readonly length: number;
}

/** Operations follow that are brought to the disk together; no two of them touch one path. */
export interface GroupRecord {
  readonly type: "group";
  /** Which one it is of the groups that are brought to the disk together. */
  readonly number: number;
  /** All of it is done or nothing. */
  readonly isAtomic: boolean;
  /** The next group belongs to it: only the paths are touched again. */
  readonly goesOn: boolean;
  /** It takes back the group before, with all that belong together with that. */
  readonly takesBack: boolean;
  /** A hook has made the operations, and all of this was written afterwards: without its `done` it does not count. */
  readonly isObserved?: true;
}

/** An operation that is going to be made, and all that it takes to find out later whether it was, to finish it and to take it back. */
export interface IntentRecord {
  readonly type: "intent";
  readonly operation: LoggedOperation;
  /** Positions of the actions that it is for. */
  readonly authors: readonly number[];
  /** What stands at its path, or where a rename leads to. Of a file it keeps the bytes. */
  readonly before: State | null;
  /** What a rename moves. */
  readonly moved?: State;
  /** The version of what was in a directory when it was copied to another file system. */
  readonly entries?: string;
  /** A file's content to be; its mode is only known once it is made. Of text that replaces a file it keeps the bytes, for a three-way merge. */
  readonly after?: Content & { readonly image?: ImagePlace };
  /** It is an undo's, and the content keeps the user's edits since the run. */
  readonly isMerged?: true;
  /** Where the new file, link or copy waits. */
  readonly temporary?: string;
  /** Where what moves to another file system waits to be removed. */
  readonly aside?: string;
}

export type LoggedOperation =
  | { readonly kind: "write"; readonly path: string }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  | { readonly kind: "unlink"; readonly path: string }
  | { readonly kind: "rename"; readonly from: string; readonly to: string }
  | { readonly kind: "makeDirectory"; readonly path: string; readonly mode?: number; readonly owner?: Owner }
  | { readonly kind: "removeDirectory"; readonly path: string };

/** The group's new files wait, all that it takes to go on or back is safe on the disk, and the first operation is about to be made. */
export interface PreparedRecord {
  readonly type: "prepared";
}

/** The group is over, and what came of each of its operations. */
export interface DoneRecord {
  readonly type: "done";
  readonly outcomes: readonly LoggedOutcome[];
  /** The next group belongs to it, though that was not known at its beginning. */
  readonly goesOn?: boolean;
}

export interface LoggedOutcome {
  /** Permission bits of a file that was written. */
  readonly mode?: number;
  readonly failure?: Failure;
}

/** Nothing of the group was done. */
export interface DroppedRecord {
  readonly type: "dropped";
}

/** The taking back is over: what could not be taken back, others have changed. */
export interface UndoneRecord {
  readonly type: "undone";
}

/** HEAD of the user's repository is about to be moved. */
export interface MovingRecord {
  readonly type: "moving";
  readonly move: HeadMove;
}

/** It has been moved. */
export interface MovedRecord {
  readonly type: "moved";
  /** To this commit, which need not have been known before. */
  readonly to?: string;
}

/** The run is over. */
export interface EndRecord {
  readonly type: "end";
  /** What the run did, for people: `write 3 files, edit src/app.ts`. */
  readonly summary?: string;
  /** Hashes of the blocks whose edits succeeded: by them an answer is known that was run before. */
  readonly edits?: readonly string[];
  /** Paths that an undo left alone. */
  readonly kept?: readonly string[];
  /** Milliseconds by a clock that does not jump. */
  readonly duration: number;
}

/** @param digest of the record before, "" for the first: so what is left of an older record cannot pass for the next one */
export function encodeRecord(record: LogRecord, digest: string): { readonly line: Buffer; readonly digest: string } {
  const text = JSON.stringify(record);
  const next = digestOf(text, digest);
  return { line: Buffer.from(`${next} ${text}\n`), digest: next };
}

/** Undefined for a line that is not whole. */
export function decodeRecord(line: string, digest: string): { readonly record: LogRecord; readonly digest: string } | undefined {
  const [next, text] = [line.slice(0, DIGEST_LENGTH), line.slice(DIGEST_LENGTH + 1)];
  if (line[DIGEST_LENGTH] !== " " || next !== digestOf(text, digest)) return undefined;
  return { record: JSON.parse(text) as LogRecord, digest: next };
}

const DIGEST_LENGTH = 16;

function digestOf(text: string, before: string): string {
  return hash("sha256", before + text, "hex").slice(0, DIGEST_LENGTH);
}
