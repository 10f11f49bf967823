/** One put, made with one system call, and what cannot be made when it fails. */
import * as fs from "node:fs";
import { basename, dirname } from "node:path";
import { type DirectoryState, isSame, type State } from "../core/change-set.ts";
import { type Failure, failureOf } from "../core/failure.ts";
import { atEntry, pins } from "../disk/choose-pins.ts";
import { DAMAGED } from "../disk/images.ts";
import { lookAt } from "../disk/look.ts";
import { attempt, isSystemError, systemFailure } from "../disk/system-error.ts";
import { Changed, type Version, versionOf } from "../disk/volume.ts";
import { PathMap } from "../paths/path-segments.ts";
import type { StagedPut } from "./change-set.ts";
import type { LoggedOutcome, PutRecord } from "./log.ts";
import { LogError } from "./log-writer.ts";

/** A put whose new file is beside its target. */
export interface PreparedPut {
  readonly put: PutRecord;
  /** Expected version at the path: null if nothing may be there. Undefined if only the state is known. */
  readonly expected?: Version | null;
  /** Expected version of what is renamed. */
  readonly expectedFrom?: Version;
}

/** What is at the path of a put that was made. */
interface Made extends LoggedOutcome {
  /** Undefined for a directory, whose version changes with its entries, and if nothing is there. */
  readonly version?: Version | undefined;
}

/** Makes a put. Throws a system error or `Changed`; then nothing has happened. */
export function make({ put, expected, expectedFrom }: PreparedPut): Made {
  const { path, from, before, after, temporary } = put;
  const checkTarget = (at: string): void => checkEntry(at, path, before, expected);
  if (put.isRename && from !== undefined) {
    pins.rename(from, path, { from: (at) => checkEntry(at, from, after, expectedFrom), to: checkTarget });
    if (expected !== null) dropOtherName(from, path);
    return madeAt(path);
  }
  if (temporary !== undefined) {
    pins.rename(temporary, path, { to: checkTarget });
    return madeAt(path);
  }
  if (after?.kind === "directory") {
    makeDirectory(path, after);
    return {};
  }
  atEntry(path, (at) => {
    if (before?.kind === "directory") return fs.rmdirSync(at);
    checkTarget(at);
    fs.unlinkSync(at);
  });
  return {};
}

/**
 * Throws `Changed` if an entry is no longer as it was. A file may have another version and still be the same: its
 * change time changes with each of its other names.
 *
 * @param at the path, through a pin
 */
function checkEntry(at: string, path: string, state: State | null, version: Version | null | undefined): void {
  const stats = fs.lstatSync(at, { throwIfNoEntry: false, bigint: true });
  const current = stats === undefined ? null : versionOf(stats);
  if (current === version) return;
  const isMaybeSame =
    version === undefined || (version && current && withoutChangeTime(version) === withoutChangeTime(current));
  if (!isMaybeSame || !isSame(lookAt(at, path)?.state, state)) throw new Changed(path);
}

function withoutChangeTime(version: Version): string {
  return version.slice(0, version.lastIndexOf(":"));
}

/**
 * Renaming between two names of one file does nothing under POSIX and leaves both. A case-insensitive file system lists
 * only the new one.
 */
function dropOtherName(from: string, to: string): void {
  const identity = identityAt(from);
  if (identity === undefined || from === to || identityAt(to) !== identity) return;
  pins.inDirectory(dirname(from), (at) => {
    if (fs.readdirSync(at(".")).includes(basename(from))) fs.unlinkSync(at(basename(from)));
  });
}

function identityAt(path: string): string | undefined {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stats && `${stats.dev}:${stats.ino}`;
}

