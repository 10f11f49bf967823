/**
 * `loaf back` and `loaf forward`: steps between the commits of a branch. Each is a run of the journal, whose log keeps
 * what it takes off the work tree. The way back brings that from there.
 */
import { randomUUID } from "node:crypto";
import { basename, join } from "node:path";
import { explain } from "../core/failure.ts";
import type { HeadMove, IndexChange, SteppingSession, StepMove } from "../core/head-move.ts";
import type { Planned } from "../disk/planned.ts";
import {
  checkOut,
  checkOverwrites,
  completeStep,
  protectStaged,
  readWorkTree,
  removeStepFolder,
  saveIndex,
  useIndex,
} from "../git/checkout.ts";
import { difference, treeEntries } from "../git/entries.ts";
import { refuseExcludedCheckout } from "../git/filters.ts";
import { type Git, GitFailed, reasonOf } from "../git/git.ts";
import { asBytes, fromBytes } from "../paths/names.ts";
import { type IndexLock, lockIndex } from "../git/index-lock.ts";
import { branchOf, commitAt } from "../git/record-commit.ts";
import { operationInProgress } from "../git/repository.ts";
import { type FoldedCommit, isLoafCommit } from "../git/squash.ts";
import { Journal } from "../journal/journal.ts";
import type { Log } from "../journal/log.ts";
import {
  copyForUser,
  indexFolder,
  pastSteps,
  planTree,
  removeUnused,
  type StepLog,
  type StepSite,
  type WantedEntry,
  wantedBefore,
} from "./past-steps.ts";

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

interface Place {
  /** The commit of HEAD. */
  readonly commit: string;
  /** The branch of HEAD: `refs/heads/main`. */
  readonly branch?: string | undefined;
}

/** What a step brings back of an earlier one that left the same commit. */
interface Return {
  readonly log: StepLog;
  /** By path, relative to the top of the work tree. */
  readonly wanted: ReadonlyMap<string, WantedEntry>;
  readonly restored: readonly string[];
  /** Files that the checked-out commit has changed since: they stay set aside. */
  readonly conflicts: readonly string[];
}

/** Steps between the commits of a branch. Throws `GitFailed`, with everything as before. */
export class Stepping {
  readonly #site: StepSite;
  readonly #git: Git;
  readonly #notices: string[] = [];
  #session: SteppingSession | undefined;
  /** The last step from each commit whose files no other step has brought back. */
  #asides: ReadonlyMap<string, StepLog> = new Map();

