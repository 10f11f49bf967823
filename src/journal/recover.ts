/** Takes back what must not stay of a unit that failed, and completes a group that a crash has interrupted. */
import * as fs from "node:fs";
import { dirname } from "node:path";
import { isSame, type Other, type State } from "../core/change-set.ts";
import { explain, type Failure } from "../core/failure.ts";
import { type Look, look } from "../disk/look.ts";
import type { Planned } from "../disk/planned.ts";
import { Syncing } from "../disk/sync.ts";
import { attempt, systemError } from "../disk/system-error.ts";
import { applyChanges, type ApplyOptions, carryOut, loggedOutcome } from "./apply.ts";
import { type DonePut, donePutsIn, imagesIn, inverse, netOf, withMissingFolders } from "./change-set.ts";
import type { Log, LoggedGroup, LoggedOutcome, PutRecord } from "./log.ts";
import {
  Attempts,
  wouldFailAgain,
  type OperationOutcome,
  pathsOf,
  type Ready,
  removeLeftover,
  withDependents,
} from "./put.ts";

/**
 * Brings changes to the disk as one unit. Takes back what belongs to something that failed. Never rejects.
 */
export async function applyUnit(planned: readonly Planned[], options: ApplyOptions): Promise<AppliedUnit> {
  const outcomes = await applyChanges(planned, options);
  const hasFailed = outcomes.some(({ failure }) => failure !== undefined);
  return { outcomes, isWhole: !hasFailed || (await takeBack(options)).failure === undefined };
}

export interface AppliedUnit {
  /** One for each change, in order. */
  readonly outcomes: readonly OperationOutcome[];
  /** False if something had to be taken back and could not be: recovery will try again. */
  readonly isWhole: boolean;
}

/** A change that restores an earlier state, and what became of it. */
export interface Reverted extends OperationOutcome {
  readonly change: Planned;
}

export interface RolledBack {
  readonly reverted: readonly Reverted[];
  /** A system error: the next recovery tries again. */
  readonly failure?: Failure;
}

/** Takes back what must not stay of the last unit of a log: the inverse of its puts. What is restored already stays so. */
export async function takeBack(options: ApplyOptions): Promise<RolledBack> {
  const { log } = options;
  const puts = partsToTakeBack(log.toLog()?.groups ?? []);
  if (puts.length === 0) return { reverted: [] };
  const planned = withMissingFolders(inverse(netOf(puts), imagesIn(puts, log.path)));
  const rollback = { ...options, isAtomic: false, isReversal: true, isRollback: true, continues: false };
  const outcomes = await applyChanges(planned, rollback);
  const failures = outcomes.flatMap(({ failure }) => failure ?? []);
  const failure = failures.find((cause) => !wouldFailAgain(cause));
  if (failure !== undefined) return { reverted: [], failure };
  log.append({ type: "undone" });
  attempt(() => log.flush());
  return { reverted: withOutcomes(planned, outcomes) };
}

export function withOutcomes(planned: readonly Planned[], outcomes: readonly OperationOutcome[]): Reverted[] {
  return planned.map((change, index) => ({ change, ...outcomes[index] }));
}

/**
 * Returns what must not stay of the last unit: all of one that was not ended, or is atomic and failed. Otherwise the
 * parts of actions that failed in another part.
 */
function partsToTakeBack(groups: readonly LoggedGroup[]): DonePut[] {
  if (groups.at(-1)?.isUndone === true) return [];
  const unit = lastUnit(groups);
  const made = unit.flatMap(donePutsIn);
  const failed = new Set(
    unit.flatMap((group) => [...(group.failed ?? []), ...failedPuts(group).flatMap(({ authors }) => authors)]),
  );
  const isFailed = failed.size > 0 || unit.some((group) => failedPuts(group).length > 0);
  if (
    unit.findLast(({ isObserved }) => !isObserved)?.continues === true ||
    (isFailed && unit.at(-1)?.isAtomic === true)
  )
    return made;
  if (failed.size === 0) return [];
  const all = withDependents(failed, made);
  return made.filter(({ authors }) => authors.some((author) => all.has(author)));
}

/** Returns the groups of the last unit, without those of which nothing was made. */
function lastUnit(groups: readonly LoggedGroup[]): LoggedGroup[] {
  const end = groups.findLastIndex(({ isRollback }) => !isRollback) + 1;
  const start = groups.slice(0, end).findLastIndex(({ isRollback, isUndone }) => isRollback || isUndone) + 1;
  const open = groups.slice(start, end).filter(({ isDropped }) => !isDropped);
  const continues = (index: number): boolean =>
    open[index]?.isObserved ? continues(index - 1) : open[index]?.continues === true;
  let first = open.length - 1;
  while (first > 0 && continues(first - 1)) first -= 1;
  return open.slice(Math.max(first, 0));
}

function failedPuts({ puts, outcomes = [] }: LoggedGroup): PutRecord[] {
  return puts.filter((_, index) => outcomes[index]?.failure !== undefined);
}

/** Returns whether a crash interrupted the run: recovery will finish it or take it back. */
export function isUnfinished({ groups, end, kind }: Pick<Log, "groups" | "end" | "kind">): boolean {
  const last = groups.at(-1);
  if (end !== undefined || last === undefined || last.isUndone) return false;
  if (last.isRollback || (last.outcomes === undefined && !last.isDropped)) return true;
  // Recovery continues an undo that has made at least one group.
  if (kind === "undo" && groups.some(({ outcomes }) => outcomes !== undefined)) return true;
  return partsToTakeBack(groups).length > 0;
}

