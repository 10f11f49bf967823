/** Changes of a project as values: what was at each path, and what is there afterwards. */

/** What is at a path. */
export type State = FileState | LinkState | DirectoryState;

export interface FileState extends FileBytes, Attributes {
  readonly kind: "file";
  /** Its pre-image, if an operation destroys it. */
  readonly image?: ImagePlace;
}

export interface FileBytes {
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

interface LinkState {
  readonly kind: "link";
  readonly target: string;
}

export interface DirectoryState extends Attributes {
  readonly kind: "directory";
}

/** Permission bits and owner; undefined if they do not matter. */
export interface Attributes {
  readonly mode?: number | undefined;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
}

/** Bytes in a log. */
export interface ImagePlace {
  /** Offset in bytes. */
  readonly offset: number;
  readonly length: number;
}

/** Something else, or unreadable: Loaf never puts such a thing there. */
export interface Other {
  readonly kind: "other";
}

/** One path before and after. */
export interface Put {
  readonly path: string;
  /** The old path of `before`, if it was moved here. */
  readonly from?: string;
  readonly before: State | null;
  readonly after: State | null;
}

/** Each path at most once, sorted by path. */
export type ChangeSet = readonly Put[];

type Found = State | Other | null | undefined;

/** Returns whether two states have the same bytes and mode, or link target. An unknown mode matches any. */
export function isSame(left: Found, right: Found): boolean {
  if (left?.kind === "file" && right?.kind === "file") {
    const isMode = left.mode === undefined || right.mode === undefined || left.mode === right.mode;
    return isMode && left.sha256 === right.sha256;
  }
  if (left?.kind === "link" && right?.kind === "link") return left.target === right.target;
  return left?.kind === right?.kind;
}

/** Returns whether a path differs from before. */
export function isChange({ from, before, after }: Put): boolean {
  return from !== undefined || !isSame(before, after);
}

/** The content of a path before and after a run, as the library returns it. Undefined if nothing exists. */
export interface Change {
  /** Absolute, with links resolved. */
  readonly path: string;
  /** The old path of `before`, if it was moved to a free path. */
  readonly movedFrom?: string;
  readonly before: Content | undefined;
  readonly after: Content | undefined;
}

export type Content =
  /**
   * `bytes` are absent if unreadable, too many to show, or no longer known. `withheld` gives the reason, if known.
   * `size` is in bytes, `mode` the permission bits.
   */
  | {
      readonly kind: "file";
      readonly mode: number;
      readonly size: number;
      readonly bytes?: Uint8Array;
      readonly withheld?: string;
    }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "directory" };

/** A change that a command made to a file or a link of the project, or to a directory without any. */
export interface ChangedPath {
  /** Relative to the root. A directory's ends with a slash. */
  readonly path: string;
  readonly change: "created" | "changed" | "deleted";
}

/** What hooks took back: by the position of the action, clauses (`is gone`) by path. */
export type TakenBack = ReadonlyMap<number, ReadonlyMap<string, string>>;
