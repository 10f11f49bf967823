import * as fs from "node:fs";
import { dirname } from "node:path";
import { explain } from "../core/explain.ts";
import type { Failure } from "../core/failure.ts";
import type { Refused } from "../core/history.ts";
import type { Planned } from "../disk/planned.ts";
import { Syncing } from "../disk/sync.ts";
import { attempt, systemError } from "../disk/system-error.ts";
import { applyChanges, type ApplyOptions, carryOut, outcomeOf, takeBack } from "./apply.ts";
import {
  Attempts,
  isConflict,
  type Outcome,
  pathsOf,
  type PutStatus,
  type Ready,
  removeLeftover,
  statusOf,
} from "./put.ts";
import { composeFiles } from "./change-set.ts";
import type { MovedRecord, MovingRecord, PutRecord } from "./log-record.ts";
import { LogWriter } from "./log-writer.ts";
import {
  donePuts,
  isUnfinished,
  listSequences,
  type Log,
  type LoggedGroup,
  logPath,
  readLog,
  type Recovered,
} from "./read-log.ts";
import { undoLog } from "./undo.ts";

/**
 * Finishes an interrupted run or rolls it back. Can itself be interrupted and run again. Reads only the newest log:
 * every new run first recovers the one before. Throws a system error if it fails; the next call tries again.
 *
 * @param folder of the project's logs
 * @param sequences of all logs in it
 */
