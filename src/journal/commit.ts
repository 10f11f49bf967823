import * as fs from "node:fs";
import { basename, dirname } from "node:path";
import type { Failure } from "../core/failure.ts";
import type { Operation, Staged } from "../disk/operation.ts";
import type { Pins } from "../disk/pin.ts";
import { temporaryName } from "../disk/place-file.ts";
import { attempt, isSystemError } from "../disk/system-error.ts";
import type { Version } from "../disk/volume.ts";
import type { PathMap } from "../paths/path-map.ts";
import { apply, removeLeftovers } from "./apply.ts";
import { type Attempted, Attempts, type Entry, failureAt, isConflict, pathsOf, splitGroups } from "./groups.ts";
import { type DoneOperation, doneOperationsIn, inverses } from "./inverse.ts";
import { type LoggedOutcome } from "./log-record.ts";
import type { LogWriter } from "./log-writer.ts";
import { lookAtIfThere } from "./look-at.ts";
import { prepare, SharedNames, type Step } from "./prepare.ts";
import { settled, Syncing } from "./sync.ts";

export interface CommitOptions {
  readonly pins: Pins;
  readonly log: LogWriter;
  /** Versions of changed paths, null for removed ones. */
  readonly versions: PathMap<Version | null>;
  readonly isAtomic: boolean;
  /** Restores an earlier state. Every group is logged, even one whose files are restored already. */
  readonly isReversal: boolean;
  /** Rolls back the groups before it in this log. */
  readonly isRollback: boolean;
  /** More groups of the same atomic unit follow. */
  readonly continues?: boolean;
  /** Operations made before that belong to the same atomic unit. */
  readonly earlier?: readonly DoneOperation[];
}

/**
 * Brings operations to the disk, group by group. After a crash, each operation is made or not, and the log is enough to finish or roll
 * back.
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
  const { isAtomic, isRollback, earlier = [] } = options;
  const attempts = new Attempts();
  const names = new SharedNames(options.pins);
  const groups = splitGroups(entries).map((group, number) => ({ group, number })).slice(first);
  let done: DoneOperation[] = [...earlier];
  for (let next = groups.shift(); next !== undefined; next = groups.shift()) {
    const { group, number } = next;
    let continues = options.continues === true || ((isAtomic || isRollback) && groups.length > 0);
    const ready = await makeReady(group, { number, continues }, attempts, { ...options, names });
    if (!isAtomic) done = [];
    if (ready.length > 0) {
      const { crossDevice, syncError } = await carryOut(ready, { ...options, names, attempts, group });
      for (const entry of crossDevice) entry.crossesDevices = true;
      if (crossDevice.length > 0) groups.unshift({ group: [...crossDevice], number });
      continues ||= isAtomic && crossDevice.length > 0;
      recordOutcomes(ready, options, continues);
      done.push(...doneOperationsIn({ intents: ready.map(({ step }) => step.intent), outcomes: ready.map(outcomeOf) }));
      if (syncError !== undefined && !isRollback) {
        for (const { entry } of ready) attempts.fail(entry, failureAt(entry.operation, syncError));
        if (!isAtomic && (await rollBack(done, options)).some(isRetryable)) return false;
      }
    }
    if (isRollback && group.some(isRetryable)) return false;
    if (isAtomic && entries.some(({ failure }) => failure !== undefined)) {
      const left = await rollBack(done, options);
      for (const entry of entries) entry.failure ??= { code: "run/not-whole" };
      return !left.some(isRetryable);
    }
  }
  return true;
}

/**
 * Rolls back operations. Skips files that somebody else has changed meanwhile. Returns the operations that failed.
 *
 * @param first number of the first group to make
 * @param isAgain whether part of that group may be rolled back already
 */
export async function rollBack(done: readonly DoneOperation[], options: CommitOptions, first = 0, isAgain = false): Promise<Entry[]> {
  const { log, pins } = options;
  const entries: Entry[] = withMissingFolders(inverses(done, log.path), pins).map((staged) => ({ ...staged }));
  if (isAgain) for (const entry of splitGroups(entries)[first] ?? []) entry.isRepeatable = true;
  await commit(entries, { ...options, isAtomic: false, isReversal: true, isRollback: true, continues: false, earlier: [] }, first);
  const failed = entries.filter(({ failure }) => failure !== undefined);
  // If a system error stopped it, the next recovery tries again.
  if (!failed.some(isRetryable)) {
    log.append({ type: "undone" });
    attempt(() => log.flush());
  }
  return failed;
}

function isRetryable({ failure }: Entry): boolean {
  return failure !== undefined && !isConflict(failure);
}

interface GroupOptions extends CommitOptions {
  /** Files of which earlier groups changed one of several names. */
  readonly names: SharedNames;
}

