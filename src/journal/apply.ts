/** Brings a change set to the disk, in groups of puts that a crash can be recovered from. */
import { basename, dirname } from "node:path";
import type { Failure } from "../core/failure.ts";
import { look } from "../disk/look.ts";
import { temporaryName } from "../disk/place-file.ts";
import type { Basis, Planned } from "../disk/planned.ts";
import { isSpelledOtherwise } from "../disk/spelling.ts";
import { settleAll, Syncing } from "../disk/sync.ts";
import { attempt } from "../disk/system-error.ts";
import { foldName } from "../paths/names.ts";
import { isWithin, joinPath } from "../paths/path-segments.ts";
import { type Numbered, stages } from "./change-set.ts";
import type { LoggedOutcome } from "./log.ts";
import type { LogWriter } from "./log-writer.ts";
import { practicable, type Preparation, prepare } from "./prepare.ts";
import {
  type Attempted,
  Attempts,
  type PutAttempt,
  failureAt,
  make,
  type OperationOutcome,
  pathsOf,
  type Ready,
  removeLeftover,
  withDependents,
} from "./put.ts";

export interface ApplyOptions {
  readonly log: LogWriter;
  /** One failure fails them all. Otherwise it fails the actions that asked for the change. */
  readonly isAtomic: boolean;
  /** Restores an earlier state. What is as wanted already counts as made, and is logged. */
  readonly isReversal: boolean;
  /** Takes back the unit before it in the log. */
  readonly isRollback?: boolean;
  /** More changes of the same atomic unit follow. */
  readonly continues?: boolean;
}

/**
 * Brings changes to the disk, in stages that form one unit of the log. After a crash, each put is made or not, and the
 * log is enough to finish the unit or to take it back. Never rejects: records each failure in an outcome. What was made
 * of a unit that failed is left to `takeBack`.
 *
 *     puts with their pre-images in the log ─┐
 *     new files beside their targets ────┴─ all safe on the disk ─► renames ─► directories safe ─► done
 */
export async function applyChanges(planned: readonly Planned[], options: ApplyOptions): Promise<OperationOutcome[]> {
  const { isAtomic, isReversal } = options;
  const numbered = planned.map((change, position): Numbered => ({ ...change, position }));
  const parts = splitRespelled(numbered);
  const respelled = new Map(parts[1]?.map(({ from = "", path }) => [from, path]));
  const groups: PutAttempt[][] = parts.flatMap((part) => stages(practicable(part, isReversal)));
  const unit = { ...options, entries: groups.flat(), attempts: new Attempts(), respelled };
  for (const [index, group] of groups.entries()) {
    const continues = options.continues === true || index < groups.length - 1;
    await applyGroup(group, { ...unit, continues, isFirst: index === 0 });
    if (isAtomic && unit.entries.some(hasFailed)) break;
  }
  if (isAtomic && unit.entries.some(hasFailed))
    for (const entry of unit.entries) entry.failure ??= { code: "run/not-whole" };
  const entriesOf = planned.map((): PutAttempt[] => []);
  for (const entry of unit.entries)
    for (const half of [entry.put, entry.source]) if (half !== undefined) entriesOf[half.position]?.push(entry);
  return entriesOf.map(outcomeOfAll);
}

/** @param entries of one change */
function outcomeOfAll(entries: readonly PutAttempt[], position: number): OperationOutcome {
  const failures = entries.flatMap((entry) => entry.failure ?? []);
  const failure = failures.find(({ code }) => code === "file/spelling") ?? failures[0];
  if (failure !== undefined) return { failure };
  const isNoop = entries.length > 0 && entries.every((entry) => entry.isNoop);
  return isNoop ? { isNoop } : { version: entries.findLast(({ put }) => put.position === position)?.version };
}

interface GroupContext extends ApplyOptions {
  readonly attempts: Attempts;
  /** Of all groups of the unit. */
  readonly entries: readonly PutAttempt[];
  /** Paths of entries that get another spelling, by where they are meanwhile. */
  readonly respelled: ReadonlyMap<string, string>;
  readonly continues: boolean;
  readonly isFirst: boolean;
}

/** Prepares a group, makes its puts and logs their outcomes. */
async function applyGroup(group: readonly PutAttempt[], context: GroupContext): Promise<void> {
  const { log, attempts, respelled, isRollback } = context;
  const ready = await makeReady(group, context);
  if (ready.length === 0) return;
  const syncError = await carryOut(ready, context);
  // A rollback that may not last is still better than none.
  if (syncError !== undefined && !isRollback) failAll(ready, syncError, attempts);
  for (const entry of ready) {
    const path = respelled.get(entry.put.path);
    // A file system that has a spelling of its own for this name has one for the other too.
    if (path !== undefined && isSpelledOtherwise(entry.put.path)) attempts.fail(entry, { code: "file/spelling", path });
  }
  failParts(context);
  log.append({ type: "done", outcomes: ready.map(loggedOutcome), ...failedIn(context) });
  // If the log cannot be written, recovery looks at the files instead.
  attempt(() => log.flush());
  for (const { step, outcome } of ready) if (outcome === undefined) removeLeftover(step.put);
}

