/**
 * Cached directory listings of a project. An unmodified directory is not listed again, which takes a tenth of the time.
 */
import { type Stats, statfsSync, statSync } from "node:fs";
import { tryOr } from "../../core/try-or.ts";

/** Entries that matter to what is closed: a letter for the kind, and the name as bytes in latin1. */
export type Listing = readonly string[];

/** Inode, change time and modification time in milliseconds, entries. */
type Row = readonly [number, number, number, Listing];

/**
 * A directory's time may not advance while the file system's clock stands still: a second on old ones. A listing this
 * soon after a change is not cached.
 */
const SETTLED_MS = 2_000;
/** Version of the row format. Raise it with every change of the meaning. */
const FORMAT = 1;
/**
 * File systems where every change of a directory gives it a new time: ext4, xfs, btrfs, tmpfs, f2fs, overlay. On
 * others, such as network shares, nothing is cached.
 */
const FILE_SYSTEMS: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x794c7630]);

export class KnownListings {
  readonly #key: string;
  readonly #device: number | undefined;
  readonly #known = new Map<number, Row>();
  readonly #seen: Row[] = [];
  readonly #latest = Date.now() - SETTLED_MS;
  #hasChanges = false;

  /**
   * @param text cache from an earlier walk
   * @param rules that decide which entries matter
   */
  constructor(folder: string, text: string | undefined, rules: string) {
    this.#device = process.platform === "linux" && FILE_SYSTEMS.has(statfsSync(folder).type) ? statSync(folder).dev : undefined;
    this.#key = JSON.stringify([FORMAT, this.#device, rules]);
    for (const row of rowsOf(text, this.#key)) this.#known.set(row[0], row);
  }

  /** @param stats of the directory from before it is listed */
  of({ dev, ino, ctimeMs, mtimeMs }: Stats, list: () => Listing | undefined): Listing | undefined {
    if (dev !== this.#device) return list();
    const known = this.#known.get(ino);
    if (known?.[1] === ctimeMs && known[2] === mtimeMs) {
      this.#seen.push(known);
      return known[3];
    }
    const listing = list();
    // The modification time can be forged, so only the change time counts here.
    if (listing !== undefined && ctimeMs < this.#latest) {
      this.#hasChanges = true;
      this.#seen.push([ino, ctimeMs, mtimeMs, listing]);
    }
    return listing;
  }

  /** Cache for the next walk. Undefined if the old one is still complete. */
  get text(): string | undefined {
    return this.#hasChanges ? JSON.stringify([this.#key, this.#seen]) : undefined;
  }
}

/** Returns no rows if the text is damaged or belongs to other rules. */
function rowsOf(text: string | undefined, key: string): readonly Row[] {
  if (text === undefined) return [];
  return tryOr(() => {
    const [of, rows] = JSON.parse(text) as [unknown, unknown];
    return of === key && Array.isArray(rows) && rows.every(isRow) ? rows : [];
  }, []);
}

function isRow(row: unknown): row is Row {
  return Array.isArray(row) && [row[0], row[1], row[2]].every((one) => typeof one === "number") && Array.isArray(row[3]) && row[3].every((entry) => typeof entry === "string");
}
