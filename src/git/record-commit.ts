import { type Answer, type Git, GitFailed, reasonOf } from "./git.ts";

/** HEAD of a repository, and whether commit hooks apply. */
export interface HeadCommit {
  /** The branch's full name; undefined where HEAD is detached. */
  readonly branch: string | undefined;
  /** Undefined on a branch without a commit. */
  readonly commit: string | undefined;
  readonly tree: string | undefined;
  /** Whether one of its hooks has a say in a commit. */
  readonly hasHooks: boolean;
}

export async function readHead(git: Git): Promise<HeadCommit> {
  const answer = await git.attempt([
    "rev-parse",
    "--git-dir",
    "HEAD^{commit}",
    "HEAD^{tree}",
    "--symbolic-full-name",
    "HEAD",
  ]);
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

/** The commit that a name stands for. Undefined if there is none. */
export async function commitAt(git: Git, name: string): Promise<string | undefined> {
  const { exitCode, stdout } = await git.attempt(["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
  return exitCode === 0 ? stdout.toString().trim() : undefined;
}

/** Whether the user has commits signed. */
export async function isSigning(git: Git): Promise<boolean> {
  if (!git.execution.maySign) return false;
  const { stdout } = await git.attempt(["config", "--type=bool", "--get", "commit.gpgSign"]);
  return stdout.toString().trim() === "true";
}

export interface Recorded {
  readonly commit: string;
  readonly tree: string;
}

/** Wraps the call that runs hooks. If it throws first, makes no commit. */
export type AroundHooks = <Value>(commit: () => Promise<Value>) => Promise<Value>;

interface Recording {
  readonly head: HeadCommit;
  readonly index: string;
  readonly message: string;
  readonly aroundHooks?: AroundHooks | undefined;
  readonly isRevert?: boolean;
}

/**
 * Commits an index on top of HEAD and moves HEAD to it. Returns undefined if its tree equals HEAD's. Uses `git commit`
 * only for hooks, since that looks at every file of the work tree first. Throws `GitFailed` if a hook, signing or the
 * user's name is missing or fails, or if somebody has moved HEAD.
 */
export async function recordCommit(git: Git, recording: Recording): Promise<Recorded | undefined> {
  const { head, index, message, aroundHooks = (commit) => commit(), isRevert = false } = recording;
  const [written, isSigned] = await Promise.all([git(["write-tree"], { index }), !head.hasHooks && isSigning(git)]);
  const tree = written.toString().trim();
  if (tree === head.tree || (head.tree === undefined && EMPTY_TREES.includes(tree))) return undefined;
  if (head.hasHooks) {
    const how = [...(isRevert ? ["--no-verify"] : []), "--cleanup=whitespace", "--file=-"];
    const options = { index, input: message, runsHooks: true };
    const answer = await aroundHooks(() => git.attempt(["commit", "--quiet", ...how], options));
    if (answer.exitCode !== 0) return (await findCommitDespiteError(git, head.commit, message)) ?? refuse(answer);
    // A hook may have added to it.
    const [commit = "", added = ""] = (await git(["rev-parse", "HEAD", "HEAD^{tree}"])).toString().split("\n");
    return { commit, tree: added };
  }
  const parents = head.commit === undefined ? [] : [head.commit];
  const commit = await createCommit(git, tree, parents, message, isSigned);
  return { commit: await moveHead(git, head.commit, commit, message), tree };
}

/** Of SHA-1 and of SHA-256. */
const EMPTY_TREES = [
  "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
];

/**
 * Returns the commit that HEAD was moved to although git failed: it may have been killed after that, or have found the
 * disk full. Undefined unless HEAD is a commit with this message on top of `parent`. Hooks may add to a message.
 */
async function findCommitDespiteError(
  git: Git,
  parent: string | undefined,
  message: string,
): Promise<Recorded | undefined> {
  const { exitCode, stdout } = await git.attempt(["log", "-1", "--encoding=UTF-8", "--format=%H%n%T%n%P%n%B", "HEAD"]);
  const [commit = "", tree = "", parents = "", ...said] = stdout.toString().split("\n");
  if (exitCode !== 0 || parents !== (parent ?? "")) return undefined;
  const isOurs = message.split("\n").every((line) => said.some((text) => text.includes(line.trim())));
  return isOurs ? { commit, tree } : undefined;
}

function refuse(answer: Answer): never {
  const { exitCode, stderr } = answer;
  if (exitCode !== null && stderr.trim() === "")
    throw new GitFailed(
      `git commit ended with code ${exitCode} and no reason: a hook of the repository may have refused it`,
    );
  // Git itself dies with code 128.
  throw new GitFailed(`${exitCode === 1 ? "a git hook refused it: " : ""}${reasonOf(answer)}`);
}

/** A commit that no branch has yet. */
export async function createCommit(
  git: Git, tree: string, parents: readonly string[], message: string, isSigned: boolean
): Promise<string> {
  const how = [...(isSigned ? ["-S"] : []), ...parents.flatMap((parent) => ["-p", parent])];
  return (await git(["commit-tree", ...how, "-F", "-", tree], { input: message })).toString().trim();
}

/** Moves HEAD and its branch. Throws `GitFailed` if somebody has moved it meanwhile. */
export async function moveHead(git: Git, from: string | undefined, to: string, message: string): Promise<string> {
  const what = `commit${from === undefined ? " (initial)" : ""}: ${message.split("\n", 1)[0]}`;
  const answer = await git.attempt(["update-ref", "-m", what, "HEAD", to, from ?? "0".repeat(to.length)]);
  if (answer.exitCode === 0) return to;
  const current = await commitAt(git, "HEAD");
  // Git may have been killed after moving it.
  if (current === to) return to;
  throw new GitFailed(current === from ? reasonOf(answer) : "somebody has moved HEAD meanwhile");
}
