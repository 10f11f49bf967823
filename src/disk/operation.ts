import type { ImagePlace, Owner, State } from "../core/change-set.ts";
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
      /** Path of the file to take mode and owner from, instead of the replaced one. */
      readonly like?: string;
      /** The old path of a file that was moved and changed. */
      readonly source?: string;
    }
  | { readonly kind: "link"; readonly path: string; readonly target: string; readonly basis: Basis }
  /** Removes a file or a link. */
  | { readonly kind: "unlink"; readonly path: string; readonly basis: Basis }
  /** Renames a file or a link. `replaced` is the basis of `to`. */
  | {
      readonly kind: "rename";
      readonly from: string;
      readonly to: string;
      readonly basis: Basis;
      readonly replaced: Basis;
    }
  | {
      readonly kind: "makeDirectory";
      readonly path: string;
      readonly mode?: number;
      readonly owner?: Owner;
      /** Path of the directory to take mode and owner from. */
      readonly like?: string;
      /** The old path of a directory that was moved. */
      readonly source?: string;
    }
  | { readonly kind: "removeDirectory"; readonly path: string };

/** A change of one path, decided but not made yet. Each path is at most once in a plan. */
export interface Planned {
  readonly path: string;
  /** The path that the entry had before. */
  readonly from?: string;
  readonly basis: Basis;
  readonly after: Wanted | null;
  /** Positions of the actions that asked for it. */
  readonly authors: readonly number[];
  /** It writes a file merged with the user's edits. */
  readonly isMerged?: true;
  /** A missing parent of another change. */
  readonly isImplied?: true;
}

/** What is to be at a path. */
export type Wanted =
  /** `like` is the path of a file to take mode and owner from. `modified` is in seconds since 1970. */
  | {
      readonly kind: "file";
      readonly content: Buffer | Image;
      readonly like?: string;
      readonly mode?: number;
      readonly owner?: Owner;
      readonly modified?: number;
    }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "directory"; readonly mode?: number; readonly owner?: Owner; readonly like?: string }
  /** The file or link at `origin`, unchanged. */
  | { readonly kind: "moved"; readonly origin: string };

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