function makeDirectory(path: string, { mode, uid, gid }: DirectoryState): void {
  atEntry(path, (at) => {
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

function madeAt(path: string): Made {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false, bigint: true });
  if (stats === undefined || stats.isDirectory()) return {};
  return { version: versionOf(stats), ...(stats.isFile() && { mode: Number(stats.mode) & 0o7777 }) };
}

/** Removes the new file of a put that was not made. */
export function removeLeftover({ temporary }: PutRecord): void {
  if (temporary !== undefined) attempt(() => atEntry(temporary, (at) => fs.unlinkSync(at)));
}

/** A put to be made, perhaps one that was interrupted. */
export interface Attempted {
  readonly put: {
    readonly path: string;
    readonly from?: string;
    readonly after: { readonly kind: string } | null;
    readonly isRename?: true;
  };
  /** Set once it is prepared. */
  step?: PreparedPut;
  /** Set once it is made. */
  outcome?: LoggedOutcome;
  version?: Version | undefined;
  failure?: Failure;
}

/** A put that was not tried before. */
export interface PutAttempt extends StagedPut, Attempted {
  readonly put: StagedPut["put"];
  /** The disk was as wanted already. */
  isNoop?: true;
}

/** A put that is prepared. */
export type Ready<Kind extends Attempted = Attempted> = Kind & { readonly step: PreparedPut };

/** What became of a change. */
export interface OperationOutcome {
  readonly failure?: Failure;
  /** The disk was as wanted already. */
  readonly isNoop?: true;
  /** Of the file or link that was written or moved there. */
  readonly version?: Version | undefined;
}

/** Tries puts in order. A put that depends on a failed one fails too. */
export class Attempts {
  /** The path of the original failure, by the path it affects. */
  readonly #failed = new PathMap<string>();

  /** Returns whether it succeeded. Records a system error as the entry's failure. */
  make(entry: Attempted, act: () => void): boolean {
    if (entry.failure !== undefined) return false;
    const failedPath = dependencies(entry)
      .map((path) => this.#failed.nearest(path))
      .find((path) => path !== undefined);
    if (failedPath !== undefined) {
      this.fail(entry, { code: "run/depends", path: this.#failed.get(failedPath) ?? failedPath });
      return false;
    }
    try {
      act();
    } catch (thrown) {
      this.fail(entry, failureAt(pathsOf(entry.put), thrown));
      return false;
    }
    return true;
  }

  fail(entry: Attempted, failure: Failure): void {
    entry.failure ??= failure;
    const { code } = entry.failure;
    // A directory that could not be removed does not block puts in it.
    if (isDirectoryInUse(entry.put, entry.failure)) return;
    for (const path of dependencies(entry))
      this.#failed.set(path, code === "run/depends" || code === "file/changed" ? entry.failure.path : path);
  }
}

/** Returns the paths of which none may have failed. */
function dependencies({ put: { path, from, after } }: Attempted): string[] {
  return from === undefined || after?.kind === "directory" ? [path] : [from, path];
}

/** Returns the paths that a put touches. */
export function pathsOf({ path, from, after, isRename }: Attempted["put"]): string[] {
  return from !== undefined && (isRename || after?.kind === "moved") ? [from, path] : [path];
}

/** Returns whether a directory could not be removed because it holds files of others. */
export function isDirectoryInUse({ after }: { readonly after: unknown }, failure: Failure): boolean {
  return after === null && "errno" in failure && failure.errno === "ENOTEMPTY";
}

/** Returns whether a retry would fail too, mostly because somebody else changed the file. */
export function wouldFailAgain(failure: Failure): boolean {
  if (failure.code === "file/changed" || failure.code === "run/depends") return true;
  return "errno" in failure && CONFLICTS.includes(failure.errno);
}

const CONFLICTS = ["ENOENT", "ENOTDIR", "ENOTEMPTY", "EEXIST", "EISDIR", "ELOOP", "ENAMETOOLONG", DAMAGED];

/** Turns a thrown error into a failure that names these paths, not Loaf's temporary ones. */
export function failureAt(paths: readonly string[], thrown: unknown): Failure {
  const [path = "", to] = thrown instanceof LogError ? [thrown.path] : paths;
  if (thrown instanceof Changed) return { code: "file/changed", path: thrown.path };
  if (!isSystemError(thrown)) return failureOf(thrown);
  return thrown.code === "ESTALE"
    ? { code: "file/changed", path }
    : systemFailure(thrown.code, thrown.syscall ?? "open", path, to).failure;
}

/** A change of a path, in one put or several. */
interface Dependent {
  readonly path: string;
  readonly authors: readonly number[];
  readonly before: { readonly kind: string } | null;
  readonly after: { readonly kind: string } | null;
}

/**
 * Adds the actions that depend on failed ones: those that changed the same path, made something in a directory that a
 * failed one put in the place of a file, or removed a directory that a failed one emptied.
 *
 * @param puts in order
 */
export function withDependents(failed: Iterable<number>, puts: readonly Dependent[]): ReadonlySet<number> {
  const dependents = new Map<number, Set<number>>();
  const depend = (authors: readonly number[], on: readonly number[]): void => {
    for (const author of on) {
      const known = dependents.get(author) ?? new Set();
      for (const other of authors) known.add(other);
      dependents.set(author, known);
    }
  };
  const changes = new Map<string, Dependent>();
  for (const put of puts) {
    const { before, authors } = changes.get(put.path) ?? { before: put.before, authors: [] };
    changes.set(put.path, { ...put, before, authors: [...authors, ...put.authors] });
  }
  for (const { path, authors, after } of changes.values()) {
    depend(authors, authors);
    for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
      const above = changes.get(at);
      if (above === undefined) continue;
      const [wasDirectory, isDirectory] = [above.before?.kind === "directory", above.after?.kind === "directory"];
      if (isDirectory && !wasDirectory && above.before !== null) depend(authors, above.authors);
      if (wasDirectory && !isDirectory && after === null) depend(above.authors, authors);
    }
  }
  const all = new Set(failed);
  // The loop also visits what it adds.
  for (const author of all) for (const other of dependents.get(author) ?? []) all.add(other);
  return all;
}
