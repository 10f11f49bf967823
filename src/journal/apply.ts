/** Makes prepared puts, and tells from the disk which of an interrupted group were made. */
import * as fs from "node:fs";
import { basename, dirname } from "node:path";
import { type DirectoryState, isSame, type Other, type State } from "../core/change-set.ts";
import type { Failure } from "../core/failure.ts";
import { identityOf, type Look, look } from "../disk/look.ts";
import { atEntry, type Pins } from "../disk/pin.ts";
import { Syncing } from "../disk/sync.ts";
import { attempt, isSystemError, unlessSystemError } from "../disk/system-error.ts";
import { checkVersion, versionOf } from "../disk/version.ts";
import { Changed, type Version } from "../disk/volume.ts";
import type { PathMap } from "../paths/path-map.ts";
import { type Attempted, type Attempts, pathsOf } from "./attempts.ts";
import type { LoggedOutcome, PutRecord } from "./log-record.ts";
import type { Preparation, Step } from "./prepare.ts";

/** A put that is prepared, and its outcome. */
export interface Ready<One extends Attempted = Attempted> {
  readonly entry: One;
  step: Step;
  outcome?: LoggedOutcome;
}

export interface CarryOutOptions extends Pick<Preparation, "pins" | "versions" | "names"> {
  readonly attempts: Attempts;
  readonly isAtomic: boolean;
}

export interface CarriedOut<One> {
  /** Renames that turned out to cross file systems. */
  readonly crossDevice: readonly One[];
  /** The first error of syncing the directories: the changes may not survive a power cut. */
  readonly syncError?: unknown;
}

/**
 * Makes prepared puts whose log records are already on the disk. An atomic group stops at the first failure.
 * Otherwise puts that do not depend on the failed one are still made.
 */
export async function carryOut<One extends Attempted>(
  ready: ReadonlyArray<Ready<One>>,
  { pins, attempts, versions, isAtomic, names }: CarryOutOptions,
): Promise<CarriedOut<One>> {
  const crossDevice: One[] = [];
  for (const one of ready) {
    // What has yet to be copied may lie in the directory.
    if (crossDevice.length > 0 && isDirectoryRemoval(one.step.put)) {
      crossDevice.push(one.entry);
      continue;
    }
    const isDone = attempts.make(one.entry, () => {
      try {
        one.step = names.withCurrentVersions(one.step);
        one.outcome = apply(pins, one.step, versions);
        names.recordChange(one.step);
      } catch (thrown) {
        if (!isSystemError(thrown) || thrown.code !== "EXDEV" || one.step.put.aside !== undefined) throw thrown;
        crossDevice.push(one.entry);
      }
    });
    if (isAtomic && !isDone) break;
  }
  const syncError = await syncDirectories(ready, pins);
  return { crossDevice, ...(syncError !== undefined && { syncError }) };
}

export function outcomeOf({ entry, outcome }: Ready): LoggedOutcome {
  return outcome ?? { failure: entry.failure ?? NOT_MADE };
}

const NOT_MADE: Failure = { code: "run/not-whole" };

async function syncDirectories(ready: readonly Ready[], pins: Pins): Promise<unknown> {
  const done = ready.filter(({ outcome }) => outcome !== undefined).map(({ step }) => step);
  const paths = done.flatMap((step) => [...pathsOf(step.put), ...temporaryOf(step.put)]);
  const syncing = new Syncing(pins);
  await syncing.directoriesOf(paths);
  try {
    await syncing.finished();
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}

export function temporaryOf({ temporary }: PutRecord): readonly string[] {
  return temporary === undefined ? [] : [temporary];
}

function isDirectoryRemoval({ before, after }: PutRecord): boolean {
  return after === null && before?.kind === "directory";
}

/**
 * Makes one put, with one system call, or two across file systems. Throws a system error or `Changed`; then nothing has
 * happened.
 *
 * @param versions is updated with the versions of the paths that changed
 */
function apply(pins: Pins, step: Step, versions: PathMap<Version | null>): LoggedOutcome {
  const { put, expected } = step;
  const { path, from, after, temporary } = put;
  if (put.isRename && from !== undefined) {
    rename(pins, step, from);
    versions.set(from, null);
    return note(path, versions);
  }
  if (temporary !== undefined) {
    pins.rename(temporary, path, { to: (at) => checkVersion(at, expected, path) });
    return note(path, versions);
  }
  if (after?.kind === "directory") {
    makeDirectory(pins, path, after);
    versions.delete(path);
    return {};
  }
  atEntry(pins, path, (at) => {
    if (isDirectoryRemoval(put)) return fs.rmdirSync(at);
    checkVersion(at, expected, path);
    fs.unlinkSync(at);
  });
  versions.set(path, null);
  return {};
}

/** Removes the temporary files of a put that was not made, or was only partly cleaned up. */
export function removeLeftovers(pins: Pins, { temporary, aside }: PutRecord): void {
  for (const path of [temporary, aside]) if (path !== undefined) attempt(() => remove(pins, path));
}

function rename(pins: Pins, { put, expected, expectedFrom }: Step, from: string): void {
  const { path: to, temporary, aside } = put;
  const checkFrom = (at: string): void => checkVersion(at, expectedFrom, from);
  const checkTo = (at: string): void => checkVersion(at, expected, to);
  if (temporary === undefined || aside === undefined) {
    pins.rename(from, to, { from: checkFrom, to: checkTo });
    dropOtherName(pins, from, to);
    return;
  }
  // A run that was killed half-way may already have renamed it.
  const isAside = exists(pins, aside);
  if (!isAside) pins.rename(from, aside, { from: checkFrom });
  try {
    pins.rename(temporary, to, { to: checkTo });
  } catch (thrown) {
    putBack(pins, aside, from);
    throw thrown;
  }
  attempt(() => remove(pins, aside));
}

function remove(pins: Pins, path: string): void {
  atEntry(pins, path, (at) => fs.unlinkSync(at));
}

/** Puts a file back after a failed rename, but never over a newer one: then it gets another name beside that. */
function putBack(pins: Pins, aside: string, place: string): void {
  const isFree = (at: string): void => {
    if (fs.lstatSync(at, { throwIfNoEntry: false }) !== undefined) throw new Changed(place);
  };
  try {
    pins.rename(aside, place, { to: isFree });
  } catch (thrown) {
    if (!(thrown instanceof Changed)) throw thrown;
    pins.rename(aside, `${place}.loaf-kept`, { to: isFree });
  }
}

/**
 * Renaming between two names of one file does nothing under POSIX and leaves both. A case-insensitive file system lists
 * only the new one.
 */
function dropOtherName(pins: Pins, from: string, to: string): void {
  const old = fs.lstatSync(from, { throwIfNoEntry: false, bigint: true });
  if (old === undefined || from === to || identityAt(to) !== identityOf(old)) return;
  pins.inDirectory(dirname(from), (at) => {
    if (fs.readdirSync(at(".")).includes(basename(from))) fs.unlinkSync(at(basename(from)));
  });
}

function makeDirectory(pins: Pins, path: string, { mode, uid, gid }: DirectoryState): void {
  atEntry(pins, path, (at) => {
    fs.mkdirSync(at);
    try {
      if (uid !== undefined && gid !== undefined) attempt(() => fs.lchownSync(at, uid, gid));
      if (mode !== undefined) fs.chmodSync(at, mode);
    } catch (thrown) {
      fs.rmdirSync(at);
      throw thrown;
    }
  });
}

function note(path: string, versions: PathMap<Version | null>): LoggedOutcome {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false, bigint: true });
  // A directory's version changes with its entries.
  if (stats?.isDirectory() === true) versions.delete(path);
  else versions.set(path, stats === undefined ? null : versionOf(stats));
  return stats?.isFile() === true ? { mode: Number(stats.mode) & 0o7777 } : {};
}

