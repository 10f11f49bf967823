import { visibleOnOneLine } from "../core/visible.ts";
import { branchOf, createCommit, isSigning, moveHead, readHead } from "./record-commit.ts";
import { fromBytes } from "../paths/names.ts";
import { type Git, GitFailed, records } from "./git.ts";
import { refuseExcludedSigning } from "./filters.ts";
import { operationInProgress, push, type Repository } from "./repository.ts";

/**
 * Selects the commits to fold. Each must meet all given conditions. Without conditions, selects the commits of Loaf's
 * runs and undos.
 */
export interface SquashOptions {
  /** Commits with Loaf's trailer. */
  readonly auto?: boolean;
  /** Commits whose subject begins with `AI:`. */
  readonly aiMessages?: boolean;
  /** Commits whose message contains a text. */
  readonly containing?: string;
  /** Maximum age. */
  readonly hours?: number;
  readonly days?: number;
  /** Maximum number. */
  readonly limit?: number;
  /** Defaults to one made from the changed files. */
  readonly message?: string;
  /** Reports what would be folded, and changes nothing. */
  readonly dryRun?: boolean;
  /** Includes pushed commits and pushes the result, unless somebody else has pushed meanwhile. */
  readonly push?: boolean;
  /** Asks whether to fold the user's own commits. If absent, folds them and names them in a notice. */
  readonly confirm?: (own: readonly FoldedCommit[], all: readonly FoldedCommit[]) => Promise<boolean>;
}

export interface FoldedCommit {
  readonly commit: string;
  readonly subject: string;
  /** The author, by Loaf's trailer. */
  readonly by: "loaf" | "user";
}

export interface Squashed {
  /** Folded commits, or those of a dry run, newest first. */
  readonly folded: readonly FoldedCommit[];
  readonly message: string;
  /** The new commit; absent in a dry run, and if the server rejected it. */
  readonly commit?: string;
  /** The push failed, so that the branch is as it was. */
  readonly isRejected?: true;
  /** Sentences. */
  readonly notices: readonly string[];
}

interface LoggedCommit {
  readonly commit: string;
  readonly parents: readonly string[];
  /** Seconds since 1970. */
  readonly time: number;
  readonly message: string;
}

/** Maximum number of commits to look at. */
const MAX_COMMITS = 10_000;
const TRAILER = /^Loaf-Run: \d+$/gm;

/**
 * Folds the matching commits at HEAD, up to the first that does not match, into one with the same tree. Leaves index
 * and files alone. Throws `GitFailed`, with nothing changed.
 */
export async function squashOnto(git: Git, repository: Repository, options: SquashOptions): Promise<Squashed> {
  const operation = operationInProgress(repository);
  if (operation !== undefined) throw new GitFailed(`${operation} is in progress`);
  const head = await readHead(git);
  if (head.commit === undefined || head.tree === undefined) throw new GitFailed("there is no commit yet");
  const mayPush = options.push !== true || (await branchOf(git)) !== undefined;
  if (!mayPush) throw new GitFailed("HEAD is not on a branch that can be pushed");
  const folded = await matchingCommits(git, head.commit, options);
  const base = folded.at(-1)?.parents[0];
  const named = folded.map(({ commit, message }): FoldedCommit => ({
    commit,
    subject: message.split("\n", 1)[0] ?? "",
    by: isLoafCommit(message) ? "loaf" : "user",
  }));
  const byUser = named.filter(({ by }) => by === "user");
  const made = options.message ?? squashMessage(await changedFiles(git, base, head.commit), byUser.length === 0);
  // The trailer marks a commit as Loaf's own, so one with the user's work does not get it.
  const message = byUser.length === 0 ? withTrailers(made, folded) : `${made.trimEnd()}\n`;
  const folding = { folded: named, message };
  const list = byUser.map(({ commit, subject }) => `${commit.slice(0, 10)} ${subject}`).join("; ");
  const count = `${byUser.length} of these ${named.length} commits ${byUser.length === 1 ? "is" : "are"}`;
  const notices = byUser.length === 0 ? [] : [`${count} your own, not Loaf's: ${list}`];
  if (options.dryRun === true) return { ...folding, notices };
  const isKept = byUser.length > 0 && options.confirm !== undefined && !(await options.confirm(byUser, named));
  if (isKept) throw new GitFailed("you kept your own commits");
  await refuseExcludedSigning(git);
  const [parents, isSigned] = [base === undefined ? [] : [base], await isSigning(git)];
  const commit = await createCommit(git, head.tree, parents, message, isSigned);
  await moveHead(git, head.commit, commit, `squash of ${folded.length} commits`);
  const failure = options.push === true ? await push(git, ["--force-with-lease", "--force-if-includes"]) : undefined;
  if (failure === undefined) return { ...folding, commit, notices };
  await moveHead(git, commit, head.commit, "squash taken back, because it could not be pushed");
  return { ...folding, isRejected: true, notices: [...notices, `The commit was not pushed, so the branch is as it was: ${failure}`] };
}

