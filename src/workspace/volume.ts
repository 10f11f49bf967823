/**
 * The few file-system operations everything else is built of. `disk.ts` does them for real, `overlay.ts` in memory over
 * another volume. All are synchronous: between a check and the act that it allows no other code of Loaf can run.
 * Paths are absolute. But for `realpath`'s they hold no link before the last segment, and one there is not followed. All
 * throw system errors like `node:fs` does (`code`, `syscall`, and a message `CODE: text, …`).
 */
export interface Volume {
  /** The path with all links resolved. Throws ENOENT, ELOOP, ENOTDIR, … */
  realpath(path: string): string;
  /** What stands at a path, or undefined where nothing does. */
  entry(path: string): Entry | undefined;
  /** A link's target, as written in it. */
  readLink(path: string): string;
  readFile(path: string): Buffer;
  /** All old or all new, never torn; keeps the mode of a file that it replaces. The parent exists. */
  writeFile(path: string, bytes: Uint8Array): void;
  /** Removes a file or a link. */
  unlink(path: string): void;
  /** Replaces a file or an empty directory at `to`. Across file systems too. */
  rename(from: string, to: string): void;
  makeDirectory(path: string): void;
  removeDirectory(path: string): void;
  /**
   * Of a directory, not of a link to one; in no particular order. A name that is not UTF-8 comes with its odd bytes escaped
   * (`\xe9`): such an entry cannot be addressed.
   */
  readDirectory(path: string): NamedEntry[];
  /** As `readDirectory`, without what has to be asked of each entry. */
  namesIn(path: string): ReadonlyArray<Pick<NamedEntry, "name" | "kind">>;
  /** A file's bytes, piece by piece, until `visit` says false. A piece is valid only during the call. */
  readPieces(path: string, visit: (piece: Buffer) => boolean): void;
  /** Throws EACCES or EROFS where one may not write to the file, or make and remove entries in the directory. */
  checkWritable(path: string): void;
}

export interface Entry {
  readonly kind: "file" | "directory" | "link" | "other";
  /** Bytes; 0 for a directory. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** Permission bits. */
  readonly mode: number;
}

export interface NamedEntry extends Entry {
  readonly name: string;
}
