import { statSync } from "node:fs";
import { type Answer, type Git, GitFailed, reasonOf } from "./git.ts";
import { lastMove } from "./head-log.ts";
import type { Repository } from "./repository.ts";

/** Where a repository stands, and how it wants its commits made. */
export interface Head {
  /** The branch's full name; undefined where HEAD is detached. */
  readonly branch: string | undefined;
  /** Undefined on a branch without a commit. */
  readonly commit: string | undefined;
  readonly tree: string | undefined;
  /** Whether one of its hooks has a say in a commit. */
  readonly hasHooks: boolean;
}

export async function readHead(git: Git): Promise<Head> {
  const answer = await git.attempt(["rev-parse", "--git-dir", "HEAD^{commit}", "HEAD^{tree}", "--symbolic-full-name", "HEAD"]);
  // A git that was ended has not said that there is no commit.
  if (answer.exitCode === null) throw new GitFailed(reasonOf(answer));
  const [folder = "", commit = "", tree = "", branch = ""] = answer.stdout.toString().split("\n");
  const isBorn = answer.exitCode === 0;
  if (!isBorn && folder === "") await git(["rev-parse", "--git-dir"]);
  return {
    branch: isBorn ? (branch === "HEAD" ? undefined : branch) : await branchOf(git),
    commit: isBorn ? commit : undefined,
    tree: isBorn ? tree : undefined,
    hasHooks: git.execution.hasCommitHooks,
  };
}

/** The full name of the branch that HEAD is on; undefined where it is detached. */
export async function branchOf(git: Git): Promise<string | undefined> {
  return (await git.attempt(["symbolic-ref", "--quiet", "HEAD"])).stdout.toString().trim() || undefined;
}

/** Whether the user has commits signed. */
export async function isSigning(git: Git): Promise<boolean> {
  return (await git.attempt(["config", "--type=bool", "--get", "commit.gpgSign"])).stdout.toString().trim() === "true";
}

export interface Recorded {
  readonly commit: string;
  /** Undefined where nobody had to know it. */
  readonly tree?: string;
  /** Git has not ended well: HEAD has moved, but the index may not hold what git was to take into it. */
  readonly isCutShort?: boolean;
}

/** Lets hooks loose on the work tree. Where it throws before, no commit is made. */
export type AroundHooks = <Value>(commit: () => Promise<Value>) => Promise<Value>;

interface Recording {
  readonly repository: Repository;
  readonly head: Head;
  readonly index: string;
  readonly message: string;
  readonly aroundHooks?: AroundHooks | undefined;
  readonly isRevert?: boolean;
}

/** Bytes of an index, some 5,000 files, up to which it is cheaper to let git look at every file than to start three more programs. */
export const SMALL_INDEX = 500_000;

/**
 * Makes a commit of what an index holds, on top of HEAD and with HEAD moved to it; undefined where it would hold nothing new. Throws `GitFailed` where a
 * hook, the signing or the user's name is missing or fails, or somebody has moved HEAD.
 *
 * Where no hook has a say and there are many files it is put together from its parts, since `git commit` looks at every file of the work tree first.
 */
export async function recordCommit(git: Git, recording: Recording): Promise<Recorded | undefined> {
  const { head, index, message, aroundHooks = (commit) => commit(), isRevert = false } = recording;
  if (!head.hasHooks && head.commit !== undefined && sizeOf(index) <= SMALL_INDEX) return recordAtOnce(git, head.commit, recording);
  const [written, isSigned] = await Promise.all([git(["write-tree"], { index }), head.hasHooks ? false : isSigning(git)]);
  const tree = written.toString().trim();
  if (tree === head.tree || (head.tree === undefined && EMPTY_TREES.includes(tree))) return undefined;
  if (head.hasHooks) {
    const answer = await aroundHooks(() => git.attempt(["commit", "--quiet", ...(isRevert ? ["--no-verify"] : []), "--cleanup=whitespace", "--file=-"], { index, input: message, runsHooks: true }));
    if (answer.exitCode !== 0) return (await madeAllTheSame(git, head.commit, message)) ?? refuse(answer);
    // A hook may have added to it.
    const [commit = "", added = ""] = (await git(["rev-parse", "HEAD", "HEAD^{tree}"])).toString().split("\n");
    return { commit, tree: added };
  }
  const commit = await createCommit(git, { tree, parents: head.commit === undefined ? [] : [head.commit], message, isSigned });
  return { commit: await moveHead(git, head.commit, commit, message), tree };
}

