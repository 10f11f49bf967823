import * as fs from "node:fs";
import { join } from "node:path";
import type { HeadMove } from "../core/head-move.ts";
import { decodeRecord, type EndRecord, type GroupRecord, type IntentRecord, type LoggedOutcome, type LogHeader, type LogRecord } from "./log-record.ts";

/** The log of one run, without its images. */
export interface Log {
  /** Its path. */
  readonly file: string;
  readonly header: LogHeader;
  readonly groups: readonly LoggedGroup[];
  /** How it moved HEAD of the user's repository; `isDone` where that is sure. */
  readonly head?: HeadMove & { readonly isDone: boolean };
  /** Missing where the run was interrupted. */
  readonly end: EndRecord | undefined;
  /** Where another record can be added, in bytes: what stands behind it is torn. */
  readonly length: number;
  /** Of the last record. */
  readonly digest: string;
}

export interface LoggedGroup extends Omit<GroupRecord, "type"> {
  readonly intents: readonly IntentRecord[];
  readonly isPrepared: boolean;
  /** Of each intent, once the group is over. */
  readonly outcomes: readonly LoggedOutcome[] | undefined;
  /** Nothing of it was done. */
  readonly isDropped: boolean;
  /** With it the taking back was over. */
  readonly isUndone: boolean;
}

/**
 * Reads a log as far as it is whole: what a crash has torn at its end does not count. Undefined where not even its header is whole,
 * so that nothing was done. Throws a system error where it cannot be read.
 */
export function readLog(file: string): Log | undefined {
  const reader = new RecordReader(file);
  try {
    const told = toldBy(reader.all());
    return told && { file, ...told, length: reader.position, digest: reader.digest };
  } finally {
    reader.close();
  }
}

/** What records say, the header first. Undefined where that is missing, or of another form. */
export function toldBy(records: Iterable<LogRecord>): Omit<Log, "file" | "length" | "digest"> | undefined {
  let header: LogHeader | undefined;
  const groups: ReadGroup[] = [];
  let head: Log["head"];
  let end: EndRecord | undefined;
  for (const record of records) {
    if (header === undefined) {
      if (record.type !== "header" || record.version !== 1) return undefined;
      header = record;
      continue;
    }
    const group = groups.at(-1);
    if (record.type === "moving") head = { ...record.move, isDone: false };
    else if (record.type === "moved") head = head && { ...head, ...(record.to !== undefined && { to: record.to }), isDone: true };
    else if (record.type === "group") {
      const { number, isAtomic, goesOn, takesBack, isObserved } = record;
      groups.push({ number, isAtomic, goesOn, takesBack, ...(isObserved && { isObserved }), intents: [], isPrepared: false, outcomes: undefined, isDropped: false, isUndone: false });
    } else if (record.type === "intent") group?.intents.push(record);
    else if (record.type === "end") end = record;
    else if (group !== undefined) conclude(group, record);
  }
  // Nobody can tell what of it was written.
  for (const group of groups) if (group.isObserved && group.outcomes === undefined) group.isDropped = true;
  return header && { header, groups, ...(head && { head }), end };
}

type ReadGroup = { -readonly [Key in keyof LoggedGroup]: LoggedGroup[Key] } & { readonly intents: IntentRecord[] };

function conclude(group: ReadGroup, record: LogRecord): void {
  if (record.type === "prepared") group.isPrepared = true;
  else if (record.type === "dropped") group.isDropped = true;
  else if (record.type === "undone") group.isUndone = true;
  else if (record.type === "done") {
    group.outcomes = record.outcomes;
    group.goesOn ||= record.goesOn === true;
  }
}

/** Whether a crash has interrupted it: recovery will finish it or take it back. */
export function isUnfinished({ groups, end, header }: Pick<Log, "groups" | "end" | "header">): boolean {
  const [before, last] = [groups.at(-2), groups.at(-1)];
  if (end !== undefined || last === undefined || last.isUndone) return false;
  // An undo goes on where it was begun at all.
  if (last.takesBack || (header.kind === "undo" && groups.some(({ outcomes }) => outcomes !== undefined))) return true;
  if (last.isDropped) return before?.goesOn === true && !before.takesBack;
  return last.outcomes === undefined || last.goesOn || (last.isAtomic && last.outcomes.some(({ failure }) => failure !== undefined));
}

/** Of the logs of a project, oldest first, the one that is unfinished: whoever began a newer one has seen to those before. */
export function unfinishedOf<One extends Pick<Log, "groups" | "end" | "header">>(logs: readonly One[]): One | undefined {
  const newest = logs.at(-1);
  return newest !== undefined && isUnfinished(newest) ? newest : undefined;
}

/** The sequences of the logs in a folder, oldest first. None where the folder is missing. */
export function listSequences(folder: string): number[] {
  return namesIn(folder)
    .flatMap((name) => /^(\d+)\.log$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** Undefined where it is not whole, or the log is gone. */
export function readHeader(file: string): LogHeader | undefined {
  if (!fs.existsSync(file)) return undefined;
  const reader = new RecordReader(file);
  try {
    const header = reader.next();
    return header?.type === "header" && header.version === 1 ? header : undefined;
  } finally {
    reader.close();
  }
}

/** Oldest first. One that cannot be read is left out, and so is one of which not even the header is whole. */
export function listLogs(folder: string): Log[] {
  return listSequences(folder).flatMap((sequence) => {
    try {
      return readLog(logPath(folder, sequence)) ?? [];
    } catch (thrown) {
      if (thrown instanceof Error && "code" in thrown) return [];
      throw thrown;
    }
  });
}

/** The size and time of a log, by which a changed one is known. */
export function logVersion(file: string): string {
  const stats = fs.lstatSync(file, { throwIfNoEntry: false });
  return `${stats?.size} ${stats?.mtimeMs}`;
}

export function logPath(folder: string, sequence: number): string {
  return join(folder, `${sequence}.log`);
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw thrown;
  }
}

/** Reads one record after another, passing over images. */
class RecordReader {
  /** Behind the last whole record. */
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

  /** Undefined at the end, or at the first record that is not whole. */
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

  /** With its newline. */
  #line(): Buffer | undefined {
    for (let wanted = CHUNK; wanted <= LONGEST_LINE; wanted *= 2) {
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
const LONGEST_LINE = 64 * 2 ** 20;
