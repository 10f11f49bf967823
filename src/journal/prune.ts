import * as fs from "node:fs";
import type { LogHeader } from "./log-record.ts";
import { listSequences, logPath, readHeader } from "./read-log.ts";
import { isSystemError } from "../disk/system-error.ts";

export interface Bounds {
  /** In days. */
  readonly max_age: number;
  /** Bytes of all logs together. */
  readonly max_size: number;
}

export interface Dropped {
  /** Sequences of what can no longer be undone, oldest first. */
  readonly runs: readonly number[];
  readonly bytes: number;
}

export const NOTHING_DROPPED: Dropped = { runs: [], bytes: 0 };

/**
 * Whether to look at all logs after a turn, which would cost more than most runs: only every so many, and after a large one. So there
 * are never more than twice the bytes that there may be. Never throws, as the turn is over: what cannot be looked at can wait.
 *
 * @param newest the sequence of the newest log before the turn
 */
export function isPruningDue(folder: string, newest: number, { max_size: size }: Bounds): boolean {
  for (let sequence = newest + 1; ; sequence++) {
    const bytes = sizeOf(logPath(folder, sequence));
    if (bytes === undefined) return false;
    if (sequence % MANY === 0 || bytes > size / MANY) return true;
  }
}

const MANY = 16;

/** Undefined also where the system does not tell. */
function sizeOf(path: string): number | undefined {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false })?.size;
  } catch {
    return undefined;
  }
}

interface Kept {
  readonly sequence: number;
  readonly path: string;
  readonly stats: fs.Stats;
}

/**
 * Keeps the logs of a project within bounds: the oldest go first, and the last run always stays, with all that came after it. So no
 * undo is dropped before what it has undone, nor what recovery may need. Of what came after the last run only undos go that were
 * redone, with their redos: all is as if they had not been. Never throws: what cannot be removed stays.
 */
export function prune(folder: string, { max_age: age, max_size: size }: Bounds): Dropped {
  const dropped: Kept[] = [];
  try {
    const logs = listSequences(folder).map((sequence): Kept => ({ sequence, path: logPath(folder, sequence), stats: fs.lstatSync(logPath(folder, sequence)) }));
    let total = logs.reduce((sum, { stats }) => sum + stats.size, 0);
    const oldest = Date.now() - age * MILLISECONDS_OF_DAY;
    const isBeyond = ({ stats }: Kept): boolean => total > size || stats.mtimeMs < oldest;
    const drop = ({ path, stats }: Kept): void => {
      fs.unlinkSync(path);
      total -= stats.size;
    };
    const lastRun = Math.max(0, logs.findLastIndex(({ path }) => readHeader(path)?.kind === "run"));
    for (const log of logs.slice(0, lastRun)) {
      if (!isBeyond(log)) break;
      drop(log);
      dropped.push(log);
    }
    for (const [undo, redo] of redone(logs.slice(lastRun))) {
      if (!isBeyond(undo)) break;
      drop(redo);
      drop(undo);
    }
  } catch (thrown) {
    if (!isSystemError(thrown)) throw thrown;
  }
  return { runs: dropped.map(({ sequence }) => sequence), bytes: dropped.reduce((sum, { stats }) => sum + stats.size, 0) };
}

/** The undos that were taken back, oldest first, each with what did so. The newest log stays, since the next one's number comes after its. */
function redone(logs: readonly Kept[]): Array<readonly [Kept, Kept]> {
  const headers = new Map<number, LogHeader | undefined>(logs.map(({ sequence, path }) => [sequence, readHeader(path)]));
  return logs.slice(0, -1).flatMap((redo) => {
    const undo = logs.find(({ sequence }) => sequence === headers.get(redo.sequence)?.of);
    return undo !== undefined && headers.get(undo.sequence)?.kind === "undo" ? [[undo, redo] as const] : [];
  });
}

const MILLISECONDS_OF_DAY = 24 * 60 * 60 * 1000;
