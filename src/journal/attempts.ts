import { type Failure, failureOf } from "../core/failure.ts";
import { DAMAGED } from "../disk/images.ts";
import type { LoggedOperation } from "./log-record.ts";
import { LogError } from "./log-writer.ts";
import type { Operation, Staged } from "../disk/operation.ts";
import { PathMap } from "../paths/path-map.ts";
import { pathsOf } from "./split-groups.ts";
import { isSystemError, systemFailure } from "../disk/system-error.ts";
import { Changed } from "../disk/volume.ts";

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
