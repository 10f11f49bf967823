/** Git operations that the user runs through Loaf. Each waits for its turn, as a run does. */
import { Refusal } from "../core/failure.ts";
import { type BranchChanges, branchChanges } from "../git/branch-changes.ts";
import { GitFailed } from "../git/git.ts";
import { type Squashed, squash as squashIn, type SquashOptions } from "../git/squash.ts";
import type { StepSite } from "./past-steps.ts";
import { type Step, stepBack, stepForward, type StepOptions } from "./step.ts";
import { openRepository } from "../git/repository-of-project.ts";
import { type Project, takeTurn } from "./turn.ts";

export function squash(project: Project, options: SquashOptions): Promise<Squashed> {
  return inRepository(project, "Nothing was squashed", ({ git, repository }) => squashIn(git, repository, options));
}

export function back(project: Project, options: StepOptions): Promise<Step> {
  return inRepository(project, "Nothing was checked out", (site) => stepBack(site, options));
}

export function forward(project: Project): Promise<Step> {
  return inRepository(project, "Nothing was checked out", stepForward);
}

/** Only reads, so it waits for nobody. Undefined without a repository, git or a commit. */
export async function changesOfBranch(
  project: Project,
  mayRead: (path: string) => boolean,
): Promise<BranchChanges | undefined> {
  const opened = await openRepository(project);
  return opened && branchChanges(opened.git, { root: project.root, mayRead });
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
