/** The content of a path before and after a run. Undefined if nothing exists. */
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
