import { accessSync, constants } from "node:fs";
import { join, resolve } from "node:path";
import type { Git } from "./git.ts";

/** Where a repository stands, and how it wants its commits made. */
export interface Head {
  /** Undefined on a branch without a commit. */
  readonly commit: string | undefined;
  readonly tree: string | undefined;
  /** Whether one of its hooks has a say in a commit. */
  readonly hasHooks: boolean;
  readonly isSigned: boolean;
}

const HOOKS = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "reference-transaction", "post-index-change"];

export async function readHead(git: Git): Promise<Head> {
  const [named, sign] = await Promise.all([
    // Where hooks are is asked as the user has set it.
    git.attempt(["rev-parse", "--git-path", "hooks", "HEAD^{commit}", "HEAD^{tree}"], { runsHooks: true, fetches: false }),
    git.attempt(["config", "--type=bool", "--get", "commit.gpgSign"]),
  ]);
  const [folder = "", commit = "", tree = ""] = named.stdout.toString().split("\n");
  const isBorn = named.exitCode === 0;
  if (!isBorn && folder === "") await git(["rev-parse", "--git-dir"]);
  return {
    commit: isBorn ? commit : undefined,
    tree: isBorn ? tree : undefined,
    hasHooks: HOOKS.some((name) => isExecutable(join(resolve(git.top, folder), name))),
    isSigned: sign.stdout.toString().trim() === "true",
  };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes a commit of what an index holds, on top of HEAD and with HEAD moved to it, and returns its name. Throws `GitFailed` where a
 * hook, the signing or the user's name is missing or fails, or somebody has moved HEAD.
 *
 * Where no hook has a say it is put together from its parts, since `git commit` looks at every file of the work tree first.
 */
export async function recordCommit(git: Git, { head, index, tree, message }: { readonly head: Head; readonly index: string; readonly tree: string; readonly message: string }): Promise<string> {
  if (head.hasHooks) {
    await git(["commit", "--quiet", "--cleanup=whitespace", "--file=-"], { index, input: message, runsHooks: true });
    return (await git(["rev-parse", "HEAD"])).toString().trim();
  }
  return moveHead(git, head.commit, await createCommit(git, { tree, parents: head.commit === undefined ? [] : [head.commit], message, isSigned: head.isSigned }), message);
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
