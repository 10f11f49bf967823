import { observeHook } from "./observe-hook.ts";
import { messageOf } from "../core/errors.ts";
import { Refusal } from "../core/failure.ts";
import type { History, PastRun, Recovery, Reversal, ReversedRun, WhichRuns } from "../core/history.ts";
import { commitReversal, liveCommits, type ReversalCommit } from "../git/commit-reversal.ts";
import { openRepository } from "../git/repository-of-project.ts";
import type { AroundHooks } from "../git/record-commit.ts";
import { hasChanges } from "../journal/change-set.ts";
import { Journal } from "../journal/journal.ts";
import { isOfOlderVersion, type Log, logPath } from "../journal/log.ts";
import type { Recovered } from "./recover.ts";
import { restoredIn, undoLog } from "./undo.ts";
import {
  historyIn,
  lastHeadMove,
  pastLogs,
  redoable,
  redoableRun,
  summaryOf,
  undoable,
  undoableRun,
} from "./past-runs.ts";
import { journalFolder, type Project, takeTurn, type Turn } from "./turn.ts";

/**
 * Undoes one run, or the last ones that are not undone, each as a change of its own. Refuses files modified since by
 * name and restores the rest. An interrupted undo is finished first and counts as one. Throws `Refusal` if the run
 * named is not there, or undone.
 */
export function undo(project: Project, { run, last = 1 }: WhichRuns): Promise<Reversal> {
  return reverse(project, "undo", run, last);
}

/** Redoes one run, or the one that was undone last unless a newer run exists. Throws as `undo` does. */
export function redo(project: Project, { run }: Pick<WhichRuns, "run">): Promise<Reversal> {
  return reverse(project, "redo", run, 1);
}

/** Only finishes interrupted runs. */
export async function recover(project: Project): Promise<Recovery> {
  const { value: isWhole, notices } = await takeTurn(project, async ({ recovered }) =>
    recovered.every(({ conflicts }) => conflicts.length === 0),
  );
  return { isWhole, notices };
}

/** @param named the run, if only that one is meant */
async function reverse(
  project: Project,
  kind: Reversal["kind"],
  named: number | undefined,
  count: number,
): Promise<Reversal> {
  const started = Date.now();
  const extraNotices: string[] = [];
  const { value, notices } = await takeTurn(project, async (turn) => {
    if (named !== undefined && isOfOlderVersion(logPath(turn.runs, named)))
      throw new Refusal(`Run ${named} was written by an older version of Loaf: its log is kept, but cannot be undone`);
    const logs = pastLogs(turn.runs);
    const done = turn.recovered.flatMap((recovered) => finishedReversals(recovered, kind, logs));
    const left = count - (named === undefined ? done : done.filter(({ run }) => run === named)).length;
    const targets = left > 0 ? logsToReverse(logs, kind, named).slice(0, left) : [];
    for (const target of targets) {
      const run = (kind === "undo" ? undefined : logs.find(({ sequence }) => sequence === target.of)) ?? target;
      const notify = (notice: string): void => void extraNotices.push(notice);
      try {
        done.push(
          await reverseRun(target, { kind, run, moved: lastHeadMove(target, logs), turn, project, started, notify }),
        );
      } catch (thrown) {
        // Still report the runs that were undone before.
        if (done.length === 0) throw thrown;
        notify(`Run ${run.sequence} could not be undone: ${messageOf(thrown)}`);
        break;
      }
    }
    const upcoming = kind === "undo" ? undoable(logs).find((log) => !targets.includes(log))?.sequence : undefined;
    return { runs: done, ...(upcoming !== undefined && { next: upcoming }) };
  });
  const missing = named === undefined ? Math.max(0, count - value.runs.length) : 0;
  return { kind, ...value, missing, notices: [...notices, ...extraNotices] };
}

/** Returns the logs in the order of their reversal: a run's for undo, an undo's for redo. */
function logsToReverse(logs: readonly Log[], kind: Reversal["kind"], named: number | undefined): Log[] {
  if (named !== undefined) return [kind === "undo" ? undoableRun(logs, named) : redoableRun(logs, named)];
  if (kind === "undo") return undoable(logs);
  const last = redoable(logs);
  return last === undefined ? [] : [last];
}

