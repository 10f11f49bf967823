/** What stood at a path and what stands there after a run, as an overlay found out; undefined where nothing does. */
export interface Change {
  /** Absolute, with links resolved. */
  readonly path: string;
  readonly before: Content | undefined;
  readonly after: Content | undefined;
}

export type Content =
  /** `bytes` are absent where they may not be read, or are too many to be shown. `size` is in bytes, `mode` the permission bits. */
  | { readonly kind: "file"; readonly mode: number; readonly size: number; readonly bytes?: Uint8Array }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "directory" };