/**
 * Brings everything that a group needs to the disk. If an action fails meanwhile, prepares the group again without it,
 * so that no part of it is made. Returns nothing if there is nothing to make.
 */
async function makeReady(group: readonly PutAttempt[], context: GroupContext): Promise<Array<Ready<PutAttempt>>> {
  const { log, isAtomic, isRollback = false, isReversal, continues, isFirst, attempts } = context;
  for (;;) {
    const forget = log.mark();
    log.append({ type: "group", isAtomic, continues, isRollback, ...failedIn(context) });
    const syncing = new Syncing();
    const open = withoutFailed(group);
    const ready = await prepareAll(open, syncing, context);
    failParts(context);
    try {
      if (ready.length === 0) {
        await syncing.finished();
        if (isReversal || !isFirst) log.append({ type: "done", outcomes: [], ...failedIn(context) });
        else forget();
        return [];
      }
      // What failed may have parts in an earlier group. The log must say so before this one is made.
      const isStopped = isAtomic || !isFirst ? open.some(hasFailed) : ready.some(hasFailed);
      if (!isStopped) {
        await makeDurable(ready, syncing, context);
        return ready;
      }
      await syncing.finished();
    } catch (thrown) {
      failAll(ready.length === 0 ? group : ready, thrown, attempts);
    }
    // Nothing of the group was made.
    log.append({ type: "dropped" });
    attempt(() => log.flush());
    for (const { step } of ready) removeLeftover(step.put);
    if (isAtomic) return [];
  }
}

/** Keeps directories that a failed action makes for others too. */
function withoutFailed(group: readonly PutAttempt[]): PutAttempt[] {
  const open = group.filter((entry) => !hasFailed(entry));
  return group.flatMap((entry): PutAttempt[] => {
    const { put, failure } = entry;
    if (failure === undefined) return [entry];
    if (failure.code !== "run/depends" || put.after?.kind !== "directory") return [];
    const inside = open.filter((other) => other.put.after !== null && isWithin(other.put.path, put.path));
    const authors = inside.flatMap((other) => other.put.authors);
    return authors.length === 0 ? [] : [{ put: { ...put, authors: [...new Set(authors)] } }];
  });
}

async function prepareAll(
  group: readonly PutAttempt[],
  syncing: Syncing,
  { log, isAtomic, isReversal, attempts }: GroupContext,
): Promise<Array<Ready<PutAttempt>>> {
  const ready: Array<Ready<PutAttempt>> = [];
  const [made, directories] = [new Set<string>(), new Set<string>()];
  const sync: Preparation["sync"] = ({ file, directory }) => {
    directories.add(directory);
    if (file !== undefined) syncing.file(file);
  };
  const preparation = { log, isReversal, made, checked: new Set<string>(), sync };
  for (const entry of group) {
    attempts.make(entry, () => {
      const step = prepare(entry, preparation);
      if (step === undefined) {
        entry.isNoop = true;
        return;
      }
      ready.push(Object.assign(entry, { step }));
      if (entry.put.after?.kind === "directory") made.add(entry.put.path);
    });
    if (isAtomic && hasFailed(entry)) break;
    await syncing.room();
  }
  await syncing.directories(directories);
  return ready;
}

