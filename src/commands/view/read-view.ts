/** Compares what a command left in its view with the project: the result is what would have to be done to the project's files to make them the same. */
import { isUtf8 } from "node:buffer";
import { type BigIntStats, chmodSync, closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync } from "node:fs";
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { readableName } from "../../disk/scan.ts";
import type { Image } from "../../disk/operation.ts";
import { joinPath } from "../../paths/path-segments.ts";
import { attempt, isSystemError } from "../../disk/system-error.ts";
import { isMovedSince, isNewerThan } from "../../disk/version.ts";
import type { VersionedEntry, Volume } from "../../disk/volume.ts";
import { keepWhole } from "../../disk/images.ts";
import { textOf } from "./closed-places.ts";
import { DeletedMeanwhile } from "./deleted-meanwhile.ts";

/** Which entries of a view may differ from the project. Paths are relative to the root, as bytes in latin1. */
export interface Layer {
  readonly path: string;
  readonly knowsAll: boolean;
  isUntouched(entry: string, stats: BigIntStats): boolean;
  had(entry: string): boolean;
  deletedIn(directory: string, names: readonly string[]): readonly string[];
  originOf(entry: string, inode: bigint): bigint | undefined;
  openToOwner(directory: string): void;
}

/** What a command wants at a path. `path` is absolute, `old` what the project has there. */
export type Wanted = { readonly path: string; readonly old: VersionedEntry | undefined } & (
  | { readonly kind: "file"; readonly image: Image; readonly mode: number; readonly modified: number }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "directory"; readonly mode: number }
  | { readonly kind: "gone" }
);

/** Why something never lands. */
export type RefusalReason = "rule" | "name" | "special" | "set-id" | "link-target" | "closed" | "changed" | "mode" | "unreadable" | "repository" | "long" | "sparse";

export interface NotLanding {
  /** From the root on, readable. */
  readonly path: string;
  readonly reason: RefusalReason;
  /** The guard's, where that is the reason. */
  readonly rule?: string;
  /** Where the bytes are that the command wrote, as long as the view is open, where somebody else has changed the file. */
  readonly source?: Buffer;
  /** The folder in which these bytes are kept. */
  readonly kept?: string;
}

export interface ViewReading {
  /** Canonical. */
  readonly root: string;
  /** The project as the command was given it. */
  readonly before: Volume;
  readonly layer: Layer;
  /** The guard's rule against writing to a path, or undefined. `itself`: the entry is removed or replaced. */
  readonly ruleAgainst: (path: string, of: "target" | "itself") => string | undefined;
  /** Paths, as in a layer, that the view did not show. */
  readonly closed: ReadonlySet<string>;
  /** Paths, as in a layer, that were mounted read-only. */
  readonly mounted: ReadonlySet<string>;
  /** When the view was made, by the clock of the file system, in nanoseconds. */
  readonly made: bigint;
  /** Bytes of a file that is hardly more than holes: a larger one is not read, and does not land. */
  readonly mostSparse: number;
}

export interface ViewChanges {
  /** In an order in which it could be done. */
  readonly wanted: readonly Wanted[];
  readonly refused: readonly NotLanding[];
}

