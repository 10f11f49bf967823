import { messageOf } from "../core/errors.ts";
import type { HeadMove } from "../core/head-move.ts";
import type { MovedHead, Reversal } from "../core/history.ts";
import type { Log, MovedRecord, MovingRecord } from "../journal/log.ts";
import { type CommitOptions, commitRun } from "./commit-run.ts";
import { type Git, records } from "./git.ts";
import { readHead } from "./record-commit.ts";
import { isPushed, operationInProgress } from "./repository.ts";
import { type OpenedRepository, openRepository } from "./repository-of-project.ts";
import { applyMove, changesByCommit, inverseMove } from "./reverse-move.ts";

export interface ReversalCommit {
  readonly commit?: string;
  readonly head?: MovedHead;
  readonly notices: readonly string[];
}

interface Target {
  readonly kind: Reversal["kind"];
  /** The run that is undone or redone. */
  readonly run: number;
  /** The log whose move of HEAD is reversed: the run's, its redo's or its undo's. */
  readonly moved: Log;
}

type Options = Omit<CommitOptions, "summary" | "message"> & Target & { readonly hasChanged: boolean };
type Noted = Pick<Target, "kind" | "run"> & { note(record: MovingRecord | MovedRecord): void };
type Directed = Pick<Target, "kind" | "run"> & Pick<Position, "isForward">;

/**
 * Reverses what a run or an undo did to HEAD. If HEAD has not moved since and nothing is pushed, moves the branch and
 * the index back. After later commits, adds a commit that reverts it. Otherwise changes only files, with a notice.
 */
export async function commitReversal({ kind, run, moved, hasChanged, ...options }: Options): Promise<ReversalCommit> {
  const { settings, journal } = options;
  if (!settings.git.commit || moved.head === undefined) return { notices: [] };
  try {
    const opened = await openRepository(options);
    if (opened === undefined) return { notices: [] };
    const move = await completedMove(opened.git, moved);
    if (move === undefined) return { notices: [] };
    const { position, isForward } = await positionOf(opened, move);
    // Its commit may have been folded into another one, or rewritten, or may be one of several runs.
    const folded = kind === "undo" ? await foldedInto(opened.git, run, { ...move, position }) : undefined;
    if (position === "there" && folded === undefined) {
      const head = await goBack(opened, move, { kind, run, note: (record) => journal.recordHeadMove(record) });
      return { head, notices: [] };
    }
    const target = { kind, run, isForward };
    if (position !== "below" && folded === undefined) {
      const what = describeMove(move, target);
      const done = hasChanged ? "only the files are changed, no commit was added" : "nothing is changed";
      return { notices: [`${what}, and ${position}: ${done}`] };
    }
    const message = await revertMessage(opened.git, { ...move, ...(folded && { to: folded }) }, target, folded);
    const made = await commitRun({ ...options, summary: () => `${kind} run ${run}`, message });
    return { ...(made.commit !== undefined && { commit: made.commit }), notices: made.notices };
  } catch (thrown) {
    return { notices: [`No commit was made: ${messageOf(thrown)}. The changes stay in the files`] };
  }
}

/** Completes the HEAD move of an interrupted undo, if HEAD has not moved since. Throws `GitFailed`. */
export async function finishReversal(
  project: Pick<CommitOptions, "root" | "settings">,
  begun: Log,
  target: Target & Noted,
): Promise<void> {
  // If a commit was under way, `finishCommit` completes it.
  const opened = begun.head?.isDone === true || begun.head?.isCommit ? undefined : await openRepository(project);
  if (opened === undefined) return;
  if (begun.head !== undefined) return apply(opened, begun.head, target);
  const move = await completedMove(opened.git, target.moved);
  if (move !== undefined && (await positionOf(opened, move)).position === "there") await goBack(opened, move, target);
}

