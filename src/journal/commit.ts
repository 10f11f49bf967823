import { dirname } from "node:path";
import { movesDirectory, type Operation, pathsOf, type Staged } from "../disk/operation.ts";
import { temporaryName } from "../disk/place-file.ts";
import { settled, Syncing } from "../disk/sync.ts";
import { attempt } from "../disk/system-error.ts";
import { carryOut, outcomeOf, type Ready, removeLeftovers } from "./apply.ts";
import { Attempts, type Entry, failureAt, isConflict, SharedNames } from "./attempts.ts";
import { inverses, withMissingFolders } from "./inverse.ts";
import type { IntentRecord } from "./log-record.ts";
import { type Preparation, prepare } from "./prepare.ts";
import { type DoneOperation, doneOperationsIn } from "./read-log.ts";

export interface CommitOptions extends Pick<Preparation, "pins" | "log" | "versions"> {
  readonly mode: CommitMode;
  /** Restores an earlier state. Every group is logged, even one whose files are restored already. */
  readonly isReversal: boolean;
  /** More groups of the same atomic unit follow. */
  readonly continues?: boolean;
  /** Operations made before that belong to the same atomic unit. */
  readonly earlier?: readonly DoneOperation[];
}

/**
 * What a failure means for the other groups. `separate`: nothing. `atomic`: all groups are one unit, which is rolled
 * back. `rollback`: they roll back the groups before them in the log, and one that may succeed later stops them.
 */
export type CommitMode = "separate" | "atomic" | "rollback";

/**
 * Brings operations to the disk, group by group. After a crash, each operation is made or not, and the log is enough to
 * finish or roll back.
 *
 *     intents and pre-images in the log ─┐
 *     new files beside their targets ────┴─ all safe on the disk ─► renames ─► directories safe ─► done
 *
 * Never rejects: records each failure in its entry.
 *
 * @param first number of the first group to make; earlier ones were made already
 * @returns false if a rollback was necessary and failed: recovery will try again
 */
export async function commit(entries: readonly Entry[], options: CommitOptions, first = 0): Promise<boolean> {
  const context = { ...options, attempts: new Attempts(), names: new SharedNames(options.pins) };
  const made: DoneOperation[] = [...(options.earlier ?? [])];
  const queue = splitGroups(entries).map((group, number): NumberedGroup => ({ group, number })).slice(first);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { done, crossDevice, isDurable } = await commitGroup(next, queue.length > 0, context);
    made.push(...done);
    if (crossDevice.length > 0) queue.unshift({ group: crossDevice, number: next.number });
    switch (options.mode) {
      case "separate":
        if (!isDurable && (await rollBack(done, options)).some(isRetryable)) return false;
        break;
      case "atomic":
        if (entries.some(hasFailed)) return rollBackUnit(entries, made, options);
        break;
      case "rollback":
        if (next.group.some(isRetryable)) return false;
    }
  }
  return true;
}

interface NumberedGroup {
  readonly group: readonly Entry[];
  /** Position among the groups of one commit. */
  readonly number: number;
}

interface GroupContext extends CommitOptions, Pick<Preparation, "names"> {
  readonly attempts: Attempts;
}

interface CommittedGroup {
  readonly done: readonly DoneOperation[];
  /** Renames that turned out to cross file systems. They must be made again, as copies. */
  readonly crossDevice: readonly Entry[];
  /** Whether the changes survive a power cut. */
  readonly isDurable: boolean;
}

/** Prepares a group, makes its operations and logs their outcomes. */
async function commitGroup(numbered: NumberedGroup, hasNext: boolean, context: GroupContext): Promise<CommittedGroup> {
  const { mode, attempts } = context;
  const { group, number } = numbered;
  const isAtomic = mode === "atomic";
  const continues = context.continues === true || (mode !== "separate" && hasNext);
  const ready = await makeReady(group, { number, continues }, context);
  if (ready.length === 0) return { done: [], crossDevice: [], isDurable: true };
  const { crossDevice, syncError } = await carryOut(ready, { ...context, isAtomic, group });
  for (const entry of crossDevice) entry.crossesDevices = true;
  recordOutcomes(ready, context, continues || (isAtomic && crossDevice.length > 0));
  const done = doneOperationsIn({ intents: ready.map(({ step }) => step.intent), outcomes: ready.map(outcomeOf) });
  // A rollback that may not last is still better than none.
  if (syncError === undefined || mode === "rollback") return { done, crossDevice, isDurable: true };
  for (const { entry } of ready) attempts.fail(entry, failureAt(entry.operation, syncError));
  return { done, crossDevice, isDurable: false };
}

