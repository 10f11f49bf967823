import * as fs from "node:fs";
import { join } from "node:path";
import { append, largest, smallest } from "../core/lists.ts";
import {
  expiredAsides,
  orphanedDryViewFolders,
  orphanedViewFolders,
  removeLayer,
} from "../programs/view/view-folders.ts";
import type { Settings } from "../config/schema.ts";
import { pruneShownFiles } from "../context/shown-files.ts";
import { counted } from "../core/counted.ts";
import { messageOf, tryOr } from "../core/errors.ts";
import { Refusal } from "../core/failure.ts";
import { attempt, isSystemError } from "../disk/system-error.ts";
import { isStepUnfinished, removeLeftovers } from "../git/index-lock.ts";
import { findRepository, type Repository } from "../git/repository.ts";
import { hasChanges } from "../journal/change-set.ts";
import { LogWriter } from "../journal/log-writer.ts";
import { listSequences, logPath, readLogHeader, readLog } from "../journal/log.ts";
import { type Recovered, recoverRuns, type Settle } from "./recover.ts";
import { acquireLock, type Holder } from "../state/lock.ts";
import { makeFolders, projectStateFolder } from "../state/places.ts";
import { lastHeadMove, pastLogs, turnLock } from "./past-runs.ts";

/** A project to be changed. */
export interface Project {
  /** Absolute, with links resolved. */
  readonly root: string;
  readonly settings: Settings;
  /** Called once with the holder of the turn, after a wait of one second. */
  readonly onWait?: ((holder: Holder) => void) | undefined;
  /** Ends the wait. */
  readonly stop?: AbortSignal | undefined;
}

export interface Turn {
  /** Folder of the project's journal. */
  readonly runs: string;
  /** Sequence of the newest log when the turn began; 0 if there was none. */
  readonly newest: number;
  /** Interrupted runs, finished or rolled back when the turn began. */
  readonly recovered: readonly Recovered[];
}

/** The value of a turn, and notices for the user: sentences. */
export interface TurnResult<Value> {
  readonly value: Value;
  readonly notices: readonly string[];
}

/**
 * Runs `act` while no other process changes the project. Waits for its turn, and first finishes an interrupted run.
 * Throws `Refusal` if the state folder cannot be used, or the wait was stopped.
 */
export async function takeTurn<Value>(
  { root, settings, onWait, stop }: Project,
  act: (turn: Turn) => Promise<Value>,
): Promise<TurnResult<Value>> {
  const folder = projectStateFolder(root);
  const runs = journalFolder(root);
  const lock = await orRefuse(
    async () => {
      makeFolders(runs);
      return await acquireLock(turnLock(runs), { onWait, stop });
    },
    (problem) => `Loaf cannot write to ${folder}, where it keeps the undo data (${problem}): nothing was changed`,
  );
  try {
    const repository = findRepository(root);
    if (repository !== undefined) removeLeftovers(repository.gitFolder);
    for (const path of [...orphanedViewFolders(root), ...foldersLeftOver(root, settings)]) removeLayer(path);
    const { newest, recovered, notices: settling } = await lookAround(runs, { root, settings, repository });
    // Rarely needed.
    const steps =
      repository !== undefined && isStepUnfinished(repository)
        ? await (await import("./past-steps.ts")).finishStep({ root, settings }, runs)
        : [];
    const first = [...recoveredSentences(recovered, runs), ...settling];
    const value = await act({ runs, newest, recovered });
    const isDue = isPruningDue(runs, newest, settings.history);
    const dropped = isDue ? prune(runs, settings.history) : [];
    if (isDue) pruneShownFiles(root, settings.history.max_age);
    return { value, notices: [...steps, ...first, ...droppedSentence(dropped, settings.history)] };
  } finally {
    // The result matters more than the lock, which ends with the process.
    attempt(() => lock.release());
  }
}

/** Returns what a process looks for only in its first turn: the temporary folder may have thousands of entries. */
function foldersLeftOver(root: string, { history }: Settings): string[] {
  if (tidied.has(root)) return [];
  tidied.add(root);
  return [...orphanedDryViewFolders(), ...expiredAsides(root, history.max_age)];
}

const tidied = new Set<string>();