  constructor(site: StepSite) {
    [this.#site, this.#git] = [site, site.git];
  }

  /** Checks out the commit before HEAD. */
  async back({ confirm }: StepOptions = {}): Promise<Step> {
    this.#begin();
    const [head, branch] = [await this.#name("HEAD"), await branchOf(this.#git)];
    const target = await commitAt(this.#git, `${head}^1`);
    if (target === undefined) throw new GitFailed("there is no commit before this one");
    await this.#askAbout(head, confirm);
    if (branch !== undefined) this.#session = { from: branch, tip: head, ignored: [] };
    this.#session ??= { tip: head, ignored: [] };
    return this.#go({ commit: head, branch }, target, "back");
  }

  /**
   * Checks out the next commit of the branch on which stepping began. At its tip, puts HEAD back on the branch.
   */
  async forward(): Promise<Step> {
    this.#begin();
    const [head, branch] = [await this.#name("HEAD"), await branchOf(this.#git)];
    const session = this.#session;
    if (branch !== undefined || session === undefined) {
      // The user returned to the branch by other means.
      if (session !== undefined && this.#asides.has(head) && (await this.#isUnchanged()))
        return this.#go({ commit: head, branch }, head, "forward");
      throw new GitFailed("there is no next commit: forward only returns from loaf back");
    }
    const tip = session.from === undefined ? session.tip : await this.#name(session.from);
    const line = (await this.#git(["rev-list", "--first-parent", tip])).toString().trim().split("\n");
    const place = line.indexOf(line.includes(head) ? head : await this.#mergeBase(head, tip));
    return this.#go({ commit: head, branch: undefined }, line[Math.max(0, place - 1)] ?? tip, "forward");
  }

  async #isUnchanged(): Promise<boolean> {
    const output = await this.#git(["status", "--porcelain=v1", "--untracked-files=all", "--ignore-submodules=all"]);
    return output.length === 0;
  }

  #begin(): void {
    const operation = operationInProgress(this.#site.repository);
    if (operation !== undefined) throw new GitFailed(`${operation} is in progress`);
    const { session, asides } = pastSteps(this.#site.runs);
    [this.#session, this.#asides] = [session, asides];
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

  async #go(from: Place, target: string, direction: "back" | "forward"): Promise<Step> {
    const lock = await lockIndex(this.#site.repository.gitFolder);
    try {
      return await this.#goLocked(from, target, direction, lock);
    } finally {
      lock.release();
    }
  }

  async #goLocked(from: Place, target: string, direction: string, lock: IndexLock): Promise<Step> {
    const { git, repository, root, runs } = this.#site;
    const session = this.#session as SteppingSession;
    const isHere = target === from.commit;
    const isTip = isHere || target === (session.from === undefined ? session.tip : await this.#name(session.from));
    const branch = isHere ? from.branch : isTip ? session.from : undefined;
    // If the branch has moved, what was set aside at its old tip comes back.
    const left = this.#asides.get(target) ?? (branch === undefined ? undefined : this.#asides.get(session.tip));
    const returning = left && (await this.#planReturn(left, target));
    await refuseExcludedCheckout(git, target);
    const workTree = await readWorkTree(git, repository, session.ignored);
    const between = await difference(git, from.commit, target);
    const leftAlone = await this.#leftAlone(returning, from.commit);
    const tree = between.filter(({ path }) => !leftAlone.has(path));
    // Where the branch has moved on from where stepping began, changes go along.
    const goesAlong = left === undefined && !isHere && branch !== undefined && from.commit === session.tip;
    const isMoved = new Set(tree.map(({ path }) => fromBytes(path)));
    const [kept, changed] = goesAlong
      ? partition(workTree.changed, (path) => !isMoved.has(path))
      : [[], workTree.changed];
    const entries = await treeEntries(git, target, [...changed, ...workTree.uncached]);
    const differences = new Map<string, IndexChange>(tree.map((change) => [change.path, change]));
    for (const [path, after] of entries) differences.set(path, { path, before: undefined, after });
    for (const [path, state] of returning?.wanted ?? [])
      if (state?.kind !== "directory")
        differences.set(asBytes(path), {
          path: asBytes(path),
          before: undefined,
          after: state === null ? undefined : ANY_FILE,
        });
    checkOverwrites(git.top, workTree, [...differences.values()]);

    const paths = [...new Set([...differences.keys(), ...changed.map(asBytes)])].filter(
      (path) => returning?.wanted.has(fromBytes(path)) !== true && !isSubmodule(differences.get(path)),
    );
    const added = paths.filter((path) => differences.get(path)?.after !== undefined).map(fromBytes);
    const checkout = await checkOut(git, repository, { from: from.commit, to: target }, added);
    const userPaths = new Set([...workTree.changed.map(asBytes), ...workTree.tracked.keys()]);
    const wanted = new Map<string, WantedEntry>(returning?.wanted);
    for (const path of paths) {
      const file = differences.get(path)?.after === undefined ? undefined : checkout.at(fromBytes(path));
      if (file !== undefined || userPaths.has(path)) wanted.set(fromBytes(path), file ?? null);
    }
    const planned = planTree(git.top, wanted, (path) => returning?.wanted.has(path) === true);

    const saved = join(indexFolder(root), `${randomUUID()}.index`);
    await saveIndex(git, repository, saved);
    const staged = await protectStaged(git, from.commit, saved);
    const isKept = goesAlong || isHere;
    const step: StepMove = {
      ...session,
      ignored: [...new Set([...session.ignored, ...workTree.ignored])],
      setAside: isKept ? [] : changed,
      index: basename(saved),
      ...(branch !== undefined && { toBranch: branch }),
      ...(staged !== undefined && { staged }),
      ...(isTip && { isOver: true }),
    };
    const journal = new Journal(runs, {
      kind: "step",
      root,
      ...(returning && { of: returning.log.sequence }),
      ...(!isKept && (changed.length > 0 || staged !== undefined) && { setsAside: true }),
    });
    const move = { ...(from.branch && { branch: from.branch }), from: from.commit, to: target, index: [], step };
    await this.#apply(journal, planned, move);
    if (returning !== undefined && returning.conflicts.length === 0 && returning.log.head.from === target)
      useIndex(join(indexFolder(root), returning.log.head.step.index), checkout);
    await completeStep(git, repository, lock, move);
    journal.recordHeadMove({ type: "moved" });
    const subject = (await git(["log", "-1", "--format=%s", target])).toString().trim();
    const log = journal.read();
    journal.finish({ summary: `${direction} to ${target.slice(0, 10)} ${subject}` });
    const conflicts = goesAlong ? changed : (returning?.conflicts ?? []);
    if (conflicts.length > 0) await this.#keep(returning?.log ?? log, "What is in conflict", conflicts);
    await this.#tidy(from.commit, log, isHere);
    removeStepFolder(repository.gitFolder);
    return {
      commit: target,
      subject,
      ...(branch !== undefined && { branch: branch.replace(/^refs\/heads\//, "") }),
      stashed_files: isHere ? [] : workTree.changed,
      restored_files: returning?.restored ?? kept,
      conflicts,
      notices: this.#notices,
    };
  }

  /** Throws `GitFailed`, with everything as before. */
  async #apply(journal: Journal, planned: readonly Planned[], move: HeadMove): Promise<void> {
    const { gitFolder } = this.#site.repository;
    journal.recordHeadMove({ type: "moving", move });
    const { outcomes } = await journal.commit(planned, { atomic: true });
    const failure = outcomes.find((outcome) => outcome.failure !== undefined)?.failure;
    if (failure === undefined) return;
    journal.finish({ isNoop: true });
    if (!journal.isTorn) removeStepFolder(gitFolder);
    throw new GitFailed(explain(failure));
  }

  /** Returns what the work tree had before a step, as far as the commit to be checked out leaves it its place. */
  async #planReturn(log: StepLog, target: string): Promise<Return> {
    const { from, step } = log.head;
    const before = wantedBefore(log, this.#git.top);
    if (target === from) return { log, wanted: before, restored: step.setAside.toSorted(), conflicts: [] };
    const moved = new Set((await difference(this.#git, from, target)).map(({ path }) => fromBytes(path)));
    const restored = step.setAside.filter((path) => !moved.has(path)).toSorted();
    const wanted = new Map(restored.map((path) => [path, before.get(path) ?? null]));
    return { log, wanted, restored, conflicts: step.setAside.filter((path) => moved.has(path)) };
  }

  /**
   * Returns paths where the commits of an earlier step differ, but which it left as they were, such as a file that was
   * only taken out of the index. The way back leaves them, too.
   */
  async #leftAlone(returning: Return | undefined, now: string): Promise<ReadonlySet<string>> {
    const { from, to = "" } = returning?.log.head ?? {};
    if (returning === undefined || from === undefined || returning.conflicts.length > 0) return new Set();
    const changed = to === now ? [] : await difference(this.#git, to, now);
    const since = new Set(changed.map(({ path }) => path));
    const paths = (await difference(this.#git, from, to)).map(({ path }) => path);
    return new Set(paths.filter((path) => !since.has(path) && !returning.wanted.has(fromBytes(path))));
  }

  /**
   * Keeps for the user what no step brings back, and removes what no step needs any more.
   *
   * @param log the step's own
   */
  async #tidy(from: string, log: Log | undefined, isHere: boolean): Promise<void> {
    const session = this.#session as SteppingSession;
    const earlier = this.#asides.get(from);
    const isReplaced = !isHere && earlier?.setsAside === true && log?.setsAside === true;
    if (isReplaced && earlier !== undefined) await this.#keep(earlier, "What was set aside here before");
    // No step leads to these commits again.
    const hasOwnCommits = !isHere && (await this.#keepOwnCommits(from, session));
    if (hasOwnCommits && log?.setsAside === true) await this.#keep(log, "What was changed on top of them");
    await removeUnused(this.#site);
  }

  /** Keeps commits made while stepping, which are on no branch. Returns whether there are any. */
  async #keepOwnCommits(head: string, { from, tip }: SteppingSession): Promise<boolean> {
    const { exitCode } = await this.#git.attempt(["merge-base", "--is-ancestor", head, from ?? tip]);
    if (exitCode === 0) return false;
    const name = `refs/loaf/left/${head}`;
    await this.#git(["update-ref", name, head]);
    this.#notices.push(
      `The commits made here are not on any branch; ${head.slice(0, 10)} is kept as ${name} until you run git update-ref -d ${name}`,
    );
    return true;
  }

  /** Copies files that a step set aside into a folder for the user, and names it. */
  async #keep(log: Log | undefined, what: string, paths = log?.head?.step?.setAside ?? []): Promise<void> {
    const folder = log && (await copyForUser(log, this.#site, paths));
    if (folder !== undefined) this.#notices.push(`${what} is kept in ${folder}`);
  }

  /** Where commits made while stepping left the branch. */
  async #mergeBase(first: string, second: string): Promise<string> {
    return (await this.#git(["merge-base", first, second])).toString().trim();
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

const ANY_FILE = { mode: "100644", id: "" };

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): readonly [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

function isSubmodule(change: IndexChange | undefined): boolean {
  return change?.before?.mode === "160000" || change?.after?.mode === "160000";
}