/** Rolls back an atomic unit, of which an operation failed. Returns false if recovery must try again. */
async function rollBackUnit(
  entries: readonly Entry[],
  made: readonly DoneOperation[],
  options: CommitOptions,
): Promise<boolean> {
  const left = await rollBack(made, options);
  for (const entry of entries) entry.failure ??= { code: "run/not-whole" };
  return !left.some(isRetryable);
}

/**
 * Rolls back operations. Skips files that somebody else has changed meanwhile. Returns the operations that failed.
 *
 * @param first number of the first group to make
 * @param isAgain whether part of that group may be rolled back already
 */
export async function rollBack(
  done: readonly DoneOperation[],
  options: CommitOptions,
  first = 0,
  isAgain = false,
): Promise<Entry[]> {
  const { log, pins } = options;
  const entries: Entry[] = withMissingFolders(inverses(done, log.path), pins).map((staged) => ({ ...staged }));
  if (isAgain) for (const entry of splitGroups(entries)[first] ?? []) entry.isRepeatable = true;
  await commit(entries, { ...options, mode: "rollback", isReversal: true, continues: false, earlier: [] }, first);
  const failed = entries.filter(hasFailed);
  // If a system error stopped it, the next recovery tries again.
  if (!failed.some(isRetryable)) {
    log.append({ type: "undone" });
    attempt(() => log.flush());
  }
  return failed;
}

function hasFailed({ failure }: Entry): boolean {
  return failure !== undefined;
}

function isRetryable({ failure }: Entry): boolean {
  return failure !== undefined && !isConflict(failure);
}

/**
 * Brings everything that a group needs to the disk. Returns nothing if it cannot start; then it has changed nothing.
 */
async function makeReady(
  group: readonly Entry[],
  place: { readonly number: number; readonly continues: boolean },
  context: GroupContext,
): Promise<Array<Ready<Entry>>> {
  const { pins, log, mode, isReversal, attempts } = context;
  const forget = log.mark();
  log.append({ type: "group", ...place, isAtomic: mode === "atomic", isRollback: mode === "rollback" });
  const syncing = new Syncing(pins);
  const ready = await prepareAll(group, syncing, context);
  const failAll = (failing: readonly Entry[], thrown: unknown): void => {
    for (const entry of failing) attempts.fail(entry, failureAt(entry.operation, thrown));
  };
  if (ready.length === 0) {
    await syncing.finished().catch((thrown: unknown) => failAll(group, thrown));
    if (isReversal) log.append({ type: "done", outcomes: [] });
    else forget();
    return [];
  }
  try {
    if (!isRefused(group, mode)) {
      await makeDurable(ready, syncing, context);
      return ready;
    }
    await syncing.finished();
  } catch (thrown) {
    failAll(ready.map(({ entry }) => entry), thrown);
  }
  dropGroup(ready, context);
  return [];
}

/** Returns whether what failed already keeps the whole group from being made. */
function isRefused(group: readonly Entry[], mode: CommitMode): boolean {
  return (mode === "atomic" && group.some(hasFailed)) || (mode === "rollback" && group.some(isRetryable));
}

async function prepareAll(
  group: readonly Entry[],
  syncing: Syncing,
  context: GroupContext,
): Promise<Array<Ready<Entry>>> {
  const { mode, attempts } = context;
  const ready: Array<Ready<Entry>> = [];
  const [made, checked] = [new Set<string>(), new Set<string>()];
  const directories = new Set<string>();
  const trees = new Set<string>();
  const sync: Preparation["sync"] = ({ file, tree, directory }) => {
    directories.add(directory);
    if (file !== undefined) syncing.file(file);
    if (tree !== undefined) trees.add(tree);
  };
  for (const entry of group) {
    attempts.make(entry, () => {
      const step = prepare(entry, { ...context, made, checked, temporaryName, sync }, entry.crossesDevices);
      if (step === undefined) {
        entry.isNoop = true;
        return;
      }
      ready.push({ entry, step });
      if (entry.operation.kind === "makeDirectory") made.add(entry.operation.path);
    });
    if (mode === "atomic" && hasFailed(entry)) break;
    await syncing.room();
  }
  await syncing.trees(trees);
  await syncing.directories(directories);
  return ready;
}

