/** A change that a command made to a file or a link of the project. */
export interface ChangedPath {
  /** Relative to the root. */
  readonly path: string;
  readonly change: "created" | "changed" | "deleted";
}
