import type { Attributes, ImagePlace, State } from "../core/change-set.ts";
import type { Version } from "./volume.ts";

/** A change of one path, decided but not made yet. Each path is at most once in a plan. */
export interface Planned {
  /** Canonical. */
  readonly path: string;
  /** The path that the entry had before. */
  readonly from?: string;
  /**
   * What was there at the time of the decision. If it differs when the change is made, somebody else changed the path,
   * and the change is refused.
   */
  readonly basis: Basis;
  readonly after: Wanted | null;
  /** Positions of the actions that asked for it. */
  readonly authors: readonly number[];
  /** It writes a file merged with the user's edits. */
  readonly isMerged?: true;
  /** A missing parent of another change. */
  readonly isImplied?: true;
}

/** What is to be at a path. It gets the attributes that are missing from the entry at `like`. */
export type Wanted =
  /** `modified` is in seconds since 1970 and defaults to now. */
  | (Attributes & {
      readonly kind: "file";
      readonly content: Buffer | Image;
      readonly like?: string | undefined;
      readonly modified?: number | undefined;
    })
  | { readonly kind: "link"; readonly target: string }
  | (Attributes & { readonly kind: "directory"; readonly like?: string | undefined })
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

/** An entry that a command or a step puts at a path. `modified` is in seconds since 1970 and defaults to now. */
export type NewEntry<Bytes extends Buffer | Image = Buffer | Image> =
  | {
      readonly kind: "file";
      readonly content: Bytes;
      readonly mode: number;
      readonly modified?: number | undefined;
    }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "directory"; readonly mode?: number | undefined };

/** Receives the content of files as an overlay changes them. */
export interface Observer {
  written(path: string, file: WrittenFile): void;
  /** Called before it is gone. */
  removed?(path: string, before: WrittenFile["before"]): void;
  moved(from: string, to: string, replaced: WrittenFile["before"]): void;
}

export interface WrittenFile {
  /** Position of the action. */
  readonly author: number;
  readonly content: Buffer | Image;
  /** Whether a command made it. */
  readonly isPlaced: boolean;
  /** Reads the current content. Undefined if there is none. */
  before(): Buffer | undefined;
}
