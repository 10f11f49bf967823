import type { ImagePlace, Owner, State } from "../core/change-set.ts";
import { countsOf } from "../core/counted.ts";
import type { Version } from "./volume.ts";

/**
 * A change of the file system, decided but not made yet. Paths are canonical. `basis` is the state at the time of the
 * decision. If it differs when the operation is made, somebody else changed the path, and the operation is refused.
 */
export type Operation =
  /**
   * Creates or replaces a file. Without a mode, keeps that of the replaced file. `modified` is in seconds since 1970
   * and defaults to now.
   */
  | {
      readonly kind: "write";
      readonly path: string;
      readonly content: Buffer | Image;
      readonly mode?: number;
      readonly owner?: Owner;
      readonly modified?: number;
      readonly basis: Basis;
    }
  | { readonly kind: "link"; readonly path: string; readonly target: string; readonly basis: Basis }
  /** Removes a file or a link. */
  | { readonly kind: "unlink"; readonly path: string; readonly basis: Basis }
  /** Renames a file, a link or a directory, which has no basis. `replaced` is the basis of `to`. */
  | {
      readonly kind: "rename";
      readonly from: string;
      readonly to: string;
      readonly basis?: Basis;
      readonly replaced: Basis;
    }
  | { readonly kind: "makeDirectory"; readonly path: string; readonly mode?: number; readonly owner?: Owner }
  | { readonly kind: "removeDirectory"; readonly path: string };

/** The version or, if another run saw it last, the state. Null if nothing was there. */
export type Basis = Version | State | null;

/** Bytes in a log, or in a file that nobody changes any more. */
export interface Image extends ImagePlace {
  /** The log's path. */
  readonly log: string;
  /** Digest of the whole content. */
  readonly sha256: string;
}

/** An operation and the positions of the actions that requested it, in a run's order. */
export interface Staged {
  readonly operation: Operation;
  readonly authors: readonly number[];
  /** If its result exists already, the operation counts as done. */
  readonly isRepeatable?: boolean;
  /** It writes a file merged with the user's edits. */
  readonly isMerged?: true;
}

/** Returns the paths that an operation touches. */
export function pathsOf(
  operation: Operation | { readonly path: string } | { readonly from: string; readonly to: string },
): string[] {
  return "from" in operation ? [operation.from, operation.to] : [operation.path];
}

/** Returns the path at which an operation leaves something, or nothing. */
export function targetOf(operation: Parameters<typeof pathsOf>[0]): string {
  return "from" in operation ? operation.to : operation.path;
}

/** Returns a key that is equal for operations of one kind on the same paths. */
export function operationKey(
  operation: Pick<Operation, "kind"> & ({ readonly path: string } | { readonly from: string; readonly to: string }),
): string {
  return [operation.kind, ...pathsOf(operation)].join("\0");
}

/** Returns whether an operation moves a directory. For a file or link, the basis is a version. */
export function movesDirectory(operation: Operation): boolean {
  return (
    operation.kind === "rename" &&
    (operation.basis === undefined || (typeof operation.basis === "object" && operation.basis?.kind === "directory"))
  );
}

/** Returns how many of the operations touch each path. */
export function timesTouched(operations: ReadonlyArray<Parameters<typeof pathsOf>[0]>): ReadonlyMap<string, number> {
  return countsOf(operations.flatMap(pathsOf));
}
