/** What an overlay holds for a path that a run changes, and what all of it does to the project. */
import { basename, dirname } from "node:path";
import type { Change, Content } from "../core/change-set.ts";
import { append } from "../core/lists.ts";
import { foldName } from "../paths/names.ts";
import { joinPath } from "../paths/path-segments.ts";
import { keepWhole, MAX_HELD, readImage } from "./images.ts";
import { entryIfThere } from "./look.ts";
import type { Basis, Planned, Wanted } from "./planned.ts";
import { openFile, withFile } from "./choose-pins.ts";
import { systemError, unlessSystemError } from "./system-error.ts";
import type { Entry, Version, VersionedEntry, Volume } from "./volume.ts";
import type { AttemptRollback } from "../core/attempt-rollback.ts";

/** Like `Planned`. In a new directory is nothing but what the overlay holds. */
export interface Slot extends Omit<Planned, "path" | "authors"> {
  readonly authors: Authors;
  /** What was there before has moved away. */
  readonly hasLeft?: true;
}

/** Version of everything that exists only here, so nobody else can change it. */
export const STAGED: Version = "staged";

/** A directory of the lower volume: its version changes with its entries. */
export const DIRECTORY: Basis = { kind: "directory" };

/** Modes with the usual umask. */
const NEW_FILE_MODE = 0o644;
const NEW_DIRECTORY_MODE = 0o755;
const LINK_MODE = 0o777;

/** @param opened modification time to report for all changes */
export function entryOf(wanted: Wanted, base: Volume, opened: number): VersionedEntry | undefined {
  const made = { modified: opened, names: 1, version: STAGED };
  switch (wanted.kind) {
    case "moved":
      return base.entry(wanted.origin);
    case "file": {
      const { like, mode = (like === undefined ? undefined : base.entry(like)?.mode) ?? NEW_FILE_MODE } = wanted;
      return { kind: "file", size: wanted.content.length, mode, ...made };
    }
    case "link":
      return { kind: "link", size: Buffer.byteLength(wanted.target), mode: LINK_MODE, ...made };
    case "directory":
      return { kind: "directory", size: 0, mode: wanted.mode ?? NEW_DIRECTORY_MODE, ...made };
  }
}

/** Returns the errno if an entry cannot be renamed to a path, or undefined. */
export function refusalToRename(volume: Volume, moved: Entry, from: string, to: string): string | undefined {
  if (to.startsWith(joinPath(from, ""))) return "EINVAL";
  if (from.startsWith(joinPath(to, ""))) return "ENOTEMPTY";
  const target = volume.entry(to);
  if (moved.kind !== "directory") return target?.kind === "directory" ? "EISDIR" : undefined;
  if (target === undefined) return undefined;
  if (target.kind !== "directory") return "ENOTDIR";
  return volume.readDirectory(to).length > 0 ? "ENOTEMPTY" : undefined;
}

/** Returns whether a rename only changes how an entry is spelled, where the file system folds names. */
export function isRespelling(volume: Volume, from: string, to: string): boolean {
  return from !== to && foldName(from) === foldName(to) && volume.spelled(to, true) === from;
}

/** Returns everything in a directory, parents first. Throws if it holds what cannot be moved by its path. */
export function entriesIn(
  volume: Volume,
  directory: string,
): Array<{ readonly path: string; readonly entry: VersionedEntry }> {
  return volume.readDirectory(directory).flatMap(({ name }, index) => {
    const path = joinPath(directory, name);
    const entry = volume.entry(path);
    if (entry === undefined) throw systemError("EILSEQ", "rename", path);
    if (entry.kind === "other") throw systemError("ENOTSUP", "rename", path);
    if (index === 0) volume.checkAccess(directory, "write");
    return [{ path, entry }, ...(entry.kind === "directory" ? entriesIn(volume, path) : [])];
  });
}

/** Returns the path that an entry had before, if the lower volume has it. */
export function originOf(slot: Slot | undefined, path: string): string | undefined {
  if (slot === undefined) return path;
  return slot.from ?? (slot.basis === null || slot.hasLeft ? undefined : path);
}

