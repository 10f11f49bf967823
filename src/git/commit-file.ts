/** A path that a run has changed. */
export interface CommitFile {
  /** From the top of the work tree on, with `/`. */
  readonly path: string;
  /** What stood there before the run; undefined for nothing. */
  readonly before: FileBefore | undefined;
  /** Whether something stands there now. */
  readonly exists: boolean;
  /** Whether what stands there is still what the run has left. */
  isUntouched(): boolean;
}

export type FileBefore =
  /** `size` in bytes; `read` hands them on piece by piece, and yields false where they are not known any more. */
  { readonly kind: "file"; readonly isExecutable: boolean; readonly size: number; read(take: (piece: Buffer) => void): boolean } | { readonly kind: "link"; readonly target: string };
