/** Undoes a run, or an undo. */
import { hash } from "node:crypto";
import { dirname } from "node:path";
import { type ChangeSet, type FileState, isSame, type Other, type Put, type State } from "../core/change-set.ts";
import { explainInLine, type Failure } from "../core/failure.ts";
import type { Refused, Restored } from "../core/history.ts";
import { largest } from "../core/lists.ts";
import { DAMAGED, readImage } from "../disk/images.ts";
import { look } from "../disk/look.ts";
import type { Planned } from "../disk/planned.ts";
import { isSpelledOtherwise } from "../disk/spelling.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import { mergeBytes } from "../edit/merge.ts";
import {
  compose,
  type DonePut,
  donePuts,
  type Images,
  imagesIn,
  inverse,
  isTurning,
  movedWithDirectory,
  netOf,
  withMissingFolders,
} from "../journal/change-set.ts";
import type { Log } from "../journal/log.ts";
import { wouldFailAgain, isDirectoryInUse, type OperationOutcome } from "../journal/put.ts";
import { type Reverted, withOutcomes } from "../journal/recover.ts";
import { foldName } from "../paths/names.ts";
import { PathMap } from "../paths/path-segments.ts";

export interface UndoLogOptions {
  /** Brings changes to the disk and returns their outcomes. */
  readonly commit: (planned: readonly Planned[]) => Promise<readonly OperationOutcome[]>;
}

export interface Undone {
  readonly restored: readonly Restored[];
  readonly refused: readonly Refused[];
}

/**
 * Undoes a run. Merges text files edited since. Skips files whose edits conflict, other files changed since, and
 * anything that depends on them. What is as before already stays so. Rethrows errors of `commit`.
 */
export async function undoLog(log: Log, { commit }: UndoLogOptions): Promise<Undone> {
  const { planned, blocked } = planReversal(donePuts(log), log.file);
  return describeReversal([...blocked, ...withOutcomes(planned, await commit(planned))], log.file);
}

/**
 * Decides what takes puts back, before anything is changed. Compares each path with its net change, so that a
 * state in between counts neither as restored nor as the run's.
 *
 * @param file path of their log
 */
export function planReversal(
  done: readonly DonePut[],
  file: string,
): { readonly planned: readonly Planned[]; readonly blocked: readonly Reverted[] } {
  const net = netOf(done);
  const images = imagesIn(done, file);
  const states = statesNow(net);
  const isAsLeft = ({ path, after }: Put): boolean => isSame(states.get(path), after);
  const isAsBefore = ({ path, before }: Put): boolean => isSame(states.get(path), before);
  // The old entry was removed, and then something stopped before the new one was made.
  const isBetween = ({ path, before, after }: Put): boolean =>
    isTurning({ basis: before, after }) && states.get(path) === undefined;
  const plain = inverse(net, images);
  const places = new Map(net.map((put) => [put.path, put]));
  const isEdited = (put: Put): boolean => !isAsLeft(put) && !isAsBefore(put) && !isBetween(put);
  const edited = new Set(net.flatMap((put) => (isEdited(put) ? [put.path] : [])));
  for (const { path, from } of plain) {
    const [target, source] = [places.get(path), from === undefined ? undefined : places.get(from)];
    const isMovedOn = source !== undefined && !isAsLeft(source) && !(target && isAsBefore(target));
    if (isMovedOn) edited.add(source.path);
  }
  const { planned: all, merged } = mergeEdits(plain, places, edited, images);
  const changed = new PathMap([...edited].filter((path) => !merged.has(path)).map((path) => [path, true] as const));
  const isRestored = (put: Put | undefined): boolean => put === undefined || isAsBefore(put);
  const failures = new Map<string, Failure>();
  for (const { path, from } of all) {
    const paths = from === undefined ? [path] : [path, from];
    if (paths.every((affected) => isRestored(places.get(affected)))) continue;
    const cause = paths.map((affected) => topmost(changed, affected)).find((affected) => affected !== undefined);
    if (cause === undefined) continue;
    for (const affected of paths)
      failures.set(affected, { code: affected === cause ? "file/changed" : "run/depends", path: cause });
  }
  const rank = ranksIn(done);
  const planned = all
    .filter(({ path }) => !failures.has(path))
    .sort((a, b) => (rank.get(b.path) ?? 0) - (rank.get(a.path) ?? 0))
    .map((change, position) => ({ ...change, authors: [position + 1] }));
  const blocked = all.flatMap((change): Reverted[] => {
    const failure = failures.get(change.path);
    return failure === undefined ? [] : [{ change, failure }];
  });
  return { planned: withMissingFolders(planned), blocked };
}

