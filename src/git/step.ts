import { type Aside, deleteAside, listAsides, makeAside, planReturn, referenceOf } from "./aside.ts";
import { cross, type Place } from "./crossing.ts";
import { difference, treeEntries } from "./entries.ts";
import { refuseExcludedCheckout } from "./filters.ts";
import { type Git, GitFailed, reasonOf } from "./git.ts";
import { lockIndex } from "./index-lock.ts";
import { branchOf, commitAt } from "./record-commit.ts";
import { operationInProgress, type Repository } from "./repository.ts";
import { type FoldedCommit, isLoafCommit } from "./squash.ts";
import { checkOverwrites, readWorkTree } from "./work-tree.ts";

/** Where stepping began and what was set aside, remembered between steps. */
export interface StepState {
  /** `refs/heads/main`; undefined if HEAD was detached. */
  readonly branch?: string;
  /** The commit at which stepping began. */
  readonly tip: string;
  /** One for each commit at which files were changed. */
  readonly asides: readonly Aside[];
  /**
   * Paths that git ignored at any commit since stepping began. They are left alone, whatever the ignore files of other
   * commits say: an older `.gitignore` may not name `.env`, whose bytes would get into git's objects. As in `WorkTree`.
   */
  readonly ignored?: readonly string[];
}

export interface StepMemory {
  read(): StepState | undefined;
  /** Undefined forgets the state. */
  write(state: StepState | undefined): void;
}

export interface StepOptions {
  /** Asks whether to step back past a commit of the user's own. If absent, does so and names the commit in a notice. */
  readonly confirm?: (commit: Pick<FoldedCommit, "commit" | "subject">) => Promise<boolean>;
}

export interface Step {
  /** The commit checked out now. */
  readonly commit: string;
  readonly subject: string;
  /** The branch that HEAD is on again: `main`. */
  readonly branch?: string;
  /** Files that were set aside. */
  readonly stashed_files: readonly string[];
  /** Files set aside here before and restored now. */
  readonly restored_files: readonly string[];
  /** Files set aside here before that could not be restored. */
  readonly conflicts: readonly string[];
  /** Sentences. */
  readonly notices: readonly string[];
}

/** Checks out the commit before HEAD. Throws `GitFailed`, with everything as before. */
export function stepBack(
  git: Git, repository: Repository, memory: StepMemory, options: StepOptions = {}
): Promise<Step> {
  return new Stepping(git, repository, memory).back(options);
}

/**
 * Checks out the next commit of the branch on which stepping began. At its tip, puts HEAD back on the branch. Throws as
 * `stepBack` does.
 */
export function stepForward(git: Git, repository: Repository, memory: StepMemory): Promise<Step> {
  return new Stepping(git, repository, memory).forward();
}

class Stepping {
  readonly #git: Git;
  readonly #repository: Repository;
  readonly #memory: StepMemory;
  readonly #notices: string[] = [];
  #state: StepState | undefined;

