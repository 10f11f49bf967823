/**
 * Compares a view after a command with the project. The result is the list of changes that would make the project the
 * same.
 */
import { isUtf8 } from "node:buffer";
import {
  type BigIntStats, chmodSync, closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync
} from "node:fs";
import { createHash } from "node:crypto";
import { dirname, relative } from "node:path";
import { readableName } from "../../disk/scan.ts";
import type { Image } from "../../disk/operation.ts";
import { joinPath } from "../../paths/path-segments.ts";
import { attempt } from "../../disk/system-error.ts";
import { isMovedSince, isNewerThan } from "../../disk/version.ts";
import { entryIfThere } from "../../disk/entry-if-there.ts";
import { type VersionedEntry, type Volume } from "../../disk/volume.ts";
import { keepWhole } from "../../disk/images.ts";
import { textOf } from "./closed-places.ts";
import { StrandedEntries } from "./stranded-entries.ts";
import { DeletedMeanwhile } from "./deleted-meanwhile.ts";
import { tryOr } from "../../core/errors.ts";

/** Entries of a view that may differ from the project. Paths are relative to the root, as bytes in latin1. */
export interface Layer {
  readonly path: string;
  readonly knowsAll: boolean;
  isUntouched(entry: string, stats: BigIntStats): boolean;
  had(entry: string): boolean;
  deletedIn(directory: string, names: readonly string[]): readonly string[];
  originOf(entry: string, inode: bigint): bigint | undefined;
  openToOwner(directory: string): void;
}

/** What a command wants at a path. `path` is absolute, `old` is the project's entry. */
export type Wanted = { readonly path: string; readonly old: VersionedEntry | undefined } & (
  | { readonly kind: "file"; readonly image: Image; readonly mode: number; readonly modified: number }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "directory"; readonly mode: number }
  | { readonly kind: "gone" }
);

/** Why a change does not land. */
export type RefusalReason =
  | "rule" | "name" | "special" | "set-id" | "link-target" | "closed" | "changed" | "mode" | "unreadable"
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