interface ReversalContext {
  readonly kind: Reversal["kind"];
  /** The run that is undone or redone. */
  readonly run: Log;
  /** The log with the last move of HEAD by the run or its undo. */
  readonly moved: Log;
  readonly turn: Turn;
  readonly project: Project;
  /** In milliseconds since 1970. */
  readonly started: number;
  /** Adds a notice for the user: one sentence. */
  readonly notify: (notice: string) => void;
}

async function reverseRun(
  log: Log,
  { kind, run: runLog, moved, turn, project, started, notify }: ReversalContext,
): Promise<ReversedRun> {
  const [summary, run] = [summaryOf(runLog), runLog.sequence];
  const unknown = { path: project.root, reason: UNCONFINED, isUnknown: true } as const;
  if (log.isUnconfined && !hasChanges(log))
    return { run, summary, isReversed: false, restored: [], refused: [unknown] };
  if (log.isUnconfined)
    notify(`Run ${run} also ran a command without a sandbox, on the files themselves: its changes stay`);
  const journal = new Journal(turn.runs, { kind: "undo", of: log.sequence, root: project.root });
  const { restored, refused } = await undoLog(log, {
    commit: async (planned) => (await journal.commit(planned, { atomic: false })).outcomes,
  });
  const hasChanged = restored.some(({ how }) => how !== "unchanged" && how !== "kept");
  const observe: AroundHooks = (act) => observeHook({ ...project, journal, notify }, act);
  // What cancelled out within the run, or a folder with others' files, is not to be taken back later either.
  const isSettled = restored.every(({ how }) => how === "kept") && refused.length === 0;
  const { commit, head, notices }: ReversalCommit =
    hasChanged || refused.length === 0
      ? await commitReversal({ kind, run, moved, hasChanged, ...project, journal, observe, started })
      : { notices: [] };
  // Without a summary the undo is not part of history, and the run still counts as done: it can be undone later.
  const isReversed = hasChanged || head !== undefined || commit !== undefined || isSettled;
  for (const notice of notices) notify(notice);
  // Hooks may still change files, which belong to this log until it ends.
  journal.finish({ ...(isReversed && { summary: `${kind} run ${run}` }), kept: refused.map(({ path }) => path) });
  return {
    run,
    summary,
    isReversed,
    restored,
    refused,
    ...(commit !== undefined && { commit }),
    ...(head !== undefined && { head }),
  };
}

const UNCONFINED = "its command ran without a sandbox, on the files themselves: its changes are unknown and stay";

/**
 * Returns the reversals that an interrupted undo or redo has made. An interrupted run that recovery rolled back counts
 * as undone.
 */
function finishedReversals(
  { sequence, kind: what, of, state, conflicts }: Recovered,
  kind: Reversal["kind"],
  logs: readonly Log[],
): ReversedRun[] {
  if (what === "run" && state === "undone" && kind === "undo")
    return [{ run: sequence, summary: "interrupted", isReversed: true, restored: [], refused: conflicts }];
  const logOf = (number: number | undefined): Log | undefined => logs.find((log) => log.sequence === number);
  const [interrupted, undone] = [logOf(sequence), logOf(of)];
  const run = kind === "undo" ? undone : logOf(undone?.of);
  const isMeant = state === "done" && undone?.kind === (kind === "undo" ? "run" : "undo");
  if (!isMeant || interrupted === undefined || run === undefined) return [];
  const restored = restoredIn(interrupted);
  return [{ run: run.sequence, summary: summaryOf(run), isReversed: true, restored, refused: conflicts }];
}

/** Returns what `loaf log` shows. */
export function history(project: Project): Promise<History> {
  return withLiveCommits(project, historyIn(journalFolder(project.root)));
}

/** Returns the history with the commits that are still in a branch. Keeps what was logged if git does not tell. */
async function withLiveCommits(project: Project, history: History): Promise<History> {
  const recorded = history.runs.flatMap(({ run, commit }) => (commit === undefined ? [] : [{ run, commit }]));
  if (recorded.length === 0) return history;
  try {
    const opened = await openRepository(project);
    if (opened === undefined) return history;
    const live = await liveCommits(opened.git, recorded);
    return { ...history, runs: history.runs.map((run) => withCommit(run, live.get(run.run))) };
  } catch {
    return history;
  }
}

function withCommit({ commit: recorded, ...run }: PastRun, commit: string | undefined): PastRun {
  return recorded === undefined || commit === undefined ? run : { ...run, commit };
}