export async function recover(
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

/** Removes new files that a run had no time to remove. They are useless once the group is over. */
function tidy({ groups, end }: Log): void {
  const last = groups.at(-1);
  if (end === undefined && last !== undefined) removeUnused(last);
}

function removeUnused({ puts, outcomes, isDropped }: Pick<LoggedGroup, "puts" | "outcomes" | "isDropped">): void {
  for (const [index, put] of puts.entries())
    if (isDropped || outcomes?.[index]?.failure !== undefined) removeLeftover(put);
}

/** Completes the last group of a log, then does what is left to do. */
async function recoverLog(log: Log, settle: Settle | undefined): Promise<Recovered> {
  const writer = LogWriter.resume(log);
  try {
    const last = log.groups.at(-1) as LoggedGroup;
    const isReversal = log.header.kind === "undo";
    const options: ApplyOptions = { log: writer, isAtomic: last.isAtomic, isReversal };
    const changed = last.outcomes === undefined && !last.isDropped ? await resume(last, options) : [];
    const refused = changed.map((path): Refused => ({ path, reason: "it has changed since" }));
    const resumed = writer.toLog() ?? log;
    // An undo that has made a group is made to its end.
    if (isUnfinished(resumed)) {
      if (isReversal) refused.push(...(await undoRest(resumed, options, settle)));
      else {
        const { kept, failure } = await takeBack(options);
        throwRetryable([failure]);
        refused.push(...kept);
      }
    }
    return recoveredOf(writer.toLog() ?? log, refused);
  } finally {
    writer.close();
  }
}

function recoveredOf({ header, ...log }: Log, refused: readonly Refused[]): Recovered {
  const { length } = composeFiles(donePuts(log));
  return {
    sequence: header.sequence,
    kind: header.kind,
    ...(header.of !== undefined && { of: header.of }),
    state: length > 0 ? "done" : "undone",
    operations: length,
    conflicts: [...new Map(refused.map((entry) => [entry.path, entry])).values()],
  };
}

/** Continues an undo. Returns the files that stay. */
async function undoRest(begun: Log, options: ApplyOptions, settle: Settle | undefined): Promise<readonly Refused[]> {
  const { root, of = 0 } = begun.header;
  const path = logPath(dirname(begun.file), of);
  // Somebody may have deleted it.
  const log = fs.existsSync(path) ? readLog(path) : undefined;
  const commitRest = async (planned: readonly Planned[]): Promise<readonly Outcome[]> =>
    (await applyChanges(planned, options)).outcomes;
  const lost = [{ path: root, reason: `the log of run ${of} is gone, so the rest of it cannot be undone` }];
  const refused = log === undefined ? lost : (await undoLog(log, { commit: commitRest })).refused;
  if (log !== undefined) await settle?.(begun, (record) => options.log.write(record));
  options.log.write({ type: "end", duration: 0, kept: log === undefined ? [] : refused.map(({ path }) => path) });
  return refused;
}

/** Throws the first error that a retry may not meet again. */
function throwRetryable(failures: ReadonlyArray<Failure | undefined>): void {
  for (const failure of failures) {
    if (failure !== undefined && !isConflict(failure))
      throw "errno" in failure
        ? systemError(failure.errno, failure.syscall, failure.path)
        : new Error(explain(failure));
  }
}

/** A put that was interrupted, and what the disk shows of it. */
interface Interrupted {
  readonly put: PutRecord;
  readonly status: PutStatus;
}

/**
 * Completes a group. If it was begun, everything it needs is on the disk; otherwise drops it. Returns the paths that
 * somebody else has changed. Throws a system error if a retry may not meet it again.
 */
async function resume(group: LoggedGroup, options: ApplyOptions): Promise<readonly string[]> {
  const { log } = options;
  const { isAtomic } = group;
  const interrupted = group.puts.map((put): Interrupted => ({ put, status: statusOf(put) }));
  if (!group.isPrepared && !isBegun(interrupted)) {
    log.write({ type: "dropped" });
    removeUnused({ ...group, isDropped: true });
    return [];
  }
  const attempts = new Attempts();
  const ready = interrupted.map(({ put, status }): Ready => {
    const entry: Ready = { put, step: { put } };
    if (status.is === "done") entry.outcome = status.outcome;
    else if (status.is === "lost") attempts.fail(entry, { code: "run/not-whole" });
    // Only the record of a prepared group proves that the temporary file was ever there.
    else if (status.is === "overwritten" && group.isPrepared) entry.outcome = {};
    else if (status.is !== "pending") attempts.fail(entry, { code: "file/changed", path: pathsOf(put)[0] ?? "" });
    return entry;
  });
  const pending = ready.filter(({ failure, outcome }) => failure === undefined && outcome === undefined);
  await syncBeforeResume(group.puts, pending, options);
  const syncError = await carryOut(pending, { ...options, isAtomic, attempts });
  if (syncError !== undefined) throw syncError;
  if (!isAtomic) throwRetryable(pending.map(({ failure }) => failure));
  const outcomes = ready.map(outcomeOf);
  log.write({ type: "done", outcomes });
  removeUnused({ ...group, outcomes });
  return outcomes.flatMap(({ failure }) => (failure?.code === "file/changed" ? [failure.path] : []));
}

/**
 * Returns whether the group was begun, which the log does not say. A new file in place proves it, because nobody else
 * puts one there. A missing or moved file proves nothing, since the user may have done that. But then all temporary
 * files must exist, unless a power cut took one with its new directory.
 */
function isBegun(interrupted: readonly Interrupted[]): boolean {
  const done = interrupted.filter(({ status }) => status.is === "done" && status.isCertain);
  const isMissing = interrupted.some(
    ({ put, status }) => status.is === "lost" && pathsOf(put).every((path) => fs.existsSync(dirname(path))),
  );
  return done.some(({ put }) => put.temporary !== undefined) || (done.length > 0 && !isMissing);
}

/** The crash may have come before the group was synced. Syncs temporary files and finished changes. */
async function syncBeforeResume(
  puts: readonly PutRecord[],
  pending: readonly Ready[],
  { log }: ApplyOptions,
): Promise<void> {
  const temporaries = pending.flatMap(({ step }) => step.put.temporary ?? []);
  const syncing = new Syncing();
  await syncing.files(temporaries);
  await syncing.directoriesOf([...temporaries, ...puts.flatMap(pathsOf)]);
  await Promise.all([syncing.finished(), log.sync()]);
}
