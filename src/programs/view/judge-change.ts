/** Judges whether an entry of the project may be replaced or removed, and whether a command's file may take its place. */
import type { BigIntStats } from "node:fs";
import { dirname } from "node:path";
import { entryIfThere } from "../../disk/look.ts";
import { attempt } from "../../disk/system-error.ts";
import { isMovedSince, isNewerThan } from "../../disk/version.ts";
import type { VersionedEntry } from "../../disk/volume.ts";
import type { RefusalReason, ViewReading } from "./view-changes.ts";

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
