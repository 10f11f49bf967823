/**
 * What a command works on: the project as it is, with a writable layer that holds its changes. And these changes, as
 * the project would take them over.
 */
import type { BigIntStats } from "node:fs";
import type { Command } from "../sandbox/sandbox.ts";
import type { Image, NewEntry } from "../../disk/planned.ts";
import type { VersionedEntry, Volume } from "../../disk/volume.ts";
import type { PlacedEntry } from "../../guard/placement.ts";

export type ViewMaker = "overlay" | "clone" | "copy";

export interface ViewPlace {
  /** Canonical path of the project. */
  readonly project: string;
  /** This view's own folder, outside the project. */
  readonly layer: string;
  readonly closed: ClosedToView;
  readonly onCopying?: OnCopying | undefined;
}

/** Called about once a second while the project is copied, and with undefined at the end. Must not throw. */
export type OnCopying = (copied: { readonly files: number; readonly bytes: number } | undefined) => void;

/** What a command must not see. Paths relative to the root, as bytes in latin1. */
export interface ClosedToView {
  /** Files, and sockets, which reach out of any sandbox. */
  readonly files: readonly string[];
  /** Directories that are closed entirely or cannot be listed. */
  readonly directories: readonly string[];
  /** Every `.git`, of the project and of nested repositories: mounted read-only, or hidden. */
  readonly repositories: readonly string[];
}

/** A view, open until it is closed. If its process dies, only the layer folder survives, which the next run removes. */
export interface View {
  /** The view's files, reachable for this process while the view is open. */
  readonly files: string;
  /** The same folder in the command's namespace: the sandbox binds it in place of the project. */
  readonly folder: string;
  /**
   * The command's `tmp` and `home`, as its namespace and this process reach them. Undefined if the sandbox makes them.
   */
  readonly scratch?: { readonly folder: string; readonly files: string };
  /** Where to look for changes. */
  readonly layer: Layer;
  /** Directories, as in `closed`, that the view shows and the sandbox must cover. */
  readonly masks: readonly string[];
  /** Returns a command that runs where `folder` exists. */
  enter(command: Command): Command;
  /** Ends the view and removes its layer. */
  close(): Promise<void>;
}

/** Entries of a view that may differ from the project. Paths are relative to the root, as bytes in latin1. */
export interface Layer {
  /** Holds new and changed entries. Readable while the view is open. */
  readonly path: string;
  /** Gives the owner access to a directory that a command has closed. */
  openToOwner(directory: string): void;
  /** Returns the names that were deleted, out of those that the layer lacks. */
  deletedIn(directory: string, names: readonly string[]): readonly string[];
  /** Returns whether the view had an entry at the beginning. True for all if that is unknown. */
  had(entry: string): boolean;
  /**
   * Returns the inode that a file of the layer had in the project. Undefined for a new file, or any inode if unknown.
   */
  originOf(entry: string, inode: bigint): bigint | undefined;
  /** Whether `had` is exact. */
  readonly knowsAll: boolean;
  /** Records an entry that Loaf added before the command began. */
  noteAdded(entry: string): void;
  /** Returns whether an entry of the layer is unchanged since the view was made. */
  isUntouched(entry: string, stats: BigIntStats): boolean;
}

/** The view could not be made. The message is the system's, as a clause. */
export class ViewError extends Error {
  override readonly name = "ViewError";
}

/** Returns an entry's path relative to the root, whose own path is "". */
export function inDirectory(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}

/**
 * Returns the path of an entry in a folder.
 *
 * @param entry relative to the folder, as bytes in latin1
 */
export function entryPath(folder: string, entry: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(entry, "latin1")]);
}

/** What a command wants at a path. `path` is absolute, `old` is the project's entry. */
export type ViewChange = { readonly path: string; readonly old: VersionedEntry | undefined } & (
  NewEntry<Image> | { readonly kind: "gone" }
);

/** Why a change does not land. */
export type RefusalReason =
  | "rule"
  | "name"
  | "special"
  | "set-id"
  | "link-target"
  | "closed"
  | "hidden"
  | "changed"
  | "mode"
  | "unreadable"
  | "repository"
  | "long"
  | "sparse"
  | "moved";

export interface RefusedChange {
  /** Relative to the root, readable. */
  readonly path: string;
  readonly reason: RefusalReason;
  /** The guard's rule, for reason `rule`. */
  readonly rule?: string;
  /** Path of the command's version, if somebody else changed the file. Valid while the view is open. */
  readonly source?: Buffer;
  /** Folder where that version is saved. */
  readonly kept?: string;
}

/** Whether a change concerns what a path leads to, or the entry itself, which is removed or replaced. */
export type ChangeOf = "target" | "itself";

export interface ViewReading {
  /** Canonical. */
  readonly root: string;
  /** The project as the command first saw it. */
  readonly before: Volume;
  readonly layer: Omit<Layer, "noteAdded">;
  /** Returns the guard's rule against a change at a path, or undefined. */
  readonly ruleAgainst: (path: string, placed: PlacedEntry, of: ChangeOf) => string | undefined;
  /** Paths that the view hid, in the layer's naming. */
  readonly closed: ReadonlySet<string>;
  /** Paths that were mounted read-only, in the layer's naming. */
  readonly mounted: ReadonlySet<string>;
  /** Time when the view was made, by the clock of the file system, in nanoseconds. */
  readonly made: bigint;
  /** Maximum size in bytes of a sparse file. Larger ones are not read and do not land. */
  readonly mostSparse: number;
}

export interface ViewChanges {
  /** In an order in which they can be made. */
  readonly wanted: readonly ViewChange[];
  readonly refused: readonly RefusedChange[];
}
