import { type Aside, checkOut, forget, giveBack, resume, setAside, takeUp } from "./aside.ts";
import { type Git, GitFailed } from "./git.ts";
import { operationInProgress, type Repository } from "./repository.ts";

/** Where stepping began and what was set aside on the way, kept between one step and the next. */
export interface StepState {
  /** `refs/heads/main`; undefined where HEAD was on none. */
  readonly branch?: string;
  /** The commit that it began at. */
  readonly tip: string;
  /** By the commit at which they were changed. */
  readonly asides: readonly Aside[];
  /** What is checked out for a moment while files are put back. */
  readonly passing?: Aside;
}

export interface StepMemory {
  read(): StepState | undefined;
  /** Undefined: nothing is to be remembered any more. */
  write(state: StepState | undefined): void;
}

export interface Step {
  /** What is checked out now. */
  readonly commit: string;
  readonly subject: string;
  /** The branch that HEAD is on again: `main`. */
  readonly branch?: string;
  /** Files that were set aside. */
  readonly stashed_files: readonly string[];
  /** Files that were set aside here before, and are back. */
  readonly restored_files: readonly string[];
  /** Files that were set aside here before, and stay so. */
  readonly conflicts: readonly string[];
  /** Sentences. */
  readonly notices: readonly string[];
}

/** Checks out the commit before HEAD. Throws `GitFailed`, with everything as it was. */
export function stepBack(git: Git, repository: Repository, memory: StepMemory): Promise<Step> {
  return new Stepping(git, repository, memory).back();
}

