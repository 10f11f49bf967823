/** Finishes interrupted runs: completes them, or takes them back. An interrupted undo is made to its end. */
import * as fs from "node:fs";
import { dirname } from "node:path";
import type { Refused } from "../core/history.ts";
import { append } from "../core/lists.ts";
import { attempt } from "../disk/system-error.ts";
import type { ApplyOptions } from "../journal/apply.ts";
import { composeFiles, donePuts } from "../journal/change-set.ts";
import {
  listSequences,
  type Log,
  type LoggedGroup,
  type LogHeader,
  logPath,
  type MovedRecord,
  type MovingRecord,
  readLog,
} from "../journal/log.ts";
import { LogWriter } from "../journal/log-writer.ts";
import { applyUnit, isUnfinished, resume, takeBack, throwRetryable, tidy } from "../journal/recover.ts";
import { describeReversal, undoLog, type UndoLogOptions } from "./undo.ts";

/**
 * Finishes an interrupted run or rolls it back. Can itself be interrupted and run again. Reads only the newest log:
 * every new run first recovers the one before. Throws a system error if it fails; the next call tries again.
 *
 * @param folder of the project's logs
 * @param sequences of all logs in it
 */
export async function recoverRuns(
  folder: string,
  settle?: Settle,
  sequences = listSequences(folder),
): Promise<Recovered[]> {
  for (const sequence of sequences.toReversed()) {
    const path = logPath(folder, sequence);
    const log = readLog(path);
    if (log !== undefined) {
      tidy(log);
      return isUnfinished(log) ? [await recoverLog(log, settle)] : [];
    }
    // Killed before it logged anything, so it changed nothing.
    if (fs.statSync(path).size === 0) attempt(() => fs.unlinkSync(path));
  }
  return [];
}

/** Completes an interrupted undo whose files are restored, such as the move of HEAD. */
export type Settle = (begun: Log, note: (record: MovingRecord | MovedRecord) => void) => Promise<void>;

/** The result of recovering an interrupted run. */
export interface Recovered extends Pick<LogHeader, "sequence" | "kind" | "of"> {
  /** Whether the run's changes are on the disk, or none of them. */
  readonly state: "done" | "undone";
  /** Number of changes that are on the disk. */
  readonly operations: number;
  /** Files left as they are, mostly because somebody else changed them. */
  readonly conflicts: readonly Refused[];
}

/** Completes the last group of a log, then does what is left to do. */
async function recoverLog(log: Log, settle: Settle | undefined): Promise<Recovered> {
  const writer = LogWriter.resume(log);
  try {
    const last = log.groups.at(-1) as LoggedGroup;
    const isReversal = log.kind === "undo";
    const options: ApplyOptions = { log: writer, isAtomic: last.isAtomic, isReversal };
    const changed = last.outcomes === undefined && !last.isDropped ? await resume(last, options) : [];
    const refused = changed.map((path): Refused => ({ path, reason: "it has changed since" }));
    const resumed = writer.toLog() ?? log;
    // An undo that has made a group is made to its end.
    if (isUnfinished(resumed)) {
      if (isReversal) append(refused, await undoRest(resumed, options, settle));
      else {
        const { reverted, failure } = await takeBack(options);
        throwRetryable([failure]);
        append(refused, describeReversal(reverted, log.file).refused);
      }
    }
    return recoveredOf(writer.toLog() ?? log, refused);
  } finally {
    writer.close();
  }
}

function recoveredOf(log: Log, refused: readonly Refused[]): Recovered {
  const { length } = composeFiles(donePuts(log));
  const { sequence, kind, of } = log;
  return {
    sequence,
    kind,
    ...(of !== undefined && { of }),
    state: length > 0 ? "done" : "undone",
    operations: length,
    conflicts: [...new Map(refused.map((entry) => [entry.path, entry])).values()],
  };
}

/** Continues an undo. Returns the files that stay. */
async function undoRest(begun: Log, options: ApplyOptions, settle: Settle | undefined): Promise<readonly Refused[]> {
  const { root, of = 0 } = begun;
  const path = logPath(dirname(begun.file), of);
  // Somebody may have deleted it.
  const log = fs.existsSync(path) ? readLog(path) : undefined;
  const lost = [{ path: root, reason: `the log of run ${of} is gone, so the rest of it cannot be undone` }];
  const commit: UndoLogOptions["commit"] = async (planned) => (await applyUnit(planned, options)).outcomes;
  const refused = log === undefined ? lost : (await undoLog(log, { commit })).refused;
  if (log !== undefined) await settle?.(begun, (record) => options.log.write(record));
  options.log.write({ type: "end", duration: 0, kept: log === undefined ? [] : refused.map(({ path }) => path) });
  return refused;
}
