import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../config/schema.ts";
import { isCrossing, removeLeftovers } from "../git/index-lock.ts";
import { findRepository } from "../git/repository.ts";
import { acquireLock, type Holder } from "../state/lock.ts";
import { makeFolders } from "../state/make-folders.ts";
import { projectStateFolder } from "../state/project-state-folder.ts";
import { expiredAsides } from "../commands/view/set-aside.ts";
import { orphanedViewFolders } from "../commands/view/view-folders.ts";
import { removeLayer } from "../commands/view/layer-folder.ts";
import { Refusal } from "../core/refusal.ts";
import { attempt, isSystemError } from "../disk/system-error.ts";
import { isPruningDue, NOTHING_DROPPED, prune } from "../journal/prune.ts";
import { doneOperations } from "../journal/inverse.ts";
import { LogWriter } from "../journal/log-writer.ts";
import { listSequences, logPath, readLog } from "../journal/read-log.ts";
import { recover, type Settle } from "../journal/recover.ts";
import type { Recovered } from "../journal/recovered.ts";
import { lastHeadMove, pastLogs } from "./past-runs.ts";
import { droppedSentence, recoveredSentences } from "./turn-notices.ts";

/** A project whose files are to be changed. */
export interface Project {
  /** Absolute, with links resolved. */
  readonly root: string;
  readonly settings: Settings;
  /** Told once who has the turn, when it has not come for a second. */
  readonly onWait?: ((holder: Holder) => void) | undefined;
}

export interface Turn {
  /** The folder of the project's journal. */
  readonly runs: string;
  /** The sequence of the newest log in it when the turn began, 0 where there was none. */
  readonly newest: number;
  /** What was left unfinished before. */
  readonly recovered: readonly Recovered[];
}

/** What came of a turn, and what the user should know that happened besides: sentences. */
export interface TurnResult<Value> {
  readonly value: Value;
  readonly notices: readonly string[];
}

/**
 * One turn at changing a project: nobody else changes it meanwhile, and what an earlier run left unfinished is finished first.
 * Waits while another one has the turn. Throws an `Error` with a sentence where the state folder cannot be used.
 */
export async function takeTurn<Value>({ root, settings, onWait }: Project, act: (turn: Turn) => Promise<Value>): Promise<TurnResult<Value>> {
  const folder = projectStateFolder(root);
  const runs = journalFolder(root);
  const lock = await inStateFolder(folder, () => {
    makeFolders(runs);
    return acquireLock(join(folder, "lock"), { onWait });
  });
  try {
    const repository = findRepository(root);
    if (repository !== undefined) removeLeftovers(repository.gitFolder);
    for (const path of [...orphanedViewFolders(root), ...expiredAsides(root, settings.history.max_age)]) removeLayer(path);
    // Loaded late, as it hardly ever is there.
    const steps = repository !== undefined && isCrossing(repository) ? await (await import("../git/recover-step.ts")).recoverStep({ root, settings }) : [];
    const { newest, recovered, notices: settling } = await lookAround(runs, { root, settings });
    const first = [...recoveredSentences(recovered, runs), ...settling];
    const value = await act({ runs, newest, recovered });
    const dropped = isPruningDue(runs, newest, settings.history) ? prune(runs, settings.history) : NOTHING_DROPPED;
    return { value, notices: [...steps, ...first, ...droppedSentence(dropped, settings.history)] };
  } finally {
    // What was done is to be told, whatever becomes of the lock: it goes with the process.
    attempt(() => lock.release());
  }
}

async function lookAround(runs: string, { root, settings }: Pick<Project, "root" | "settings">): Promise<Omit<Turn, "runs"> & { readonly notices: readonly string[] }> {
  const sequences = listSequences(runs);
  const notices: string[] = [];
  const settle: Settle = async (begun, note) => {
    const logs = pastLogs(runs);
    const target = logs.find(({ sequence }) => sequence === begun.header.of);
    if (target === undefined || doneOperations(begun).length === 0) return;
    const [kind, run] = target.kind === "run" ? (["undo", target.sequence] as const) : (["redo", target.of ?? 0] as const);
    try {
      if (settings.git.commit) await (await import("../git/commit-reversal.ts")).finishReversal({ root, settings }, begun, { kind, run, moved: lastHeadMove(target, logs), note });
    } catch (thrown) {
      notices.push(`HEAD stays where it is: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  };
  const recovered = await finishing(() => recover(runs, { sequences, settle }));
  notices.push(...(await finishLastCommit(runs, { root, settings })));
  return { newest: sequences.at(-1) ?? 0, recovered, notices };
}

/** Returns sentences. */
async function finishLastCommit(runs: string, project: Pick<Project, "root" | "settings">): Promise<string[]> {
  const path = logPath(runs, listSequences(runs).at(-1) ?? 0);
  const log = existsSync(path) ? readLog(path) : undefined;
  if (log?.head?.isCommit === undefined || log.head.isDone) return [];
  const writer = LogWriter.resume(log);
  const notices: string[] = [];
  try {
    await (await import("../git/finish-commit.ts")).finishCommit(project, log, (record) => {
      writer.append(record);
      writer.flush();
      notices.push("Loaf was interrupted after a commit: the index of the repository has that commit now too");
    });
    return notices;
  } catch (thrown) {
    return [`The index of the repository may lack what run ${log.header.sequence} committed: ${thrown instanceof Error ? thrown.message : String(thrown)}`];
  } finally {
    writer.close();
  }
}

/** Where the logs of a project's runs lie. It need not be there yet. */
export function journalFolder(root: string): string {
  return join(projectStateFolder(root), "runs");
}

async function inStateFolder<Value>(folder: string, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (thrown) {
    if (!isSystemError(thrown)) throw thrown;
    throw new Refusal(`Loaf cannot write to ${folder}, where it keeps what it needs to undo a run (${thrown.message}): nothing was changed`, { cause: thrown });
  }
}

async function finishing<Value>(act: () => Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (thrown) {
    if (!isSystemError(thrown)) throw thrown;
    throw new Refusal(`An earlier run was interrupted and cannot be finished (${thrown.message}): nothing was changed; mend that, then: loaf recover`, { cause: thrown });
  }
}
