import { type ChangeSet, isSame, type Put } from "../core/change-set.ts";
import { countsOf } from "../core/counted.ts";
import { explainInLine } from "../core/explain.ts";
import type { Failure } from "../core/failure.ts";
import type { Refused, Restored } from "../core/history.ts";
import { DAMAGED } from "../disk/images.ts";
import { look } from "../disk/look.ts";
import {
  movesDirectory,
  type Operation,
  operationKey,
  pathsOf,
  type Staged,
  targetOf,
  timesTouched,
} from "../disk/operation.ts";
import type { Pins } from "../disk/pin.ts";
import { PathMap } from "../paths/path-map.ts";
import { isWithin } from "../paths/path-segments.ts";
import { type Entry, isConflict, isDirectoryInUse, type Outcome } from "./attempts.ts";
import { mergeEdits, withMissingFolders } from "./inverse.ts";
import type { LoggedOperation } from "./log-record.ts";
import { compose } from "./change-set.ts";
import { type DoneOperation, doneOperations, type Log } from "./read-log.ts";

export interface UndoOptions {
  readonly pins: Pins;
  /** Log of an interrupted undo of the same run. Its operations are not repeated; all others are tried again. */
  readonly begun?: Log;
  /** Brings operations to the disk and returns their outcomes. */
  readonly commit: (staged: readonly Staged[]) => Promise<readonly Outcome[]>;
}

export interface Undone {
  readonly restored: readonly Restored[];
  readonly refused: readonly Refused[];
}

/**
 * Undoes a run. Merges text files edited since. Skips files whose edits conflict, other files changed since, and
 * anything that depends on them. Rethrows errors of `commit`.
 */
export async function undoLog(log: Log, { pins, begun, commit }: UndoOptions): Promise<Undone> {
  const decision = decide(log, begun === undefined ? [] : doneOperations(begun), pins);
  const staged = withMissingFolders(decision.possible, pins);
  const outcomes = await commit(staged);
  return describeUndo(
    staged.map((one, index) => ({ staged: one, outcome: outcomes[index] ?? {} })),
    {
      file: log.file,
      reportedPaths: decision.reportedPaths,
      leftAt: (path, one) => finalPathOf(path, decision.inverse.slice(0, Math.max(0, decision.inverse.indexOf(one)))),
      alreadyRefused: refusedBefore(decision),
    },
  );
}

/** What an undo will try, before anything is changed. */
interface Decision extends Partition {
  /** All operations that undo the run, the last step of the run first. */
  readonly inverse: readonly Staged[];
  /** Paths that the run changed in the end; intermediate paths do not matter to the user. */
  readonly reportedPaths: ReadonlySet<string>;
}

/** @param undone operations that an interrupted undo of the run has made already */
function decide(log: Log, undone: readonly DoneOperation[], pins: Pins): Decision {
  const done = doneOperations(log);
  const { staged: inverse, paths: merged } = mergeEdits(log, undone, pins);
  const partition = partitionConflicts(withoutDone(inverse, undone), [...done, ...undone], { merged, pins });
  return { ...partition, inverse, reportedPaths: new Set(compose(done).flatMap(pathsOfChange)) };
}

function pathsOfChange({ path, from }: Put): string[] {
  return from === undefined ? [path] : [path, from];
}

/** Removes finished operations. An undo keeps its order, so of equal operations the first ones are done. */
function withoutDone(staged: readonly Staged[], done: readonly DoneOperation[]): Staged[] {
  const counts = countsOf(done.map(({ intent }) => operationKey(intent.operation)));
  return staged.filter(({ operation }) => {
    const key = operationKey(operation);
    const left = counts.get(key) ?? 0;
    counts.set(key, left - 1);
    return left <= 0;
  });
}

interface Partition {
  /** Operations that can be tried. */
  readonly possible: readonly Staged[];
  /** Files that somebody else has changed since. */
  readonly changed: ReadonlySet<string>;
  /** The changed paths, and all paths that depend on them, each with the changed one. */
  readonly blocked: ReadonlyMap<string, string>;
}

/**
 * Sets operations aside on what somebody else has changed since. If one step of a file is blocked, all its steps are.
 *
 * @param done operations of the run, and of an interrupted undo of it
 * @param merged the current paths of files edited since, whose steps already expect the edits
 */
function partitionConflicts(
  staged: readonly Staged[],
  done: readonly DoneOperation[],
  { merged, pins }: { readonly merged: ReadonlySet<string>; readonly pins: Pins },
): Partition {
  const net = compose(done);
  const changed = filesChangedSince(net, done, (one) => !merged.has(one.path) && isChangedSince(one, pins));
  const blocked = new Blocked([...changed, ...foreignDirectories(net, done, pins)]);
  let possible = staged;
  // An operation that is set aside may block one before it, so look until nothing more is blocked.
  for (let count = -1; count !== possible.length;) {
    count = possible.length;
    possible = possible.filter((one) => !blocked.blocks(one));
  }
  return { possible, changed, blocked: blocked.causes };
}

