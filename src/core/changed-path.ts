/** What a command did to a file or a link of the project. */
export interface ChangedPath {
  /** From the root on. */
  readonly path: string;
  readonly change: "created" | "changed" | "deleted";
}