/** Replaces changes that restore text files edited since. Leaves those whose edits conflict: they will be refused. */
function mergeEdits(
  planned: readonly Planned[],
  places: ReadonlyMap<string, Put>,
  edited: ReadonlySet<string>,
  images: Images,
): { readonly planned: readonly Planned[]; readonly merged: ReadonlySet<string> } {
  const states = new Map<string, FileState>();
  const all = planned.map((change): Planned => {
    const place = change.from ?? change.path;
    const [target, source] = [places.get(change.path), places.get(place)];
    if (!edited.has(place) || (change.from !== undefined && source?.before !== null)) return change;
    const merge = mergeFile(target?.before, source?.after, look(place), images);
    if (merge === undefined) return change;
    states.set(place, merge.found);
    return withMerge(change, merge);
  });
  const withBasis = all.map((change) => ({ ...change, basis: states.get(change.path) ?? change.basis }));
  return { planned: withBasis, merged: new Set(states.keys()) };
}

interface Merge {
  readonly found: FileState;
  readonly bytes: Buffer;
  readonly state: FileState;
}

/** Returns undefined if it is no file, or the merge conflicts. */
function mergeFile(
  before: Put["before"] | undefined,
  after: Put["after"] | undefined,
  current: ReturnType<typeof look>,
  images: Images,
): Merge | undefined {
  if (before?.kind !== "file" || after?.kind !== "file" || current?.state.kind !== "file") return undefined;
  const { state, bytes: ours } = current;
  const contentOf = ({ sha256 }: FileState): Buffer | undefined => {
    const image = images.get(sha256);
    return image && unlessSystemError(() => readImage(image), undefined);
  };
  const mode = mergeModes(after.mode, state.mode, before.mode);
  const [base, theirs] = before.sha256 === after.sha256 ? [] : [contentOf(after), contentOf(before)];
  const bytes = before.sha256 === after.sha256 ? ours : base && ours && theirs && mergeBytes(base, ours, theirs);
  if (mode === "conflict" || bytes === undefined) return undefined;
  const merged: FileState = {
    kind: "file",
    size: bytes.length,
    sha256: hash("sha256", bytes, "hex"),
    ...(mode !== undefined && { mode }),
  };
  return { found: state, bytes, state: merged };
}

/** A file that only has to move back is not written. */
function withMerge(planned: Planned, { found, bytes, state }: Merge): Planned {
  if (planned.after?.kind === "moved" && isSame(found, state)) return planned;
  const { uid, gid } = planned.after?.kind === "file" ? planned.after : {};
  return { ...planned, after: { kind: "file", content: bytes, mode: state.mode, uid, gid }, isMerged: true };
}

function mergeModes(
  base: number | undefined,
  ours: number | undefined,
  theirs: number | undefined,
): number | "conflict" | undefined {
  if (base === undefined || theirs === undefined || theirs === base) return ours;
  return ours === base || ours === theirs ? theirs : "conflict";
}

/** Returns what is at each path. Nothing is below a missing entry, or below what replaced a directory. */
function statesNow(net: ChangeSet): ReadonlyMap<string, State | Other | undefined> {
  const states = new Map<string, State | Other | undefined>();
  const closed = new PathMap<true>();
  const spellings = spelledTwice(net);
  for (const { path, before, after } of net) {
    const isOpen = closed.nearest(path) === undefined && !(spellings.has(foldName(path)) && isSpelledOtherwise(path));
    const state = isOpen ? look(path)?.state : undefined;
    states.set(path, state);
    const isReplaced = after !== null && after.kind !== "directory" && isSame(state, after);
    if (isReplaced || (state === undefined && before?.kind === "directory")) closed.set(path, true);
  }
  return states;
}

/** Returns the folded paths of which there are two spellings. */
function spelledTwice(net: ChangeSet): ReadonlySet<string> {
  const seen = new Set<string>();
  const folded = net.map(({ path }) => foldName(path));
  return new Set(folded.filter((path) => seen.size === seen.add(path).size));
}

/** Ranks paths by the last action, and the last put, that touched them: an undo reports the last one first. */
function ranksIn(done: readonly DonePut[]): ReadonlyMap<string, number> {
  const steps = done.map(({ path, authors }, index) => ({ path, index, author: largest(authors) }));
  const sorted = steps.toSorted((a, b) => a.author - b.author || a.index - b.index);
  return new Map(sorted.map(({ path }, rank) => [path, rank] as const));
}

