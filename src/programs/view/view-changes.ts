/** The changes that a command made on its view, as the project would take them over, and those that it does not. */
import type { Image } from "../../disk/planned.ts";
import type { VersionedEntry, Volume } from "../../disk/volume.ts";
import type { Placed } from "../../guard/placement.ts";
import type { Layer } from "./view.ts";

/** What a command wants at a path. `path` is absolute, `old` is the project's entry. */
export type Wanted = { readonly path: string; readonly old: VersionedEntry | undefined } & (
  | { readonly kind: "file"; readonly image: Image; readonly mode: number; readonly modified: number }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "directory"; readonly mode: number }
  | { readonly kind: "gone" }
);

/** Why a change does not land. */
export type RefusalReason =
  | "rule" | "name" | "special" | "set-id" | "link-target" | "closed" | "hidden" | "changed" | "mode" | "unreadable"
  | "repository" | "long" | "sparse" | "moved";

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
  readonly ruleAgainst: (path: string, placed: Placed, of: ChangeOf) => string | undefined;
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
  readonly wanted: readonly Wanted[];
  readonly refused: readonly RefusedChange[];
}
