import type { Access } from "../core/failure.ts";

/**
 * The few ways of reading that everything else is built of. `disk.ts` asks the file system, `overlay.ts` has changes in memory over
 * another volume. All are synchronous: between a check and the act that it allows no other code of Loaf can run.
 *
 * Paths are absolute. But for `realpath`'s they are canonical: they hold no link before the last segment, and one there is not
 * followed. That is not taken on trust: what reads or changes anything acts on the object whose path this is at that very moment,
 * or throws ESTALE. So whoever judges the path of a thing has judged the thing, and asks again on ESTALE. What only looks
 * (`realpath`, `entry`, `readLink`, `checkAccess`) tells what it sees. All throw system errors like `node:fs` does (`code`,
 * `syscall`, and a message `CODE: text, …`).
 */
export interface Volume {
  /** The path with all links resolved. Throws ENOENT, ELOOP, ENOTDIR, … */
  realpath(path: string): string;
  /** What stands at a path, or undefined where nothing does. */
  entry(path: string): VersionedEntry | undefined;
  /** A link's target, as written in it. */
  readLink(path: string): string;
  /** @param most bytes; for a larger file EFBIG is thrown and nothing is read */
  readFile(path: string, most?: number): FileContent;
  /**
   * Of a directory, not of a link to one; in no particular order. A name that is not UTF-8 comes with its odd bytes escaped
   * (`\xe9`): such an entry cannot be addressed.
   */
  readDirectory(path: string): NamedEntry[];
  /** As `readDirectory`, without what has to be asked of each entry. */
  namesIn(path: string): ReadonlyArray<Pick<NamedEntry, "name" | "kind">>;
  /**
   * A file's bytes, piece by piece, until `visit` says false. A piece is valid only during the call. Of a file with more than
   * `mostNames` names EMLINK is thrown and nothing is read.
   */
  readPieces: ReadPieces;
  /** `act` gets the same for files of one directory, by name. It is much the cheaper way to many of them; `act` may do nothing else. */
  readIn(directory: string, act: (readPieces: ReadPieces) => void): void;
  /** Throws EACCES or EROFS where one may not read the file, or not write to it, or not make and remove entries in the directory. */
  checkAccess(path: string, access: Access): void;
}

/** A volume that can be changed. Only overlays are: what they stage reaches the disk through the journal. */
export interface WritableVolume extends Volume {
  /**
   * All old or all new, never torn; keeps the mode of a file that it replaces. The parent exists. The bytes are the volume's from now on.
   *
   * @param basis the version that the new bytes were made from; where another one stands there by now, `Changed` is thrown
   */
  writeFile(path: string, bytes: Uint8Array, basis?: Version): void;
  /** Removes a file or a link. */
  unlink(path: string): void;
  /** Replaces a file or an empty directory at `to`. Across file systems too. */
  rename(from: string, to: string): void;
  makeDirectory(path: string): void;
  removeDirectory(path: string): void;
}

export type ReadPieces = (path: string, visit: (piece: Buffer) => boolean, mostNames?: number) => void;

/** Which state of an entry this is: a file's changes with every write. To be compared, not looked into. */
export type Version = string;

export interface FileContent {
  readonly bytes: Buffer;
  readonly version: Version;
  /** As in `Entry`. */
  readonly names: number;
}

/** Somebody else changed a file since the version that its new bytes were made from; nothing was written. */
export class Changed extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`${path} has changed`);
    this.name = "Changed";
    this.path = path;
  }
}

export interface Entry {
  readonly kind: "file" | "directory" | "link" | "other";
  /** Bytes; 0 for a directory. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** Permission bits. */
  readonly mode: number;
  /** Names that the file has, this one counted. */
  readonly names: number;
}

export interface VersionedEntry extends Entry {
  readonly version: Version;
}

export interface NamedEntry extends Entry {
  readonly name: string;
}
