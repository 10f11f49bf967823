import type { Other, State } from "../core/change-set.ts";
import { look } from "../disk/look.ts";
import type { Planned, Wanted } from "../disk/operation.ts";
import type { Pins } from "../disk/pin.ts";
import { temporaryName } from "../disk/place-file.ts";
import { settled, Syncing } from "../disk/sync.ts";
import type { Failure } from "../core/failure.ts";
import { MAX_HELD, readImage } from "../disk/images.ts";
import { attempt, unlessSystemError } from "../disk/system-error.ts";
import { carryOut, outcomeOf, type Ready, removeLeftovers } from "./apply.ts";
import { Attempts, type Entry, failureAt, isConflict, type Outcome, SharedNames } from "./attempts.ts";
import type { IntentRecord } from "./log-record.ts";
import { isTurning, operationsOf } from "./operations-of.ts";
import { type Preparation, prepare } from "./prepare.ts";
import type { Refused } from "../core/history.ts";
import { type DoneOperation, doneOperationsIn } from "./read-log.ts";
import { planReversal, refusalsOf } from "./undo.ts";

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

export interface CommittedChanges {
  /** One for each change, in order. */
  readonly outcomes: readonly Outcome[];
  /** False if a rollback was necessary and failed: recovery will try again. */
  readonly isWhole: boolean;
}

/** Brings changes to the disk. Never rejects: records each failure in an outcome. */
export async function commitChanges(planned: readonly Planned[], options: CommitOptions): Promise<CommittedChanges> {
  const groups = operationsOf(heldCopies(planned, options.pins)).map((group) =>
    group.map((one): EntryOfChanges => ({ ...one, ...(options.isReversal && { isRepeatable: true }) })),
  );
  const isWhole = await commit(groups, options);
  const own = planned.map((): Entry[] => []);
  for (const entry of groups.flat()) for (const position of entry.changes) own[position]?.push(entry);
  return { outcomes: own.map(outcomeOfAll), isWhole };
}

/** Reads what would be gone once its path changes between a directory and something else. */
function heldCopies(planned: readonly Planned[], pins: Pins): readonly Planned[] {
  const turning = new Set(planned.filter(isTurning).map(({ path }) => path));
  return planned.map((one): Planned => {
    if (one.after?.kind !== "file") return one;
    const { like, ...file } = one.after;
    const { content } = file;
    const isCopy =
      !Buffer.isBuffer(content) && content.length <= MAX_HELD && (turning.has(content.log) || turning.has(one.path));
    const bytes = isCopy ? unlessSystemError(() => readImage(content), content) : content;
    const kept =
      like !== undefined && turning.has(like) ? keptBy(look(pins, like)?.state) : like !== undefined && { like };
    return { ...one, after: { ...kept, ...file, content: bytes } };
  });
}

function keptBy(state: State | Other | undefined): Pick<Wanted & { kind: "file" }, "mode" | "owner"> {
  const { mode, uid, gid } = state?.kind === "file" ? state : {};
  return {
    ...(mode !== undefined && { mode }),
    ...(uid !== undefined && gid !== undefined && { owner: { uid, gid } }),
  };
}

interface EntryOfChanges extends Entry {
  readonly changes: readonly number[];
}

function outcomeOfAll(entries: readonly Entry[]): Outcome {
  const failure = entries.map((one) => one.failure).find((one) => one !== undefined);
  const isNoop = entries.length > 0 && entries.every((one) => one.isNoop);
  return { ...(failure !== undefined && { failure }), ...(isNoop && { isNoop }) };
}

/**
 * Brings operations to the disk, group by group. After a crash, each operation is made or not, and the log is enough to
 * finish or roll back.
 *
 *     intents and pre-images in the log ─┐
 *     new files beside their targets ────┴─ all safe on the disk ─► renames ─► directories safe ─► done
 */
