import type { BigIntStats } from "node:fs";
import type { Access } from "../core/failure.ts";

/**
 * The few read operations that everything else is built on. `disk.ts` reads the file system; `overlay.ts` holds changes
 * in memory above another volume. All are synchronous, so no other code of Loaf runs between a check and the act it
 * allows.
 *
 * Paths are absolute. Except for `realpath`, they are canonical: without links before the last segment, and a link
 * there is not followed. This is verified: every read or change acts on the object that has this path at that moment,
 * or throws ESTALE. So a path that was judged is the object that is touched; on ESTALE, judge again. `realpath`,
 * `entry`, `readLink` and `checkAccess` only report what they see: a program that can race Loaf can see that much
 * itself. All throw system errors like `node:fs` does (`code`, `syscall`, and a message `CODE: text, …`).
 */
export interface Volume {
  /** Resolves all links of a path, and spells it as its folders do. Throws ENOENT, ELOOP, ENOTDIR, … */
  realpath(path: string): string;
  /**
   * Returns a path with its last name as its folder spells it: a file system that folds case finds `a.txt` as `A.TXT`.
   *
   * @param isThere whether `entry` has found something at the path
   */
  spelled(path: string, isThere: boolean): string;
  /** Returns whether a directory finds names in another spelling. It may not exist yet. */
  folds(directory: string): boolean;
  /** Returns the entry at a path, or undefined. */
  entry(path: string): VersionedEntry | undefined;
  /** Returns a link's target as it is stored. */
  readLink(path: string): string;
  /** @param most maximum bytes; throws EFBIG for a larger file, without reading it */
  readFile(path: string, most?: number): FileContent;
  /**
   * Lists a directory, not a link to one, in no particular order. Bytes that are not UTF-8 are escaped (`\xe9`); such
   * an entry cannot be addressed.
   */
  readDirectory(path: string): NamedEntry[];
  /** Like `readDirectory`, without asking the system about each entry. */
  namesIn(path: string): ReadonlyArray<Pick<NamedEntry, "name" | "kind">>;
  /**
   * Reads a file in pieces, until `visit` returns false. A piece is valid only during the call. Throws EMLINK, without
   * reading, if the file has more than `mostNames` names.
   */
  readPieces: ReadPieces;
  /**
   * Passes `act` a reader for files of one directory, by name. Much cheaper for many files. `act` must do nothing else.
   */
  readIn(directory: string, act: (readPieces: ReadPieces) => void): void;
  /**
   * Throws EACCES or EROFS if the file may not be read or written, or entries of the directory may not be made and
   * removed.
   */
  checkAccess(path: string, access: Access): void;
}

/** A volume that can be changed. Only overlays are: their changes reach the disk through the journal. */
export interface WritableVolume extends Volume {
  /**
   * Writes a file atomically and keeps the mode of the one it replaces. The parent must exist. Takes ownership of the
   * bytes.
   *
   * @param basis the version that the new bytes were made from; throws `Changed` if the current one differs
   */
  writeFile(path: string, bytes: Uint8Array, basis?: Version): void;
  /** Removes a file or a link. */
  unlink(path: string): void;
  /** Replaces a file or an empty directory at `to`. Works across file systems. */
  rename(from: string, to: string): void;
  makeDirectory(path: string): void;
  removeDirectory(path: string): void;
}

export type ReadPieces = (path: string, visit: (piece: Buffer) => boolean, mostNames?: number) => void;

/** Identifies a state of an entry: a file's version changes with every write. Opaque, only for comparison. */
export type Version = string;

export interface FileContent {
  readonly bytes: Buffer;
  readonly version: Version;
  /** As in `Entry`. */
  readonly names: number;
}

/** Somebody else changed a file after the version that its new bytes were made from. Nothing was written. */
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
  /** Number of names (hard links) of the file. */
  readonly names: number;
}

export interface VersionedEntry extends Entry {
  readonly version: Version;
}

export interface NamedEntry extends Entry {
  readonly name: string;
}

export function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): Version {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/**
 * Returns whether a version is newer than a moment, by the clock of the file system, in nanoseconds. False for pending
 * changes.
 */
export function isNewerThan(version: Version, moment: bigint): boolean {
  const changed = version.split(":")[4];
  return changed !== undefined && BigInt(changed) > moment;
}

/**
 * Returns whether a directory was moved here after a moment, or its permissions changed. A new entry would also have
 * changed its modification time.
 */
export function isMovedSince(version: Version, moment: bigint): boolean {
  const modified = version.split(":")[3];
  return isNewerThan(version, moment) && modified !== undefined && BigInt(modified) <= moment;
}