/** Waits until intents, pre-images and new files are safe. Then records that the group begins. */
async function makeDurable(ready: readonly Ready[], syncing: Syncing, { log, mode }: CommitOptions): Promise<void> {
  // Pre-images for a rollback are safe in the log already, so a full disk must not stop it.
  const logged = mode === "rollback" ? log.sync().catch(() => {}) : log.sync();
  await settled([logged, syncing.finished()]);
  log.attempt(() => {
    log.write({ type: "prepared" });
  });
  if (isAmbiguous(ready)) await log.sync();
}

/**
 * Returns whether a power cut could leave a state that is ambiguous without the `prepared` record. Example: a file is
 * gone, which the user may have deleted, and no new file proves that the group began.
 */
function isAmbiguous(ready: readonly Ready[]): boolean {
  const intents = ready.map(({ step }) => step.intent);
  const hasNewFile = ({ temporary }: IntentRecord): boolean => temporary !== undefined;
  return intents.some(hasNewFile) && intents.some((one) => !hasNewFile(one) && one.operation.kind !== "makeDirectory");
}

/** Records that the group was not begun, and removes its temporary files. */
function dropGroup(ready: readonly Ready[], { pins, log }: CommitOptions): void {
  log.append({ type: "dropped" });
  attempt(() => log.flush());
  for (const { step } of ready) removeLeftovers(pins, step.intent);
}

/** Logs the outcomes and removes temporary files. If the log cannot be written, recovery inspects the files instead. */
function recordOutcomes(ready: readonly Ready[], { pins, log }: CommitOptions, continues: boolean): void {
  log.append({ type: "done", outcomes: ready.map(outcomeOf), ...(continues && { continues }) });
  attempt(() => log.flush());
  for (const { step, outcome } of ready) {
    if (outcome === undefined || step.intent.aside !== undefined) removeLeftovers(pins, step.intent);
  }
}

/**
 * Splits operations, in order, into groups that touch each path only once. After a crash, a look at the path then tells
 * whether its operation was made. Keeps the operations of one action together where possible.
 */
function splitGroups<One extends Staged>(staged: readonly One[]): One[][] {
  if (staged.length === 1) return [[...staged]];
  const groups: One[][] = [];
  let current = new Group<One>();
  for (const one of staged) {
    if (current.isTouchedBy(one.operation)) {
      const own = current.tailOf(one.authors);
      const next = Group.of(own);
      const isOwnTouched = next.isTouchedBy(one.operation) || own.length === current.staged.length;
      groups.push(isOwnTouched ? current.staged : current.staged.slice(0, current.staged.length - own.length));
      current = isOwnTouched ? new Group<One>() : next;
    }
    current.add(one);
  }
  return current.staged.length > 0 ? [...groups, current.staged] : groups;
}

class Group<One extends Staged> {
  readonly staged: One[] = [];
  readonly #touched = new Set<string>();
  /** Sources and targets of directory moves: anything below them changes its path. */
  readonly #moved = new Set<string>();
  /** Ancestors of touched paths. `#aboveKept` only counts paths that exist afterwards. */
  readonly #above = new Set<string>();
  readonly #aboveKept = new Set<string>();

  static of<One extends Staged>(staged: readonly One[]): Group<One> {
    const group = new Group<One>();
    for (const one of staged) group.add(one);
    return group;
  }

  add(one: One): void {
    const { operation } = one;
    this.staged.push(one);
    const isRemoval = operation.kind === "unlink" || operation.kind === "removeDirectory";
    for (const path of pathsOf(operation)) {
      this.#touched.add(path);
      if (movesDirectory(operation)) this.#moved.add(path);
      addAncestors(path, this.#above);
      if (!isRemoval) addAncestors(path, this.#aboveKept);
    }
  }

  isTouchedBy(operation: Operation): boolean {
    return pathsOf(operation).some((path) => {
      if (this.#touched.has(path) || this.#isBelowMoved(path)) return true;
      return movesDirectory(operation)
        ? this.#above.has(path)
        : operation.kind === "removeDirectory" && this.#aboveKept.has(path);
    });
  }

  /** Returns the last operations that were requested by exactly these actions. */
  tailOf(authors: readonly number[]): One[] {
    const key = authors.join();
    const before = this.staged.findLastIndex((one) => one.authors.join() !== key);
    return this.staged.slice(before + 1);
  }

  #isBelowMoved(path: string): boolean {
    if (this.#moved.size === 0) return false;
    for (let at = path; at !== dirname(at); at = dirname(at)) if (this.#moved.has(at)) return true;
    return false;
  }
}

function addAncestors(path: string, directories: Set<string>): void {
  for (let at = dirname(path); !directories.has(at); at = dirname(at)) directories.add(at);
}
