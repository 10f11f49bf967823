/** Tells which commits of runs are still part of a branch: a squash, a rebase or a reset leaves others behind. */
import type { Git } from "./git.ts";

interface CommitOfRun {
  readonly run: number;
  readonly commit: string;
}

/**
 * Returns the commits of runs as the branches have them now, by run. A squashed run has the commit that it was folded
 * into; one whose commit is in no branch any more has none. Throws `GitFailed`.
 */
export async function liveCommits(git: Git, recorded: readonly CommitOfRun[]): Promise<ReadonlyMap<number, string>> {
  const input = recorded.map(({ commit }) => `${commit}\n`).join("");
  const types = (await git(["cat-file", "--batch-check=%(objecttype)"], { input })).toString().split("\n");
  const existing = recorded.filter((_, index) => types[index] === "commit");
  const listed = existing.map(({ commit }) => `${commit}\n`).join("");
  const left = existing.length === 0 ? "" : await git(["rev-list", "--stdin", "--not", "--all"], { input: listed });
  const gone = new Set(left.toString().split("\n"));
  const live = new Map(existing.filter(({ commit }) => !gone.has(commit)).map(({ run, commit }) => [run, commit]));
  const lost = recorded.filter(({ run }) => !live.has(run));
  if (lost.length === 0) return live;
  const trailer = "%(trailers:key=Loaf-Run,valueonly,separator=%x2C)";
  const { stdout } = await git.attempt(["log", "--max-count=1000", `--format=%H ${trailer}`, "--grep=^Loaf-Run: ", "HEAD"]);
  const folded = stdout.toString().split("\n").map((line) => line.split(" "));
  for (const { run } of lost) {
    const [commit] = folded.find(([, runs = ""]) => runs.split(",").includes(String(run))) ?? [];
    if (commit !== undefined) live.set(run, commit);
  }
  return live;
}
