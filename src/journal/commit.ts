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
import { Attempts, type Entry, failureAt, isConflict, type Outcome, pathsOf, SharedNames } from "./attempts.ts";
import { isTurning, stages } from "./change-set.ts";
import { type Preparation, prepare } from "./prepare.ts";
import type { Refused } from "../core/history.ts";
import { type DonePut, donePutsIn, type PartsToTakeBack } from "./read-log.ts";
import { planReversal, refusalsOf } from "./undo.ts";

export interface CommitOptions extends Pick<Preparation, "pins" | "log" | "versions"> {
  readonly mode: CommitMode;
  /** Restores an earlier state. Every group is logged, even one whose files are restored already. */
  readonly isReversal: boolean;
  /** More groups of the same atomic unit follow. */
  readonly continues?: boolean;
  /** Puts made before that belong to the same atomic unit. */
  readonly earlier?: readonly DonePut[];
}

/**
 * What a failure means for the other groups. `separate`: nothing. `atomic`: all groups are one unit, which is rolled
 * back. `rollback`: they roll back the groups before them in the log, and one that may succeed later stops them.
 */
export type CommitMode = "separate" | "atomic" | "rollback";

export interface CommittedChanges {
  /** One for each change, in order. */
  readonly outcomes: readonly Outcome[];
  /** False if something had to be taken back and could not be: recovery will try again. */
  readonly isWhole: boolean;
}