/**
 * Returns the files that somebody has changed since, of those that the run changed in several steps. A single step
 * compares only with its own state, and could mistake a user's change for one of its own. Example: the user deleted a
 * file that the run had deleted and made again. So these files are compared with their net change.
 *
 * @param isChanged returns whether a file was changed, and its edits are not merged
 */
function filesChangedSince(
  net: ChangeSet,
  done: readonly DoneOperation[],
  isChanged: (change: Put) => boolean,
): ReadonlySet<string> {
  const steps = timesTouched(done.map(({ intent }) => intent.operation));
  const isOfDirectory = ({ before, after }: Put): boolean => [before, after].some((one) => one?.kind === "directory");
  const directories = new Set(net.filter(isOfDirectory).map(({ path }) => path));
  const arrived = net.filter(({ from, after }) => from !== undefined && after?.kind === "directory");
  // Something else may be there now: entries of a directory that was moved here have moved with it.
  const isReplaced = ({ path, after }: Put): boolean =>
    after === null && arrived.some((one) => isWithin(path, one.path));
  const suspects = net.filter(({ path }) => (steps.get(path) ?? 0) > 1 && !directories.has(path));
  return new Set(suspects.filter((one) => !isReplaced(one) && isChanged(one)).map(({ path }) => path));
}

/** Returns whether a path looks neither as before the run nor as after it. */
function isChangedSince({ path, before, after }: Put, pins: Pins): boolean {
  const found = look(pins, path)?.state;
  return !isSame(found, after) && !isSame(found, before);
}

/**
 * Returns directories that the run made and removed, where one is again. It is not ours, unless it arrived with a moved
 * directory.
 */
function foreignDirectories(net: ChangeSet, done: readonly DoneOperation[], pins: Pins): string[] {
  const changed = new Set(net.map(({ path }) => path));
  const moved = net.filter(({ from }) => from !== undefined).flatMap(pathsOfChange);
  const isOurs = (path: string): boolean => changed.has(path) || moved.some((one) => isWithin(path, one));
  return [...madeAndRemoved(done)].filter((path) => !isOurs(path) && look(pins, path) !== undefined);
}

/** Returns directories that were made and removed, with nothing made there afterwards. */
function madeAndRemoved(done: readonly DoneOperation[]): ReadonlySet<string> {
  const made = new Set<string>();
  const removed = new Set<string>();
  for (const { operation } of done.map(({ intent }) => intent)) {
    const path = targetOf(operation);
    if (operation.kind === "makeDirectory") made.add(path);
    if (operation.kind === "removeDirectory" && made.has(path)) removed.add(path);
    else removed.delete(path);
  }
  return removed;
}

/** Paths that an undo must leave alone, with the changed path that each depends on. */
class Blocked {
  readonly causes: Map<string, string>;
  /** If a moved directory stays, changes made in it before the move now lie at its new path. */
  readonly #movedFolders = new PathMap<string>();

  constructor(changed: readonly string[]) {
    this.causes = new Map(changed.map((path) => [path, path]));
  }

  /** Returns whether an operation touches such a path. Then all its paths are blocked too. */
  blocks({ operation }: Staged): boolean {
    const paths = pathsOf(operation);
    const cause = paths.map((path) => this.#causeOf(path)).find((one) => one !== undefined);
    if (cause === undefined) return false;
    for (const path of paths) {
      if (!this.causes.has(path)) this.causes.set(path, cause);
      if (movesDirectory(operation)) this.#movedFolders.set(path, cause);
    }
    return true;
  }

  #causeOf(path: string): string | undefined {
    return this.causes.get(path) ?? this.#movedFolders.get(this.#movedFolders.nearest(path) ?? path);
  }
}

/** Words what was set aside before the undo began. */
function refusedBefore({ changed, blocked, reportedPaths }: Decision): Refused[] {
  const dependents = [...blocked].filter(([path]) => !changed.has(path) && reportedPaths.has(path));
  return [
    ...[...changed].map((path) => ({ path, reason: CHANGED })),
    ...dependents.map(([path, cause]) => ({ path, reason: dependsOnSentence(cause) })),
  ];
}

/** Returns what an atomic rollback could not restore. */
export function refusalsOf(failed: readonly Entry[], file: string): readonly Refused[] {
  const reportedPaths = new Set(failed.flatMap(({ operation }) => pathsOf(operation)));
  const attempts = failed.map((one) => ({ staged: one, outcome: one }));
  return describeUndo(attempts, { file, reportedPaths, leftAt: (path) => path, alreadyRefused: [] }).refused;
}

/** An operation that undoes a step of the run, and what became of it. */
interface Attempt {
  readonly staged: Staged;
  readonly outcome: Outcome;
}