/** The actions that asked for a change: a list that shares its beginning with those of earlier changes. */
interface Authors {
  readonly author: number;
  readonly earlier: ReadonlyArray<Authors | undefined>;
}

export function authorsOf(author: number, ...earlier: ReadonlyArray<Authors | undefined>): Authors {
  const [first] = earlier;
  return earlier.length === 1 && first?.author === author ? first : { author, earlier };
}

function positionsOf(authors: Authors): number[] {
  const positions = new Set<number>();
  const pending = [authors];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    positions.add(next.author);
    append(
      pending,
      next.earlier.filter((earlier) => earlier !== undefined),
    );
  }
  return [...positions].sort((a, b) => a - b);
}

/** Returns the bytes in memory of a file to be written. */
function heldBy(slot: Slot | undefined): number {
  return slot?.after?.kind === "file" && Buffer.isBuffer(slot.after.content) ? slot.after.content.length : 0;
}

/** Returns the bytes of a file to be written. */
export function bytesOf({ content }: Wanted & { readonly kind: "file" }): Buffer {
  return Buffer.isBuffer(content) ? content : readImage(content);
}

/**
 * Returns what is to become of a path. Undefined if it stays as it is.
 *
 * @param isKept whether something will be at a path that an entry has moved away from
 */
export function plannedOf(
  path: string,
  slot: Slot,
  base: Volume,
  isKept: (path: string) => boolean,
): Planned | undefined {
  const { hasLeft: _, authors, ...planned } = slot;
  const { after, basis } = slot;
  if (after?.kind === "directory" && basis === DIRECTORY) return undefined;
  if (after?.kind === "moved" && after.origin === path) return undefined;
  const isCopied = after?.kind === "moved" && (basis === DIRECTORY || isKept(after.origin));
  return { path, ...planned, ...(isCopied && { after: copyOf(after.origin, base) }), authors: positionsOf(authors) };
}

/** Returns a copy of an entry that cannot simply be renamed. */
function copyOf(origin: string, base: Volume): Wanted {
  const { kind, size = 0 } = base.entry(origin) ?? {};
  if (kind === "link") return { kind: "link", target: base.readLink(origin) };
  if (size <= MAX_HELD) return { kind: "file", content: base.readFile(origin).bytes, like: origin };
  const { sha256 } = withFile(openFile(origin), (file) => keepWhole(file, size));
  return { kind: "file", content: { log: origin, offset: 0, length: size, sha256 }, like: origin };
}

/**
 * The changed paths of an overlay. A path that is not among them is as the lower volume has it, unless something above
 * it was made or removed.
 */
export class Slots {
  readonly #slots = new Map<string, Slot>();
  /** Names of the changed entries, by directory. */
  readonly #names = new Map<string, Set<string>>();
  /** Changed paths that differ only in the spelling of their last names. */
  readonly #spellings = new Map<string, Set<string>>();
  readonly #undo: AttemptRollback;
  #held = 0;

  constructor(undo: AttemptRollback) {
    this.#undo = undo;
  }

  get count(): number {
    return this.#slots.size;
  }

  /** Bytes held for files to be written. */
  get held(): number {
    return this.#held;
  }

  get(path: string): Slot | undefined {
    return this.#slots.get(path);
  }

