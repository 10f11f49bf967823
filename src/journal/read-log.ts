import * as fs from "node:fs";
import { join } from "node:path";
import type { State } from "../core/change-set.ts";
import type { HeadMove } from "../core/head-move.ts";
import type { Refused } from "../core/history.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import {
  decodeRecord,
  type EndRecord,
  type GroupRecord,
  type PutRecord,
  type LoggedOutcome,
  type LogHeader,
  type LogRecord,
  type MovedRecord,
} from "./log-record.ts";

/** The log of one run, without its images. */
export interface Log {
  /** Its path. */
  readonly file: string;
  readonly header: LogHeader;
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
  /** The group completed a rollback, or took back the last part. */
  readonly isUndone: boolean;
  /** Actions of which what was made is to be taken back, because another part of them failed. */
  readonly takesBack?: readonly number[];
}

/**
 * Reads the complete records of a log and ignores a torn end. Returns undefined if even the header is incomplete, so
 * nothing was done. Throws a system error if it cannot be read.
 */
export function readLog(file: string): Log | undefined {
  const reader = new RecordReader(file);
  try {
    const parsed = logFrom(reader.all());
    return parsed && { file, ...parsed, length: reader.position, digest: reader.digest };
  } finally {
    reader.close();
  }
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
      const { isAtomic, continues, isRollback, isObserved } = record;
      groups.push({
        isAtomic,
        continues,
        isRollback,
        ...(isObserved && { isObserved }),
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
  return header && { header, groups, ...(head && { head }), ...(isUnconfined && { isUnconfined }), end };
}

type ReadGroup = { -readonly [Key in keyof LoggedGroup]: LoggedGroup[Key] } & { readonly puts: PutRecord[] };

function conclude(group: ReadGroup, record: LogRecord): void {
  if (record.type === "prepared") group.isPrepared = true;
  else if (record.type === "dropped") group.isDropped = true;
  else if (record.type === "undone") group.isUndone = true;
  else if (record.type === "takesBack") group.takesBack = record.authors;
  else if (record.type === "done") {
    group.outcomes = record.outcomes;
    group.continues ||= record.continues === true;
  }
}

/** Returns whether a crash interrupted the run: recovery will finish it or roll it back. */
export function isUnfinished({ groups, end, header }: Pick<Log, "groups" | "end" | "header">): boolean {
  const [before, last] = [groups.at(-2), groups.at(-1)];
  if (end !== undefined || last === undefined || last.isUndone) return false;
  if (partsToTakeBack(groups) !== undefined) return true;
  // Recovery continues an undo that has made at least one group.
  if (last.isRollback || (header.kind === "undo" && groups.some(({ outcomes }) => outcomes !== undefined))) return true;
  if (last.isDropped) return before?.continues === true && !before.isRollback;
  return (
    last.outcomes === undefined ||
    last.continues ||
    (last.isAtomic && last.outcomes.some(({ failure }) => failure !== undefined))
  );
}

/**
 * Returns the unfinished log among a project's logs, oldest first. Only the newest can be: every new run first recovers
 * the one before.
 */
export function findUnfinished<One extends Pick<Log, "groups" | "end" | "header">>(
  logs: readonly One[],
): One | undefined {
  const newest = logs.at(-1);
  return newest !== undefined && isUnfinished(newest) ? newest : undefined;
}

/** Actions that failed in part. */
export interface PartsToTakeBack {
  readonly authors: ReadonlySet<number>;
  /** What was made until that was known. */
  readonly made: readonly DonePut[];
  /** What has taken parts back already. */
  readonly takenBack: readonly DonePut[];
}

/** Returns what is left to be taken back of actions that failed in another part. Undefined if there is none. */
export function partsToTakeBack(groups: readonly LoggedGroup[]): PartsToTakeBack | undefined {
  const last = groups.findLastIndex(({ takesBack }) => takesBack !== undefined);
  const authors = groups[last]?.takesBack;
  if (authors === undefined || groups.slice(last).some(({ isUndone }) => isUndone)) return undefined;
  return {
    authors: new Set(authors),
    made: donePuts({ groups: groups.slice(0, last + 1) }),
    takenBack: donePuts({ groups: groups.slice(last + 1) }),
  };
}

/** A path that a run changed and did not roll back, with the mode that a new file was given. */
export interface DonePut extends PutRecord {
  /** Equal for the puts of one group. */
  readonly group?: unknown;
  /** The entry was renamed there. */
  readonly movesTo?: string;
}

/** Returns what a run changed, in order. Skips an interrupted group: run recovery first. */
export function donePuts(log: Pick<Log, "groups">): DonePut[] {
  const rolledBack = rolledBackGroups(log.groups);
  return log.groups.flatMap((group) => (rolledBack.has(group) ? [] : donePutsIn(group)));
}

export function donePutsIn({ puts, outcomes = [] }: Pick<LoggedGroup, "puts" | "outcomes">): DonePut[] {
  return puts.flatMap((put, index): DonePut[] => {
    const outcome = outcomes[index];
    if (outcome === undefined || outcome.failure !== undefined) return [];
    const { authors, from, path } = put;
    const after = withMode(put, outcome.mode);
    if (from === undefined) return after === put.after ? [put] : [{ ...put, after }];
    const done = { ...put, after, group: puts };
    return put.isRename
      ? [done, { type: "put", path: from, authors, before: put.after, after: null, movesTo: path }]
      : [done];
  });
}

/** A file has the mode that it was written with, or that of the file it replaced. */
function withMode({ before, after }: PutRecord, written: number | undefined): State | null {
  if (after?.kind !== "file") return after;
  const mode = written ?? after.mode ?? (before?.kind === "file" ? before.mode : undefined);
  return mode === after.mode ? after : { ...after, ...(mode !== undefined && { mode }) };
}

/** Returns groups that were dropped or rolled back, and the rollbacks themselves. */
function rolledBackGroups(groups: readonly LoggedGroup[]): ReadonlySet<LoggedGroup> {
  const taken = new Set<LoggedGroup>(groups.filter((group) => group.isRollback || group.isDropped));
  for (const [index, group] of groups.entries()) {
    if (group.isRollback && groups[index - 1]?.isRollback === false)
      for (const one of atomicUnitBefore(groups, index)) taken.add(one);
  }
  return taken;
}

/** Returns the group before a position, with the earlier groups of the same atomic unit. */
export function atomicUnitBefore(groups: readonly LoggedGroup[], position: number): LoggedGroup[] {
  let first = position - 1;
  while (first > 0 && groups[first - 1]?.continues === true && groups[first - 1]?.isRollback === false) first -= 1;
  return groups.slice(Math.max(first, 0), position);
}

/** Returns the sequences of the logs in a folder, oldest first. Empty if the folder is missing. */
export function listSequences(folder: string): number[] {
  return unlessSystemError(() => fs.readdirSync(folder), [], ["ENOENT"])
    .flatMap((name) => /^(\d+)\.log$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** Returns undefined if the header is incomplete or of an older version, or the log is gone. */
export function readHeader(file: string): LogHeader | undefined {
  const header = firstRecord(file);
  return header?.type === "header" && header.version === 3 ? header : undefined;
}

/** Returns whether an older version of Loaf wrote a log: it is kept, but cannot be undone. */
export function isOfOlderVersion(file: string): boolean {
  const header = firstRecord(file);
  return header?.type === "header" && header.version !== 3;
}

function firstRecord(file: string): LogRecord | undefined {
  if (!fs.existsSync(file)) return undefined;
  const reader = new RecordReader(file);
  try {
    return reader.next();
  } finally {
    reader.close();
  }
}

/** Returns the newest logs, or all, oldest first. Skips unreadable ones and those with an incomplete header. */
export function listLogs(folder: string, newest = Infinity): Log[] {
  return listSequences(folder)
    .slice(-newest)
    .flatMap((sequence) => {
      try {
        return readLog(logPath(folder, sequence)) ?? [];
      } catch (thrown) {
        if (thrown instanceof Error && "code" in thrown) return [];
        throw thrown;
      }
    });
}

/** Returns the size and time of a log, to detect changes. */
export function logVersion(file: string): string {
  const stats = fs.lstatSync(file, { throwIfNoEntry: false });
  return `${stats?.size} ${stats?.mtimeMs}`;
}

export function logPath(folder: string, sequence: number): string {
  return join(folder, `${sequence}.log`);
}

/** Reads records one by one, skipping images. */
class RecordReader {
  /** End of the last complete record. */
  position = 0;
  digest = "";
  readonly #file: number;
  readonly #size: number;
  #buffer = Buffer.alloc(0);
  #start = 0;

  constructor(path: string) {
    this.#file = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
    this.#size = fs.fstatSync(this.#file).size;
  }

  /** Returns undefined at the end, or at the first incomplete record. */
  next(): LogRecord | undefined {
    const line = this.#line();
    const decoded = line === undefined ? undefined : decodeRecord(line.subarray(0, -1).toString(), this.digest);
    if (line === undefined || decoded === undefined) return undefined;
    const { record, digest } = decoded;
    const next = this.position + line.length + (record.type === "image" ? record.length : 0);
    if (next > this.#size) return undefined;
    [this.position, this.digest] = [next, digest];
    return record;
  }

  *all(): Iterable<LogRecord> {
    for (let record = this.next(); record !== undefined; record = this.next()) yield record;
  }

  close(): void {
    fs.closeSync(this.#file);
  }

  /** Returns the next line, with its newline. */
  #line(): Buffer | undefined {
    for (let wanted = CHUNK; wanted <= MAX_LINE_BYTES; wanted *= 2) {
      const start = this.position - this.#start;
      const end = start <= this.#buffer.length ? this.#buffer.indexOf(NEWLINE, start) : -1;
      if (end !== -1) return this.#buffer.subarray(start, end + 1);
      if (start <= this.#buffer.length && this.#start + this.#buffer.length >= this.#size) return undefined;
      this.#fill(wanted);
    }
    return undefined;
  }

  #fill(length: number): void {
    const buffer = Buffer.allocUnsafe(Math.min(length, this.#size - this.position));
    const read = fs.readSync(this.#file, buffer, 0, buffer.length, this.position);
    this.#buffer = buffer.subarray(0, read);
    this.#start = this.position;
  }
}

const NEWLINE = 10;
const CHUNK = 64 * 2 ** 10;
const MAX_LINE_BYTES = 64 * 2 ** 20;

/** The result of recovering an interrupted run. */
export interface Recovered extends Pick<LogHeader, "sequence" | "kind" | "of"> {
  /** Whether the run's changes are on the disk, or none of them. */
  readonly state: "done" | "undone";
  /** Number of changes that are on the disk. */
  readonly operations: number;
  /** Files left as they are, mostly because somebody else changed them. */
  readonly conflicts: readonly Refused[];
}
