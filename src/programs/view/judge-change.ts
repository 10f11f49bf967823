/** Judges whether an entry of the project may be replaced or removed, and whether a command's file may take its place. */
import { type BigIntStats, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { dirname } from "node:path";
import { tryOr } from "../../core/errors.ts";
import { append } from "../../core/lists.ts";
import { entryIfThere } from "../../disk/look.ts";
import { attempt } from "../../disk/system-error.ts";
import { isMovedSince, isNewerThan, type VersionedEntry, type Volume } from "../../disk/volume.ts";
import { isWithin } from "../../paths/path-segments.ts";
import { entryPath, type Layer, type RefusalReason, type ViewReading, type ViewChange } from "./view.ts";

/** Size of one of the `blocks`, in bytes. */
const BLOCK = 512;
/** Maximum ratio of a file's length to its disk space. Compressing file systems stay below. */
const MAX_SPARSE_RATIO = 10;

export class ChangeJudge {
  readonly #reading: ViewReading;
  /** Whether a directory, or a parent, was moved to its place, by path. */
  readonly #moved = new Map<string, boolean>();

  constructor(reading: ViewReading) {
    this.#reading = reading;
  }

  /** Returns why an entry stays. A directory is somebody else's here: the command saw another entry. */
  reasonToKeep(path: string, old: VersionedEntry): RefusalReason | undefined {
    if (old.kind === "directory" || this.isChanged(old) || this.#isMoved(dirname(path))) return "changed";
    if (old.kind === "other") return "special";
    return this.#isReadable(path, old) ? undefined : "unreadable";
  }

  /** Returns whether somebody changed an entry. For a directory: its entries, or it was moved here. */
  isChanged({ version }: VersionedEntry): boolean {
    return isNewerThan(version, this.#reading.made);
  }

  /** Returns whether a file is too sparse to be read. */
  isSparse({ size, blocks }: BigIntStats): boolean {
    return Number(size) > this.#reading.mostSparse && Number(size) > Number(blocks) * BLOCK * MAX_SPARSE_RATIO;
  }

  /** Returns whether a file would run with its owner's rights, and did not before. */
  isNewSetId(mode: number, old: VersionedEntry | undefined): boolean {
    return (mode & 0o6000) !== 0 && (old?.kind !== "file" || old.mode !== mode);
  }

  /** Returns whether somebody moved a directory, or a parent, here. The command never saw its files, which look old. */
  #isMoved(directory: string): boolean {
    const { root, before, made } = this.#reading;
    if (directory === root) return false;
    const known = this.#moved.get(directory);
    if (known !== undefined) return known;
    const entry = entryIfThere(directory, before);
    const is = (entry?.kind === "directory" && isMovedSince(entry.version, made)) || this.#isMoved(dirname(directory));
    this.#moved.set(directory, is);
    return is;
  }

  /** An unreadable file could not be restored. */
  #isReadable(path: string, old: VersionedEntry): boolean {
    return old.kind !== "file" || attempt(() => this.#reading.before.checkAccess(path, "read"));
  }
}

interface Suspect {
  readonly entry: string;
  readonly one: ViewChange;
  readonly origin: bigint;
}

export class DeletedMeanwhile {
  /** All entries that the layer reports. */
  readonly touched: string[] = [];
  readonly #reading: ViewReading;
  readonly #suspects: Suspect[] = [];
  readonly #isChanged = new Map<string, boolean>();

  constructor(reading: ViewReading) {
    this.#reading = reading;
  }

  /** @param originOf returns the inode that a file of the layer had in the project; undefined for a new file */
  consider(entry: string, change: ViewChange, originOf: () => bigint | undefined): void {
    if (!this.#isChangedSince(dirname(change.path)) || this.#inode(entry) !== undefined) return;
    const origin = originOf();
    if (origin !== undefined) this.#suspects.push({ entry, one: change, origin });
  }

  /**
   * Removes such files from the wanted changes, with folders made only for them. If the project still has a file's
   * inode, the command moved or linked it.
   *
   * @returns their entries
   */
  removeFrom(wanted: ViewChange[]): readonly string[] {
    if (this.#suspects.length === 0) return [];
    const inodes = new Set(this.touched.map((entry) => this.#inode(entry)));
    const deleted = this.#suspects.filter(({ origin }) => !inodes.has(origin));
    const out = new Set(deleted.map(({ one }) => one));
    const left = wanted.filter((entry) => !out.has(entry));
    const isUnneeded = ({ kind, old, path }: ViewChange): boolean =>
      kind === "directory" &&
      old === undefined &&
      deleted.some(({ one }) => isWithin(one.path, path)) &&
      !left.some((other) => other.kind !== "directory" && isWithin(other.path, path));
    wanted.length = 0;
    append(
      wanted,
      left.filter((entry) => !isUnneeded(entry)),
    );
    return deleted.map(({ entry }) => entry);
  }

  /**
   * Returns whether somebody changed a directory's entries. For a missing directory, checks the nearest existing one
   * above.
   */
  #isChangedSince(directory: string): boolean {
    const { root, made, before } = this.#reading;
    const known = this.#isChanged.get(directory);
    if (known !== undefined) return known;
    const there = entryIfThere(directory, before);
    const is =
      there === undefined
        ? directory !== root && this.#isChangedSince(dirname(directory))
        : isNewerThan(there.version, made);
    this.#isChanged.set(directory, is);
    return is;
  }

  #inode(entry: string): bigint | undefined {
    // Throws if a file is in the place of its directory.
    const path = entryPath(this.#reading.root, entry);
    return tryOr(() => lstatSync(path, { throwIfNoEntry: false, bigint: true })?.ino, undefined);
  }
}

export class StrandedEntries {
  readonly #layer: Pick<Layer, "path" | "openToOwner">;
  /** What a move does not change. */
  readonly #marks = new Set<string>();

  constructor(layer: Pick<Layer, "path" | "openToOwner">) {
    this.#layer = layer;
  }

  /** @param entry that does not land, with all below it */
  note(entry: string): void {
    const pending = [entry];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) append(pending, this.#noteOnly(next));
  }

  /** Returns the entries below it. */
  #noteOnly(entry: string): string[] {
    const path = entryPath(this.#layer.path, entry);
    const below: string[] = [];
    attempt(() => {
      const stats = lstatSync(path);
      if (stats.isFile())
        for (const rounding of [-1, 0, 1]) this.#marks.add(fileMark(stats.size, stats.mtimeMs + rounding));
      else if (stats.isSymbolicLink()) this.#marks.add(linkMark(readlinkSync(path)));
      else if (stats.isDirectory()) {
        if ((stats.mode & 0o700) !== 0o700) this.#layer.openToOwner(entry);
        for (const name of readdirSync(path, "latin1")) below.push(`${entry}/${name}`);
      }
    });
    return below;
  }

  /** Returns the deleted paths that may be their origins, with the directories around them. */
  origins(wanted: readonly ViewChange[], before: Volume): ReadonlySet<string> {
    const kept = new Set<string>();
    if (this.#marks.size === 0) return kept;
    for (const { kind, path, old } of wanted) {
      const mark =
        old?.kind === "file"
          ? fileMark(old.size, old.modified)
          : old?.kind === "link"
            ? linkMark(before.readLink(path))
            : undefined;
      if (kind !== "gone" || mark === undefined || !this.#marks.has(mark)) continue;
      for (let at = path; !kept.has(at) && at !== dirname(at); at = dirname(at)) kept.add(at);
    }
    return kept;
  }
}

/** @param modified in milliseconds */
function fileMark(size: number, modified: number): string {
  return `file ${size} ${Math.trunc(modified)}`;
}

function linkMark(target: string): string {
  return `link ${target}`;
}