/** Of SHA-1 and of SHA-256. */
const EMPTY_TREES = ["4b825dc642cb6eb9a060e54bf8d69288fbee4904", "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"];

/**
 * The same by one process, where no hook has a say.
 *
 * @param files that git first takes from the work tree into the index, which knows their paths already
 */
export async function recordAtOnce(git: Git, parent: string, { repository, index, message }: Omit<Recording, "head">, files: readonly string[] = []): Promise<Recorded | undefined> {
  const [settings, taken] = files.length === 0 ? [[], []] : [AS_WRITTEN, ["--include", "--", ...files]];
  // It tells the commit's name, of which nothing is cut off.
  const answer = await git.attempt([...settings, "-c", `core.abbrev=${parent.length}`, "commit", "--no-status", "--untracked-files=no", "--cleanup=whitespace", "--file=-", ...taken], { index, input: message });
  // Besides, it may have warned of line endings.
  if (answer.exitCode === 1 && /^(nothing|no changes) (added )?to commit/m.test(answer.stdout.toString())) return undefined;
  const commit = answer.exitCode === 0 ? /^\[[^\n]* ([0-9a-f]{40,64})\] /.exec(answer.stdout.toString())?.[1] : undefined;
  if (commit === undefined) return (await madeAllTheSame(git, parent, message)) ?? refuse(answer);
  const found = lastMove(repository, commit) ?? (await git(["rev-parse", `${commit}^`])).toString().trim();
  if (found === parent) return { commit };
  // Git takes HEAD as it finds it. What somebody has put there meanwhile would be reverted by this commit.
  await takeBack(git, commit, found, "on top of another one than it was made from");
  throw new GitFailed("somebody has moved HEAD meanwhile");
}

/** A path that is given is the one that the index has, letter by letter, and is taken in even where a sparse work tree would leave it out, as `update-index` does. */
const AS_WRITTEN = ["core.ignoreCase", "core.precomposeUnicode", "core.sparseCheckout"].flatMap((setting) => ["-c", `${setting}=false`]);

/** Moves HEAD from a commit that should not be there to where it was; not where somebody has moved it again. @param what commit it is, for the log of HEAD */
export async function takeBack(git: Git, commit: string, to: string, what: string): Promise<void> {
  await git(["update-ref", "-m", `loaf: take back a commit ${what}`, "HEAD", to, commit]);
}

/**
 * The commit that HEAD was moved to although git did not end well, or did not say so: it may have been ended after that, or have found the disk full. Undefined
 * where HEAD is something else than a commit of this message on top of `parent`. Hooks may add to a message.
 */
async function madeAllTheSame(git: Git, parent: string | undefined, message: string): Promise<Recorded | undefined> {
  const { exitCode, stdout } = await git.attempt(["log", "-1", "--encoding=UTF-8", "--format=%H%n%T%n%P%n%B", "HEAD"]);
  const [commit = "", tree = "", parents = "", ...said] = stdout.toString().split("\n");
  const isOurs = exitCode === 0 && parents === (parent ?? "") && message.split("\n").every((line) => said.some((one) => one.includes(line.trim())));
  return isOurs ? { commit, tree, isCutShort: true } : undefined;
}

function refuse(answer: Answer): never {
  throw new GitFailed(answer.exitCode === 0 ? "git has made none" : reasonOf(answer));
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** A commit that no branch has yet. */
export async function createCommit(git: Git, { tree, parents, message, isSigned = false }: { readonly tree: string; readonly parents: readonly string[]; readonly message: string; readonly isSigned?: boolean }): Promise<string> {
  const output = await git(["commit-tree", ...(isSigned ? ["-S"] : []), ...parents.flatMap((parent) => ["-p", parent]), "-F", "-", tree], { input: message });
  return output.toString().trim();
}

/** Moves HEAD, and the branch that it is on, unless somebody has moved it meanwhile. */
export async function moveHead(git: Git, from: string | undefined, to: string, message: string): Promise<string> {
  const what = `commit${from === undefined ? " (initial)" : ""}: ${message.split("\n", 1)[0]}`;
  await git(["update-ref", "-m", what, "HEAD", to, from ?? "0".repeat(to.length)]);
  return to;
}
