/** Finds what the guard closes for reading in a project, by the bytes of names. Commands must not see it. */
import { type Dirent, lstatSync, readdirSync, realpathSync, statfsSync, type Stats, statSync } from "node:fs";
import type { AccessRules, GuardRules } from "../../config/guard-rules.ts";
import { tryOr } from "../../core/errors.ts";
import { append } from "../../core/lists.ts";
import { DEFAULT_DENY } from "../../guard/default-rules.ts";
import type { Policy } from "../../guard/policy.ts";
import { asBytes, foldName, readableName, textOf } from "../../paths/names.ts";
import { compileSegment, type GlobSegment, matchSegment } from "../../paths/glob.ts";
import { segmentsOf } from "../../paths/path-segments.ts";
import { namedBy, type PatternReading, readingsOf } from "../../paths/pattern.ts";
import { type ClosedToView, entryPath, inDirectory } from "./view.ts";

/** The same of the folder that was walked, which need not be the root. */
export interface ClosedPlaces extends ClosedToView {
  /** Text to pass as `known` to the next walk, if it has changed. */
  readonly cache?: string | undefined;
}

/** The rules, and what their relative patterns refer to. */
export interface ClosingRules {
  /** Canonical. */
  readonly root: string;
  readonly home: string;
  readonly policy: Policy;
  /** The rules behind the policy. They show which names need no check. */
  readonly rules: readonly GuardRules[];
  /** Canonical path of the folder to walk. Defaults to the root. */
  readonly from?: string;
  /** The `cache` of an earlier walk through the same folder. */
  readonly known?: string | undefined;
}

/** Walks a folder once. Skips links, because the policy judges their targets. */
export function closedPlaces({ root, home, policy, rules, from = root, known }: ClosingRules): ClosedPlaces {
  const asked = namesToCheck(rules, { root, home });
  const listings = new KnownListings(from, known, asked.key);
  const rootNames = segmentsOf(from);
  const repositories: string[] = [];
  const { closed, isOpen } = visit("", rootNames, policy.ofNames(rootNames, "read") !== undefined);
  return { ...(isOpen ? closed : { files: [], directories: [""] }), repositories, cache: listings.text };

  function visit(
    directory: string, names: readonly string[], isClosed: boolean
  ): { readonly closed: { files: string[]; directories: string[] }; readonly isOpen: boolean } {
    const closed = { files: [] as string[], directories: [] as string[] };
    const listing = listingOf(directory, isClosed);
    if (listing === undefined) return { closed, isOpen: false };
    let isOpen = !isClosed;
    for (const entry of listing) {
      const [kind, name] = [entry[0], entry.slice(1)];
      const text = readableName(name);
      const path = inDirectory(directory, name);
      const isShut = isClosed || asked.includes(text) ? policy.ofNames([...names, text], "read") !== undefined : false;
      if (text === ".git") {
        repositories.push(path);
        isOpen ||= !isShut;
      } else if (kind === "d") {
        const below = visit(path, [...names, text], isShut);
        if (below.isOpen) {
          append(closed.files, below.closed.files);
          append(closed.directories, below.closed.directories);
          isOpen = true;
        } else closed.directories.push(path);
      } else if (isShut || kind === "s") closed.files.push(path);
      else isOpen = true;
    }
    return { closed, isOpen };
  }

  /**
   * Returns undefined if the directory cannot be listed: a program may know a name in it, or grant itself access. In a
   * closed directory, every entry counts.
   */
  function listingOf(directory: string, isClosed: boolean): Listing | undefined {
    const text = textOf(directory);
    const path = text === undefined ? entryPath(from, directory) : `${from}/${text}`;
    try {
      const list = () => listed(path, isClosed ? () => true : asked.includes);
      return isClosed ? list() : listings.of(lstatSync(path), list);
    } catch (thrown) {
      return (thrown as NodeJS.ErrnoException).code === "ENOENT" ? [] : undefined;
    }
  }
}

/** Throws system errors. */
function listed(path: string | Buffer, matters: (name: string) => boolean): Listing {
  const entries: string[] = [];
  const add = (entry: Dirent | Dirent<Buffer>, name: string): void => {
    if (entry.isDirectory()) entries.push(`d${name}`);
    else if (entry.isSocket()) entries.push(`s${name}`);
    else if (entry.isSymbolicLink()) return;
    else if (name === ".git" || matters(readableName(name))) entries.push(`f${name}`);
  };
  const listed = readdirSync(path, { withFileTypes: true });
  if (!listed.some(({ name }) => name.includes("\ufffd"))) for (const entry of listed) add(entry, asBytes(entry.name));
  else {
    for (const entry of readdirSync(path, { withFileTypes: true, encoding: "buffer" }))
      add(entry, entry.name.toString("latin1"));
  }
  return entries;
}

interface NamesToCheck {
  includes(name: string): boolean;
  /** Equal if both include the same names. */
  readonly key: string;
}

/** Returns the names that may be closed within an open directory. With an explicit allow rule, any name may. */
function namesToCheck(
  rules: readonly GuardRules[], at: { readonly root: string; readonly home: string }
): NamesToCheck {
  const all = rules.map(({ read }): AccessRules => read);
  if (all.some(({ allow }) => allow !== undefined)) return { includes: () => true, key: "all" };
  const denied = all.flatMap(({ deny = [] }) => deny).flatMap(readingsOf);
  // The target of a link is refused by its own name.
  const real = denied.map(({ text, hasSets }) => realName(namedBy("deny", text, at, hasSets).start));
  const given = [...DEFAULT_DENY.read.map((text) => ({ text, hasSets: false })), ...denied];
  const patterns = given.map(lastSegmentOf);
  const literals = new Set([
    ...real, ...patterns.flatMap((pattern) => (pattern !== "**" && "literal" in pattern ? [pattern.literal] : []))
  ]);
  const others = patterns.filter((pattern) => pattern === "**" || !("literal" in pattern));
  // Always checks names that a case-insensitive or normalising file system may take for another.
  const includes = (name: string): boolean =>
    /[^\w.-]|[A-Z]|[. ]$|~\d/.test(name) ||
    literals.has(name) ||
    others.some((pattern) => pattern === "**" || matchSegment(pattern, name));
  return { includes, key: JSON.stringify([given, real]) };
}

function realName(path: string): string {
  return tryOr(() => foldName(segmentsOf(realpathSync(path)).at(-1) ?? ""), "");
}

/** Returns the last segment that must match: for `private/**`, the directory's. */
function lastSegmentOf({ text, hasSets }: PatternReading): GlobSegment {
  const last = segmentsOf(text).findLast((segment) => segment !== "**") ?? "**";
  return compileSegment(foldName(last), { extended: hasSets });
}

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

/**
 * Cached directory listings of a project. An unmodified directory is not listed again, which takes a tenth of the time.
 */
class KnownListings {
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
    this.#device =
      process.platform === "linux" && FILE_SYSTEMS.has(statfsSync(folder).type) ? statSync(folder).dev : undefined;
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
  return (
    Array.isArray(row) &&
    [row[0], row[1], row[2]].every((cell) => typeof cell === "number") &&
    Array.isArray(row[3]) &&
    row[3].every((entry) => typeof entry === "string")
  );
}