async function commit(groups: ReadonlyArray<readonly Entry[]>, options: CommitOptions): Promise<boolean> {
  const entries = groups.flat();
  const context = { ...options, attempts: new Attempts(), names: new SharedNames(options.pins) };
  const made: DoneOperation[] = [...(options.earlier ?? [])];
  const queue = [...groups];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { done, crossDevice, isDurable } = await commitGroup(next, queue.length > 0, context);
    made.push(...done);
    if (crossDevice.length > 0) queue.unshift([...crossDevice]);
    switch (options.mode) {
      case "separate":
        if (!isDurable && (await rollBack(done, options)).failure !== undefined) return false;
        break;
      case "atomic":
        if (entries.some(hasFailed)) return rollBackUnit(entries, made, options);
        break;
      case "rollback":
        if (next.some(isRetryable)) return false;
    }
  }
  if (options.mode === "separate") await takeBackParts(entries, made, options);
  return true;
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
async function commitGroup(group: readonly Entry[], hasNext: boolean, context: GroupContext): Promise<CommittedGroup> {
  const { mode, attempts } = context;
  const isAtomic = mode === "atomic";
  const continues = context.continues === true || (mode !== "separate" && hasNext);
  const ready = await makeReady(group, continues, context);
  if (ready.length === 0) return { done: [], crossDevice: [], isDurable: true };
  const { crossDevice, syncError } = await carryOut(ready, { ...context, isAtomic });
  for (const entry of crossDevice) entry.crossesDevices = true;
  recordOutcomes(ready, context, continues || (isAtomic && crossDevice.length > 0));
  const done = doneOperationsIn({ intents: ready.map(({ step }) => step.intent), outcomes: ready.map(outcomeOf) });
  // A rollback that may not last is still better than none.
  if (syncError === undefined || mode === "rollback") return { done, crossDevice, isDurable: true };
  for (const { entry } of ready) attempts.fail(entry, failureAt(entry.operation, syncError));
  return { done, crossDevice, isDurable: false };
}

/**
 * Takes back what was made for actions that failed in another part: an action is made whole or not at all, and so is
 * one that changed the same paths.
 */
async function takeBackParts(
  entries: readonly Entry[],
  made: readonly DoneOperation[],
  options: CommitOptions,
): Promise<void> {
  const causes = new Map<number, Failure>();
  for (let count = -1; count !== causes.size;) {
    count = causes.size;
    for (const entry of entries) {
      const failure =
        entry.failure ??
        dependingOn(entry.authors.map((author) => causes.get(author)).find((one) => one !== undefined));
      if (failure === undefined) continue;
      entry.failure = failure;
      for (const author of entry.authors) if (!causes.has(author)) causes.set(author, failure);
    }
  }
  const parts = made.filter(({ intent: { authors } }) => authors.some((author) => causes.has(author)));
  if (parts.length === 0) return;
  const { planned } = planReversal(parts, options.log.path, { pins: options.pins, merges: false });
  await commitChanges(planned, { ...options, isReversal: true });
}

function dependingOn(cause: Failure | undefined): Failure | undefined {
  return cause && { code: "run/depends", path: "path" in cause ? String(cause.path) : "" };
}

/** Rolls back an atomic unit, of which an operation failed. Returns false if recovery must try again. */
async function rollBackUnit(
  entries: readonly Entry[],
  made: readonly DoneOperation[],
  options: CommitOptions,
): Promise<boolean> {
  const { failure } = await rollBack(made, options);
  for (const entry of entries) entry.failure ??= { code: "run/not-whole" };
  return failure === undefined;
}

export interface RolledBack {
  /** What stays because somebody else has changed it meanwhile. */
  readonly kept: readonly Refused[];
  /** A system error: the next recovery tries again. */
  readonly failure?: Failure;
}

/** Rolls back operations. What is rolled back already stays so. */
export async function rollBack(done: readonly DoneOperation[], options: CommitOptions): Promise<RolledBack> {
  const { log, pins } = options;
  const { planned, refused } = planReversal(done, log.path, { pins, merges: false });
  const rollback = { ...options, mode: "rollback", isReversal: true, continues: false, earlier: [] } as const;
  const { outcomes } = await commitChanges(planned, rollback);
  const failure = outcomes.map((one) => one.failure).find((one) => one !== undefined && !isConflict(one));
  if (failure !== undefined) return { kept: [], failure };
  log.append({ type: "undone" });
  attempt(() => log.flush());
  return { kept: [...refused, ...refusalsOf(planned, outcomes, log.path)] };
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
  continues: boolean,
  context: GroupContext,
): Promise<Array<Ready<Entry>>> {
  const { pins, log, mode, isReversal, attempts } = context;
  const forget = log.mark();
  log.append({ type: "group", continues, isAtomic: mode === "atomic", isRollback: mode === "rollback" });
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
    failAll(
      ready.map(({ entry }) => entry),
      thrown,
    );
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
