import { type Failure, failureOf } from "../core/failure.ts";
import { DAMAGED } from "../disk/images.ts";
import type { LoggedOperation } from "./log-record.ts";
import { LogError } from "./log-writer.ts";
import type { Operation, Staged } from "../disk/operation.ts";
import { PathMap } from "../paths/path-map.ts";
import { pathsOf } from "./split-groups.ts";
import { isSystemError, systemFailure } from "../disk/system-error.ts";
import { Changed } from "../disk/volume.ts";

/** An operation on its way to the disk, maybe an interrupted one. */
export interface Attempted {
  readonly operation: LoggedOperation;
  readonly authors: readonly number[];
  failure?: Failure;
}

/** One that was not tried before. */
export interface Entry extends Staged, Attempted {
  readonly operation: Operation;
  isRepeatable?: boolean;
  /** The system has said that it leads to another file system. */
  isAcross?: boolean;
}

/** Tries operations one after another. One that needs what another should have brought about fails with that one. */
export class Attempts {
  /** What is at the bottom of it, by the path that it struck. */
  readonly #failed = new PathMap<string>();

  /** Whether it went well. What the system refuses becomes the entry's failure. */
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
    // What is to come into it can come.
    if (isKeptInUse(entry.operation, entry.failure)) return;
    for (const path of pathsOf(entry.operation)) this.#failed.set(path, code === "run/depends" || code === "file/changed" ? entry.failure.path : path);
  }
}

/** Of a directory that is to be removed: it holds what others have put there, and stays. */
export function isKeptInUse({ kind }: Pick<LoggedOperation, "kind">, failure: Failure): boolean {
  return kind === "removeDirectory" && "errno" in failure && failure.errno === "ENOTEMPTY";
}

/** Whether it will not go better another time: mostly since somebody else has changed what an operation is about. */
export function isConflict(failure: Failure): boolean {
  return failure.code === "file/changed" || failure.code === "run/depends" || ("errno" in failure && CONFLICTS.has(failure.errno));
}

const CONFLICTS: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ENOTEMPTY", "EEXIST", "EISDIR", "ELOOP", "ENAMETOOLONG", DAMAGED]);

/** What an operation's failure is told as: with its own paths, not with those that Loaf acted on. */
export function failureAt(operation: LoggedOperation | { readonly path: string }, thrown: unknown): Failure {
  const [path = "", to] = thrown instanceof LogError ? [thrown.path] : pathsOf(operation);
  if (thrown instanceof Changed) return { code: "file/changed", path: thrown.path };
  if (!isSystemError(thrown)) return failureOf(thrown);
  return thrown.code === "ESTALE" ? { code: "file/changed", path } : systemFailure(thrown.code, thrown.syscall ?? "open", path, to).failure;
}