/** Checks out the commit after HEAD of the branch that stepping began on; at its tip HEAD is on that branch again. Throws as `stepBack` does. */
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

  async back(): Promise<Step> {
    await this.#begin();
    const [head, branch] = [await this.#name("HEAD"), await this.#branch()];
    const target = await this.#parent(head);
    if (target === undefined) throw new GitFailed("there is no commit before this one");
    if (branch !== undefined || this.#state === undefined) this.#save({ ...(branch !== undefined && { branch }), tip: head, asides: this.#state?.asides ?? [] });
    return this.#go(head, target, branch);
  }

  async forward(): Promise<Step> {
    await this.#begin();
    const [head, branch] = [await this.#name("HEAD"), await this.#branch()];
    const state = this.#state;
    if (branch !== undefined || state === undefined) {
      // The user has gone back to the branch by other means.
      if (state?.asides.some(({ base }) => base === head) === true && (await this.#isUnchanged())) return this.#arrive(head, branch, []);
      throw new GitFailed("there is no commit after this one to go to: it takes a loaf back before");
    }
    const tip = state.branch === undefined ? state.tip : await this.#name(state.branch);
    const line = (await this.#git(["rev-list", "--first-parent", tip])).toString().trim().split("\n");
    const place = line.indexOf(line.includes(head) ? head : await this.#lastInCommon(head, tip));
    return this.#go(head, line[Math.max(0, place - 1)] ?? tip, undefined);
  }

  async #isUnchanged(): Promise<boolean> {
    return (await this.#git(["status", "--porcelain=v1", "--untracked-files=all", "--ignore-submodules=all"])).length === 0;
  }

  /** What an interrupted step has left is put in order first. */
  async #begin(): Promise<void> {
    const operation = operationInProgress(this.#repository);
    if (operation !== undefined) throw new GitFailed(`${operation} is in progress`);
    this.#state = this.#memory.read();
    const head = await this.#name("HEAD");
    const { asides = [], passing } = this.#state ?? {};
    const left = [...asides, ...(passing === undefined ? [] : [passing])].find(({ files }) => files === head);
    if (left === undefined || this.#state === undefined) return;
    await takeUp(this.#git, this.#repository, left);
    await resume(this.#git, left, left.base === this.#state.tip ? this.#state.branch : undefined);
    this.#drop(left);
    await forget(this.#git, this.#repository, left);
    this.#notices.push("A step that was interrupted was taken back first");
  }

  /** @param branch that HEAD is on */
  async #go(head: string, target: string, branch: string | undefined): Promise<Step> {
    const state = this.#state as StepState;
    const isLeft = await this.#keepOwnCommits(head, state);
    let aside: Aside | undefined;
    const stashed = await setAside(this.#git, this.#repository, head, (made) => {
      aside = made;
      this.#save({ ...state, asides: [...state.asides.filter(({ base }) => base !== head), made] });
    });
    try {
      await checkOut(this.#git, target);
    } catch (thrown) {
      if (aside !== undefined) {
        await resume(this.#git, aside, branch);
        this.#drop(aside);
        await forget(this.#git, this.#repository, aside);
      }
      throw thrown;
    }
    // No step leads there again.
    if (isLeft && aside !== undefined) this.#leave(aside, "What was changed on top of them");
    const isTip = target === (state.branch === undefined ? state.tip : await this.#name(state.branch));
    const step = await this.#arrive(target, isTip ? state.branch : undefined, stashed);
    // It is over where nothing is left to be put back.
    if (isTip && this.#state?.asides.length === 0) this.#save(undefined);
    return step;
  }

  /** @param branch that HEAD is to be on */
  async #arrive(commit: string, branch: string | undefined, stashed: readonly string[]): Promise<Step> {
    if (branch !== undefined) await this.#git(["symbolic-ref", "-m", "loaf: back on the branch", "HEAD", branch]);
    const state = this.#state as StepState;
    // At the tip, what was set aside where it was comes back also when the branch has gone on since.
    const aside = state.asides.find(({ base }) => base === commit) ?? (branch === undefined ? undefined : state.asides.find(({ base }) => base === state.tip));
    const { restored, conflicts } = aside === undefined ? { restored: [], conflicts: [] } : await giveBack(this.#git, this.#repository, aside, { at: commit, branch, isAbout: (passing) => this.#save({ ...state, passing }) });
    if (aside !== undefined && conflicts.length > 0) this.#leave(aside, "What is in conflict");
    else if (aside !== undefined) {
      this.#drop(aside);
      await forget(this.#git, this.#repository, aside);
    }
    const subject = (await this.#git(["-c", "log.showSignature=false", "log", "-1", "--format=%s", commit])).toString().trim();
    return {
      commit,
      subject,
      ...(branch !== undefined && { branch: branch.replace(/^refs\/heads\//, "") }),
      stashed_files: stashed,
      restored_files: restored,
      conflicts,
      notices: this.#notices,
    };
  }

  /** Commits that were made on the way are on no branch. Yields whether there are such. */
  async #keepOwnCommits(head: string, { branch, tip }: StepState): Promise<boolean> {
    const { exitCode } = await this.#git.attempt(["merge-base", "--is-ancestor", head, branch ?? tip]);
    if (exitCode === 0) return false;
    await this.#git(["update-ref", `refs/loaf/left/${head}`, head]);
    this.#notices.push(`The commits that were made here are on no branch; ${head.slice(0, 10)} is kept as refs/loaf/left/${head}, until git update-ref -d refs/loaf/left/${head} lets it go`);
    return true;
  }

  /** It stays set aside for good, and what it is called is told. */
  #leave(aside: Aside, what: string): void {
    this.#drop(aside);
    this.#notices.push(`${what} is kept: git show ${aside.files.slice(0, 10)}:PATH shows a file of it, and git update-ref -d refs/loaf/aside/${aside.files} lets it go`);
  }

  #drop(aside: Aside): void {
    const { passing: _passing, ...state } = this.#state as StepState;
    this.#save({ ...state, asides: state.asides.filter(({ files }) => files !== aside.files) });
  }

  #save(state: StepState | undefined): void {
    this.#state = state;
    this.#memory.write(state);
  }

  /** Where commits that were made on the way have left the line of the branch. */
  async #lastInCommon(one: string, other: string): Promise<string> {
    return (await this.#git(["merge-base", one, other])).toString().trim();
  }

  async #name(what: string): Promise<string> {
    const { exitCode, stdout } = await this.#git.attempt(["rev-parse", "--verify", "--quiet", `${what}^{commit}`]);
    if (exitCode !== 0) throw new GitFailed(what === "HEAD" ? "there is no commit yet" : `${what.replace(/^refs\/heads\//, "the branch ")} is not there any more`);
    return stdout.toString().trim();
  }

  async #parent(commit: string): Promise<string | undefined> {
    const { exitCode, stdout } = await this.#git.attempt(["rev-parse", "--verify", "--quiet", `${commit}^1`]);
    return exitCode === 0 ? stdout.toString().trim() : undefined;
  }

  /** The one that HEAD is on. */
  async #branch(): Promise<string | undefined> {
    const { exitCode, stdout } = await this.#git.attempt(["symbolic-ref", "--quiet", "HEAD"]);
    return exitCode === 0 ? stdout.toString().trim() : undefined;
  }
}
