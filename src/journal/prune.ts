import * as fs from "node:fs";
import { tryOr } from "../core/errors.ts";
import { attempt } from "../disk/system-error.ts";
import { listSequences, logPath, readHeader } from "./read-log.ts";

export interface Bounds {
  /** In days. */
  readonly max_age: number;
  /** Total size of all logs, in bytes. */
  readonly max_size: number;
}

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

/**
 * Deletes logs beyond the bounds, oldest first. Keeps the last run and everything after it, so undo and recovery still
 * have what they need, and a step that set files aside until another one brings them back. After the last run, drops
 * only undo/redo pairs, which cancel out. Never throws. Returns the sequences of the runs that can no longer be undone,
 * oldest first.
 */
export function prune(folder: string, { max_age: age, max_size: size }: Bounds): readonly number[] {
  const dropped: number[] = [];
  attempt(() => {
    const sizes = listSequences(folder).map((sequence) => {
      const path = logPath(folder, sequence);
      return { sequence, path, stats: fs.lstatSync(path) };
    });
    let total = sizes.reduce((sum, { stats }) => sum + stats.size, 0);
    const oldest = Date.now() - age * MILLISECONDS_OF_DAY;
    const isOutOfBounds = ({ stats }: { readonly stats: fs.Stats }): boolean => total > size || stats.mtimeMs < oldest;
    if (!sizes.some(isOutOfBounds)) return;
    const logs = sizes.map((log) => ({ ...log, ...readHeader(log.path) }));
    const drop = ({ path, stats }: (typeof logs)[number]): void => {
      fs.unlinkSync(path);
      total -= stats.size;
    };
    const returned = new Set(logs.map(({ kind, of }) => (kind === "step" ? of : undefined)));
    const lastRun = Math.max(
      0,
      logs.findLastIndex(({ kind }) => kind === "run"),
    );
    for (const log of logs.slice(0, lastRun)) {
      if (!isOutOfBounds(log)) break;
      if (log.setsAside === true && !returned.has(log.sequence)) continue;
      drop(log);
      dropped.push(log.sequence);
    }
    const later = logs.slice(lastRun);
    // The next sequence number follows from the newest log.
    for (const redo of later.slice(0, -1)) {
      const undo = later.find(({ sequence }) => sequence === redo.of);
      if (undo?.kind !== "undo") continue;
      if (!isOutOfBounds(undo)) break;
      drop(redo);
      drop(undo);
    }
  });
  return dropped;
}

const MILLISECONDS_OF_DAY = 24 * 60 * 60 * 1000;
