import type { Splice } from "../text/splice.ts";

/**
 * The project's files as an action's handler sees them. Paths are absolute, as the block wrote them. Every call asks the
 * guard, at the moment it acts, and throws `Failed` with a `guard/*`, `file/*` or `text/*` failure; nothing is changed then.
 */
export interface Workspace {
  /** The text of a file without its byte order mark. */
  read(path: string): string;
  /** The same for a search over many files: undefined where a file is too large, is not text or may not be read. */
  peek(path: string): string | undefined;
  /**
   * Changes parts of a file and nothing else in it: byte order mark, mode and every byte outside the splices stay.
   * No splices leave the file untouched. The positions are of the text as `read` gives it.
   */
  edit(path: string, change: (text: string) => readonly Splice[]): readonly Splice[];
  /** Creates or overwrites a file, and its parents. Returns the bytes written. */
  write(path: string, content: string): number;
  /** Adds to the end of a file, creating it and its parents. Returns the bytes added. */
  append(path: string, content: string): number;
  /** Removes a file or a link, not a directory. */
  remove(path: string): void;
  /** Moves a file, a link or a directory, also to another file system; creates parents. Says whether something was replaced. */
  move(from: string, to: string): { readonly overwrote: boolean };
  /** Creates a directory and its parents. False where it was there already. */
  createDirectory(path: string): boolean;
  /** Removes an empty directory. */
  removeDirectory(path: string): void;
  /** The entries of a directory that may be read, sorted by name. */
  list(path: string): DirectoryEntry[];
}

export interface DirectoryEntry {
  readonly name: string;
  readonly type: "file" | "directory" | "link";
  /** Bytes. */
  readonly size: number;
  /** ISO 8601, UTC. */
  readonly modified: string;
}