/** Brings changes to the disk. Never rejects: records each failure in an outcome. */
export async function commitChanges(planned: readonly Planned[], options: CommitOptions): Promise<CommittedChanges> {
  const groups = stages(heldCopies(planned, options.pins)).map((group) =>
    group.map((one): Entry => ({ ...one, isRepeatable: options.isReversal })),
  );
  const isWhole = await commit(groups, options);
  const own = planned.map((): Entry[] => []);
  for (const entry of groups.flat())
    for (const one of [entry.put, entry.source]) if (one !== undefined) own[one.position]?.push(entry);
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

function outcomeOfAll(entries: readonly Entry[]): Outcome {
  const failure = entries.map((one) => one.failure).find((one) => one !== undefined);
  const isNoop = entries.length > 0 && entries.every((one) => one.isNoop);
  return { ...(failure !== undefined && { failure }), ...(isNoop && { isNoop }) };
}

/**
 * Brings change sets to the disk, one after the other. After a crash, each put is made or not, and the log is enough to
 * finish or roll back.
 *
 *     puts with their pre-images in the log ─┐
 *     new files beside their targets ────┴─ all safe on the disk ─► renames ─► directories safe ─► done
 */
async function commit(groups: ReadonlyArray<readonly Entry[]>, options: CommitOptions): Promise<boolean> {
  const entries = groups.flat();
  const context = { ...options, attempts: new Attempts(), names: new SharedNames(options.pins) };
  const made: DonePut[] = [...(options.earlier ?? [])];
  const queue = [...groups];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { done, crossDevice, isDurable } = await commitGroup(next, queue.length > 0, { ...context, entries, made });
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
  if (options.mode !== "separate") return true;
  const authors = notePartial(entries, made, options);
  return authors.size === 0 || (await takeBack({ made, authors, takenBack: [] }, options)) === undefined;
}

interface GroupContext extends CommitOptions, Pick<Preparation, "names"> {
  readonly attempts: Attempts;
  /** Of all groups. */
  readonly entries: readonly Entry[];
  /** What the groups before have made. */
  readonly made: readonly DonePut[];
}

interface CommittedGroup {
  readonly done: readonly DonePut[];
  /** Renames that turned out to cross file systems. They must be made again, as copies. */
  readonly crossDevice: readonly Entry[];
  /** Whether the changes survive a power cut. */
  readonly isDurable: boolean;
}

/** Prepares a group, makes its puts and logs their outcomes. */
async function commitGroup(group: readonly Entry[], hasNext: boolean, context: GroupContext): Promise<CommittedGroup> {
  const { mode, attempts } = context;
  const isAtomic = mode === "atomic";
  const continues = context.continues === true || (mode !== "separate" && hasNext);
  const ready = await makeReady(group, continues, context);
  if (ready.length === 0) return { done: [], crossDevice: [], isDurable: true };
  const { crossDevice, syncError } = await carryOut(ready, { ...context, isAtomic });
  for (const entry of crossDevice) entry.crossesDevices = true;
  const done = donePutsIn({ puts: ready.map(({ step }) => step.put), outcomes: ready.map(outcomeOf) });
  if (mode === "separate" && !hasNext && crossDevice.length === 0)
    notePartial(context.entries, [...context.made, ...done], context);
  recordOutcomes(ready, context, continues || (isAtomic && crossDevice.length > 0));
  // A rollback that may not last is still better than none.
  if (syncError === undefined || mode === "rollback") return { done, crossDevice, isDurable: true };
  for (const { entry } of ready) attempts.fail(entry, failureAt(pathsOf(entry.put), syncError));
  return { done, crossDevice, isDurable: false };
}

/**
 * An action is made whole or not at all, and so is one that changed the same paths. Returns the actions that failed in
 * part, after noting them in the log, and fails all their puts.
 */
function notePartial(
  entries: readonly Entry[],
  made: readonly DonePut[],
  { log, isReversal }: CommitOptions,
): ReadonlySet<number> {
  const causes = new Map<number, Failure>();
  for (let count = -1; count !== causes.size;) {
    count = causes.size;
    for (const entry of entries) {
      const { authors } = entry.put;
      const failure =
        entry.failure ?? dependingOn(authors.map((author) => causes.get(author)).find((one) => one !== undefined));
      if (failure === undefined) continue;
      entry.failure = failure;
      for (const author of authors) if (!causes.has(author)) causes.set(author, failure);
    }
  }
  const authors = new Set(causes.keys());
  if (!made.some(isBy(authors))) return new Set();
  // A reversal that is interrupted is planned again.
  if (!isReversal) log.append({ type: "takesBack", authors: [...authors] });
  return authors;
}

function isBy(authors: ReadonlySet<number>): (put: DonePut) => boolean {
  return (put) => put.authors.some((author) => authors.has(author));
}

/** Takes back what was made for actions that failed in another part. Returns a system error: recovery tries again. */
export async function takeBack(
  { made, authors, takenBack }: PartsToTakeBack,
  options: CommitOptions,
): Promise<Failure | undefined> {
  const { log, pins } = options;
  const { planned } = planReversal(made.filter(isBy(authors)), log.path, { pins, finished: takenBack, merges: false });
  const { outcomes } = await commitChanges(planned, { ...options, mode: "separate", isReversal: true });
  const failure = outcomes.find(isRetryable)?.failure;
  if (failure !== undefined) return failure;
  log.append({ type: "undone" });
  attempt(() => log.flush());
  return undefined;
}

function dependingOn(cause: Failure | undefined): Failure | undefined {
  return cause && { code: "run/depends", path: "path" in cause ? String(cause.path) : "" };
}

/** Rolls back an atomic unit, of which a put failed. Returns false if recovery must try again. */
async function rollBackUnit(
  entries: readonly Entry[],
  made: readonly DonePut[],
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

/** Rolls back puts. What is rolled back already stays so. */
export async function rollBack(done: readonly DonePut[], options: CommitOptions): Promise<RolledBack> {
  const { log, pins } = options;
  const { planned, refused } = planReversal(done, log.path, { pins, merges: false });
  const rollback = { ...options, mode: "rollback", isReversal: true, continues: false, earlier: [] } as const;
  const { outcomes } = await commitChanges(planned, rollback);
  const failure = outcomes.find(isRetryable)?.failure;
  if (failure !== undefined) return { kept: [], failure };
  log.append({ type: "undone" });
  attempt(() => log.flush());
  return { kept: [...refused, ...refusalsOf(planned, outcomes, log.path)] };
}

function hasFailed({ failure }: Entry): boolean {
  return failure !== undefined;
}

function isRetryable({ failure }: Outcome): boolean {
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
    for (const entry of failing) attempts.fail(entry, failureAt(pathsOf(entry.put), thrown));
  };
  if (ready.length === 0) {
    await syncing.finished().catch((thrown: unknown) => failAll(group, thrown));
    if (isReversal) log.append({ type: "done", outcomes: [] });
    else forget();
    return [];
  }
  // What failed already may keep the whole group from being made.
  const isRefused = mode === "separate" ? undefined : mode === "atomic" ? hasFailed : isRetryable;
  try {
    if (isRefused === undefined || !group.some(isRefused)) {
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

async function prepareAll(
  group: readonly Entry[],
  syncing: Syncing,
  context: GroupContext,
): Promise<Array<Ready<Entry>>> {
  const { mode, attempts } = context;
  const ready: Array<Ready<Entry>> = [];
  const [made, checked, devices] = [new Set<string>(), new Set<string>(), new Map<string, string>()];
  const directories = new Set<string>();
  const trees = new Set<string>();
  const sync: Preparation["sync"] = ({ file, tree, directory }) => {
    directories.add(directory);
    if (file !== undefined) syncing.file(file);
    if (tree !== undefined) trees.add(tree);
  };
  for (const entry of group) {
    attempts.make(entry, () => {
      const step = prepare(entry, { ...context, made, checked, devices, temporaryName, sync });
      if (step === undefined) {
        entry.isNoop = true;
        return;
      }
      ready.push({ entry, step });
      if (entry.put.after?.kind === "directory") made.add(entry.put.path);
    });
    if (mode === "atomic" && hasFailed(entry)) break;
    await syncing.room();
  }
  await syncing.trees(trees);
  await syncing.directories(directories);
  return ready;
}

/** Waits until puts, pre-images and new files are safe. Then records that the group begins. */
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
  const puts = ready.map(({ step }) => step.put);
  return (
    puts.some(({ temporary }) => temporary !== undefined) &&
    puts.some(({ temporary, after }) => temporary === undefined && after?.kind !== "directory")
  );
}

/** Records that the group was not begun, and removes its temporary files. */
function dropGroup(ready: readonly Ready[], { pins, log }: CommitOptions): void {
  log.append({ type: "dropped" });
  attempt(() => log.flush());
  for (const { step } of ready) removeLeftovers(pins, step.put);
}

/** Logs the outcomes and removes temporary files. If the log cannot be written, recovery inspects the files instead. */
function recordOutcomes(ready: readonly Ready[], { pins, log }: CommitOptions, continues: boolean): void {
  log.append({ type: "done", outcomes: ready.map(outcomeOf), ...(continues && { continues }) });
  attempt(() => log.flush());
  for (const { step, outcome } of ready) {
    if (outcome === undefined || step.put.aside !== undefined) removeLeftovers(pins, step.put);
  }
}