  all(): Array<[path: string, slot: Slot]> {
    return [...this.#slots];
  }

  namesIn(directory: string): ReadonlySet<string> | undefined {
    return this.#names.get(directory);
  }

  /** Returns the path of another entry that was changed, in the same directory and with the same folded name. */
  spelledOtherwise(path: string): string | undefined {
    const isThere = (at: string): boolean => (this.#slots.get(at)?.after ?? null) !== null;
    return isThere(path) ? undefined : [...(this.#spellings.get(foldedPath(path)) ?? [])].find(isThere);
  }

  /** Returns the nearest change above a path. */
  above(path: string): Slot | undefined {
    if (this.#slots.size === 0) return undefined;
    for (let at = dirname(path); ; at = dirname(at)) {
      const slot = this.#slots.get(at);
      if (slot !== undefined || at === dirname(at)) return slot;
    }
  }

  /** Drops a slot for a path where nothing was and nothing is. */
  put(path: string, slot: Slot): void {
    const [known, held] = [this.#slots.get(path), this.#held];
    const isNothing = slot.after === null && slot.basis === null;
    this.#undo.note(() => {
      this.#store(path, known);
      this.#held = held;
    });
    this.#held += heldBy(slot) - heldBy(known);
    this.#store(path, isNothing ? undefined : slot);
  }

  clear(): void {
    this.#slots.clear();
    this.#names.clear();
    this.#spellings.clear();
    this.#held = 0;
  }

  #store(path: string, slot: Slot | undefined): void {
    if (slot === undefined) this.#slots.delete(path);
    else this.#slots.set(path, slot);
    note(this.#names, dirname(path), basename(path), slot !== undefined);
    note(this.#spellings, foldedPath(path), path, slot !== undefined);
  }
}

/** Adds a value to the set at a key, or takes it out. */
function note(sets: Map<string, Set<string>>, key: string, value: string, isIn: boolean): void {
  const values = sets.get(key) ?? new Set();
  if (isIn) values.add(value);
  else values.delete(value);
  if (values.size === 0) sets.delete(key);
  else sets.set(key, values);
}

function foldedPath(path: string): string {
  return joinPath(dirname(path), foldName(basename(path)));
}

/** Maximum bytes shown over all changes. A file that exceeds the remaining budget is not read. */
const MAX_SHOWN = 32 * 2 ** 20;

/**
 * Returns the differences at changed paths, sorted by path. A file too large to show counts as different if it was
 * replaced, even by an equal one.
 *
 * @param mayShow whether the bytes of a file may be shown
 */
export function changesOf(
  slots: ReadonlyArray<readonly [path: string, slot: Slot]>,
  { before, after }: { readonly before: Volume; readonly after: Volume },
  mayShow: (path: string) => boolean,
): Change[] {
  let left = MAX_SHOWN;
  const shown = (volume: Volume, path: string, content: Content | undefined): Content | undefined => {
    if (content?.kind !== "file" || !mayShow(path)) return content;
    const bytes = bytesAt(volume, path, content.size, left);
    if (bytes === undefined) return content;
    left -= bytes.length;
    return { ...content, bytes };
  };
  const hasSameBytes = (path: string, { after: wanted }: Slot, size: number): boolean => {
    if (wanted?.kind === "moved" && wanted.origin === path) return true;
    const old = bytesAt(before, path, size, MAX_SHOWN);
    return old !== undefined && bytesAt(after, path, size, MAX_SHOWN)?.equals(old) === true;
  };
  return slots
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, slot]): Change | [] => {
      const old = slot.basis === null ? undefined : contentAt(before, path);
      const current = slot.after === null ? undefined : contentAt(after, path);
      const isSame = isAlike(old, current) && (old?.kind !== "file" || hasSameBytes(path, slot, old.size));
      return isSame ? [] : { path, before: old, after: current };
    })
    .map(({ path, ...change }) => ({
      path,
      before: shown(before, path, change.before),
      after: shown(after, path, change.after),
    }));
}

function contentAt(volume: Volume, path: string): Content | undefined {
  const { kind, mode = 0, size = 0 } = entryIfThere(path, volume) ?? {};
  if (kind === "file") return { kind, mode, size };
  if (kind === "link") return { kind, target: volume.readLink(path) };
  return kind === "directory" ? { kind } : undefined;
}

/** Compares everything but the bytes of files. */
function isAlike(a: Content | undefined, b: Content | undefined): boolean {
  if (a?.kind === "file" && b?.kind === "file") return a.mode === b.mode && a.size === b.size;
  if (a?.kind === "link" && b?.kind === "link") return a.target === b.target;
  return a?.kind === b?.kind;
}

/** Returns undefined if there are too many bytes, or on a system error: an unreadable file can still be deleted. */
function bytesAt(volume: Volume, path: string, size: number, most: number): Buffer | undefined {
  return size > most ? undefined : unlessSystemError(() => volume.readFile(path).bytes, undefined);
}