function identityAt(path: string): string | undefined {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stats && identityOf(stats);
}

function exists(pins: Pins, path: string): boolean {
  return unlessSystemError(
    () => atEntry(pins, path, (at) => fs.lstatSync(at, { throwIfNoEntry: false }) !== undefined),
    false,
  );
}

/** What the disk shows of a put that a crash may have interrupted. */
export type PutStatus =
  /** `isCertain`: only the put itself can have caused this state. */
  | { readonly is: "done"; readonly outcome: LoggedOutcome; readonly isCertain: boolean }
  | { readonly is: "pending"; readonly step: Step }
  /** The put was not made, and its temporary file is missing. */
  | { readonly is: "lost" }
  /** Somebody else changed the path before the put was made. */
  | { readonly is: "changed" }
  /** Somebody else changed the path, probably after the put, because its temporary file is gone. */
  | { readonly is: "overwritten" };

/** Tells from what is at its path whether a put was made: `after`, `before` or neither. */
export function statusOf(pins: Pins, put: PutRecord): PutStatus {
  if (put.isRename && put.from !== undefined) return statusOfRename(pins, put, put.from);
  if (put.temporary !== undefined) return statusOfNew(pins, put, put.temporary);
  const found = look(pins, put.path);
  // Anybody may make a directory.
  if (isSame(found?.state, put.after)) return { is: "done", outcome: {}, isCertain: put.after === null };
  return isSame(found?.state, put.before)
    ? { is: "pending", step: { put, expected: found?.version ?? null } }
    : CHANGED;
}

const CHANGED: PutStatus = { is: "changed" };

function statusOfNew(pins: Pins, put: PutRecord, temporary: string): PutStatus {
  const { path, before, after } = put;
  const waiting = look(pins, temporary);
  const found = look(pins, path);
  if (waiting?.state.kind === "other") return CHANGED;
  const isOld = isSame(found?.state, before);
  if (isSame(waiting?.state, after))
    return isOld ? { is: "pending", step: { put, expected: found?.version ?? null } } : CHANGED;
  if (isSame(found?.state, after)) return { is: "done", outcome: modeOf(found), isCertain: !isOld };
  return { is: isOld ? "lost" : "overwritten" };
}

function statusOfRename(pins: Pins, put: PutRecord, from: string): PutStatus {
  const { path, before, after, temporary, aside } = put;
  const [source, target] = [look(pins, from), look(pins, path)];
  const isFree = isSame(target?.state, before);
  const step: Step = {
    put,
    expected: isFree ? (target?.version ?? null) : "changed",
    ...(source !== undefined && { expectedFrom: source.version }),
  };
  const isThere = isSame(target?.state, after);
  if (aside !== undefined && temporary !== undefined) {
    const waits = exists(pins, temporary);
    // This is the only original: rename it into place or back, whatever is there now.
    if (exists(pins, aside) && (waits || !isThere)) return { is: "pending", step };
    if (!waits) return isThere ? { is: "done", outcome: {}, isCertain: true } : { is: "lost" };
  }
  if (isSame(source?.state, after)) return isFree ? { is: "pending", step } : CHANGED;
  return isThere ? { is: "done", outcome: modeOf(target), isCertain: true } : CHANGED;
}

function modeOf(found: Look<State | Other> | undefined): LoggedOutcome {
  const mode = found?.state.kind === "file" ? found.state.mode : undefined;
  return mode === undefined ? {} : { mode };
}
