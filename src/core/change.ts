/** What stood at a path and what stands there after a run, as an overlay found out; undefined where nothing does. */
export interface Change {
  /** Absolute, with links resolved. */
  readonly path: string;
  readonly before: Content | undefined;
  readonly after: Content | undefined;
}

export type Content =
  | { readonly kind: "file"; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "directory" };
