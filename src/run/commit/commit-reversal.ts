import type { Git } from "../../git/git.ts";
import { isPushed } from "../../git/push.ts";
import type { Reversal } from "../../core/history.ts";
import { commitRun, type CommitOptions } from "./commit-run.ts";
import { committedRuns } from "./committed-runs.ts";
import { openRepository } from "./repository-of-project.ts";

export interface ReversalCommit {
  readonly commit?: string;
  readonly notices: readonly string[];
}

interface Options extends Omit<CommitOptions, "summary" | "message"> {
  readonly kind: Reversal["kind"];
  /** The run that was taken back, or brought back. */
  readonly run: number;
  /** What was taken back: the run, or its undo. */
  readonly of: number;
}

/**
 * Where a run was committed, its undo is committed too, as a commit that reverts it, and so on. But only on top of Loaf's own commits, and
 * where nobody else can have it: otherwise the files are changed and nothing else, and a sentence says so.
 */
export async function commitReversal({ kind, run, of, ...options }: Options): Promise<ReversalCommit> {
  const { root, settings } = options;
  const commits = committedRuns(root);
  const commit = commits.get(of);
  try {
    const opened = settings.git.commit && commit !== undefined ? await openRepository(options) : undefined;
    if (opened === undefined || commit === undefined) return { notices: [] };
    const obstacle = await obstacleTo(opened.git, commit, new Set(commits.values()));
    if (obstacle !== undefined) return { notices: [`${kind === "undo" ? `Run ${run}` : `The undo of run ${run}`} was committed as ${commit.slice(0, 10)}, and ${obstacle}: only the files are changed, no commit was added`] };
    const subject = (await opened.git(["log", "-1", "--format=%s", commits.get(run) ?? commit])).toString().trim();
    const message = `${kind === "undo" ? "Revert" : "Reapply"} "${subject}"\n\nThis reverts commit ${commit}.`;
    const made = await commitRun({ ...options, summary: `${kind} run ${run}`, message });
    return { ...(made.commit !== undefined && { commit: made.commit }), notices: made.notices };
  } catch (thrown) {
    return { notices: [`No commit was made: ${thrown instanceof Error ? thrown.message : String(thrown)}. The changes stay in the files`] };
  }
}

/** How far back a commit is looked for. */
const MOST_COMMITS = 1_000;

/** Why a commit that reverts another one cannot be put on top of HEAD. @param own commits of runs and undos */
async function obstacleTo(git: Git, commit: string, own: ReadonlySet<string>): Promise<string | undefined> {
  const since = (await git(["rev-list", "--first-parent", `--max-count=${MOST_COMMITS}`, "HEAD"])).toString().trim().split("\n");
  const place = since.indexOf(commit);
  if (place === -1) return "HEAD is somewhere else by now";
  if (!since.slice(0, place).every((later) => own.has(later))) return "there are newer commits";
  return (await isPushed(git, commit)) ? "that is pushed" : undefined;
}
