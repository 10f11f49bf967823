import * as fs from "node:fs";
import { listSequences, logPath, readHeader } from "./read-log.ts";
import { isSystemError } from "../volume/system-error.ts";

export interface Dropped {
  /** Sequences, oldest first. */
  readonly runs: readonly number[];
  readonly bytes: number;
}

/**
 * Keeps the logs of a project within bounds: the oldest go first, and the last run always stays, with all that came after it. So no
 * undo is dropped before what it has undone, nor what recovery may need. Never throws: what cannot be removed stays.
 *
 * @param bounds `max_age` in days, `max_size` in bytes of all logs together
 */
export function prune(folder: string, { max_age: age, max_size: size }: { readonly max_age: number; readonly max_size: number }): Dropped {
  const dropped: number[] = [];
  let bytes = 0;
  try {
    const sequences = listSequences(folder);
    if (!isDue(folder, sequences)) return { runs: [], bytes: 0 };
    const logs = sequences.map((sequence) => ({ sequence, path: logPath(folder, sequence), stats: fs.lstatSync(logPath(folder, sequence)) }));
    let total = logs.reduce((sum, { stats }) => sum + stats.size, 0);
    const oldest = Date.now() - age * MILLISECONDS_OF_DAY;
    const lastRun = logs.findLastIndex(({ path }) => readHeader(path)?.kind === "run");
    for (const { sequence, path, stats } of logs.slice(0, Math.max(0, lastRun))) {
      if (total <= size && stats.mtimeMs >= oldest) break;
      fs.unlinkSync(path);
      dropped.push(sequence);
      bytes += stats.size;
      total -= stats.size;
    }
  } catch (thrown) {
    if (!isSystemError(thrown)) throw thrown;
  }
  return { runs: dropped, bytes };
}

/** To look at many logs after every run would cost more than most runs: then only every so many, and after a large one. */
function isDue(folder: string, sequences: readonly number[]): boolean {
  const newest = sequences.at(-1);
  if (newest === undefined || sequences.length <= FEW || newest % FEW === 0) return true;
  return fs.lstatSync(logPath(folder, newest)).size > LARGE;
}

const FEW = 16;
const LARGE = 2 ** 20;

const MILLISECONDS_OF_DAY = 24 * 60 * 60 * 1000;
