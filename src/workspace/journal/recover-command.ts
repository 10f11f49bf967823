/** What becomes of a command during which Loaf was killed. */
import { doneOperations } from "./inverse.ts";
import type { RunningRecord } from "./log-record.ts";
import { LogWriter } from "./log-writer.ts";
import { recordObserved, type Suspicion } from "./observed.ts";
import type { Pins } from "../volume/pin.ts";
import { isUnfinished, type Log, readLog } from "./read-log.ts";
import type { Recovered } from "./recovered.ts";

/** Finds out what a command may have changed; undefined where the checkpoint before it is lost. */
export type Investigate = (running: RunningRecord) => Promise<Suspicion | undefined>;

/** A log that ends with a command. */
export interface Interrupted extends Log {
  readonly running: RunningRecord;
}

export function isInterrupted(log: Log): log is Interrupted {
  return log.running !== undefined && log.end === undefined;
}

/**
 * Notes what the command has changed as the run itself would have, and then finishes the run, or takes it back. Can be interrupted and run again.
 *
 * @param finish for what is unfinished after that, too
 */
export async function recoverCommand(log: Interrupted, pins: Pins, investigate: Investigate | undefined, finish: (log: Log) => Promise<Recovered>): Promise<Recovered> {
  const { file, header, running } = log;
  const suspicion = await investigate?.(running);
  const writer = LogWriter.resume(log);
  const uncovered: string[] = [];
  try {
    if (suspicion === undefined) {
      writer.append({ type: "ran" });
      await writer.sync();
    } else {
      const options = { pins, log: writer, root: header.root, author: running.author, goesOn: header.transaction === "all-or-nothing" };
      uncovered.push(...(await recordObserved(suspicion, options)).uncovered);
    }
  } finally {
    writer.close();
  }
  const settled = readLog(file) ?? log;
  const recovered = isUnfinished(settled) ? await finish(settled) : outcomeOf(settled);
  const lost = suspicion === undefined ? [{ path: header.root, reason: "a command was interrupted, and what it changed cannot be told from what was there before" }] : [];
  return { ...recovered, conflicts: [...recovered.conflicts, ...lost, ...uncovered.map((path) => ({ path, reason: "it was changed since the interrupted command began, and nothing is kept of it" }))] };
}

function outcomeOf(log: Log): Recovered {
  const { sequence, kind } = log.header;
  const operations = doneOperations(log).length;
  return { sequence, kind, state: operations > 0 ? "done" : "undone", operations, conflicts: [] };
}