async function matchingCommits(git: Git, head: string, options: SquashOptions): Promise<LoggedCommit[]> {
  const all = await commitsFrom(git, head);
  const listUnpushed = ["rev-list", "--first-parent", `--max-count=${MAX_COMMITS}`, head, "--not", "--remotes"];
  const unpushed = options.push === true ? undefined : new Set((await git(listUnpushed)).toString().split("\n"));
  const cut = (await isShallow(git)) ? all.find(({ parents }) => parents.length === 0) : undefined;
  const isFoldable = (logged: LoggedCommit): boolean => logged.parents.length <= 1 && isWanted(logged, options);
  const end = all.findIndex((last) => last === cut || !isFoldable(last) || unpushed?.has(last.commit) === false);
  const folded = (end === -1 ? all : all.slice(0, end)).slice(0, options.limit);
  const stop = all[folded.length];
  if (folded.length >= 2) return folded;
  const isPushed = stop !== undefined && isWanted(stop, options) && unpushed?.has(stop.commit) === false;
  const subject = stop?.message.split("\n", 1)[0];
  const mismatch = stop === cut ? "is where a shallow clone ends" : `'${subject}' does not match`;
  const why = isPushed ? "is pushed, and only --push rewrites pushed commits" : mismatch;
  const reason = stop === undefined ? "" : `: ${stop.commit.slice(0, 10)} ${why}`;
  const count = folded.length === 1 ? "only one matches" : "none matches";
  throw new GitFailed(`it takes two matching commits at HEAD, and ${count}${reason}`);
}

/** In a shallow clone the oldest commit seems to have no parents. Folding it would start a separate history. */
async function isShallow(git: Git): Promise<boolean> {
  return (await git(["rev-parse", "--is-shallow-repository"])).toString().trim() === "true";
}

async function commitsFrom(git: Git, head: string): Promise<LoggedCommit[]> {
  const format = ["%H", "%P", "%ct", "%B"].join("%x1f");
  const output = await git([
    "log", "--first-parent", "-z", "--encoding=UTF-8", `--max-count=${MAX_COMMITS}`, `--format=tformat:${format}`, head
  ]);
  return records(output).map((record) => {
    const [commit = "", parents = "", time = "", ...message] = fromBytes(record).split("\x1f");
    const ids = parents === "" ? [] : parents.split(" ");
    return { commit, parents: ids, time: Number(time), message: message.join("\x1f") };
  });
}

function isWanted({ message, time }: LoggedCommit, options: SquashOptions): boolean {
  const { auto, aiMessages = false, containing, hours, days } = options;
  const isAsked = aiMessages || containing !== undefined || hours !== undefined || days !== undefined;
  const age = Date.now() / 1_000 - time;
  if ((auto ?? !isAsked) && !isLoafCommit(message)) return false;
  if (aiMessages && !message.startsWith("AI:")) return false;
  if (containing !== undefined && !message.includes(containing)) return false;
  return age <= Math.min(hours ?? Infinity, (days ?? Infinity) * 24) * 3_600;
}

/** Returns whether a commit is Loaf's, by its trailer. */
export function isLoafCommit(message: string): boolean {
  return message.match(TRAILER) !== null;
}

async function changedFiles(git: Git, base: string | undefined, head: string): Promise<string[]> {
  const all = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", head];
  const changed = ["diff-tree", "-r", "-z", "--name-only", "--no-renames"];
  const output = await git(base === undefined ? all : [...changed, base, head]);
  return output.toString().split("\0").slice(0, -1);
}

/** `AI:` is only for Loaf's commits. */
function squashMessage(files: readonly string[], isAllLoafs: boolean): string {
  const more = files.length - 3;
  const named = files.slice(0, 3).map((file) => visibleOnOneLine(file)).join(", ");
  const what = files.length === 0 ? "change nothing" : `change ${named}${more > 0 ? ` and ${more} more` : ""}`;
  return isAllLoafs ? `AI: ${what}` : `Squash: ${what}`;
}

/** Keeps the trailers of the folded runs, so that the commit can be folded again. */
function withTrailers(message: string, folded: readonly LoggedCommit[]): string {
  const all = new Set(folded.toReversed().flatMap((commit) => commit.message.match(TRAILER) ?? []));
  const trailers = [...all].filter((line) => !message.includes(line));
  return `${message.trimEnd()}\n${trailers.length === 0 ? "" : `\n${trailers.join("\n")}\n`}`;
}
