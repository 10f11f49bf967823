/** Notices about a turn: sentences for the user. */
import type { Settings } from "../config/schema.ts";
import type { Dropped } from "../journal/prune.ts";
import { logPath, readHeader } from "../journal/read-log.ts";
import type { Recovered } from "../journal/recovered.ts";

/** Returns one line for each interrupted run, and one for each path of it that somebody else had changed. */
export function recoveredSentences(all: readonly Recovered[], runs: string): string[] {
  return all.flatMap(({ sequence, kind, of, state, operations, conflicts }) => {
    const what = kind === "run" || of === undefined ? `run ${sequence}` : reversalOf(of, runs);
    const done = operations === 1 ? "1 change" : `${operations} changes`;
    const sentence = state === "done" ? `The interrupted ${what} was finished (${done})` : `The interrupted ${what} was rolled back: none of its changes remain`;
    return [sentence, ...conflicts.map(({ path, reason }) => `${path} stays as it is: ${reason}`)];
  });
}

/** A redo is the undo of an undo. */
function reversalOf(sequence: number, runs: string): string {
  const { kind, of } = readHeader(logPath(runs, sequence)) ?? {};
  return kind === "undo" && of !== undefined ? `redo of run ${of}` : `undo of run ${sequence}`;
}

/** Returns nothing if no log was dropped. */
export function droppedSentence({ runs }: Dropped, { max_age: age, max_size: size }: Settings["history"]): string[] {
  if (runs.length === 0) return [];
  const named = runs.length === 1 ? `Run ${runs[0]} was` : `Runs ${Math.min(...runs)} to ${Math.max(...runs)} were`;
  return [`${named} dropped from the log and can no longer be undone: it keeps ${age} days and ${size} bytes (history in loaf.yml)`];
}
