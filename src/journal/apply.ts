import * as fs from "node:fs";
import { basename, dirname } from "node:path";
import type { Failure } from "../core/failure.ts";
import { identityOf } from "../disk/look.ts";
import { pathsOf } from "../disk/operation.ts";
import { atEntry, type Pins } from "../disk/pin.ts";
import { Syncing } from "../disk/sync.ts";
import { attempt, isSystemError, unlessSystemError } from "../disk/system-error.ts";
import { checkVersion, versionOf } from "../disk/version.ts";
import { Changed, type Version } from "../disk/volume.ts";
import type { PathMap } from "../paths/path-map.ts";
import type { Attempted, Attempts } from "./attempts.ts";
import type { IntentRecord, LoggedOperation, LoggedOutcome } from "./log-record.ts";
import type { Preparation, Step } from "./prepare.ts";

/** An operation that is prepared, and its outcome. */
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
 * Makes prepared operations whose log records are already on the disk. An atomic group stops at the first failure.
 * Otherwise operations that do not depend on the failed one are still made.
 */
export async function carryOut<One extends Attempted>(
  ready: ReadonlyArray<Ready<One>>,
  { pins, attempts, versions, isAtomic, names }: CarryOutOptions,
): Promise<CarriedOut<One>> {
  const crossDevice: One[] = [];
  for (const one of ready) {
    // What has yet to be copied may lie in the directory.
    if (crossDevice.length > 0 && one.entry.operation.kind === "removeDirectory") {
      crossDevice.push(one.entry);
      continue;
    }
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
  const syncError = await syncDirectories(ready, pins);
  return { crossDevice, ...(syncError !== undefined && { syncError }) };
}

export function outcomeOf({ entry, outcome }: Ready): LoggedOutcome {
  return outcome ?? { failure: entry.failure ?? NOT_MADE };
}

const NOT_MADE: Failure = { code: "run/not-whole" };

async function syncDirectories(ready: readonly Ready[], pins: Pins): Promise<unknown> {
  const done = ready.filter(({ outcome }) => outcome !== undefined).map(({ step }) => step.intent);
  const paths = done.flatMap(({ operation, temporary }) => [
    ...pathsOf(operation),
    ...(temporary === undefined ? [] : [temporary]),
  ]);
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
 * Makes one operation, with one system call, or two across file systems. Throws a system error or `Changed`; then
 * nothing has happened.
 *
 * @param versions is updated with the versions of the paths that changed
 */
function apply(pins: Pins, step: Step, versions: PathMap<Version | null>): LoggedOutcome {
  const { intent, expected } = step;
  const { operation } = intent;
  switch (operation.kind) {
    case "write":
    case "link":
      pins.rename(intent.temporary as string, operation.path, {
        to: (at) => checkVersion(at, expected, operation.path),
      });
      return note(operation.path, versions);
    case "unlink":
      atEntry(pins, operation.path, (at) => {
        checkVersion(at, expected, operation.path);
        fs.unlinkSync(at);
      });
      versions.set(operation.path, null);
      return {};
    case "rename":
      rename(pins, step, operation);
      versions.set(operation.from, null);
      return note(operation.to, versions);
    case "makeDirectory":
      makeDirectory(pins, operation);
      versions.delete(operation.path);
      return {};
    case "removeDirectory":
      atEntry(pins, operation.path, (at) => fs.rmdirSync(at));
      versions.set(operation.path, null);
      return {};
  }
}

/** Removes the temporary files of an operation that was not made, or was only partly cleaned up. */
export function removeLeftovers(pins: Pins, { temporary, aside }: IntentRecord): void {
  for (const path of [temporary, aside]) if (path !== undefined) attempt(() => remove(pins, path));
}

function rename(
  pins: Pins,
  { intent, expected, expectedFrom }: Step,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  const { temporary, aside } = intent;
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

function makeDirectory(pins: Pins, { path, mode, owner }: LoggedOperation & { readonly kind: "makeDirectory" }): void {
  atEntry(pins, path, (at) => {
    fs.mkdirSync(at);
    try {
      if (owner !== undefined) attempt(() => fs.lchownSync(at, owner.uid, owner.gid));
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

export function exists(pins: Pins, path: string): boolean {
  return unlessSystemError(
    () => atEntry(pins, path, (at) => fs.lstatSync(at, { throwIfNoEntry: false }) !== undefined),
    false,
  );
}
