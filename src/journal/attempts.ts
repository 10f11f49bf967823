import { type Failure, failureOf } from "../core/failure.ts";
import { DAMAGED } from "../disk/images.ts";
import { isSystemError, systemFailure } from "../disk/system-error.ts";
import { Changed } from "../disk/volume.ts";
import { PathMap } from "../paths/path-map.ts";
import type { StagedPut } from "./change-set.ts";
import { LogError } from "./log-writer.ts";

/** A put to be made, perhaps one that was interrupted. */
export interface Attempted {
  readonly put: {
    readonly path: string;
    readonly from?: string;
    readonly after: { readonly kind: string } | null;
    readonly isRename?: true;
  };
  failure?: Failure;
}

/** A put that was not tried before. */
export interface Entry extends StagedPut, Attempted {
  readonly put: StagedPut["put"];
  /** If the disk is as wanted already, the put counts as made. */
  readonly isRepeatable: boolean;
  /** The disk was as wanted already. */
  isNoop?: true;
}

/** What became of a change. */
export interface Outcome {
  readonly failure?: Failure;
  /** The disk was as wanted already. */
  readonly isNoop?: true;
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
export function isConflict(failure: Failure): boolean {
  return (
    failure.code === "file/changed" ||
    failure.code === "run/depends" ||
    ("errno" in failure && CONFLICTS.has(failure.errno))
  );
}

const CONFLICTS: ReadonlySet<string> = new Set([
  "ENOENT",
  "ENOTDIR",
  "ENOTEMPTY",
  "EEXIST",
  "EISDIR",
  "ELOOP",
  "ENAMETOOLONG",
  DAMAGED,
]);

/** Turns a thrown error into a failure that names these paths, not Loaf's temporary ones. */
export function failureAt(paths: readonly string[], thrown: unknown): Failure {
  const [path = "", to] = thrown instanceof LogError ? [thrown.path] : paths;
  if (thrown instanceof Changed) return { code: "file/changed", path: thrown.path };
  if (!isSystemError(thrown)) return failureOf(thrown);
  return thrown.code === "ESTALE"
    ? { code: "file/changed", path }
    : systemFailure(thrown.code, thrown.syscall ?? "open", path, to).failure;
}
