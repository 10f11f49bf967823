import { lstatSync } from "node:fs";
import { join, relative } from "node:path";
import { commitMessage, type MessageFacts } from "../config/commit-message.ts";
import type { Settings } from "../config/schema.ts";
import { messageOf } from "../core/errors.ts";
import { explain, Failed } from "../core/failure.ts";
import { namedFew, visibleOnOneLine } from "../core/visible.ts";
import { Disk } from "../disk/disk.ts";
import { attempt } from "../disk/system-error.ts";
import { createPolicy } from "../guard/policy.ts";
import type { Journal } from "../journal/journal.ts";
import type { Log } from "../journal/log.ts";
import { guardedMachine } from "../state/places.ts";
import { filesToCommit } from "./commit-files.ts";
import { commit, type Committed, endOfHeadLog } from "./commit.ts";
import { type Execution, type Git, records } from "./git.ts";
import { asBytes, fromBytes } from "../paths/names.ts";
import { describeFilter } from "./filters.ts";
import { findRepository, foreignGitFolder, inNestedRepositories, push } from "./repository.ts";
import type { AroundHooks } from "./record-commit.ts";
import { type OpenedRepository, openRepository } from "./repository-of-project.ts";

/** The commit of a run, and notices for the user. */
export interface RunCommit {
  readonly commit?: string;
  /** Relative to the root. */
  readonly externalChanges: readonly string[];
  readonly notices: readonly string[];
}

export interface CommitOptions {
  readonly root: string;
  readonly settings: Settings;
  /** Journal of the finished run or undo. */
  readonly journal: Pick<Journal, "sequence" | "read" | "versions" | "recordHeadMove">;
  /** Logs of earlier runs that the same commit takes. */
  readonly earlier?: readonly Log[];
  /** Wraps commit hooks, whose changes then belong to the run. */
  readonly observe?: AroundHooks;
  /** Start of the run, in milliseconds since 1970. */
  readonly started: number;
  /** Length of git's log of HEAD at that time, if known. */
  readonly headLogEnd?: number | undefined;
  /** Summarizes the run in a few words. `isLeftOut` says whether an absolute path does not count. */
  summary(isLeftOut?: (path: string) => boolean): string;
  /** What placeholders in the message of the settings stand for. */
  readonly facts?: Omit<MessageFacts, "operation_summary">;
  /** The answer's first sentence. */
  readonly body?: string | undefined;
  /** Message of a revert commit, without its trailer. Defaults to the one from the settings. */
  readonly message?: string;
}

/** Call it when a run begins. Returns a function that commits the run. */
export function commitAfter(root: string) {
  const repository = findRepository(root);
  const start = { started: Date.now(), headLogEnd: repository && endOfHeadLog(repository) };
  return (options: Omit<CommitOptions, keyof typeof start>): Promise<RunCommit> => commitRun({ ...options, ...start });
}

/** What common servers refuse. */
const MAX_COMMITTED_BYTES = 100 * 2 ** 20;

/** Milliseconds. Shorter runs are not checked for foreign changes, because git would have to look at every file. */
const SHORT = 1_000;

/** Commits what a run changed, and nothing else. Never throws, because the run is already done. */
export async function commitRun(options: CommitOptions): Promise<RunCommit> {
  const { journal: { sequence } } = options;
  if (sequence === undefined) return { externalChanges: [], notices: [] };
  try {
    const opened = await openRepository(options);
    if (opened !== undefined) return await commitIn(opened, sequence, options);
    const foreign = foreignGitFolder(options.root);
    return { externalChanges: [], notices: foreign === undefined ? [] : [notCommitted(foreignReason(foreign))] };
  } catch (thrown) {
    return { externalChanges: [], notices: [notCommitted(messageOf(thrown))] };
  }
}

