/** Git operations that the user runs through Loaf. Each waits for its turn, as a run does. */
import { join, relative } from "node:path";
import { counted, countsOf } from "../core/counted.ts";
import { Refusal } from "../core/failure.ts";
import { commitRun, type RunCommit } from "../git/commit-run.ts";
import { type Git, GitFailed, records } from "../git/git.ts";
import { commitAt } from "../git/record-commit.ts";
import { openRepository } from "../git/repository-of-project.ts";
import { squashOnto as squashIn, type Squashed, type SquashOptions } from "../git/squash.ts";
import { compose, donePuts, isOfFile } from "../journal/change-set.ts";
import { type Log, type LogRecord, readLog } from "../journal/log.ts";
import { LogWriter } from "../journal/log-writer.ts";
import { pastLogs, summaryOf, undoneBy } from "./past-runs.ts";
import type { StepSite } from "./past-steps.ts";
import { type Step, type StepOptions, Stepping } from "./step.ts";
import { type Project, takeTurn } from "./turn.ts";
import { fromBytes } from "../paths/names.ts";
import { isWithin } from "../paths/path-segments.ts";

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

export interface BranchChanges {
  /** What the branch is compared with: `origin/main`. */
  readonly base: string;
  /** One line for each commit, newest first. */
  readonly log: readonly string[];
  /** A diff from the base to the files as they are, committed or not. */
  readonly diff: string;
  /** Number of changed files that are not in the diff. */
  readonly omitted: number;
}

/**
 * Compares with the branch's upstream, or else with main. Prefers one that the branch is ahead of. Undefined if there
 * is none, as before the first commit. Throws `GitFailed`.
 *
 * @param root of the project; files elsewhere in the repository are ignored
 * @param mayRead whether a file may be shown
 */
async function branchChanges(
  git: Git,
  root: string,
  mayRead: (path: string) => boolean,
): Promise<BranchChanges | undefined> {
  const base = await findBase(git);
  if (base === undefined) return undefined;
  const [log, names] = await Promise.all([
    git(["log", `--max-count=${MAX_COMMITS}`, "--no-show-signature", "--format=%h %as %s", `${base.start}..HEAD`]),
    git(["diff", "--name-only", "-z", ...PLAIN, base.start]),
  ]);
  const paths = records(names)
    .map((path) => join(git.top, fromBytes(path)))
    .filter((path) => isWithin(path, root));
  const shown = paths.filter(mayRead).slice(0, MAX_FILES);
  const named = shown.map((path) => relative(git.top, path));
  const diff = named.length === 0 ? "" : (await git(["diff", ...PLAIN, base.start, "--", ...named])).toString();
  return {
    base: base.name,
    log: log
      .toString()
      .split("\n")
      .filter((line) => line !== ""),
    diff,
    omitted: paths.length - shown.length,
  };
}

const MAX_COMMITS = 50;
/** The length of a command line is limited. */
const MAX_FILES = 1_000;
/** No program of the repository's takes part. No renames, because the old name may be one that must not be read. */
const PLAIN = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-renames",
  "--ignore-submodules=all",
  "--src-prefix=a/",
  "--dst-prefix=b/",
];

/** @returns its name, and the commit at which the branch left it */
async function findBase(git: Git): Promise<{ readonly name: string; readonly start: string } | undefined> {
  const read = async (...args: string[]): Promise<string | undefined> => {
    const { exitCode, stdout } = await git.attempt(args);
    return exitCode === 0 && stdout.length > 1 ? stdout.toString().trim() : undefined;
  };
  const head = await commitAt(git, "HEAD");
  if (head === undefined) return undefined;
  let atHead: { name: string; start: string } | undefined;
  for (const candidate of ["@{upstream}", "origin/HEAD", "refs/heads/main", "refs/heads/master", "HEAD"]) {
    const start = await read("merge-base", "HEAD", candidate);
    if (start === undefined) continue;
    const name = (await read("rev-parse", "--abbrev-ref", candidate)) ?? candidate;
    if (start !== head) return { name, start };
    atHead ??= { name, start };
  }
  return atHead;
}
