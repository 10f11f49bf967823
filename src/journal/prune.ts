import * as fs from "node:fs";
import { tryOr } from "../core/errors.ts";
import { attempt } from "../disk/system-error.ts";
import type { LogHeader } from "./log-record.ts";
import { listSequences, logPath, readHeader } from "./read-log.ts";

export interface Bounds {
  /** In days. */
  readonly max_age: number;
  /** Total size of all logs, in bytes. */
  readonly max_size: number;
}

export interface Dropped {
  /** Sequences of runs that can no longer be undone, oldest first. */
  readonly runs: readonly number[];
  readonly bytes: number;
}

export const NOTHING_DROPPED: Dropped = { runs: [], bytes: 0 };

/**
 * Returns whether to prune after a turn. Checking all logs costs more than most runs, so it is due only after every
 * 64th run or a large one. This keeps the total below twice the limit. Never throws.
 *
 * @param newest sequence of the newest log before the turn
 */
export function isPruningDue(folder: string, newest: number, { max_size: size }: Bounds): boolean {
  for (let sequence = newest + 1; ; sequence++) {
    const bytes = tryOr(() => fs.lstatSync(logPath(folder, sequence), { throwIfNoEntry: false })?.size, undefined);
    if (bytes === undefined) return false;
    if (sequence % PRUNE_EVERY === 0 || bytes > size / PRUNE_EVERY) return true;
  }
}

const PRUNE_EVERY = 64;

interface Kept {
  readonly sequence: number;
  readonly path: string;
  readonly stats: fs.Stats;
}

/**
 * Deletes logs beyond the bounds, oldest first. Keeps the last run and everything after it, so undo and recovery still
 * have what they need, and a step that set files aside until another one brings them back. After the last run, drops
 * only undo/redo pairs, which cancel out. Never throws.
 */
export function prune(folder: string, { max_age: age, max_size: size }: Bounds): Dropped {
  const dropped: Kept[] = [];
  attempt(() => {
    const logs = listSequences(folder).map((sequence): Kept => ({
      sequence,
      path: logPath(folder, sequence),
      stats: fs.lstatSync(logPath(folder, sequence)),
    }));
    let total = logs.reduce((sum, { stats }) => sum + stats.size, 0);
    const oldest = Date.now() - age * MILLISECONDS_OF_DAY;
    const isOutOfBounds = ({ stats }: Kept): boolean => total > size || stats.mtimeMs < oldest;
    const drop = ({ path, stats }: Kept): void => {
      fs.unlinkSync(path);
      total -= stats.size;
    };
    if (!logs.some(isOutOfBounds)) return;
    const headers = logs.map(({ path }) => readHeader(path));
    const returned = new Set(headers.map((header) => (header?.kind === "step" ? header.of : undefined)));
    const isNeeded = ({ sequence }: Kept, index: number): boolean =>
      headers[index]?.setsAside === true && !returned.has(sequence);
    const lastRun = Math.max(
      0,
      headers.findLastIndex((header) => header?.kind === "run"),
    );
    for (const [index, log] of logs.slice(0, lastRun).entries()) {
      if (!isOutOfBounds(log)) break;
      if (isNeeded(log, index)) continue;
      drop(log);
      dropped.push(log);
    }
    for (const [undo, redo] of redonePairs(logs.slice(lastRun))) {
      if (!isOutOfBounds(undo)) break;
      drop(redo);
      drop(undo);
    }
  });
  return {
    runs: dropped.map(({ sequence }) => sequence),
    bytes: dropped.reduce((sum, { stats }) => sum + stats.size, 0),
  };
}

/**
 * Returns pairs of an undo and its redo, oldest first. Keeps the newest log, because the next sequence number follows
 * from it.
 */
function redonePairs(logs: readonly Kept[]): Array<readonly [Kept, Kept]> {
  const headers = new Map<number, LogHeader | undefined>(
    logs.map(({ sequence, path }) => [sequence, readHeader(path)]),
  );
  return logs.slice(0, -1).flatMap((redo) => {
    const undo = logs.find(({ sequence }) => sequence === headers.get(redo.sequence)?.of);
    return undo !== undefined && headers.get(undo.sequence)?.kind === "undo" ? [[undo, redo] as const] : [];
  });
}

const MILLISECONDS_OF_DAY = 24 * 60 * 60 * 1000;
