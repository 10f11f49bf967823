import type { History, PastRun } from "../core/history.ts";
import { liveCommits } from "../git/live-commits.ts";
import { openRepository } from "../git/repository-of-project.ts";
import { historyIn } from "./past-runs.ts";
import { journalFolder, type Project } from "./turn.ts";

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