/** Brings everything that a group needs to the disk. A failure here has changed nothing. */
async function makeReady(group: readonly Entry[], place: { readonly number: number; readonly continues: boolean }, attempts: Attempts, options: GroupOptions): Promise<Array<Ready<Entry>>> {
  const { pins, log, isAtomic, isReversal, isRollback } = options;
  const forget = log.mark();
  log.append({ type: "group", number: place.number, goesOn: place.continues, isAtomic, takesBack: isRollback });
  const syncing = new Syncing(pins);
  const ready = await prepareAll(group, syncing, attempts, options);
  const isRefused = (isAtomic && group.some(({ failure }) => failure !== undefined)) || (isRollback && group.some(isRetryable));
  if (ready.length === 0) {
    await settled([syncing.finished()]).catch((thrown: unknown) => group.forEach((entry) => attempts.fail(entry, failureAt(entry.operation, thrown))));
    if (isReversal) log.append({ type: "done", outcomes: [] });
    else forget();
    return [];
  }
  try {
    // Pre-images for a rollback are safe in the log already, so a full disk must not stop it.
    const logged = isRefused ? Promise.resolve() : isRollback ? log.sync().catch(() => {}) : log.sync();
    await settled([logged, syncing.finished()]);
    if (!isRefused) {
      log.attempt(() => {
        log.append({ type: "prepared" });
        log.flush();
      });
      if (isAmbiguous(ready)) await log.sync();
      return ready;
    }
  } catch (thrown) {
    for (const { entry } of ready) attempts.fail(entry, failureAt(entry.operation, thrown));
  }
  log.append({ type: "dropped" });
  attempt(() => log.flush());
  for (const { step } of ready) removeLeftovers(pins, step.intent);
  return [];
}

/**
 * Returns whether a power cut could leave a state that is ambiguous without the `prepared` record. Example: a file is gone, which the user
 * may have deleted, and no new file proves that the group began.
 */
function isAmbiguous(ready: readonly Ready[]): boolean {
  const isTold = ready.map(({ step }) => step.intent.temporary !== undefined);
  return isTold.includes(true) && ready.some(({ step: { intent } }, index) => isTold[index] !== true && intent.operation.kind !== "makeDirectory");
}

async function prepareAll(group: readonly Entry[], syncing: Syncing, attempts: Attempts, options: GroupOptions): Promise<Array<Ready<Entry>>> {
  const { isAtomic } = options;
  const ready: Array<Ready<Entry>> = [];
  const made = new Set<string>();
  const directories = new Set<string>();
  const trees = new Set<string>();
  const sync = ({ file, tree, directory }: { readonly file?: number; readonly tree?: string; readonly directory: string }): void => {
    directories.add(directory);
    if (file !== undefined) syncing.file(file);
    if (tree !== undefined) trees.add(tree);
  };
  for (const entry of group) {
    attempts.make(entry, () => {
      const step = prepare(entry, { ...options, made, temporaryName, sync }, entry.crossesDevices);
      if (step === undefined) return;
      ready.push({ entry, step });
      if (entry.operation.kind === "makeDirectory") made.add(entry.operation.path);
    });
    if (isAtomic && entry.failure !== undefined) break;
    await syncing.room();
  }
  await syncing.trees(trees);
  await syncing.directories(directories);
  return ready;
}

/** An operation that is prepared, and its outcome. */
export interface Ready<One extends Attempted = Attempted> {
  readonly entry: One;
  step: Step;
  outcome?: LoggedOutcome;
}

export interface CarryOutOptions {
  readonly pins: Pins;
  readonly attempts: Attempts;
  readonly versions: PathMap<Version | null>;
  readonly isAtomic: boolean;
  readonly names: SharedNames;
  /** The whole group, including operations that could not be prepared. */
  readonly group: readonly Attempted[];
}

export interface CarriedOut<One> {
  /** Renames that turned out to cross file systems. */
  readonly crossDevice: readonly One[];
  /** The first error of syncing the directories: the changes may not survive a power cut. */
  readonly syncError?: unknown;
}

/**
 * Makes prepared operations whose log records are already on the disk. An atomic group stops at the first failure. Otherwise operations
 * that do not depend on the failed one are still made.
 */