/** Of a reversal, which has a message of its own. */
const NO_FACTS: Omit<MessageFacts, "operation_summary"> = {
  success: "true",
  executedActions: "0",
  totalBlocks: "0",
  modifiedFiles: "",
  operations: "",
  errors: "",
  errorCount: "0",
};

async function commitIn(opened: OpenedRepository, sequence: number, options: CommitOptions): Promise<RunCommit> {
  const { repository, git } = opened;
  const { root, settings, journal, earlier = [], observe, started, headLogEnd } = options;
  const { summary, message, facts, body } = options;
  const log = journal.read();
  const changed = log === undefined ? [] : filesToCommit([...earlier, log], repository.top, journal.versions);
  if (changed.length === 0) return { externalChanges: [], notices: [] };
  const nested = new Set(inNestedRepositories(repository, changed.map(({ path }) => path)));
  const isSecret = secretsIn(root);
  const secret = changed.filter(({ path }) => isSecret(join(repository.top, path))).map(({ path }) => path);
  const isLarge = (path: string): boolean =>
    (lstatSync(join(repository.top, path), { throwIfNoEntry: false })?.size ?? 0) > MAX_COMMITTED_BYTES;
  const large = changed.filter(({ path, exists }) => exists && isLarge(path)).map(({ path }) => path);
  const files = changed.filter(({ path }) => !nested.has(path) && !secret.includes(path) && !large.includes(path));
  const subject = (paths: readonly string[]): string => {
    const leftOut = new Set(changed.map(({ path }) => join(repository.top, path)));
    for (const path of paths) leftOut.delete(join(repository.top, path));
    const words = visibleOnOneLine(summary((path) => leftOut.has(path)));
    const made = message ?? commitMessage(settings.git.message, { ...NO_FACTS, ...facts, operation_summary: words });
    return visibleByLines(body === undefined ? made : `${made}\n\n${body}`);
  };
  const ofRuns = earlier.filter(({ kind }) => kind === "run");
  const runs = new Set([...ofRuns.map((log) => log.sequence), sequence]);
  // An interrupted commit is found by its last trailer.
  const trailers = [...runs].sort((a, b) => a - b).map((run) => `Loaf-Run: ${run}\n`).join("");
  const [made, foreign] = await Promise.all([
    commit(git, {
      repository,
      files,
      headLogEnd,
      message: (paths) => `${subject(paths)}\n\n${trailers}`,
      messageBefore: `Before AI: ${visibleOnOneLine(summary())}\n`,
      isRevert: message !== undefined,
      onMoving: (move) => journal.recordHeadMove({ type: "moving", move }),
      aroundHooks: observe && ((act) => observe(act).catch(explainFailed)),
    }),
    Date.now() - started < SHORT ? [] : foreignChanges(git, started, new Set(changed.map(({ path }) => path))),
  ]);
  const to = made.commit ?? made.commitBefore;
  const isOnlyBefore = made.commit === undefined && ({ isOnlyBefore: true } as const);
  if (to !== undefined) attempt(() => journal.recordHeadMove({ type: "moved", to, ...isOnlyBefore }));
  const pushFailure = made.commit !== undefined && settings.git.push ? await push(git) : undefined;
  const named = (path: string) => relative(root, `${repository.top}/${path}`);
  return {
    ...(made.commit !== undefined && { commit: made.commit }),
    externalChanges: [...made.changedSince, ...foreign].map(named),
    notices: [
      ...(made.commit === undefined ? [] : sentencesOnConfiguration(git.execution)),
      ...sentencesOn(made, [...nested].map(named), named),
      ...sentencesOnFilters(git, made.filtered, named),
      ...uncommitted(secret.map(named), "Loaf never commits files that usually contain secrets"),
      ...uncommitted(large.map(named), "Loaf commits no files above 100 MiB, which a repository would keep for ever"),
      ...(pushFailure === undefined ? [] : [`The commit was not pushed: ${pushFailure}`]),
    ],
  };
}