async function lookAround(
  runs: string,
  { root, settings, repository }: Pick<Project, "root" | "settings"> & { readonly repository: Repository | undefined },
): Promise<{ readonly notices: string[] } & Pick<Turn, "newest" | "recovered">> {
  const sequences = listSequences(runs);
  const newest = sequences.at(-1) ?? 0;
  const notices: string[] = [];
  const settle: Settle = async (begun, note) => {
    const logs = pastLogs(runs);
    const target = logs.find(({ sequence }) => sequence === begun.of);
    if (target === undefined || !hasChanges(begun)) return;
    const [kind, run] =
      target.kind === "run" ? (["undo", target.sequence] as const) : (["redo", target.of ?? 0] as const);
    try {
      if (settings.git.commit) {
        await (
          await import("../git/commit-reversal.ts")
        ).finishReversal({ root, settings }, begun, { kind, run, moved: lastHeadMove(target, logs), note });
      }
    } catch (thrown) {
      notices.push(`HEAD stays where it is: ${messageOf(thrown)}`);
    }
  };
  const recovered = await orRefuse(
    () => recoverRuns(runs, settle, sequences),
    (problem) =>
      `An earlier run was interrupted and cannot be finished (${problem}): nothing was changed. Fix that, then: loaf recover`,
  );
  if (repository !== undefined) append(notices, await finishLastCommit(logPath(runs, newest), { root, settings }));
  return { newest, recovered, notices };
}

/** Updates the repository's index if the last run was killed after its commit. Returns notices. */
async function finishLastCommit(path: string, project: Pick<Project, "root" | "settings">): Promise<string[]> {
  const log = fs.existsSync(path) ? readLog(path) : undefined;
  if (log?.head?.isCommit === undefined || log.head.isDone) return [];
  const writer = LogWriter.resume(log);
  const notices: string[] = [];
  try {
    await (
      await import("../git/commit-reversal.ts")
    ).finishCommit(project, log, (record) => {
      writer.write(record);
      notices.push("Loaf was interrupted after a commit: the repository's index now includes that commit");
    });
    return notices;
  } catch (thrown) {
    return [`The index of the repository may lack what run ${log.sequence} committed: ${messageOf(thrown)}`];
  } finally {
    writer.close();
  }
}

/** Returns the folder of a project's logs. It may not exist yet. */
export function journalFolder(root: string): string {
  return join(projectStateFolder(root), "runs");
}

/** Turns system errors into refusals. */
async function orRefuse<Value>(act: () => Promise<Value>, sentenceFor: (problem: string) => string): Promise<Value> {
  try {
    return await act();
  } catch (thrown) {
    throw isSystemError(thrown) ? new Refusal(sentenceFor(messageOf(thrown)), { cause: thrown }) : thrown;
  }
}

/** Returns one line for each interrupted run, and one for each path of it that somebody else had changed. */
function recoveredSentences(all: readonly Recovered[], runs: string): string[] {
  return all.flatMap(({ sequence, kind, of, state, operations, conflicts }) => {
    const what =
      kind === "step"
        ? "loaf back or forward"
        : kind === "run" || of === undefined
          ? `run ${sequence}`
          : reversalOf(of, runs);
    const done = counted(operations, "change");
    const sentence =
      state === "done"
        ? `The interrupted ${what} was finished (${done})`
        : `The interrupted ${what} was rolled back: none of its changes remain`;
    return [sentence, ...conflicts.map(({ path, reason }) => `${path} stays as it is: ${reason}`)];
  });
}

/** A redo is the undo of an undo. */
function reversalOf(sequence: number, runs: string): string {
  const { kind, of } = readLogHeader(logPath(runs, sequence)) ?? {};
  return kind === "undo" && of !== undefined ? `redo of run ${of}` : `undo of run ${sequence}`;
}

/** Returns nothing if no log was dropped. */
function droppedSentence(runs: readonly number[], { max_age: age, max_size: size }: Settings["history"]): string[] {
  if (runs.length === 0) return [];
  const named = runs.length === 1 ? `Run ${runs[0]} was` : `Runs ${smallest(runs)} to ${largest(runs)} were`;
  return [
    `${named} dropped from the log and can no longer be undone: it keeps ${age} days and ${size} bytes (history in loaf.yml)`,
  ];
}

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
    const logs = sizes.map((log) => ({ ...log, ...readLogHeader(log.path) }));
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
