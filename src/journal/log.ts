/**
 * The log of a run: its records, and what they say when they are read.
 *
 * Each record is one line: a digest over all lines so far, a space, and the record as JSON. The bytes of an image
 * follow its line. The JSON keys are stored on disk and must not change.
 */
import { hash } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import type { Put, State } from "../core/change-set.ts";
import type { Failure } from "../core/failure.ts";
import type { HeadMove } from "../core/head-move.ts";
import type { LineCounts } from "../core/outcome.ts";
import { readAll } from "../disk/disk.ts";
import { unlessSystemError } from "../disk/system-error.ts";

export type LogRecord =
  LogHeader | ImageRecord | GroupRecord | PutRecord | DoneRecord | MarkRecord | MovingRecord | MovedRecord | EndRecord;

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

export interface MarkRecord {
  readonly type:
    /** All that is needed to finish or roll back is on the disk, and the first put is about to be made. */
    | "prepared"
    /** No put of the group was made. */
    | "dropped"
    /** The rollback is over. Files that were not restored have been changed by others. */
    | "undone"
    /** A command is about to run without a sandbox, on the files themselves. What it changes is unknown. */
    | "unconfined";
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
function decodeRecord(
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

/** The log of one run, without its images. */
export interface Log extends Omit<LogHeader, "type" | "version"> {
  /** Its path. */
  readonly file: string;
  readonly groups: readonly LoggedGroup[];
  /** The move of HEAD in the user's repository. `isDone` if it certainly happened. */
  readonly head?: HeadMove & { readonly isDone: boolean } & Pick<MovedRecord, "isOnlyBefore">;
  /** A command of the run worked on the files themselves. */
  readonly isUnconfined?: true;
  /** Missing if the run was interrupted. */
  readonly end: EndRecord | undefined;
  /** Offset in bytes where the next record goes. Anything after it is torn. */
  readonly length: number;
  /** Digest of the last record. */
  readonly digest: string;
}

export interface LoggedGroup extends Omit<GroupRecord, "type"> {
  readonly puts: readonly PutRecord[];
  readonly isPrepared: boolean;
  /** One for each put, once the group is over. */
  readonly outcomes: readonly LoggedOutcome[] | undefined;
  /** No put was made. */
  readonly isDropped: boolean;
  /** The group completed a rollback. */
  readonly isUndone: boolean;
}

/**
 * Reads the complete records of a log and ignores a torn end. Returns undefined if even the header is incomplete, so
 * nothing was done. Throws a system error if it cannot be read.
 */
export function readLog(file: string): Log | undefined {
  const records = [...recordsIn(file)];
  const facts = logFrom(records.map(({ record }) => record));
  return facts && { file, ...facts, length: records.at(-1)?.end ?? 0, digest: records.at(-1)?.digest ?? "" };
}

/** Builds a log from records. Returns undefined if the header is missing or has another version. */
export function logFrom(records: Iterable<LogRecord>): Omit<Log, "file" | "length" | "digest"> | undefined {
  let header: LogHeader | undefined;
  const groups: ReadGroup[] = [];
  let head: Log["head"];
  let isUnconfined = false;
  let end: EndRecord | undefined;
  for (const record of records) {
    if (header === undefined) {
      if (record.type !== "header" || record.version !== 3) return undefined;
      header = record;
      continue;
    }
    const group = groups.at(-1);
    if (record.type === "moving") head = { ...record.move, isDone: false };
    else if (record.type === "moved") {
      const { to, isOnlyBefore } = record;
      head = head && { ...head, ...(to !== undefined && { to }), ...(isOnlyBefore && { isOnlyBefore }), isDone: true };
    } else if (record.type === "unconfined") isUnconfined = true;
    else if (record.type === "group") {
      const { type: _, ...group } = record;
      groups.push({
        ...group,
        puts: [],
        isPrepared: false,
        outcomes: undefined,
        isDropped: false,
        isUndone: false,
      });
    } else if (record.type === "put") group?.puts.push(record);
    else if (record.type === "end") end = record;
    else if (group !== undefined) conclude(group, record);
  }
  // Without its `done` record, an observed group is incomplete.
  for (const group of groups) if (group.isObserved && group.outcomes === undefined) group.isDropped = true;
  return header && { ...header, groups, ...(head && { head }), ...(isUnconfined && { isUnconfined }), end };
}

type ReadGroup = { -readonly [Key in keyof LoggedGroup]: LoggedGroup[Key] } & { readonly puts: PutRecord[] };

function conclude(group: ReadGroup, record: LogRecord): void {
  if (record.type === "prepared") group.isPrepared = true;
  else if (record.type === "dropped") group.isDropped = true;
  else if (record.type === "undone") group.isUndone = true;
  else if (record.type === "done") {
    group.outcomes = record.outcomes;
    if (record.failed !== undefined) group.failed = record.failed;
  }
}

/** Returns the sequences of the logs in a folder, oldest first. Empty if the folder is missing. */
export function listSequences(folder: string): number[] {
  return unlessSystemError(() => fs.readdirSync(folder), [], ["ENOENT"])
    .flatMap((name) => /^(\d+)\.log$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** Returns the sequence of the newest log in a folder; 0 if there is none. */
export function newestSequence(folder: string): number {
  return listSequences(folder).at(-1) ?? 0;
}

/** Returns undefined if the header is incomplete or of an older version, or the log is gone. */
export function readLogHeader(file: string): LogHeader | undefined {
  const header = firstRecord(file);
  return header?.type === "header" && header.version === 3 ? header : undefined;
}

/** Returns whether an older version of Loaf wrote a log: it is kept, but cannot be undone. */
export function isOfOlderVersion(file: string): boolean {
  const header = firstRecord(file);
  return header?.type === "header" && header.version !== 3;
}

function firstRecord(file: string): LogRecord | undefined {
  if (fs.existsSync(file)) for (const { record } of recordsIn(file)) return record;
  return undefined;
}

/** Returns the newest logs, or all, oldest first. Skips unreadable ones and those with an incomplete header. */
export function listLogs(folder: string, newest = Infinity): Log[] {
  return listSequences(folder)
    .slice(-newest)
    .flatMap((sequence) => unlessSystemError(() => readLog(logPath(folder, sequence)), undefined) ?? []);
}

export function logPath(folder: string, sequence: number): string {
  return join(folder, `${sequence}.log`);
}

/** Yields the complete records of a log, with the digest and the offset after each. Skips the bytes of images. */
export function* recordsIn(
  path: string,
): Generator<{ readonly record: LogRecord; readonly digest: string; readonly end: number }> {
  const file = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
  try {
    const { size } = fs.fstatSync(file);
    let [digest, end] = ["", 0];
    let buffer: Buffer = Buffer.alloc(0);
    let start = 0;
    for (;;) {
      let newline = buffer.indexOf(NEWLINE, end - start);
      for (let most = CHUNK; newline === -1 && start + buffer.length < size && most <= MAX_LINE_BYTES; most *= 2) {
        [buffer, start] = [readAll(file, Math.min(most, size - end), end), end];
        newline = buffer.indexOf(NEWLINE);
      }
      const line = newline === -1 ? "" : buffer.toString("utf8", end - start, newline);
      const decoded = decodeRecord(line, digest);
      if (decoded === undefined) return;
      const { record } = decoded;
      const next = start + newline + 1 + (record.type === "image" ? record.length : 0);
      if (next > size) return;
      [digest, end] = [decoded.digest, next];
      yield { record, digest, end };
    }
  } finally {
    fs.closeSync(file);
  }
}

const NEWLINE = 10;
const CHUNK = 64 * 2 ** 10;
const MAX_LINE_BYTES = 64 * 2 ** 20;
