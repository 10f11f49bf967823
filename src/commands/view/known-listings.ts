/** What the directories of a project held when they were last listed: one that has not changed since is not listed again, which takes a tenth of the time. */
import { type Stats, statfsSync, statSync } from "node:fs";

/** Entries of a directory that matter to what is closed: the kind, a letter, and the name, which is bytes in latin1. */
export type Listing = readonly string[];

/** Inode, times of change and of modification in milliseconds, entries. */
type Row = readonly [number, number, number, Listing];

/**
 * A directory may change without a new time for as long as the clock of its file system stands still: a second on old ones. One that changed so short a time
 * before it was listed is listed again.
 */
const SETTLED_MS = 2_000;
/** What the rows mean; to be raised with whatever changes that. */
const FORMAT = 1;
/** Where every change of a directory's names gives it a new time: ext4, xfs, btrfs, tmpfs, f2fs, overlay. Elsewhere, as on network shares, nothing is kept. */
const FILE_SYSTEMS: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x794c7630]);

export class KnownListings {
  readonly #key: string;
  readonly #device: number | undefined;
  readonly #known = new Map<number, Row>();
  readonly #seen: Row[] = [];
  readonly #latest = Date.now() - SETTLED_MS;
  #isNew = false;

  /**
   * @param text what an earlier walk gave to be kept
   * @param rules what decides which entries matter
   */
  constructor(folder: string, text: string | undefined, rules: string) {
    this.#device = process.platform === "linux" && FILE_SYSTEMS.has(statfsSync(folder).type) ? statSync(folder).dev : undefined;
    this.#key = JSON.stringify([FORMAT, this.#device, rules]);
    for (const row of rowsOf(text, this.#key)) this.#known.set(row[0], row);
  }

  /** @param stats from before the directory is listed, where it has to be */
  of({ dev, ino, ctimeMs, mtimeMs }: Stats, list: () => Listing | undefined): Listing | undefined {
    if (dev !== this.#device) return list();
    const known = this.#known.get(ino);
    if (known?.[1] === ctimeMs && known[2] === mtimeMs) {
      this.#seen.push(known);
      return known[3];
    }
    const listing = list();
    // The time of modification can be set to any.
    if (listing !== undefined && ctimeMs < this.#latest) {
      this.#isNew = true;
      this.#seen.push([ino, ctimeMs, mtimeMs, listing]);
    }
    return listing;
  }

  /** To be kept for the next walk; undefined where that knows all of it already. */
  get text(): string | undefined {
    return this.#isNew ? JSON.stringify([this.#key, this.#seen]) : undefined;
  }
}

/** None where the text is damaged, or about something else. */
function rowsOf(text: string | undefined, key: string): readonly Row[] {
  if (text === undefined) return [];
  try {
    const [of, rows] = JSON.parse(text) as [string, Row[]];
    return of === key ? rows : [];
  } catch {
    return [];
  }
}