/** Waits until puts, pre-images and new files are safe. Then records that the group begins. */
async function makeDurable(
  ready: readonly Ready[],
  syncing: Syncing,
  { log, isRollback }: ApplyOptions,
): Promise<void> {
  // Pre-images for a rollback are safe in the log already, so a full disk must not stop it.
  const logged = isRollback ? log.sync().catch(() => {}) : log.sync();
  await settleAll([logged, syncing.finished()]);
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

/**
 * Makes prepared puts whose log records are already on the disk. An atomic group stops at the first failure. Otherwise
 * puts that do not depend on the failed one are still made. Returns the first error of syncing the directories: the
 * changes may not survive a power cut.
 */
export async function carryOut(
  ready: readonly Ready[],
  { attempts, isAtomic }: Pick<GroupContext, "attempts" | "isAtomic">,
): Promise<unknown> {
  for (const entry of ready) {
    const isDone = attempts.make(entry, () => {
      const { version, ...outcome } = make(entry.step);
      Object.assign(entry, { outcome, version });
    });
    if (isAtomic && !isDone) break;
  }
  const done = ready.filter(({ outcome }) => outcome !== undefined).map(({ step }) => step.put);
  const syncing = new Syncing();
  await syncing.directoriesOf(done.flatMap((put) => [...pathsOf(put), ...(put.temporary ? [put.temporary] : [])]));
  return syncing.finished().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}

export function loggedOutcome({ outcome, failure }: Attempted): LoggedOutcome {
  return outcome ?? { failure: failure ?? { code: "run/not-whole" } };
}

function failAll(entries: readonly Attempted[], thrown: unknown, attempts: Attempts): void {
  for (const entry of entries) attempts.fail(entry, failureAt(pathsOf(entry.put), thrown));
}

/** An action is made whole or not at all, and so are those that depend on it. */
function failParts({ entries, isAtomic }: GroupContext): void {
  if (isAtomic || !entries.some(hasFailed)) return;
  const causes = new Map<number, Failure>();
  for (const { put, failure } of entries)
    for (const author of failure === undefined ? [] : put.authors)
      if (failure !== undefined && !causes.has(author)) causes.set(author, failure);
  const puts = entries.flatMap(({ put, source }) =>
    [put, ...(source === undefined ? [] : [source])].map((part) => ({ ...part, before: stateIn(part.basis) })),
  );
  const [first] = causes.values();
  const failed = withDependents(causes.keys(), puts);
  for (const entry of entries) {
    const author = entry.put.authors.find((id) => failed.has(id));
    if (author === undefined || entry.failure !== undefined) continue;
    const cause = causes.get(author) ?? first;
    entry.failure = { code: "run/depends", path: cause !== undefined && "path" in cause ? String(cause.path) : "" };
  }
}

/** A version is of a file or a link. */
function stateIn(basis: Basis): { readonly kind: string } | null {
  return typeof basis === "string" ? { kind: "file" } : basis;
}

function failedIn({ entries }: GroupContext): { readonly failed?: readonly number[] } {
  const failed = new Set(entries.filter(hasFailed).flatMap(({ put }) => put.authors));
  return failed.size === 0 ? {} : { failed: [...failed] };
}

function hasFailed({ failure }: Attempted): boolean {
  return failure !== undefined;
}

/** An entry that only changes its spelling. */
interface Respelled {
  readonly from: string;
  readonly to: string;
  /** Where the entry is meanwhile. */
  readonly between: string;
}

/**
 * Splits a plan so that no path is made while its entry has another spelling. What is renamed goes to a temporary path
 * first. Returns the plan itself if there is nothing of the kind.
 */
function splitRespelled<Plan extends Planned>(planned: readonly Plan[]): Plan[][] {
  const all = respelledIn(planned);
  if (all.length === 0) return [[...planned]];
  const [first, second]: [Plan[], Plan[]] = [[], []];
  for (const change of planned) {
    const entry = all.find(({ to }) => isWithin(change.path, to));
    const origin = originOf(change);
    if (entry === undefined || change.after === null) first.push(change);
    else if (origin === undefined || !isWithin(origin, entry.from)) second.push({ ...change, basis: null });
    else {
      const { path, after, authors } = change;
      const between = entry.between + path.slice(entry.to.length);
      const state = look(origin)?.state;
      const basis = state === undefined || state.kind === "other" ? null : state;
      first.push({
        ...change,
        path: between,
        from: origin,
        after: after.kind === "directory" ? after : { kind: "moved", origin },
      });
      const arrived = after.kind === "moved" ? { ...after, origin: between } : { ...after, like: between };
      second.push(
        { ...change, from: between, after: arrived },
        { ...change, path: between, basis, after: null, authors },
      );
    }
  }
  return [first, second];
}

/** Returns the path of the entry that is renamed, or whose attributes are kept. */
function originOf({ after, from }: Planned): string | undefined {
  if (after?.kind === "moved") return after.origin;
  return after?.kind === "directory" ? from : after?.kind === "file" ? after.like : undefined;
}

/** Returns the topmost entries that only change their spelling. */
function respelledIn(planned: readonly Planned[]): Respelled[] {
  const gone = new Map(planned.flatMap(({ path, after }) => (after === null ? [[foldName(path), path] as const] : [])));
  if (gone.size === 0) return [];
  return planned.flatMap(({ path, after }) => {
    const from = after === null ? undefined : gone.get(foldName(path));
    if (from === undefined || dirname(from) !== dirname(path) || !isSpelledOtherwise(path)) return [];
    // With the name, a file system that has spellings of its own shows there what it makes of it.
    const name = [...basename(path)].slice(-MAX_LETTERS).join("");
    return [{ from, to: path, between: joinPath(dirname(path), `${temporaryName()}${name}`) }];
  });
}

/** Of a name, so that the temporary one is not too long in any encoding. */
const MAX_LETTERS = 50;