interface UndoContext {
  /** Path of the log that is undone. */
  readonly file: string;
  /** Paths that are reported even if they only depend on others. */
  readonly reportedPaths: ReadonlySet<string>;
  /** Returns the path that an entry had when the run was over. */
  readonly leftAt: (path: string, one: Staged) => string;
  /** Refusals from before the commit. */
  readonly alreadyRefused: readonly Refused[];
}

/** Describes the outcomes of operations that undo a run. */
function describeUndo(attempts: readonly Attempt[], context: UndoContext): Undone {
  const restored: Restored[] = [];
  const refusals = new Refusals(context);
  for (const { staged, outcome } of attempts) {
    const { operation } = staged;
    const { failure, isNoop } = outcome;
    if (isNoop) restored.push({ path: currentPathOf(operation), how: "unchanged" });
    else if (failure === undefined) restored.push(restoredBy(staged));
    else if (isDirectoryInUse(operation, failure)) restored.push({ path: currentPathOf(operation), how: "kept" });
    else refusals.add(staged, failure);
  }
  return { restored: withoutDuplicates(restored), refused: refusals.all() };
}

/** Why a file stays that nobody has changed. */
type Cause = "system" | "damage";

/** Words failed operations, one sentence for each path. */
class Refusals {
  readonly #context: UndoContext;
  readonly #refused: Map<string, Refused>;
  /** By the paths of failed operations, for those that depend on them. */
  readonly #causes = new Map<string, Cause>();

  constructor(context: UndoContext) {
    this.#context = context;
    this.#refused = new Map(context.alreadyRefused.map((one) => [one.path, one]));
  }

  add(one: Staged, failure: Failure): void {
    const { operation } = one;
    const isDependent = failure.code === "run/depends";
    const cause = isDependent ? this.#causes.get(failure.path) : causeOf(failure);
    if (cause !== undefined) for (const path of pathsOf(operation)) this.#causes.set(path, cause);
    const path = this.#reportedPathOf(one, isDependent);
    if (this.#refused.has(path) || (isDependent && !this.#context.reportedPaths.has(path))) return;
    const reason = this.#reasonOf(operation, failure, cause);
    this.#refused.set(path, {
      path,
      reason,
      ...(cause === "system" && { mayPass: true }),
      ...(cause === "damage" && { isLost: true }),
    });
  }

  all(): Refused[] {
    return [...this.#refused.values()];
  }

  #reportedPathOf(one: Staged, isDependent: boolean): string {
    const { operation } = one;
    const isOriginal = operation.kind === "rename" && isDependent && this.#context.reportedPaths.has(operation.to);
    return isOriginal ? operation.to : this.#context.leftAt(currentPathOf(operation), one);
  }

  /** @param cause of the operation, or of the one it depends on */
  #reasonOf(operation: Operation, failure: Failure, cause: Cause | undefined): string {
    if (failure.code === "file/changed") {
      return failure.path === currentPathOf(operation) ? CHANGED : dependsOnSentence(failure.path);
    }
    if (failure.code === "run/depends") {
      if (cause === undefined) return dependsOnSentence(failure.path);
      return `it depends on ${failure.path}, which could not be restored`;
    }
    return cause === "damage" ? `its pre-image in ${this.#context.file} is damaged` : explainInLine(failure);
  }
}

function causeOf(failure: Failure): Cause | undefined {
  if ("errno" in failure && failure.errno === DAMAGED) return "damage";
  return isConflict(failure) ? undefined : "system";
}

const CHANGED = "it has changed since";
const dependsOnSentence = (path: string) => `it depends on ${path}, which has changed since`;

/** Returns the current path of what an operation touches. */
function currentPathOf(operation: Operation): string {
  return operation.kind === "rename" ? operation.from : operation.path;
}

/** @param later operations that undo the run's later steps, last step first */
function finalPathOf(path: string, later: readonly Staged[]): string {
  return later.reduceRight((at, { operation }) => {
    const isMoved = operation.kind === "rename" && isWithin(at, operation.to);
    return isMoved ? operation.from + at.slice(operation.to.length) : at;
  }, path);
}

/** Returns what an undo restored, from its log. */
export function restoredIn(undo: Log): Restored[] {
  return withoutDuplicates(doneOperations(undo).map(({ intent }) => restoredBy(intent)));
}

/** Removes duplicates from files that the run changed in several steps. */
function withoutDuplicates(restored: readonly Restored[]): Restored[] {
  return [...new Map(restored.map((one) => [`${one.how} ${one.path}`, one])).values()];
}

interface RestoringOperation {
  readonly operation: Operation | LoggedOperation;
  readonly isMerged?: true;
}

function restoredBy({ operation, isMerged }: RestoringOperation): Restored {
  switch (operation.kind) {
    case "rename":
      return { path: operation.to, how: "moved", from: operation.from };
    case "unlink":
    case "removeDirectory":
      return { path: operation.path, how: "removed" };
    default:
      return { path: operation.path, how: isMerged ? "merged" : "restored" };
  }
}
