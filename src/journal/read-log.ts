import * as fs from "node:fs";
import { dirname, join } from "node:path";
import type { State } from "../core/change-set.ts";
import type { HeadMove } from "../core/head-move.ts";
import type { Refused } from "../core/history.ts";
import { readAll } from "../disk/disk.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import {
  decodeRecord,
  type EndRecord,
  type GroupRecord,
  type LoggedOutcome,
  type LogHeader,
  type LogRecord,
  type MovedRecord,
  type PutRecord,
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
  return header && { header, groups, ...(head && { head }), ...(isUnconfined && { isUnconfined }), end };
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

/** Returns whether a crash interrupted the run: recovery will finish it or take it back. */
export function isUnfinished({ groups, end, header }: Pick<Log, "groups" | "end" | "header">): boolean {
  const last = groups.at(-1);
  if (end !== undefined || last === undefined || last.isUndone) return false;
  if (last.isRollback || (last.outcomes === undefined && !last.isDropped)) return true;
  // Recovery continues an undo that has made at least one group.
  if (header.kind === "undo" && groups.some(({ outcomes }) => outcomes !== undefined)) return true;
  return partsToTakeBack(groups).length > 0;
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

/**
 * Returns what must not stay of the last unit: all of one that was not ended, or is atomic and failed. Otherwise the
 * parts of actions that failed in another part.
 */
export function partsToTakeBack(groups: readonly LoggedGroup[]): DonePut[] {
  if (groups.at(-1)?.isUndone === true) return [];
  const unit = lastUnit(groups);
  const made = unit.flatMap(donePutsIn);
  const failed = new Set(
    unit.flatMap((group) => [...(group.failed ?? []), ...failedPuts(group).flatMap(({ authors }) => authors)]),
  );
  const isFailed = failed.size > 0 || unit.some((group) => failedPuts(group).length > 0);
  if (
    unit.findLast(({ isObserved }) => !isObserved)?.continues === true ||
    (isFailed && unit.at(-1)?.isAtomic === true)
  )
    return made;
  if (failed.size === 0) return [];
  const all = withDependents(failed, made);
  return made.filter(({ authors }) => authors.some((author) => all.has(author)));
}

/** Returns the groups of the last unit, without those of which nothing was made. */
function lastUnit(groups: readonly LoggedGroup[]): LoggedGroup[] {
  const end = groups.findLastIndex(({ isRollback }) => !isRollback) + 1;
  const start = groups.slice(0, end).findLastIndex(({ isRollback, isUndone }) => isRollback || isUndone) + 1;
  const open = groups.slice(start, end).filter(({ isDropped }) => !isDropped);
  const continues = (index: number): boolean =>
    open[index]?.isObserved ? continues(index - 1) : open[index]?.continues === true;
  let first = open.length - 1;
  while (first > 0 && continues(first - 1)) first -= 1;
  return open.slice(Math.max(first, 0));
}

function failedPuts({ puts, outcomes = [] }: LoggedGroup): PutRecord[] {
  return puts.filter((_, index) => outcomes[index]?.failure !== undefined);
}

/** A path that a run changed, with the mode that a new file was given. */
export interface DonePut extends PutRecord {
  /** Equal for the puts of one group. */
  readonly group?: unknown;
}

/** Returns what a run changed and took back, in order. Skips an interrupted group: run recovery first. */
export function donePuts(log: Pick<Log, "groups">): DonePut[] {
  return log.groups.filter(({ isDropped }) => !isDropped).flatMap(donePutsIn);
}

function donePutsIn({ puts, outcomes = [] }: Pick<LoggedGroup, "puts" | "outcomes">): DonePut[] {
  return puts.flatMap((put, index): DonePut[] => {
    const outcome = outcomes[index];
    if (outcome === undefined || outcome.failure !== undefined) return [];
    const { authors, from } = put;
    const after = withMode(put, outcome.mode);
    if (from === undefined) return after === put.after ? [put] : [{ ...put, after }];
    const done = { ...put, after, group: puts };
    return put.isRename ? [done, { type: "put", path: from, authors, before: put.after, after: null }] : [done];
  });
}

/** A file has the mode that it was written with, or that of the file it replaced. */
function withMode({ before, after }: PutRecord, written: number | undefined): State | null {
  if (after?.kind !== "file") return after;
  const mode = written ?? after.mode ?? (before?.kind === "file" ? before.mode : undefined);
  return mode === after.mode ? after : { ...after, ...(mode !== undefined && { mode }) };
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

/** The result of recovering an interrupted run. */
export interface Recovered extends Pick<LogHeader, "sequence" | "kind" | "of"> {
  /** Whether the run's changes are on the disk, or none of them. */
  readonly state: "done" | "undone";
  /** Number of changes that are on the disk. */
  readonly operations: number;
  /** Files left as they are, mostly because somebody else changed them. */
  readonly conflicts: readonly Refused[];
}

/** A change of a path, in one put or several. */
interface Dependent {
  readonly path: string;
  readonly authors: readonly number[];
  readonly before: { readonly kind: string } | null;
  readonly after: { readonly kind: string } | null;
}

/**
 * Adds the actions that depend on failed ones: those that changed the same path, made something in a directory that a
 * failed one put in the place of a file, or removed a directory that a failed one emptied.
 *
 * @param puts in order
 */
export function withDependents(failed: Iterable<number>, puts: readonly Dependent[]): ReadonlySet<number> {
  const dependents = new Map<number, Set<number>>();
  const depend = (authors: readonly number[], on: readonly number[]): void => {
    for (const author of on) {
      const known = dependents.get(author) ?? new Set();
      for (const other of authors) known.add(other);
      dependents.set(author, known);
    }
  };
  const changes = new Map<string, Dependent>();
  for (const put of puts) {
    const { before, authors } = changes.get(put.path) ?? { before: put.before, authors: [] };
    changes.set(put.path, { ...put, before, authors: [...authors, ...put.authors] });
  }
  for (const { path, authors, after } of changes.values()) {
    depend(authors, authors);
    for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
      const above = changes.get(at);
      if (above === undefined) continue;
      const [wasDirectory, isDirectory] = [above.before?.kind === "directory", above.after?.kind === "directory"];
      if (isDirectory && !wasDirectory && above.before !== null) depend(authors, above.authors);
      if (wasDirectory && !isDirectory && after === null) depend(above.authors, authors);
    }
  }
  const all = new Set(failed);
  // The loop also visits what it adds.
  for (const author of all) for (const other of dependents.get(author) ?? []) all.add(other);
  return all;
}