export async function carryOut<One extends Attempted>(ready: ReadonlyArray<Ready<One>>, { pins, attempts, versions, isAtomic, names, group }: CarryOutOptions): Promise<CarriedOut<One>> {
  const crossDevice: One[] = [];
  for (const one of ready) {
    const isDone = attempts.make(one.entry, () => {
      try {
        one.step = names.withCurrentVersions(one.step);
        one.outcome = apply(pins, one.step, versions);
        names.recordChange(one.step);
      } catch (thrown) {
        if (!isSystemError(thrown) || thrown.code !== "EXDEV" || one.step.intent.aside !== undefined) throw thrown;
        crossDevice.push(one.entry);
      }
    });
    if (isAtomic && !isDone) break;
  }
  if (!isAtomic) removeUnneededDirectories(ready, group, pins);
  const syncError = await syncDirectories(ready, pins);
  return { crossDevice, ...(syncError !== undefined && { syncError }) };
}

/** Logs the outcomes and removes temporary files. If the log cannot be written, recovery inspects the files instead. */
function recordOutcomes(ready: readonly Ready[], { pins, log }: { readonly pins: Pins; readonly log: LogWriter }, continues: boolean): void {
  log.append({ type: "done", outcomes: ready.map(outcomeOf), ...(continues && { goesOn: continues }) });
  attempt(() => log.flush());
  for (const { step, outcome } of ready) if (outcome === undefined || step.intent.aside !== undefined) removeLeftovers(pins, step.intent);
}

export function outcomeOf({ entry, outcome }: Ready): LoggedOutcome {
  return outcome ?? { failure: entry.failure ?? NOT_MADE };
}

const NOT_MADE: Failure = { code: "run/not-whole" };

/** Removes directories that were made for an operation that failed. */
function removeUnneededDirectories(ready: readonly Ready[], group: readonly Attempted[], pins: Pins): void {
  const failures = new Map(group.flatMap(({ authors, failure }) => (failure === undefined ? [] : authors.map((author) => [author, failure] as const))));
  if (failures.size === 0) return;
  for (const one of ready.toReversed()) {
    const { operation, authors } = one.entry;
    const failure = authors.map((author) => failures.get(author)).find((found) => found !== undefined);
    if (operation.kind !== "makeDirectory" || one.outcome === undefined || failure === undefined) continue;
    const isGone = attempt(() => pins.inDirectory(dirname(operation.path), (at) => fs.rmdirSync(at(basename(operation.path)))));
    if (!isGone) continue;
    delete one.outcome;
    one.entry.failure = failure;
  }
}

async function syncDirectories(ready: readonly Ready[], pins: Pins): Promise<unknown> {
  const done = ready.filter(({ outcome }) => outcome !== undefined).map(({ step }) => step.intent);
  const paths = done.flatMap(({ operation, temporary }) => [...pathsOf(operation), ...(temporary === undefined ? [] : [temporary])]);
  const syncing = new Syncing(pins);
  await syncing.directoriesOf(paths);
  try {
    await syncing.finished();
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}

/**
 * Adds operations that make missing parent directories before each operation that restores something. A user may have removed them, or a
 * command that emptied them, and no log records that.
 */
export function withMissingFolders(staged: readonly Staged[], pins: Pins): Staged[] {
  const folders = new KnownDirectories(pins);
  return staged.flatMap((one) => {
    const { operation, authors } = one;
    const place = restoredPathOf(operation);
    const missing = place === undefined ? [] : folders.missingAbove(place);
    for (const path of missing) folders.note(path, true);
    if (operation.kind === "unlink" || operation.kind === "removeDirectory") folders.note(operation.path, false);
    if (operation.kind === "makeDirectory") folders.note(operation.path, true);
    if (operation.kind === "rename") {
      folders.note(operation.from, false);
      folders.note(operation.to, true);
    }
    return [...missing.map((path) => ({ operation: { kind: "makeDirectory", path } as const, authors })), one];
  });
}

/** Returns the path that an operation restores, where nothing should exist yet. */
function restoredPathOf(operation: Operation): string | undefined {
  if (operation.kind === "rename") return operation.replaced === null ? operation.to : undefined;
  if (operation.kind === "makeDirectory") return operation.path;
  return (operation.kind === "write" || operation.kind === "link") && operation.basis === null ? operation.path : undefined;
}

/** Tracks which directories will exist. */
class KnownDirectories {
  readonly #pins: Pins;
  readonly #known = new Map<string, boolean>();

  constructor(pins: Pins) {
    this.#pins = pins;
  }

  /** @param isThere false also for a file in the place of a directory; it is removed before the directory is needed */
  note(path: string, isThere: boolean): void {
    this.#known.set(path, isThere);
  }

  /** Returns the missing ones, outermost first. */
  missingAbove(path: string): string[] {
    const directory = dirname(path);
    return directory === path || this.#isThere(directory) ? [] : [...this.missingAbove(directory), directory];
  }

  #isThere(path: string): boolean {
    const known = this.#known.get(path) ?? lookAtIfThere(this.#pins, path)?.state.kind === "directory";
    this.#known.set(path, known);
    return known;
  }
}
