import type { Edit } from "../edit/splice.ts";

/**
 * The project's files as an action's handler sees them. Paths are absolute, as the block wrote them. Every call asks the
 * guard, at the moment it acts, and throws `Failed` with a `guard/*`, `file/*`, `text/*` or `address/*` failure; nothing is changed then.
 * What reads and edits takes addresses: the text is that of the part then, and nothing outside of it can change.
 */
export interface Workspace extends Files {
  /** The line of its file, from 1, on which the part begins that an address names; undefined for a path of a whole file. */
  firstLine(path: string): number | undefined;
}

/** The same for whole files. */
export interface Files {
  /** The text of a file without its byte order mark. */
  read(path: string): string;
  /** The same for a search over many files: undefined where a file is too large, is not text or may not be read. */
  peek(path: string): string | undefined;
  /**
   * Changes parts of a file and nothing else in it: byte order mark, mode and every byte outside the splices stay.
   * No splices leave the file untouched. `change` is given the bytes behind the byte order mark, and must not change them; positions
   * are of these. What it returns is returned.
   *
   * @param change is told the file's own path, too
   */
  edit<E extends Edit>(path: string, change: (bytes: Buffer, file: string) => E): E;
  /**
   * Creates or overwrites a file, and its parents. Returns the bytes written. Before that, `revise` is told what would be overwritten: the
   * file's text, null where that may not or cannot be read, undefined where there is no file. It may throw, and return another content.
   */
  write(path: string, content: string, revise?: (before: string | null | undefined) => string | undefined | void): number;
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

/** A part of a file. Lines are the file's, from 1, both included. */
export interface OutlineEntry {
  /** What comes after the file's path: `@@Server@@start`. */
  readonly address: string;
  /** `class`, `function`, `section`, … */
  readonly kind: string;
  readonly first_line: number;
  readonly last_line: number;
  /** There where a syntax error in it makes its end uncertain: it can be read, not edited. */
  readonly broken?: true;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly type: "file" | "directory" | "link";
  /** Bytes. */
  readonly size: number;
  /** ISO 8601, UTC. */
  readonly modified: string;
}
