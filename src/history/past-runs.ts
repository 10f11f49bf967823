import { dirname, join } from "node:path";
import { counted } from "../core/counted.ts";
import { tryOr } from "../core/errors.ts";
import { Refusal } from "../core/failure.ts";
import type { History, PastRun } from "../core/history.ts";
import type { ExecutionResult } from "../core/outcome.ts";
import { hasChanges } from "../journal/change-set.ts";
import { isUnfinished } from "../journal/recover.ts";
import { isOfOlderVersion, listLogs, listSequences, type Log, logPath } from "../journal/log.ts";
import { lockHolder } from "../state/lock.ts";
import { readStateJson, writeStateFile } from "../state/state-file.ts";

/** Returns the folder of the lock of a project's turn. */
export function turnLock(runs: string): string {
  return join(dirname(runs), "lock");
}

/**
 * Returns the logs that are part of history, oldest first: runs that left changes or ran a command without a sandbox,
 * and undos that were not refused entirely.
 */
export function pastLogs(runs: string, newest = Infinity): Log[] {
  const logs = listLogs(runs, newest);
  const unfinished = unfinishedAmong(logs);
  return logs.filter((log) => log === unfinished || isPast(log));
}

/** Returns whether a log that is finished is part of history. */
function isPast(log: Log): boolean {
  return hasChanges(log) || log.isUnconfined === true || (log.kind === "undo" && log.end?.summary !== undefined);
}

/** Every new run first recovers the one before, so only the newest can be unfinished. */
function unfinishedAmong(logs: readonly Log[]): Log | undefined {
  const newest = logs.at(-1);
  return newest !== undefined && isUnfinished(newest) ? newest : undefined;
}

/**
 * Returns the log with the last move of HEAD by a run or an undo: after a redo the redo's, which may have made a new
 * commit.
 */
export function lastHeadMove(log: Log, logs: readonly Log[]): Log {
  const undos = new Set(
    logs.filter(({ kind, of }) => kind === "undo" && of === log.sequence).map(({ sequence }) => sequence),
  );
  const isRedo = ({ of, head }: Log): boolean => of !== undefined && undos.has(of) && head !== undefined;
  return (log.kind === "run" ? logs.findLast(isRedo) : undefined) ?? log;
}

/** Returns the last run, without reading all logs: what happened to it is in later ones. */
export function lastRunIn(runs: string): PastRun | undefined {
  for (let newest = 4; ; newest *= 4) {
    const last = historyIn(runs, newest).runs.find(({ isStep }) => isStep !== true);
    if (last !== undefined || newest >= listSequences(runs).length) return last;
  }
}

/** Returns what `loaf log` shows. */
export function historyIn(runs: string, newest = Infinity): History {
  const logs = pastLogs(runs, newest);
  const undone = undoneBy(logs);
  const sequences = listSequences(runs);
  const [first = 1] = sequences;
  const older = sequences.findLast((sequence) => isOfOlderVersion(logPath(runs, sequence)));
  const running = runningLog(runs, logs);
  const pastRuns = logs
    .filter(({ kind }) => kind !== "undo")
    .map((run) => pastRun(run, undone.get(run.sequence), logs, running));
  return {
    runs: pastRuns.toReversed(),
    ...(first > 1 && { droppedUpTo: first - 1 }),
    ...(older !== undefined && { olderUpTo: older }),
  };
}

/**
 * Returns the log that a living process still writes. It may hold the turn without having changed anything yet: then
 * the newest log is that of an earlier, interrupted run. A process ID in the log would not tell, since IDs are reused.
 */
function runningLog(runs: string, logs: readonly Log[]): Log | undefined {
  const newest = logs.at(-1);
  if (newest === undefined || newest.end !== undefined) return undefined;
  const holder = lockHolder(turnLock(runs));
  return holder !== undefined && holder.since <= newest.started ? newest : undefined;
}

/** @param undo the one that counts */
function pastRun(log: Log, undo: Log | undefined, logs: readonly Log[], running: Log | undefined): PastRun {
  const undos = logs.filter(({ kind, of }) => kind === "undo" && of === log.sequence);
  const redos = logs.filter(({ of }) => undos.some((reversal) => reversal.sequence === of));
  const state = stateOf([log, ...undos, ...redos], { undo, running, unfinished: unfinishedAmong(logs) });
  const kept = undo?.end?.kept ?? [];
  const { lines, answer, failed } = log.end ?? {};
  // Other redos move the branch back to an earlier commit, not always the run's.
  const [commit] = [log, ...redos.filter(({ head }) => head?.isCommit)].flatMap(commitIn).slice(-1);
  return {
    run: log.sequence,
    started: log.started,
    summary: state === "running" ? (log.end?.summary ?? `${countOf(log)} so far`) : summaryOf(log),
    state,
    ...(log.kind === "step" && { isStep: true }),
    ...(commit !== undefined && { commit }),
    ...(lines !== undefined && { lines }),
    ...(answer !== undefined && { answer }),
    ...(failed && { failed }),
    ...(kept.length > 0 && { kept }),
  };
}

/** @param logs the logs of the run, then its undos and redos */
function stateOf(
  logs: readonly [Log, ...Log[]],
  { undo, running, unfinished }: Readonly<Record<"undo" | "running" | "unfinished", Log | undefined>>,
): PastRun["state"] {
  if (running !== undefined && logs.includes(running)) return "running";
  if (unfinished !== undefined && logs.includes(unfinished)) return "unfinished";
  if (undo !== undefined) return "undone";
  if (logs.length > 1) return "redone";
  return logs[0].end === undefined ? "interrupted" : "done";
}

