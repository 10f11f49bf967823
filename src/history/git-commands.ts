/** Git operations that the user runs through Loaf. Each waits for its turn, as a run does. */
import { counted, countsOf } from "../core/counted.ts";
import { Refusal } from "../core/failure.ts";
import { type BranchChanges, branchChanges } from "../git/branch-changes.ts";
import { commitRun, type RunCommit } from "../git/commit-run.ts";
import { GitFailed } from "../git/git.ts";
import { openRepository } from "../git/repository-of-project.ts";
import { squash as squashIn, type Squashed, type SquashOptions } from "../git/squash.ts";
import { compose, donePuts, isOfFile } from "../journal/change-set.ts";
import { type Log, type LogRecord, readLog } from "../journal/log.ts";
import { LogWriter } from "../journal/log-writer.ts";
import { pastLogs, summaryOf, undoneBy } from "./past-runs.ts";
import type { StepSite } from "./past-steps.ts";
import { type Step, type StepOptions, Stepping } from "./step.ts";
import { type Project, takeTurn } from "./turn.ts";

export function squash(project: Project, options: SquashOptions): Promise<Squashed> {
  return inRepository(project, "Nothing was squashed", ({ git, repository }) => squashIn(git, repository, options));
}

export function back(project: Project, options: StepOptions): Promise<Step> {
  return inRepository(project, "Nothing was checked out", (site) => new Stepping(site).back(options));
}

export function forward(project: Project): Promise<Step> {
  return inRepository(project, "Nothing was checked out", (site) => new Stepping(site).forward());
}

/** Only reads, so it waits for nobody. Undefined without a repository, git or a commit. */
export async function changesOfBranch(
  project: Project,
  mayRead: (path: string) => boolean,
): Promise<BranchChanges | undefined> {
  const opened = await openRepository(project);
  return opened && branchChanges(opened.git, project.root, mayRead);
}

/**
 * Adds the notices of the turn to the result.
 *
 * @param undone the beginning of each `Refusal`: `Nothing was squashed`
 */
async function inRepository<Result extends { readonly notices: readonly string[] }>(
  project: Project,
  undone: string,
  act: (site: StepSite) => Promise<Result>,
): Promise<Result> {
  try {
    const { value, notices } = await takeTurn(project, async ({ runs }) => {
      const opened = await openRepository(project);
      if (opened === undefined)
        throw new Refusal(`${undone}: ${project.root} is not in a git repository, or git is not installed`);
      return act({ ...opened, root: project.root, runs });
    });
    return { ...value, notices: [...notices, ...value.notices] };
  } catch (thrown) {
    if (thrown instanceof GitFailed) throw new Refusal(`${undone}: ${thrown.message}`, { cause: thrown });
    throw thrown;
  }
}

export type { BranchChanges };

/** Commits what finished runs changed, as one commit. Leaves out runs that are undone, and those that have a commit. */
export async function commitRuns(project: Project, wanted: readonly number[]): Promise<RunCommit> {
  if (!project.settings.git.commit) return NOTHING;
  const { value, notices } = await takeTurn(project, async ({ runs: folder }) => {
    const logs = uncommitted(pastLogs(folder), new Set(wanted));
    const runs = logs.filter(({ kind }) => kind === "run");
    const [last, newest] = [logs.at(-1), runs.at(-1)];
    if (last === undefined || newest === undefined) return NOTHING;
    return commitRun({
      ...project,
      journal: {
        sequence: newest.sequence,
        versions: new Map(),
        read: () => last,
        recordHeadMove: (record) => runs.forEach(({ file }) => appendTo(file, record)),
      },
      earlier: logs.slice(0, -1),
      started: Date.now(),
      summary: (isLeftOut) => summaryOfAll(runs, logs, isLeftOut),
      body: runs.length === 1 ? newest.end?.answer : listOf(runs),
    });
  });
  return { ...value, notices: [...notices, ...value.notices] };
}

/** Opens the log for this record alone: a session may have more runs than a process may have open files. */
function appendTo(file: string, record: LogRecord): void {
  const log = readLog(file);
  if (log === undefined) return;
  const writer = LogWriter.resume(log);
  try {
    writer.write(record);
  } finally {
    writer.close();
  }
}

const NOTHING: RunCommit = { externalChanges: [], notices: [] };

/** Returns the logs of the runs, of their undos and of their redos, in order. */
function uncommitted(logs: readonly Log[], wanted: ReadonlySet<number>): Log[] {
  const undone = undoneBy(logs);
  const taken = new Set<number>();
  for (const { sequence, kind, of = 0, head, end } of logs) {
    const isRun = kind === "run" && wanted.has(sequence) && !undone.has(sequence) && end !== undefined;
    if (head === undefined && (isRun || taken.has(of))) taken.add(sequence);
  }
  return logs.filter(({ sequence }) => taken.has(sequence));
}

function summaryOfAll(runs: readonly Log[], logs: readonly Log[], isLeftOut?: (path: string) => boolean): string {
  const [only, ...others] = runs;
  if (only !== undefined && others.length === 0) return summaryOf(only);
  const changes = compose(logs.flatMap(donePuts));
  const files = changes.filter((change) => isOfFile(change) && isLeftOut?.(change.path) !== true);
  return `change ${counted(files.length, "file")} in ${runs.length} calls`;
}

function listOf(runs: readonly Log[]): string {
  const lines = [...countsOf(runs.map(summaryOf))].map(
    ([summary, count]) => `- ${summary}${count > 1 ? ` (${count} calls)` : ""}`,
  );
  const more = lines.length - MAX_LISTED;
  return [...lines.slice(0, MAX_LISTED), ...(more > 0 ? [`- and ${more} more`] : [])].join("\n");
}

const MAX_LISTED = 20;
