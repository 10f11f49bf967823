import { dirname } from "node:path";
import { type Failure, failureOf } from "../core/failure.ts";
import { DAMAGED } from "../disk/images.ts";
import type { Operation, Staged } from "../disk/operation.ts";
import { isSystemError, systemFailure } from "../disk/system-error.ts";
import { Changed } from "../disk/volume.ts";
import { PathMap } from "../paths/path-map.ts";
import type { LoggedOperation } from "./log-record.ts";
import { LogError } from "./log-writer.ts";

/**
 * Splits operations, in order, into groups that touch each path only once. After a crash, a look at the path then tells whether its
 * operation was made. Keeps the operations of one action together where possible.
 */
export function splitGroups<One extends Staged>(staged: readonly One[]): One[][] {
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

/** Returns the paths that an operation touches. */
export function pathsOf(operation: Operation | { readonly path: string } | { readonly from: string; readonly to: string }): string[] {
  return "from" in operation ? [operation.from, operation.to] : [operation.path];
}

/** Returns a key that is equal for operations of one kind on the same paths. */
export function operationKey(operation: Pick<Operation, "kind"> & ({ readonly path: string } | { readonly from: string; readonly to: string })): string {
  return [operation.kind, ...pathsOf(operation)].join("\0");
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
      return movesDirectory(operation) ? this.#above.has(path) : operation.kind === "removeDirectory" && this.#aboveKept.has(path);
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

/** Returns whether an operation moves a directory. For a file or link, the basis is a version. */
export function movesDirectory(operation: Operation): boolean {
  return operation.kind === "rename" && (operation.basis === undefined || (typeof operation.basis === "object" && operation.basis?.kind === "directory"));
}

/** An operation to be made, perhaps one that was interrupted. */
export interface Attempted {
  readonly operation: LoggedOperation;
  readonly authors: readonly number[];
  failure?: Failure;
}

/** An operation that was not tried before. */
export interface Entry extends Staged, Attempted {
  readonly operation: Operation;
  isRepeatable?: boolean;
  /** The system reported that the rename crosses file systems. */
  crossesDevices?: boolean;
}

/** Tries operations in order. An operation that depends on a failed one fails too. */
export class Attempts {
  /** The path of the original failure, by the path it affects. */
  readonly #failed = new PathMap<string>();

  /** Returns whether it succeeded. Records a system error as the entry's failure. */
  make(entry: Attempted, act: () => void): boolean {
    if (entry.failure !== undefined) return false;
    const struck = pathsOf(entry.operation).map((one) => this.#failed.nearest(one)).find((one) => one !== undefined);
    if (struck !== undefined) {
      this.fail(entry, { code: "run/depends", path: this.#failed.get(struck) ?? struck });
      return false;
    }
    try {
      act();
    } catch (thrown) {
      this.fail(entry, failureAt(entry.operation, thrown));
      return false;
    }
    if (entry.operation.kind === "rename") this.#failed.move(entry.operation.from, entry.operation.to);
    return true;
  }

  fail(entry: Attempted, failure: Failure): void {
    entry.failure ??= failure;
    const { code } = entry.failure;
    // A directory that could not be removed does not block operations in it.
    if (isDirectoryInUse(entry.operation, entry.failure)) return;
    for (const path of pathsOf(entry.operation)) this.#failed.set(path, code === "run/depends" || code === "file/changed" ? entry.failure.path : path);
  }
}

/** Returns whether a directory could not be removed because it holds files of others. */
export function isDirectoryInUse({ kind }: Pick<LoggedOperation, "kind">, failure: Failure): boolean {
  return kind === "removeDirectory" && "errno" in failure && failure.errno === "ENOTEMPTY";
}

/** Returns whether a retry would fail too, mostly because somebody else changed the file. */
export function isConflict(failure: Failure): boolean {
  return failure.code === "file/changed" || failure.code === "run/depends" || ("errno" in failure && CONFLICTS.has(failure.errno));
}

const CONFLICTS: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ENOTEMPTY", "EEXIST", "EISDIR", "ELOOP", "ENAMETOOLONG", DAMAGED]);

/** Turns a thrown error into a failure that names the operation's own paths, not Loaf's temporary ones. */
export function failureAt(operation: LoggedOperation | { readonly path: string }, thrown: unknown): Failure {
  const [path = "", to] = thrown instanceof LogError ? [thrown.path] : pathsOf(operation);
  if (thrown instanceof Changed) return { code: "file/changed", path: thrown.path };
  if (!isSystemError(thrown)) return failureOf(thrown);
  return thrown.code === "ESTALE" ? { code: "file/changed", path } : systemFailure(thrown.code, thrown.syscall ?? "open", path, to).failure;
}