/** To be called when nothing of the command runs any more. Throws system errors. */
export function readView({ root, before, layer, ruleAgainst, closed, mounted, made, mostSparse }: ViewReading): ViewChanges {
  const wanted: Wanted[] = [];
  const refused: NotLanding[] = [];
  const moved = new Map<string, boolean>();
  const deleted = new DeletedMeanwhile({ root, made, at: (path) => entryIn(before, path), inProject });
  openToOwner("", modeOf(lstatSync(inLayer(""), { bigint: true })));
  visit("");
  for (const entry of deleted.takeOut(wanted)) refuse(entry, "changed");
  return { wanted, refused };

  function visit(directory: string): void {
    const names = listed(directory);
    for (const name of names) look(directory === "" ? name : `${directory}/${name}`);
    const own = new Set(names);
    const missing = namesBefore(directory).filter((name) => !own.has(name));
    const gone = layer.deletedIn(directory, missing).map((name) => (directory === "" ? name : `${directory}/${name}`));
    // Somebody may have moved another directory here, in which nothing is new.
    const isOther = !layer.knowsAll && directory !== "" && gone.length > 0 && isChanged(directory);
    for (const entry of gone) {
      if (isOther) refuse(entry, "changed");
      else lookAtGone(entry);
    }
  }

  function look(entry: string): void {
    if (mounted.has(entry)) return;
    deleted.touched.push(entry);
    const at = inLayer(entry);
    if (Math.max(at.length, root.length + entry.length) > LONGEST_PATH) {
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
    const old = entryIn(before, path);
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
      if (isDenied(entry, path, "target") || !isRoomMade(entry, path, old)) return;
      wanted.push({ kind: "directory", path, old, mode: mode | 0o700 });
    }
    visit(entry);
  }

  /** It may be closed to its owner, who is about to read it. */
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
    if (!isDenied(entry, path, "itself") && isRoomMade(entry, path, old)) wanted.push({ kind: "link", path, old, target });
  }

  function lookAtFile(entry: string, path: string, old: VersionedEntry | undefined, stats: BigIntStats): void {
    const [at, mode] = [inLayer(entry), modeOf(stats)];
    if ((mode & 0o400) === 0) chmodSync(at, mode | 0o400);
    const size = Number(stats.size);
    if (size > mostSparse && size > Number(stats.blocks) * BLOCK * MOST_SPREAD) {
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
    if (isDenied(entry, path, old?.kind === "file" ? "target" : "itself") || !isRoomMade(entry, path, old)) return;
    const one = { kind: "file", path, old, image, mode: mode | 0o400, modified: Number(stats.mtimeNs / 1_000n) / 1_000_000 } as const;
    wanted.push(one);
    if (old === undefined) deleted.consider(entry, one, () => layer.originOf(entry, stats.ino));
  }

  /** Whether what stands at a path may give way; a directory's entries are told to be gone then. */
  function isRoomMade(entry: string, path: string, old: VersionedEntry | undefined): boolean {
    if (old === undefined) return true;
    if (old.kind === "directory" && layer.had(entry)) return lookAtGone(entry);
    const isOthers = old.kind === "directory" || isNewerThan(old.version, made) || isMoved(dirname(path));
    const reason = isOthers ? "changed" : old.kind === "other" ? "special" : isReadable(path, old) ? undefined : "unreadable";
    if (reason !== undefined) refuse(entry, reason);
    return reason === undefined;
  }

  function isDenied(entry: string, path: string, of: "target" | "itself"): boolean {
    const rule = ruleAgainst(path, of);
    if (rule !== undefined) refused.push({ path: readable(entry), reason: "rule", rule });
    return rule !== undefined;
  }

  /** Whether somebody has changed what is in a directory of the project, or moved it there. */
  function isChanged(directory: string): boolean {
    const text = textOf(directory);
    const old = text === undefined ? undefined : entryIn(before, joinPath(root, text));
    return old !== undefined && isNewerThan(old.version, made);
  }

  /** Whether somebody else has moved a directory, or one above it, to its place: the command has not seen what is in it, and its files are as old as before. */
  function isMoved(directory: string): boolean {
    if (directory === root) return false;
    const known = moved.get(directory);
    if (known !== undefined) return known;
    const entry = entryIn(before, directory);
    const is = (entry?.kind === "directory" && isMovedSince(entry.version, made)) || isMoved(dirname(directory));
    moved.set(directory, is);
    return is;
  }

  /** What cannot be read could not be brought back. */
  function isReadable(path: string, old: VersionedEntry): boolean {
    return old.kind !== "file" || attempt(() => before.checkAccess(path, "read"));
  }

  /** @returns whether nothing of it is left then */
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
    const old = entryIn(before, path);
    if (old === undefined) {
      // Somebody else has deleted it; or its name is not UTF-8, and is shown with escapes.
      if (!ESCAPED.test(text)) return true;
      refuse(entry, "name");
      return false;
    }
    if (isDenied(entry, path, "itself")) return false;
    if (old.kind === "directory") {
      // What somebody has moved here need not be new itself.
      if (isNewerThan(old.version, made)) {
        refuse(entry, "changed");
        return false;
      }
      const isEmpty = namesBefore(entry).map((name) => lookAtGone(`${entry}/${name}`)).every(Boolean);
      if (isEmpty) wanted.push({ kind: "gone", path, old });
      return isEmpty;
    }
    if (!isRoomMade(entry, path, old)) return false;
    wanted.push({ kind: "gone", path, old });
    return true;
  }

  /** In a directory that was copied for the sake of one entry, only that entry is told. */
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
    refused.push({ path: readable(entry), reason, ...(isKept && { source: inLayer(entry) }) });
  }

  function listed(directory: string): string[] {
    return readdirSync(inLayer(directory), { encoding: "latin1" }).toSorted();
  }

  function namesBefore(directory: string): string[] {
    const text = textOf(directory);
    if (text === undefined) return [];
    const path = text === "" ? root : joinPath(root, text);
    if (entryIn(before, path)?.kind !== "directory") return [];
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

/** What stands at a path: nothing, too, where there is a file in the place of its directory. */
export function entryIn(volume: Volume, path: string): VersionedEntry | undefined {
  try {
    return volume.entry(path);
  } catch (thrown) {
    if (isSystemError(thrown) && thrown.code === "ENOTDIR") return undefined;
    throw thrown;
  }
}

/** No also where there is a file in the place of its directory. */
function isFileAt(path: Buffer): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

/** Of paths, in bytes: the system takes 4,095, and Loaf's own names beside an entry need some. */
const LONGEST_PATH = 3_800;
const ESCAPED = /\\x[0-9a-f]{2}/;

/** Of `blocks`, in bytes. */
const BLOCK = 512;
/** How many times the space that it takes a file may be long. Those that a file system compresses stay below. */
const MOST_SPREAD = 10;

/** A path as in a layer, for people. */
function readable(entry: string): string {
  return entry.split("/").map((name) => readableName(Buffer.from(name, "latin1"))).join("/");
}

/** What an overlay leaves where something of the lower layer was deleted: a character device 0,0. */
function isWhiteout(stats: BigIntStats): boolean {
  return stats.isCharacterDevice() && stats.rdev === 0n;
}

/** As layers compare it. */
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
