import type { Recovery, Reversal, ReversedRun } from "../core/history.ts";
import { Journal } from "../journal/journal.ts";
import { restoredIn, undoLog } from "../journal/undo-log.ts";
import { choosePins } from "../disk/choose-pins.ts";
import type { Recovered } from "../journal/recovered.ts";
import type { AroundHooks } from "../git/record-commit.ts";
import { observeHook } from "../commands/hooks/observe-hook.ts";
import { commitReversal } from "../git/commit-reversal.ts";
import type { Log } from "../journal/read-log.ts";
import { lastMoved, type PastLog, pastLogs, summaryOf } from "./past-runs.ts";
import { type Project, takeTurn, type Turn } from "./turn.ts";
import { redoable, undoable } from "./undo-rules.ts";

/**
 * Takes back the last runs that still stand, each as a change of its own. What was changed since is refused by its name, and the
 * rest restored. An undo that was interrupted is finished, and counts as the first of those asked for.
 */
export function undo(project: Project, count: number): Promise<Reversal> {
  return reverse(project, { kind: "undo", count, next: (logs) => undoable(logs)[0] });
}

/** Brings back the run that was undone last, unless a new one has come after. */
export function redo(project: Project): Promise<Reversal> {
  return reverse(project, { kind: "redo", count: 1, next: redoable });
}

/** Finishes what is unfinished, and does nothing else. */
export async function recover(project: Project): Promise<Recovery> {
  const { value: isWhole, notices } = await takeTurn(project, async ({ recovered }) => recovered.every(({ conflicts }) => conflicts.length === 0));
  return { isWhole, notices };
}

interface Wish {
  readonly kind: Reversal["kind"];
  readonly count: number;
  /** Whose changes to take back next: a run's to undo it, an undo's to redo what it undid. */
  readonly next: (logs: readonly PastLog[]) => PastLog | undefined;
}

async function reverse(project: Project, { kind, count, next }: Wish): Promise<Reversal> {
  const started = Date.now();
  const trouble: string[] = [];
  const { value: runs, notices } = await takeTurn(project, async (turn) => {
    let logs = pastLogs(turn.runs);
    const done = turn.recovered.flatMap((recovered) => finished(recovered, kind, logs));
    // What could not be taken back at all still stands, and must not be met again.
    const met = new Set<number>();
    while (done.length < count) {
      const target = next(logs.filter(({ sequence }) => !met.has(sequence)));
      if (target === undefined) break;
      met.add(target.sequence);
      const run = kind === "undo" ? target : logs.find(({ sequence }) => sequence === target.of);
      try {
        done.push(await takeBack(target, { kind, run: run ?? target, moved: lastMoved(target, logs), turn, project, started, tell: (notice) => trouble.push(notice) }));
      } catch (thrown) {
        // What was done before is to be told all the same.
        if (done.length === 0) throw thrown;
        trouble.push(`Run ${run?.sequence} could not be taken back: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
        break;
      }
      logs = pastLogs(turn.runs);
    }
    return done;
  });
  return { kind, runs, missing: Math.max(0, count - runs.length), notices: [...notices, ...trouble] };
}

interface Circumstances {
  readonly kind: Reversal["kind"];
  /** The run that is taken back, or brought back. */
  readonly run: PastLog;
  /** The log that has how HEAD came to where the run, or its undo, left it. */
  readonly moved: Log;
  readonly turn: Turn;
  readonly project: Project;
  /** In milliseconds since 1970. */
  readonly started: number;
  /** What the user should know besides: a sentence. */
  readonly tell: (notice: string) => void;
}

async function takeBack({ log, sequence }: PastLog, { kind, run: { sequence: run, log: runLog }, moved, turn, project, started, tell }: Circumstances): Promise<ReversedRun> {
  const summary = summaryOf(runLog);
  const journal = Journal.create(turn.runs, { kind: "undo", of: sequence, root: project.root, transaction: "keep" });
  const { restored, refused } = await undoLog(log, { pins: choosePins(), commit: async (staged) => (await journal.commit(staged, { atomic: false })).outcomes });
  // Without a summary it is no part of history: the run still stands then.
  const isUndone = restored.length > 0 || refused.length === 0;
  const observe: AroundHooks = (act) => observeHook({ ...project, journal, tell }, act);
  const { commit, head, notices } = restored.length === 0 ? { notices: [] } : await commitReversal({ kind, run, moved, ...project, journal, observe, started });
  for (const notice of notices) tell(notice);
  // What hooks change belongs to it: they may do so for as long as the log has no end.
  journal.finish({ ...(isUndone && { summary: `${kind} run ${run}` }), kept: refused.map(({ path }) => path) });
  return { run, summary, restored, refused, ...(commit !== undefined && { commit }), ...(head !== undefined && { head }) };
}

/** What an interrupted undo, or redo, has done by now. A run that was taken back as it was interrupted is as good as undone. */
function finished({ sequence, kind: what, state, conflicts }: Recovered, kind: Reversal["kind"], logs: readonly PastLog[]): ReversedRun[] {
  const found = logs.find((log) => log.sequence === sequence);
  if (what === "run" && state === "undone" && kind === "undo") return [{ run: sequence, summary: "interrupted", restored: [], refused: conflicts }];
  const undone = logs.find((log) => log.sequence === found?.of);
  if (found === undefined || undone === undefined || state !== "done" || undone.kind !== (kind === "undo" ? "run" : "undo")) return [];
  const run = logs.find((log) => log.sequence === (kind === "undo" ? undone.sequence : undone.of));
  return run === undefined ? [] : [{ run: run.sequence, summary: summaryOf(run.log), restored: restoredIn(found.log), refused: conflicts }];
}
