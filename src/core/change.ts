/** What stood at a path and what stands there after a run; undefined where nothing does. */
export interface Change {
  /** Absolute, with links resolved. */
  readonly path: string;
  /** Where `before` stood, when it was moved and nothing stood at `path`. */
  readonly movedFrom?: string;
  readonly before: Content | undefined;
  readonly after: Content | undefined;
}

export type Content =
  /**
   * `bytes` are absent where they may not be read, are too many to be shown, or are no longer there; `withheld` says why, where that is known. `size`
   * is in bytes, `mode` the permission bits.
   */
  | { readonly kind: "file"; readonly mode: number; readonly size: number; readonly bytes?: Uint8Array; readonly withheld?: string }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "directory" };