/** Removes new files that a run had no time to remove. They are useless once the group is over. */
export function tidy({ groups, end }: Log): void {
  const last = groups.at(-1);
  if (end === undefined && last !== undefined) removeUnused(last);
}

function removeUnused({ puts, outcomes, isDropped }: Pick<LoggedGroup, "puts" | "outcomes" | "isDropped">): void {
  for (const [index, put] of puts.entries())
    if (isDropped || outcomes?.[index]?.failure !== undefined) removeLeftover(put);
}

/**
 * Completes a group. If it was begun, everything it needs is on the disk; otherwise drops it. Returns the paths that
 * somebody else has changed. Throws a system error if a retry may not meet it again.
 */
export async function resume(group: LoggedGroup, options: ApplyOptions): Promise<readonly string[]> {
  const { log } = options;
  const { isAtomic } = group;
  const interrupted = group.puts.map((put) => ({ put, status: putStatus(put) }));
  if (!group.isPrepared && !isBegun(interrupted)) {
    log.write({ type: "dropped" });
    removeUnused({ ...group, isDropped: true });
    return [];
  }
  const attempts = new Attempts();
  const ready = interrupted.map(({ put, status }): Ready => {
    const entry: Ready = { put, step: { put } };
    if (status.is === "done") entry.outcome = status.outcome;
    else if (status.is === "lost") attempts.fail(entry, { code: "run/not-whole" });
    // Only the record of a prepared group proves that the temporary file was ever there.
    else if (status.is === "overwritten" && group.isPrepared) entry.outcome = {};
    else if (status.is !== "pending") attempts.fail(entry, { code: "file/changed", path: pathsOf(put)[0] ?? "" });
    return entry;
  });
  const pending = ready.filter(({ failure, outcome }) => failure === undefined && outcome === undefined);
  await syncBeforeResume(group.puts, pending, options);
  const syncError = await carryOut(pending, { ...options, isAtomic, attempts });
  if (syncError !== undefined) throw syncError;
  if (!isAtomic) throwRetryable(pending.map(({ failure }) => failure));
  const outcomes = ready.map(loggedOutcome);
  log.write({ type: "done", outcomes });
  removeUnused({ ...group, outcomes });
  return outcomes.flatMap(({ failure }) => (failure?.code === "file/changed" ? [failure.path] : []));
}

/**
 * Returns whether the group was begun, which the log does not say. A new file in place proves it, because nobody else
 * puts one there. A missing or moved file proves nothing, since the user may have done that. But then all temporary
 * files must exist, unless a power cut took one with its new directory.
 */
function isBegun(interrupted: ReadonlyArray<{ readonly put: PutRecord; readonly status: PutStatus }>): boolean {
  const done = interrupted.filter(({ status }) => status.is === "done" && status.isCertain);
  const isMissing = interrupted.some(
    ({ put, status }) => status.is === "lost" && pathsOf(put).every((path) => fs.existsSync(dirname(path))),
  );
  return done.some(({ put }) => put.temporary !== undefined) || (done.length > 0 && !isMissing);
}

/** What the disk shows of a put that a crash may have interrupted. */
export type PutStatus =
  /** `isCertain`: only the put itself can have caused this state. */
  | { readonly is: "done"; readonly outcome: LoggedOutcome; readonly isCertain: boolean }
  | { readonly is: "pending" }
  /** The put was not made, and its new file is missing. */
  | { readonly is: "lost" }
  /** Somebody else changed the path before the put was made. */
  | { readonly is: "changed" }
  /** Somebody else changed the path, probably after the put, because its new file is gone. */
  | { readonly is: "overwritten" };

/** Tells from what is at its path whether a put was made: `after`, `before` or neither. */
export function putStatus({ path, from, before, after, temporary, isRename }: PutRecord): PutStatus {
  const current = look(path);
  const [isOld, isNew] = [isSame(current?.state, before), isSame(current?.state, after)];
  const origin = isRename ? from : temporary;
  // Anybody may make a directory.
  if (origin === undefined && isNew) return { is: "done", outcome: {}, isCertain: after === null };
  const waiting = origin === undefined ? undefined : look(origin);
  if (origin === undefined || isSame(waiting?.state, after)) return { is: isOld ? "pending" : "changed" };
  if (!isRename && waiting?.state.kind === "other") return { is: "changed" };
  if (isNew) return { is: "done", outcome: modeOf(current), isCertain: isRename === true || !isOld };
  return { is: isRename ? "changed" : isOld ? "lost" : "overwritten" };
}

function modeOf(current: Look<State | Other> | undefined): LoggedOutcome {
  const mode = current?.state.kind === "file" ? current.state.mode : undefined;
  return mode === undefined ? {} : { mode };
}

/** The crash may have come before the group was synced. Syncs temporary files and finished changes. */
async function syncBeforeResume(
  puts: readonly PutRecord[],
  pending: readonly Ready[],
  { log }: ApplyOptions,
): Promise<void> {
  const temporaries = pending.flatMap(({ step }) => step.put.temporary ?? []);
  const syncing = new Syncing();
  await syncing.files(temporaries);
  await syncing.directoriesOf([...temporaries, ...puts.flatMap(pathsOf)]);
  await Promise.all([syncing.finished(), log.sync()]);
}

/** Throws the first error that a retry may not meet again. */
export function throwRetryable(failures: ReadonlyArray<Failure | undefined>): void {
  for (const failure of failures) {
    if (failure !== undefined && !wouldFailAgain(failure))
      throw "errno" in failure
        ? systemError(failure.errno, failure.syscall, failure.path)
        : new Error(explain(failure));
  }
}
