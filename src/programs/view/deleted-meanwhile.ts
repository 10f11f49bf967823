/**
 * Finds files that somebody deleted while a command changed them. Compared with the project they look new, and would be
 * restored.
 */
import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { isWithin } from "../../paths/path-segments.ts";
import { entryIfThere } from "../../disk/look.ts";
import { isNewerThan } from "../../disk/version.ts";
import { tryOr } from "../../core/errors.ts";
import type { ViewReading, Wanted } from "./view-changes.ts";
import { entryPath } from "./view.ts";

interface Suspect {
  readonly entry: string;
  readonly one: Wanted;
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
  consider(entry: string, one: Wanted, originOf: () => bigint | undefined): void {
    if (!this.#isChangedSince(dirname(one.path)) || this.#inode(entry) !== undefined) return;
    const origin = originOf();
    if (origin !== undefined) this.#suspects.push({ entry, one, origin });
  }

  /**
   * Removes such files from the wanted changes, with folders made only for them. If the project still has a file's
   * inode, the command moved or linked it.
   *
   * @returns their entries
   */
  removeFrom(wanted: Wanted[]): readonly string[] {
    if (this.#suspects.length === 0) return [];
    const inodes = new Set(this.touched.map((entry) => this.#inode(entry)));
    const deleted = this.#suspects.filter(({ origin }) => !inodes.has(origin));
    const out = new Set(deleted.map(({ one }) => one));
    const left = wanted.filter((entry) => !out.has(entry));
    const isUnneeded = ({ kind, old, path }: Wanted): boolean =>
      kind === "directory" &&
      old === undefined &&
      deleted.some(({ one }) => isWithin(one.path, path)) &&
      !left.some((other) => other.kind !== "directory" && isWithin(other.path, path));
    wanted.splice(0, wanted.length, ...left.filter((entry) => !isUnneeded(entry)));
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