/** Returns the topmost changed path above a path, or the path itself. */
function topmost(changed: PathMap<true>, path: string): string | undefined {
  const nearest = changed.nearest(path);
  return nearest === undefined ? undefined : (topmost(changed, dirname(nearest)) ?? nearest);
}

function mergedIn(puts: readonly DonePut[]): ReadonlySet<string> {
  return new Set(puts.flatMap(({ path, isMerged }) => (isMerged ? [path] : [])));
}

/**
 * Says what a reversal has restored, and what it could not restore: a moved entry by the path where the run left it,
 * and none that moved with its directory.
 *
 * @param file path of the log that is undone
 */
export function describeReversal(all: readonly Reverted[], file: string): Undone {
  const restored: Restored[] = [];
  const refused = new Map<string, Refused>();
  const failures = new Map(
    all.flatMap(({ change, failure }) =>
      failure === undefined || isRemovalInUse(change, failure) ? [] : [[change.path, failure] as const],
    ),
  );
  const removed = new Set(all.flatMap(({ change: { path, after } }) => (after === null ? [path] : [])));
  const moves = new Map(
    all.flatMap(({ change: { path, from } }) => (from === undefined ? [] : [[from, path] as const])),
  );
  const directories = new Map(
    all.map(({ change: { path, from, after } }) => [path, after?.kind === "directory" ? from : undefined]),
  );
  const isWithDirectory = (path: string): boolean =>
    failures.has(dirname(path)) && movedWithDirectory({ path, from: moves.get(path) }, moves);
  for (const { change, failure, isNoop } of all) {
    const { path, from, isImplied } = change;
    if (failure === undefined) {
      if (!moves.has(path) && !movedWithDirectory(change, directories))
        restored.push(isNoop ? { path, how: "unchanged" } : restoredBy(change));
    } else if (!failures.has(path)) restored.push({ path, how: "kept" });
    else if (
      !(isImplied && failure.code === "run/depends") &&
      !(from !== undefined && removed.has(from)) &&
      !isWithDirectory(path)
    )
      refused.set(path, refusal(path, failure, failures, file));
  }
  const isDependent = ({ path }: Refused): number => Number(failures.get(path)?.code === "run/depends");
  return { restored, refused: [...refused.values()].sort((a, b) => isDependent(a) - isDependent(b)) };
}

function isRemovalInUse({ basis, after }: Planned, failure: Failure): boolean {
  const isDirectory = typeof basis === "object" && basis?.kind === "directory";
  return after === null && isDirectory && isDirectoryInUse({ after }, failure);
}

/** @param failures of all paths, for those that depend on another */
function refusal(
  path: string,
  failure: Failure,
  failures: ReadonlyMap<string, Failure | undefined>,
  file: string,
): Refused {
  const isDependent = failure.code === "run/depends";
  const source = isDependent ? failures.get(failure.path) : failure;
  const isDamaged = source !== undefined && "errno" in source && source.errno === DAMAGED;
  const mayPass = source !== undefined && !wouldFailAgain(source);
  const isChanged = failure.code === "file/changed" && failure.path === path;
  const sentence = (): string => {
    if (isDependent && (isDamaged || mayPass)) return `it depends on ${failure.path}, which could not be restored`;
    if (isDependent || failure.code === "file/changed") return isChanged ? CHANGED : dependsOnSentence(failure.path);
    return isDamaged ? `its pre-image in ${file} is damaged` : explainInLine(failure);
  };
  return { path, reason: sentence(), ...(mayPass && { mayPass: true }), ...(isDamaged && { isLost: true }) };
}

const CHANGED = "it has changed since";
const dependsOnSentence = (path: string) => `it depends on ${path}, which has changed since`;

function restoredBy({
  path,
  from,
  after,
  isMerged,
}: Pick<Put, "path" | "from"> & { readonly after: unknown; readonly isMerged?: boolean }): Restored {
  if (after === null) return { path, how: "removed" };
  if (isMerged) return { path, how: "merged" };
  return from === undefined ? { path, how: "restored" } : { path, how: "moved", from };
}

/** Returns what an undo restored, from its log. */
export function restoredIn(undo: Log): Restored[] {
  const done = donePuts(undo);
  const merged = mergedIn(done);
  return compose(done).map((change) => restoredBy({ ...change, isMerged: merged.has(change.path) }));
}
