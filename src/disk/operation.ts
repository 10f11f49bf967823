import type { Version } from "./volume.ts";

/**
 * One change of the file system, decided upon and not yet made. Paths are canonical. A `basis` is what stood there when it was
 * decided: where something else stands there by now, somebody else changed it, and the operation is refused.
 */
export type Operation =
  /** Creates or replaces a file. Without a mode it keeps that of the file it replaces. `modified` in seconds since 1970; now unless given. */
  | { readonly kind: "write"; readonly path: string; readonly content: Buffer | Image; readonly mode?: number; readonly owner?: Owner; readonly modified?: number; readonly basis: Basis }
  | { readonly kind: "link"; readonly path: string; readonly target: string; readonly basis: Basis }
  /** Of a file or a link. */
  | { readonly kind: "unlink"; readonly path: string; readonly basis: Basis }
  /** Of a file, a link or a directory, which has no basis. `replaced` is what stands at `to`. */
  | { readonly kind: "rename"; readonly from: string; readonly to: string; readonly basis?: Basis; readonly replaced: Basis }
  | { readonly kind: "makeDirectory"; readonly path: string; readonly mode?: number; readonly owner?: Owner }
  | { readonly kind: "removeDirectory"; readonly path: string };

/** The version, or, where another run was the last to look, the state; null where nothing stood there. */
export type Basis = Version | State | null;

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Bytes that are kept in a log, or in a file that nobody changes any more. */
export interface Image extends ImagePlace {
  /** The log's path. */
  readonly log: string;
  /** Of all of it. */
  readonly sha256: string;
}

export interface ImagePlace {
  /** Where they begin, in bytes. */
  readonly offset: number;
  readonly length: number;
  /** As many bytes before them and after them are those of the file that is replaced. */
  readonly prefix?: number;
  readonly suffix?: number;
}

/** What stands at a path. */
export type State = FileState | LinkState | DirectoryState;

export interface Content {
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

export interface FileState extends Content, Partial<Owner> {
  readonly kind: "file";
  /** Permission bits; undefined where they do not matter. */
  readonly mode?: number;
  /** Its bytes, where an operation destroys them. */
  readonly image?: ImagePlace;
}

export interface LinkState {
  readonly kind: "link";
  readonly target: string;
}

export interface DirectoryState extends Owner {
  readonly kind: "directory";
  readonly mode: number;
  /** Tells it from another one at the same path: device and inode. */
  readonly identity: string;
}

/** An operation, and who wants it: the positions of the actions whose results it carries, in a run's order. */
export interface Staged {
  readonly operation: Operation;
  readonly authors: readonly number[];
  /** Where its end is reached already, it counts as done. */
  readonly isRepeatable?: boolean;
  /** It writes a file that keeps the user's edits. */
  readonly isMerged?: true;
}