export interface ViewReading {
  /** Canonical. */
  readonly root: string;
  /** The project as the command first saw it. */
  readonly before: Volume;
  readonly layer: Layer;
  /** Returns the guard's rule against writing to a path, or undefined. `itself`: the entry is removed or replaced. */
  readonly ruleAgainst: (path: string, of: "target" | "itself") => string | undefined;
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

/** Call it when no process of the command runs any more. Throws system errors. */
export function readView({
  root, before, layer, ruleAgainst, closed, mounted, made, mostSparse
}: ViewReading): ViewChanges {
  const wanted: Wanted[] = [];
  const refused: RefusedChange[] = [];
  const moved = new Map<string, boolean>();
  const stranded = new StrandedEntries(layer);
  const deleted = new DeletedMeanwhile({ root, made, at: (path) => entryIfThere(before, path), inProject });
  openToOwner("", modeOf(lstatSync(inLayer(""), { bigint: true })));
  visit("");
  for (const entry of deleted.removeFrom(wanted)) refuse(entry, "changed");
  const kept = stranded.origins(wanted, before);
  const left = wanted.filter(({ path, kind, old }) => kind === "gone" && old?.kind !== "directory" && kept.has(path));
  for (const { path } of left) refused.push({ path: relative(root, path), reason: "moved" });
  return { wanted: wanted.filter(({ kind, path }) => kind !== "gone" || !kept.has(path)), refused };

  function visit(directory: string): void {
    const names = listed(directory);
    for (const name of names) lookAt(directory === "" ? name : `${directory}/${name}`);
    const own = new Set(names);
    const missing = namesBefore(directory).filter((name) => !own.has(name));
    const gone = layer.deletedIn(directory, missing).map((name) => (directory === "" ? name : `${directory}/${name}`));
    // Somebody may have moved another directory here, whose entries are all old.
    const isOther = !layer.knowsAll && directory !== "" && gone.length > 0 && isChanged(directory);
    for (const entry of gone) {
      if (isOther) refuse(entry, "changed");
      else lookAtGone(entry);
    }
  }

  function lookAt(entry: string): void {
    if (mounted.has(entry)) return;
    deleted.touched.push(entry);
    const at = inLayer(entry);
    if (Math.max(at.length, root.length + entry.length) > MAX_PATH) {
      refuse(entry, "long");
      return;
    }
    const stats = lstatSync(at, { bigint: true });
    if (isWhiteout(stats)) {
      lookAtGone(entry);
      return;
    }
    if (!stats.isDirectory() && layer.isUntouched(entry, stats)) return;
    const text = textOf(entry);
    if (text === undefined) {
      lookAtUnnameable(entry, stats);
      return;
    }
    const path = joinPath(root, text);
    const old = entryIfThere(before, path);
    if (stats.isDirectory()) lookAtDirectory(entry, path, old, stats);
    else if (closed.has(entry) && old !== undefined) refuse(entry, "closed");
    else if (stats.isSymbolicLink()) lookAtLink(entry, path, old, readlinkSync(at, { encoding: "buffer" }));
    else if (!stats.isFile()) refuse(entry, "special");
    else lookAtFile(entry, path, old, stats);
  }

  function lookAtDirectory(entry: string, path: string, old: VersionedEntry | undefined, stats: BigIntStats): void {
    const mode = modeOf(stats);
    openToOwner(entry, mode);
    if (old?.kind === "directory") {
      if (mode !== old.mode) refuse(entry, "mode");
    } else {
      if (!mayLand(entry, path, old, "target")) return;
      wanted.push({ kind: "directory", path, old, mode: mode | 0o700 });
    }
    visit(entry);
  }

  /** The owner may have no access to it, but needs to read it. */
  function openToOwner(directory: string, mode: number): void {
    if ((mode & 0o700) !== 0o700) layer.openToOwner(directory);
  }

  function lookAtLink(entry: string, path: string, old: VersionedEntry | undefined, bytes: Buffer): void {
    if (!isUtf8(bytes)) {
      refuse(entry, "link-target");
      return;
    }
    const target = bytes.toString();
    if (old?.kind === "link" && before.readLink(path) === target) return;
    if (mayLand(entry, path, old, "itself")) wanted.push({ kind: "link", path, old, target });
  }

  function lookAtFile(entry: string, path: string, old: VersionedEntry | undefined, stats: BigIntStats): void {
    const [at, mode] = [inLayer(entry), modeOf(stats)];
    if ((mode & 0o400) === 0) chmodSync(at, mode | 0o400);
    const size = Number(stats.size);
    if (size > mostSparse && size > Number(stats.blocks) * BLOCK * MAX_SPARSE_RATIO) {
      refuse(entry, "sparse");
      return;
    }
    const sha256 = digestOf(at, size);
    if (old?.kind === "file" && old.mode === mode && old.size === size && isSameAs(path, sha256)) return;
    if ((mode & 0o6000) !== 0 && (old?.kind !== "file" || old.mode !== mode)) {
      refuse(entry, "set-id");
      return;
    }
    const image = { log: at.toString(), offset: 0, length: size, sha256 };
    if (!mayLand(entry, path, old, old?.kind === "file" ? "target" : "itself")) return;
    const one = {
      kind: "file", path, old, image, mode: mode | 0o400, modified: Number(stats.mtimeNs / 1_000n) / 1_000_000
    } as const;
    wanted.push(one);
    if (old === undefined) deleted.consider(entry, one, () => layer.originOf(entry, stats.ino));
  }

  function mayLand(entry: string, path: string, old: VersionedEntry | undefined, of: "target" | "itself"): boolean {
    const may = !isDenied(entry, path, of) && mayReplace(entry, path, old);
    if (!may) stranded.note(entry);
    return may;
  }

  /** Returns whether the existing entry may be replaced. Reports a directory's entries as gone. */
  function mayReplace(entry: string, path: string, old: VersionedEntry | undefined): boolean {
    if (old === undefined) return true;
    if (old.kind === "directory" && layer.had(entry)) return lookAtGone(entry);
    const isForeign = old.kind === "directory" || isNewerThan(old.version, made) || isMoved(dirname(path));
    const reason =
      isForeign ? "changed" : old.kind === "other" ? "special" : isReadable(path, old) ? undefined : "unreadable";
    if (reason !== undefined) refuse(entry, reason);
    return reason === undefined;
  }

  function isDenied(entry: string, path: string, of: "target" | "itself"): boolean {
    const rule = ruleAgainst(path, of);
    if (rule !== undefined) refused.push({ path: readable(entry), reason: "rule", rule });
    return rule !== undefined;
  }

  /** Returns whether somebody changed a directory's entries, or moved it here. */
  function isChanged(directory: string): boolean {
    const text = textOf(directory);
    const old = text === undefined ? undefined : entryIfThere(before, joinPath(root, text));
    return old !== undefined && isNewerThan(old.version, made);
  }

  /** Returns whether somebody moved a directory, or a parent, here. The command never saw its files, which look old. */
  function isMoved(directory: string): boolean {
    if (directory === root) return false;
    const known = moved.get(directory);
    if (known !== undefined) return known;
    const entry = entryIfThere(before, directory);
    const is = (entry?.kind === "directory" && isMovedSince(entry.version, made)) || isMoved(dirname(directory));
    moved.set(directory, is);
    return is;
  }

  /** An unreadable file could not be restored. */
  function isReadable(path: string, old: VersionedEntry): boolean {
    return old.kind !== "file" || attempt(() => before.checkAccess(path, "read"));
  }

  /** @returns whether nothing is left of it */
  function lookAtGone(entry: string): boolean {
    deleted.touched.push(entry);
    if (closed.has(entry) || mounted.has(entry)) return false;
    if (!layer.had(entry)) return false;
    const text = textOf(entry);
    if (text === undefined) {
      refuse(entry, "name");
      return false;
    }
    const path = joinPath(root, text);
    const old = entryIfThere(before, path);
    if (old === undefined) {
      // Somebody else deleted it; or its name is not UTF-8 and shown with escapes.
      if (!ESCAPED.test(text)) return true;
      refuse(entry, "name");
      return false;
    }
    if (isDenied(entry, path, "itself")) return false;
    if (old.kind === "directory") {
      // A moved directory need not have a new time itself.
      if (isNewerThan(old.version, made)) {
        refuse(entry, "changed");
        return false;
      }
      const isEmpty = namesBefore(entry).map((name) => lookAtGone(`${entry}/${name}`)).every(Boolean);
      if (isEmpty) wanted.push({ kind: "gone", path, old });
      return isEmpty;
    }
    if (!mayReplace(entry, path, old)) return false;
    wanted.push({ kind: "gone", path, old });
    return true;
  }

  /** In a directory copied up for one entry, reports only that entry. */
  function lookAtUnnameable(entry: string, stats: BigIntStats): void {
    const isOld = stats.isDirectory() && lstatSync(inProject(entry), { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isOld) refuse(entry, "name");
    else visit(entry);
  }

  function isSameAs(path: string, sha256: string): boolean {
    const digest = createHash("sha256");
    before.readPieces(path, (piece) => (digest.update(piece), true));
    return digest.digest("hex") === sha256;
  }

  function refuse(entry: string, reason: RefusalReason): void {
    const isKept = reason === "changed" && isFileAt(inLayer(entry));
    if (reason !== "mode") stranded.note(entry);
    refused.push({ path: readable(entry), reason, ...(isKept && { source: inLayer(entry) }) });
  }

  function listed(directory: string): string[] {
    return readdirSync(inLayer(directory), { encoding: "latin1" }).toSorted();
  }

  function namesBefore(directory: string): string[] {
    const text = textOf(directory);
    if (text === undefined) return [];
    const path = text === "" ? root : joinPath(root, text);
    if (entryIfThere(before, path)?.kind !== "directory") return [];
    const names = before.namesIn(path).map(({ name }) => Buffer.from(name).toString("latin1"));
    return names.toSorted();
  }

  function inLayer(entry: string): Buffer {
    return Buffer.concat([Buffer.from(`${layer.path}/`), Buffer.from(entry, "latin1")]);
  }

  function inProject(entry: string): Buffer {
    return Buffer.concat([Buffer.from(joinPath(root, "")), Buffer.from(entry, "latin1")]);
  }
}

/** Returns false also if a parent is a file. */
function isFileAt(path: Buffer): boolean {
  return tryOr(() => lstatSync(path).isFile(), false);
}

/** In bytes. The system accepts 4,095, and Loaf's temporary names beside an entry need some. */
const MAX_PATH = 3_800;
const ESCAPED = /\\x[0-9a-f]{2}/;

/** Size of one of the `blocks`, in bytes. */
const BLOCK = 512;
/** Maximum ratio of a file's length to its disk space. Compressing file systems stay below. */
const MAX_SPARSE_RATIO = 10;

/** Returns a layer's path in readable form. */
function readable(entry: string): string {
  return entry.split("/").map((name) => readableName(Buffer.from(name, "latin1"))).join("/");
}

/** Recognises an overlay's mark for a deletion: a character device 0,0. */
function isWhiteout(stats: BigIntStats): boolean {
  return stats.isCharacterDevice() && stats.rdev === 0n;
}

/** Returns the mode bits that layers compare. */
function modeOf({ mode }: BigIntStats): number {
  return Number(mode) & 0o7777;
}

function digestOf(path: Buffer, size: number): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return keepWhole(file, size).sha256;
  } finally {
    closeSync(file);
  }
}
