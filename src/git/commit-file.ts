/** A path that a run has changed. */
export interface CommitFile {
  /** Relative to the top of the work tree, with `/`. */
  readonly path: string;
  /** State before the run; undefined if nothing was there. */
  readonly before: FileBefore | undefined;
  /** Whether something is there now. */
  readonly exists: boolean;
  /** Returns whether the path is still as the run left it. */
  isUntouched(): boolean;
}

export type FileBefore =
  /** `size` in bytes. `read` passes them on in pieces and returns false if they are not kept. */
  { readonly kind: "file"; readonly isExecutable: boolean; readonly size: number; read(take: (piece: Buffer) => void): boolean } | { readonly kind: "link"; readonly target: string };
