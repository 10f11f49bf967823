import type { Git } from "./git.ts";
import { reasonOf } from "./git.ts";

/** Pushes the branch of HEAD as the user has configured it, without asking. Returns the reason if it fails. */
export async function push(git: Git, args: readonly string[] = []): Promise<string | undefined> {
  const { transport } = git.execution.untrusted;
  if (transport.length > 0) return `git would reach the server through ${transport.map(({ path }) => path).join(", ")} in the project, which is not trusted: push yourself, or run loaf trust`;
  const answer = await git.attempt(["push", "--quiet", ...args], { runsHooks: true, isAlone: true });
  return answer.exitCode === 0 ? undefined : reasonOf(answer);
}

/** Returns whether a remote-tracking branch contains a commit. */
export async function isPushed(git: Git, commit: string): Promise<boolean> {
  const refs = await git(["for-each-ref", "--count=1", "--format=%(refname)", "--contains", commit, "refs/remotes"]);
  return refs.length > 0;
}