function explainFailed(thrown: unknown): never {
  throw thrown instanceof Failed ? new Error(explain(thrown.failure), { cause: thrown }) : thrown;
}

function sentencesOn(
  { failure, commitBefore, changedSince }: Committed, nested: readonly string[], named: (path: string) => string
): string[] {
  const sentences = failure === undefined ? [] : [notCommitted(failure)];
  if (failure !== undefined && commitBefore !== undefined)
    sentences.push(`What you had changed in these files before is committed as ${commitBefore.slice(0, 10)}`);
  for (const path of changedSince.map(named))
    sentences.push(`${path} was changed by somebody else after the run wrote it: it is not in the commit`);
  if (nested.length > 0) {
    const [names, are] = [namedFew(nested, MAX_NAMED), nested.length === 1 ? "is" : "are"];
    sentences.push(`${names} ${are} in a repository of its own, such as a submodule: commit it there`);
  }
  return sentences;
}

function uncommitted(paths: readonly string[], reason: string): string[] {
  if (paths.length === 0) return [];
  return [`${namedFew(paths, MAX_NAMED)} ${paths.length === 1 ? "stays" : "stay"} uncommitted: ${reason}`];
}

function foreignReason(gitFolder: string): string {
  return `the project's .git file names ${visibleOnOneLine(gitFolder)}, and that repository does not name this project`;
}

function notCommitted(reason: string): string {
  return `No commit was made: ${reason}. The changes stay in the files`;
}

/** Shows invisible characters as a report does, line by line. */
function visibleByLines(message: string): string {
  return message.split("\n").map((line) => visibleOnOneLine(line, Infinity)).join("\n");
}

/** Returns a test for files that the default rules hide, whatever the user's rules say. */
function secretsIn(root: string): (path: string) => boolean {
  const policy = createPolicy(new Disk(), {
    root,
    ...guardedMachine(),
    rules: [{ read: {}, write: {} }],
    sealed: [],
    readOnly: [],
  });
  return (path) => policy(path, "read")?.startsWith("deny ") === true;
}

/**
 * Returns tracked files that git's status shows as changed and whose time is newer than the given one.
 *
 * @param since milliseconds since 1970
 * @param ownCommits paths to skip
 */
async function foreignChanges(git: Git, since: number, ownCommits: ReadonlySet<string>): Promise<string[]> {
  const { exitCode, stdout } = await git.attempt([
    "status", "--porcelain=v1", "-z", "--untracked-files=no", "--no-renames", "--ignore-submodules=all"
  ]);
  if (exitCode !== 0) return [];
  const accounted = new Set([...ownCommits].map(asBytes));
  const changed = records(stdout).filter((line) => line[1] !== " ").map((line) => line.slice(3));
  const foreign = changed.filter((path) => !accounted.has(path)).map(fromBytes);
  return foreign.filter((path) => isYounger(join(git.top, path), since));
}

/** Milliseconds that a file's time may lag behind the clock: file systems take it from the last tick of a timer. */
const MAX_LAG_MS = 20;

/** A removed file has no time, so it does not count. */
function isYounger(path: string, since: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Math.max(stats.ctimeMs, stats.mtimeMs) >= since - MAX_LAG_MS;
}

function sentencesOnConfiguration({ excluded: { configuration } }: Execution): string[] {
  if (configuration.length === 0) return [];
  return [`Committed without the git configuration in ${namedFew(configuration, MAX_NAMED)}, which an action could write`];
}

/** Returns a notice for each filter that Loaf does not start, with the files that stay uncommitted for it. */
function sentencesOnFilters(git: Git, filtered: Committed["filtered"], named: (path: string) => string): string[] {
  return [...git.execution.excluded.filters.keys()].flatMap((filter) => {
    const paths = [...filtered.keys()].filter((path) => filtered.get(path) === filter).map(named);
    return uncommitted(paths, `git would run ${describeFilter(git, filter)}`);
  });
}

const MAX_NAMED = 3;