  constructor(git: Git, repository: Repository, memory: StepMemory) {
    [this.#git, this.#repository, this.#memory] = [git, repository, memory];
  }

  async back({ confirm }: StepOptions): Promise<Step> {
    await this.#begin();
    const [head, branch] = [await this.#name("HEAD"), await branchOf(this.#git)];
    const target = await commitAt(this.#git, `${head}^1`);
    if (target === undefined) throw new GitFailed("there is no commit before this one");
    await this.#askAbout(head, confirm);
    // From a branch, stepping starts over with the currently ignored paths.
    const asides = this.#state?.asides ?? [];
    if (branch !== undefined) this.#save({ branch, tip: head, asides });
    else if (this.#state === undefined) this.#save({ tip: head, asides });
    return this.#go({ commit: head, branch }, target);
  }

  async forward(): Promise<Step> {
    await this.#begin();
    const [head, branch] = [await this.#name("HEAD"), await branchOf(this.#git)];
    const state = this.#state;
    if (branch !== undefined || state === undefined) {
      // The user returned to the branch by other means.
      const isAside = state?.asides.some(({ base }) => base === head) === true;
      if (isAside && (await this.#isUnchanged())) return this.#go({ commit: head, branch }, head);
      throw new GitFailed("there is no next commit: forward only returns from loaf back");
    }
    const tip = state.branch === undefined ? state.tip : await this.#name(state.branch);
    const line = (await this.#git(["rev-list", "--first-parent", tip])).toString().trim().split("\n");
    const place = line.indexOf(line.includes(head) ? head : await this.#mergeBase(head, tip));
    return this.#go({ commit: head, branch: undefined }, line[Math.max(0, place - 1)] ?? tip);
  }

  async #isUnchanged(): Promise<boolean> {
    const output = await this.#git(["status", "--porcelain=v1", "--untracked-files=all", "--ignore-submodules=all"]);
    return output.length === 0;
  }

  async #begin(): Promise<void> {
    const operation = operationInProgress(this.#repository);
    if (operation !== undefined) throw new GitFailed(`${operation} is in progress`);
    const state = this.#memory.read();
    // An aside without a reference was restored, or never completed.
    const kept = state === undefined || state.asides.length === 0 ? new Set<string>() : await listAsides(this.#git);
    this.#state = state && { ...state, asides: state.asides.filter(({ files }) => kept.has(files)) };
  }

  async #askAbout(commit: string, confirm: StepOptions["confirm"]): Promise<void> {
    const message = (await this.#git(["log", "-1", "--encoding=UTF-8", "--format=%B", commit])).toString();
    if (isLoafCommit(message)) return;
    const subject = message.split("\n", 1)[0] ?? "";
    const name = commit.slice(0, 10);
    if (confirm === undefined)
      this.#notices.push(`${name} ${subject} is your own commit, not one of Loaf's; loaf forward returns to it`);
    else if (!(await confirm({ commit, subject }))) throw new GitFailed("you stayed at your own commit");
  }

  async #go(from: Place, target: string): Promise<Step> {
    const lock = await lockIndex(this.#repository.gitFolder);
    try {
      return await this.#goLocked(from, target, lock);
    } finally {
      lock.release();
    }
  }

  async #goLocked(from: Place, target: string, lock: Awaited<ReturnType<typeof lockIndex>>): Promise<Step> {
    const [git, repository] = [this.#git, this.#repository];
    const state = this.#state as StepState;
    const isHere = target === from.commit;
    const isTip = isHere || target === (state.branch === undefined ? state.tip : await this.#name(state.branch));
    const branch = isHere ? from.branch : isTip ? state.branch : undefined;
    const earlier = state.asides.find(({ base }) => base === target);
    const planned = earlier && (await planReturn(git, repository, earlier, target));
    await refuseExcludedCheckout(git, planned?.to ?? target);
    const workTree = await readWorkTree(git, repository, state.ignored ?? []);
    const to = planned?.to ?? target;
    // Git also restores what both commits have but the work tree or the index lacks.
    const restored = [...workTree.changed, ...workTree.uncached];
    const entries = [...(await treeEntries(git, to, restored))].map(([path, after]) => ({ path, after }));
    const impact = checkOverwrites(git.top, workTree, [...(await difference(git, from.commit, to)), ...entries]);

    const left = isHere ? undefined : await makeAside(git, repository, from.commit, workTree, impact);
    const replaced = left && state.asides.find(({ base }) => base === left.base);
    const asides = [...state.asides.filter((one) => one !== replaced), ...(left === undefined ? [] : [left])];
    this.#save({ ...state, ignored: [...new Set([...(state.ignored ?? []), ...workTree.ignored])], asides });
    // The branch has moved: restore what was set aside at its old tip.
    const isAtMovedTip = planned === undefined && branch !== undefined;
    const asideOfOldTip = isAtMovedTip ? asides.find(({ base }) => base === state.tip) : undefined;
    const returning = planned ?? (asideOfOldTip && (await planReturn(git, repository, asideOfOldTip, target)));
    if (asideOfOldTip !== undefined && returning !== undefined) await refuseExcludedCheckout(git, returning.to);
    await cross(git, repository, lock, {
      from: left === undefined ? from : { ...from, files: left.files },
      to: { commit: target, branch, ...(returning && { files: returning.to }) },
      left,
      returning: returning?.aside,
      isReturningWhole: returning?.conflicts.length === 0,
    });

    if (replaced !== undefined) await this.#leaveForUser(replaced, "What was set aside here before");
    // No step leads to these commits again.
    const hasOwnCommits = !isHere && (await this.#keepOwnCommits(from.commit, state));
    if (hasOwnCommits && left !== undefined) await this.#leaveForUser(left, "What was changed on top of them");
    const hasConflicts = returning !== undefined && returning.conflicts.length > 0;
    if (hasConflicts) await this.#leaveForUser(returning.aside, "What is in conflict");
    else if (returning !== undefined) this.#drop(returning.aside);
    if (isTip) await this.#end();
    return {
      commit: target,
      subject: (await git(["log", "-1", "--format=%s", target])).toString().trim(),
      ...(branch !== undefined && { branch: branch.replace(/^refs\/heads\//, "") }),
      stashed_files: left === undefined ? [] : workTree.changed,
      restored_files: returning?.restored ?? [],
      conflicts: returning?.conflicts ?? [],
      notices: this.#notices,
    };
  }

  /** Ends stepping if the remaining asides hold only permissions and the like. */
  async #end(): Promise<void> {
    for (const aside of this.#state?.asides.filter(({ hasChanges }) => hasChanges === false) ?? []) {
      this.#drop(aside);
      await deleteAside(this.#git, this.#repository, aside);
    }
    if (this.#state?.asides.length === 0) this.#save(undefined);
  }

  /** Keeps commits made while stepping, which are on no branch. Returns whether there are any. */
  async #keepOwnCommits(head: string, { branch, tip }: StepState): Promise<boolean> {
    const { exitCode } = await this.#git.attempt(["merge-base", "--is-ancestor", head, branch ?? tip]);
    if (exitCode === 0) return false;
    const name = `refs/loaf/left/${head}`;
    await this.#git(["update-ref", name, head]);
    this.#notices.push(
      `The commits made here are not on any branch; ${head.slice(0, 10)} is kept as ${name} until you run git update-ref -d ${name}`,
    );
    return true;
  }

  /** Leaves an aside for the user and names it in a notice. Deletes it if it has no changes. */
  async #leaveForUser(aside: Aside, what: string): Promise<void> {
    this.#drop(aside);
    if (aside.hasChanges === false) return deleteAside(this.#git, this.#repository, aside);
    this.#notices.push(
      `${what} is kept: git show ${aside.files.slice(0, 10)}:PATH shows a file of it, and git update-ref -d ${referenceOf(aside)} deletes it`,
    );
  }

  #drop(aside: Aside): void {
    const state = this.#state as StepState;
    this.#save({ ...state, asides: state.asides.filter(({ files }) => files !== aside.files) });
  }

  #save(state: StepState | undefined): void {
    this.#state = state;
    this.#memory.write(state);
  }

  /** Where commits made while stepping left the branch. */
  async #mergeBase(one: string, other: string): Promise<string> {
    return (await this.#git(["merge-base", one, other])).toString().trim();
  }

  async #name(what: string): Promise<string> {
    const answer = await this.#git.attempt(["rev-parse", "--verify", "--quiet", `${what}^{commit}`]);
    const { exitCode, stdout } = answer;
    // Git may refuse to open the repository at all.
    if (exitCode !== 0 && exitCode !== 1) throw new GitFailed(reasonOf(answer));
    const name = what.replace(/^refs\/heads\//, "the branch ");
    if (exitCode !== 0) throw new GitFailed(what === "HEAD" ? "there is no commit yet" : `${name} no longer exists`);
    return stdout.toString().trim();
  }
}
