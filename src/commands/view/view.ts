/** What a command works on: the project as it is, with a writable layer that keeps its changes apart. */
import type { BigIntStats } from "node:fs";
import type { Command } from "../sandbox/sandbox.ts";

export type ViewMaker = "overlay" | "clone" | "copy";

export interface ViewPlace {
  /** Canonical path of the project. */
  readonly project: string;
  /** A folder of this view's own, outside the project. */
  readonly layer: string;
  readonly closed: ClosedToView;
  readonly onCopying?: OnCopying | undefined;
}

/** Called about once a second while the project is copied, and with undefined once that is over. Must not throw. */
export type OnCopying = (copied: { readonly files: number; readonly bytes: number } | undefined) => void;

/** What a command must not see. Paths from the root on, as bytes in latin1. */
export interface ClosedToView {
  readonly files: readonly string[];
  readonly directories: readonly string[];
  /** Every `.git`: they are mounted read-only, or not shown at all. */
  readonly repositories: readonly string[];
}

/** One view, open until it is closed. Nothing of it survives the process that made it but its layer folder, which the next run removes. */
export interface View {
  /** The view's files as this process reaches them while the view is open. */
  readonly files: string;
  /** The same folder as the command's namespace knows it: the sandbox binds it in place of the project. */
  readonly folder: string;
  /** Where the command's `tmp` and `home` lie, as its namespace knows the folder and as this process reaches it; undefined where the sandbox makes them itself. */
  readonly scratch?: { readonly folder: string; readonly files: string };
  /** Where to look for changes. */
  readonly layer: Layer;
  /** Directories, as in `closed`, that the view shows and the sandbox has to cover. */
  readonly masks: readonly string[];
  /** A command that runs where `folder` exists. */
  enter(command: Command): Command;
  /** Ends it, and removes its layer. */
  close(): Promise<void>;
}

/** Which entries of a view may differ from the project. Paths are relative to the root, as bytes in latin1. */
export interface Layer {
  /** Holds new and changed entries; readable as long as the view is open. */
  readonly path: string;
  /** Lets the owner read and enter a directory that a command has closed to them. */
  openToOwner(directory: string): void;
  /** Which of these names, that the layer does not have in a directory, the view does not show either: they were deleted. */
  deletedIn(directory: string, names: readonly string[]): readonly string[];
  /** Whether the view had an entry when it was made; true for all where that is not known. */
  had(entry: string): boolean;
  /** The inode in the project of a file that has another one in the layer; undefined for a new one. Any inode where the project's is not known. */
  originOf(entry: string, inode: bigint): bigint | undefined;
  /** Whether `had` knows. */
  readonly knowsAll: boolean;
  /** Notes an entry that Loaf put into the view before the command began. */
  noteAdded(entry: string): void;
  /** Whether an entry of the layer is as it was when the view was made. */
  isUntouched(entry: string, stats: BigIntStats): boolean;
}

/** The view could not be made. `reason` is what the system said, in a clause. */
export class ViewError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "ViewError";
  }
}

/** The path of an entry in a folder. @param entry from the folder on, as bytes in latin1 */
export function entryPath(folder: string, entry: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(entry, "latin1")]);
}
