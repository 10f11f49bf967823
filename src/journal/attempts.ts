import { isSame } from "../core/change-set.ts";
import { type Failure, failureOf } from "../core/failure.ts";
import { DAMAGED } from "../disk/images.ts";
import { look } from "../disk/look.ts";
import { type Operation, pathsOf, type Staged } from "../disk/operation.ts";
import type { Pins } from "../disk/pin.ts";
import { isSystemError, systemFailure } from "../disk/system-error.ts";
import { Changed, type Version } from "../disk/volume.ts";
import { PathMap } from "../paths/path-map.ts";
import type { IntentRecord, LoggedOperation } from "./log-record.ts";
import { LogError } from "./log-writer.ts";

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
  /** The disk was already as the operation leaves it. */
  isNoop?: true;
  /** The system reported that the rename crosses file systems. */
  crossesDevices?: boolean;
}

/** What became of an operation. */
export interface Outcome {
  readonly failure?: Failure;
  /** The disk was already as the operation leaves it. */
  readonly isNoop?: true;
}

/** Tries operations in order. An operation that depends on a failed one fails too. */
export class Attempts {
  /** The path of the original failure, by the path it affects. */
  readonly #failed = new PathMap<string>();

  /** Returns whether it succeeded. Records a system error as the entry's failure. */
  make(entry: Attempted, act: () => void): boolean {
    if (entry.failure !== undefined) return false;
    const failedPath = dependencies(entry.operation)
      .map((one) => this.#failed.nearest(one))
      .find((one) => one !== undefined);
    if (failedPath !== undefined) {
      this.fail(entry, { code: "run/depends", path: this.#failed.get(failedPath) ?? failedPath });
      return false;
    }
    try {
      act();
    } catch (thrown) {
      this.fail(entry, failureAt(entry.operation, thrown));
      return false;
    }
    return true;
  }

  fail(entry: Attempted, failure: Failure): void {
    entry.failure ??= failure;
    const { code } = entry.failure;
    // A directory that could not be removed does not block operations in it.
    if (isDirectoryInUse(entry.operation, entry.failure)) return;
    for (const path of dependencies(entry.operation))
      this.#failed.set(path, code === "run/depends" || code === "file/changed" ? entry.failure.path : path);
  }
}

/** Returns the paths of which none may have failed. */
function dependencies(operation: LoggedOperation): string[] {
  const source = operation.kind === "write" ? operation.source : undefined;
  return source === undefined ? pathsOf(operation) : [...pathsOf(operation), source];
}

/** Returns whether a directory could not be removed because it holds files of others. */
export function isDirectoryInUse({ kind }: Pick<LoggedOperation, "kind">, failure: Failure): boolean {
  return kind === "removeDirectory" && "errno" in failure && failure.errno === "ENOTEMPTY";
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

/** Turns a thrown error into a failure that names the operation's own paths, not Loaf's temporary ones. */
export function failureAt(operation: LoggedOperation | { readonly path: string }, thrown: unknown): Failure {
  const [path = "", to] = thrown instanceof LogError ? [thrown.path] : pathsOf(operation);
  if (thrown instanceof Changed) return { code: "file/changed", path: thrown.path };
  if (!isSystemError(thrown)) return failureOf(thrown);
  return thrown.code === "ESTALE"
    ? { code: "file/changed", path }
    : systemFailure(thrown.code, thrown.syscall ?? "open", path, to).failure;
}

/** The part of a step that expects versions. */
interface ExpectedVersions {
  readonly intent: Pick<IntentRecord, "operation" | "before" | "moved">;
  readonly expected: Version | null;
  readonly expectedFrom?: Version;
}

/**
 * Tracks files with several names (hard links). Changing one name changes the version seen through the others. Later
 * steps then accept the new version if everything else is unchanged.
 */
export class SharedNames {
  readonly #pins: Pins;
  /** Identities of files of which a name was changed. */
  readonly #changed = new Set<string>();

  constructor(pins: Pins) {
    this.#pins = pins;
  }

  recordChange({ expected, expectedFrom }: ExpectedVersions): void {
    for (const version of [expected, expectedFrom])
      if (typeof version === "string") this.#changed.add(identityIn(version));
  }

  /** Returns whether two versions differ only by our changes to other names of the file. */
  isOwnChange(version: Version, found: Version): boolean {
    return this.#changed.has(identityIn(version)) && withoutChangeTime(found) === withoutChangeTime(version);
  }

  /** Returns the step with the versions to expect now. */
  withCurrentVersions<Step extends ExpectedVersions>(step: Step): Step {
    if (this.#changed.size === 0) return step;
    const { operation, before, moved } = step.intent;
    const isRename = operation.kind === "rename";
    const expected = this.#currentVersion(step.expected, isRename ? operation.to : operation.path, before);
    const expectedFrom =
      isRename &&
      step.expectedFrom !== undefined &&
      this.#currentVersion(step.expectedFrom, operation.from, moved ?? null);
    return { ...step, expected, ...(typeof expectedFrom === "string" && { expectedFrom }) };
  }

  #currentVersion(version: Version | null, path: string, state: IntentRecord["before"]): Version | null {
    if (version === null || !this.#changed.has(identityIn(version))) return version;
    const found = look(this.#pins, path);
    return found !== undefined && isSame(found.state, state) && this.isOwnChange(version, found.version)
      ? found.version
      : version;
  }
}

function identityIn(version: Version): string {
  return version.split(":", 2).join(":");
}

function withoutChangeTime(version: Version): string {
  return version.slice(0, version.lastIndexOf(":"));
}