async function goBack(opened: OpenedRepository, move: HeadMove, how: Noted): Promise<MovedHead> {
  const back = await inverseMove(opened.git, move);
  how.note({ type: "moving", move: back });
  await apply(opened, back, how);
  const branch = back.branch?.replace(/^refs\/heads\//, "");
  return { ...(branch !== undefined && { branch }), ...(back.to !== undefined && { commit: back.to }) };
}

async function apply({ git, repository }: OpenedRepository, move: HeadMove, { kind, run, note }: Noted): Promise<void> {
  await applyMove(git, repository, move, `loaf: ${kind} run ${run}`);
  note({ type: "moved", ...(move.to !== undefined && { to: move.to }) });
}

interface Position {
  /** `there`: HEAD is where the move led. `below`: later commits are on top. Otherwise the reason why HEAD stays. */
  readonly position: string;
  /** The move added commits rather than removing them. */
  readonly isForward: boolean;
}

const MOVED = "HEAD has moved";

async function positionOf({ git, repository }: OpenedRepository, { branch, from, to }: HeadMove): Promise<Position> {
  const head = await readHead(git);
  const listed = to !== undefined && (await git(["rev-list", "--first-parent", to, ...notIn(from)]));
  const commits = listed === false ? [] : listed.toString().trim().split("\n");
  const first = commits.at(-1) ?? "";
  const isForward = first !== "";
  if (head.branch !== branch) return { position: "HEAD is on another branch now", isForward };
  const operation = operationInProgress(repository);
  if (operation !== undefined) return { position: `${operation} is in progress`, isForward };
  if (isForward && (await isPushed(git, first))) return { position: "it is pushed", isForward };
  if (head.commit === to) return { position: "there", isForward };
  const isBelow =
    head.commit !== undefined &&
    (to === undefined || (await git.attempt(["merge-base", "--is-ancestor", to, head.commit])).exitCode === 0);
  return { position: isBelow ? "below" : MOVED, isForward };
}

/** Returns the commit of HEAD's history with the changes of a run that has none of its own, or none any more. */
async function foldedInto(
  git: Git,
  run: number,
  { to, position }: HeadMove & Pick<Position, "position">,
): Promise<string | undefined> {
  if (position === "there" || position === "below") {
    const trailers = to && (await git(["log", "-1", "--format=%(trailers:key=Loaf-Run,valueonly)", to])).toString();
    return trailers && trailers.trim().split("\n").length > 1 ? to : undefined;
  }
  if (position !== MOVED) return undefined;
  const commit = to && (await liveCommits(git, [{ run, commit: to }])).get(run);
  return commit === to ? undefined : commit;
}

function describeMove({ from = "", to = "" }: HeadMove, { kind, run, isForward }: Directed): string {
  if (!isForward) return `Commit ${from.slice(0, 10)} of run ${run} was removed`;
  return `${kind === "undo" ? `Run ${run}` : `The undo of run ${run}`} was committed as ${to.slice(0, 10)}`;
}

async function revertMessage(
  git: Git,
  { from, to }: HeadMove,
  { kind, run, isForward }: Directed,
  folded: string | undefined,
): Promise<string> {
  const messageAt = async (commit: string): Promise<string> =>
    (await git(["log", "-1", "--format=%B", commit])).toString().trim();
  // The commit was removed: commit it again on top of the current HEAD.
  if (!isForward && from !== undefined) return (await messageAt(from)).replace(/\n+Loaf-Run: \d+$/, "");
  const [subject = ""] = (await messageAt(to ?? "HEAD")).split("\n");
  const reverted = /^Revert (".*")$/.exec(subject)?.[1] ?? `"${subject}"`;
  return `${kind === "undo" ? "Revert" : "Reapply"} ${reverted}\n\nThis reverts ${folded === undefined ? "" : `run ${run} of `}commit ${to}.`;
}

/**
 * Updates the user's index to the commit of a run, if Loaf was killed between the two. Otherwise the index would stage
 * a revert of the run. Keeps entries that the user has staged since. Throws `GitFailed`.
 *
 * @param note called once that is done
 */
export async function finishCommit(
  project: Parameters<typeof openRepository>[0],
  log: Log,
  note: (record: MovedRecord) => void,
): Promise<void> {
  const opened = await openRepository(project);
  const move = opened && (await completedMove(opened.git, log));
  if (opened === undefined || move?.to === undefined) return;
  const { git, repository } = opened;
  const { from, to } = move;
  // Paths that the second of two commits reverts are staged as they were before both.
  const named = ["--format=", "--name-only", "--no-renames", "-z"];
  const touched = new Set(records(await git(["log", "--first-parent", ...named, to, ...notIn(from)])));
  const index = (await changesByCommit(git, from, to, move.index)).filter(({ path }) => touched.has(path));
  const { branch } = await readHead(git);
  await applyMove(git, repository, { ...(branch && { branch }), from: to, to, index }, "");
  note({ type: "moved", to });
}

/**
 * Returns a run's move of HEAD. If the run was killed before it could log the end, HEAD is a commit with its number.
 */
export async function completedMove(git: Git, { head, sequence }: Log): Promise<HeadMove | undefined> {
  if (head === undefined || head.isDone) return head;
  const { from } = head;
  const last3 = ["log", "--first-parent", "--max-count=3", "-z", "--format=%H %P%n%B", "HEAD"];
  const { stdout } = await git.attempt([...last3, ...notIn(from)]);
  const since = [...stdout.toString().matchAll(LOGGED)].map(({ groups }) => groups ?? {});
  const [last, { parents } = {}] = [since[0], since.at(-1)];
  if (last?.["id"] === undefined || since.length > 2 || parents !== (from ?? "")) return undefined;
  const message = last["message"]?.trimEnd() ?? "";
  const isBefore = since.length === 1 && message.startsWith("Before AI: ");
  return isBefore || message.endsWith(`\nLoaf-Run: ${sequence}`) ? { ...head, to: last["id"] } : undefined;
}

const LOGGED = /(?<=^|\0)(?<id>\w+) (?<parents>[\w ]*)\n(?<message>[^\0]*)/g;

function notIn(commit: string | undefined): string[] {
  return commit === undefined ? [] : ["--not", commit];
}

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