/** Returns the run's commit, if it is known to have been made. */
export function commitIn({ head }: Log): string[] {
  return head?.isDone === true && head.isOnlyBefore !== true && head.to !== undefined ? [head.to] : [];
}

/**
 * Returns what `loaf doctor` shows: the number of runs that can be undone, the size of all logs, and the unfinished
 * run.
 */
export function journalStatus(runs: string): {
  readonly runs: number;
  readonly bytes: number;
  readonly unfinished: number | undefined;
} {
  const logs = listLogs(runs);
  return {
    runs: undoable(pastLogs(runs)).length,
    bytes: logs.reduce((sum, { length }) => sum + length, 0),
    unfinished: unfinishedAmong(logs)?.sequence,
  };
}

/** Returns the summary of a run, or a count of changes for one that was interrupted: its summary comes last. */
export function summaryOf(log: Log): string {
  return log.end?.summary ?? `${countOf(log)}, interrupted`;
}

function countOf({ groups }: Log): string {
  const changes = groups
    .filter(({ isRollback, isDropped }) => !isRollback && !isDropped)
    .reduce((sum, { puts }) => sum + puts.length, 0);
  return counted(changes, "change");
}

/** The last run of a project that changed nothing: it has no log. */
export interface IdleRun {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Number of its blocks that failed or could not be read. */
  readonly failed: number;
}

const IDLE = "last-run.json";

/** Ignores write failures: the run itself is done. */
export function noteIdleRun(root: string, failed: number): void {
  const run: IdleRun = { at: new Date().toISOString(), failed };
  tryOr(() => writeStateFile(root, IDLE, JSON.stringify(run)), undefined);
}

/** Returns the number of blocks that failed or could not be read. */
export function failedBlocks({ results, parseErrors }: Pick<ExecutionResult, "results" | "parseErrors">): number {
  const unread = new Set(parseErrors.map(({ blockStartLine }) => blockStartLine));
  return results.filter(({ success }) => !success).length + unread.size;
}

/** Returns undefined if there is none, or the record is unreadable. */
export function readIdleRun(root: string): IdleRun | undefined {
  return tryOr(() => readStateJson(root, IDLE) as IdleRun | undefined, undefined);
}

/**
 * The facts about a log that decide which run an undo or redo picks, as in an editor. Undo picks the newest run that is
 * not undone. Redo picks the last undone run, until a new run changes something. Logs without changes are not part of
 * history.
 *
 * An undo is logged as a change of its own. A redo is the undo of an undo. Logs are never rewritten.
 */
export interface Logged {
  readonly sequence: number;
  readonly kind: "run" | "undo" | "step";
  /** The log that an undo reverts. */
  readonly of?: number | undefined;
}

/** Returns the runs that can be undone, in that order. */
export function undoable<Past extends Logged>(logs: readonly Past[]): Past[] {
  const undone = undoneBy(logs);
  return newestFirst(logs).filter(({ kind, sequence }) => kind === "run" && !undone.has(sequence));
}

/** Returns the undo that a redo reverts. Undefined if there is none, or a newer run exists. */
export function redoable<Past extends Logged>(logs: readonly Past[]): Past | undefined {
  const undone = undoneBy(logs);
  const runs = new Set(logs.filter(({ kind }) => kind === "run").map(({ sequence }) => sequence));
  const last = newestFirst(logs).find(
    ({ kind, sequence, of }) => kind === "run" || (runs.has(of ?? 0) && !undone.has(sequence)),
  );
  return last?.kind === "undo" ? last : undefined;
}

/** Returns a run that can be undone. Throws `Refusal` if there is none of this number. */
export function undoableRun(logs: readonly Log[], run: number): Log {
  const log = runAmong(logs, run);
  if (undoneBy(logs).has(run)) throw new Refusal(`Run ${run} is undone already: loaf redo ${run} brings it back`);
  return log;
}

/** Returns the undo of a run that can be redone. Throws as `undoableRun` does. */
export function redoableRun(logs: readonly Log[], run: number): Log {
  runAmong(logs, run);
  const undone = undoneBy(logs).get(run);
  if (undone === undefined) throw new Refusal(`Run ${run} is not undone: loaf undo ${run} takes it back`);
  return undone;
}

function runAmong(logs: readonly Log[], run: number): Log {
  const log = logs.find(({ kind, sequence }) => kind === "run" && sequence === run);
  if (logs.some(({ kind, sequence }) => kind === "step" && sequence === run))
    throw new Refusal(`Run ${run} is a step between commits: loaf back and loaf forward take it back`);
  if (log === undefined) throw new Refusal(`There is no run ${run} in the log: loaf log lists all`);
  return log;
}

/** Returns the log that reverted each undone run, and each redone undo. */
export function undoneBy<Past extends Logged>(logs: readonly Past[]): ReadonlyMap<number, Past> {
  const by = new Map<number, Past>();
  for (const log of newestFirst(logs)) {
    if (log.kind === "undo" && log.of !== undefined && !by.has(log.sequence)) by.set(log.of, log);
  }
  return by;
}

function newestFirst<Past extends Logged>(logs: readonly Past[]): Past[] {
  return logs.toSorted((a, b) => b.sequence - a.sequence);
}
