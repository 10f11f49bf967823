/** Finds a text in the bytes of a file: exactly or, if it occurs nowhere, with other line endings. */
import { type Place, PlaceList } from "./splice.ts";
import { CR, LF } from "./lines.ts";

/**
 * Returns all places of `wanted` at or after `from`, without overlaps. Exact places win. Only if there is none may line
 * endings differ, because a heredoc cannot contain CRLF. No place starts or ends inside a CRLF.
 */
export function findPlaces(bytes: Buffer, wanted: string, from = 0): PlaceList {
  const exact = findExact(bytes, wanted, from);
  return exact.length > 0 ? exact : findWithAnyLineEndings(bytes, wanted, from);
}

/** Returns exact places only, up to `most`. */
export function findExact(bytes: Buffer, wanted: string, from = 0, most?: number): PlaceList {
  return search(bytes, wanted, { from, most });
}

/** Returns the first exact place. */
export function findFirst(bytes: Buffer, wanted: Buffer, from: number): Place | undefined {
  return searchBytes(bytes, wanted, { from, most: 1 }).first(1)[0];
}

/**
 * Returns whether a text contains another. `String.includes` takes quadratic time if a long text almost matches
 * everywhere.
 */
export function holds(text: string, part: string): boolean {
  return part.length <= MAX_PART_LENGTH
    ? text.includes(part)
    : findFirst(Buffer.from(text, "utf16le"), Buffer.from(part, "utf16le"), 0) !== undefined;
}

/** Returns the places that match if CRLF equals LF on both sides, up to `most`. */
export function findWithAnyLineEndings(bytes: Buffer, wanted: string, from = 0, most?: number): PlaceList {
  return searchFolded(bytes, wanted, { from, most });
}

/** Returns the places of whole lines with the line ending before them, which is the last one of a place next to it. */
export function findAdjacent(bytes: Buffer, wanted: string, foldsCrlf: boolean): PlaceList {
  return (foldsCrlf ? searchFolded : search)(bytes, wanted, { from: 0, mayOverlap: true, most: MAX_ADJACENT });
}

/** Maximum number of places that may overlap, whose search is not linear. */
const MAX_ADJACENT = 1_000;

interface SearchOptions {
  readonly from: number;
  /** Whether places may overlap. */
  readonly mayOverlap?: boolean;
  /** Whether the bytes have no CRLF: a CR before an LF is a character. */
  readonly isFolded?: boolean;
  /** Maximum number of places to find. */
  readonly most?: number | undefined;
}

/**
 * Minimum cost of a call into Node, and cost per byte of a comparison there. The unit is bytes scanned here in the same
 * time.
 */
const COST_OF_CALL = 32;
const COST_OF_COMPARISON = 1 / 16;
/** Number of bytes by which a search may fall behind before it switches to another strategy. */
const PATIENCE = 2 ** 14;

/** Returns no place if line endings make no difference. */
function searchFolded(bytes: Buffer, wanted: string, options: SearchOptions): PlaceList {
  const mayDiffer = wanted.includes("\n") && (wanted.includes("\r\n") || bytes.includes("\r\n", options.from));
  if (!mayDiffer) return new PlaceList();
  const searched = bytes.subarray(options.from);
  const folded = Buffer.from(searched.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
  const [startOf, endOf] = [unfolded(searched), unfolded(searched)];
  const places = new PlaceList();
  const foldedPlaces = search(folded, wanted.replaceAll("\r\n", "\n"), { ...options, from: 0, isFolded: true });
  for (const { start, end } of foldedPlaces.first(foldedPlaces.length))
    places.add(options.from + startOf(start), options.from + endOf(end));
  return places;
}

/** Returns a function that takes ascending offsets after the removal of each CR before an LF, and returns those before. */
function unfolded(bytes: Buffer): (offset: number) => number {
  let [removed, cr] = [0, bytes.indexOf("\r\n")];
  return (offset) => {
    for (; cr !== -1 && cr - removed < offset; cr = bytes.indexOf("\r\n", cr + 2)) removed += 1;
    return offset + removed;
  };
}

function search(bytes: Buffer, wanted: string, options: SearchOptions): PlaceList {
  // Malformed text would be encoded as U+FFFD, which the file may contain.
  return wanted.isWellFormed() ? searchBytes(bytes, Buffer.from(wanted), options) : new PlaceList();
}

/**
 * Returns the places from left to right, without overlaps, in linear time. Node finds a part of a line at memory speed.
 * If that part is too common, tries another part, and finally scans each byte.
 */
function searchBytes(bytes: Buffer, wanted: Buffer, options: SearchOptions): PlaceList {
  const { from, mayOverlap = false, most } = options;
  const places = new PlaceList();
  let next = from;
  for (const { part, before } of rareParts(wanted)) {
    let behind = 0;
    for (let at = next - 1; behind < PATIENCE + wanted.length;) {
      const last = at;
      at = bytes.indexOf(part, at + 1);
      if (at === -1) return places;
      const place = { start: at - before, end: at - before + wanted.length };
      if (place.start >= next && isAt(bytes, place, wanted) && !splitsLineEnding(bytes, place, options)) {
        places.add(place.start, place.end);
        if (places.length === most) return places;
        next = mayOverlap ? place.start + 1 : place.end;
      }
      behind = Math.max(0, behind + COST_OF_CALL + wanted.length * COST_OF_COMPARISON - (at - last));
    }
  }
  searchEachByte(bytes, wanted, { ...options, from: next }, places);
  return places;
}

interface Part {
  readonly part: Buffer;
  /** Number of bytes before it in the whole text. */
  readonly before: number;
}

const MAX_PART_LENGTH = 64;
const MAX_PARTS = 3;
/** Maximum number of lines to search for a rare part. */
const MAX_LINES = 2_000;

/** Returns parts that are probably rare: long ones, from lines that occur only once in the text. */
function rareParts(wanted: Buffer): Part[] {
  const parts = new Map<string, Part & { count: number }>();
  for (let start = 0, line = 0; start < wanted.length && (line < MAX_LINES || parts.size === 0); line++) {
    const lineFeed = wanted.indexOf(LF, start);
    const end = lineFeed === -1 ? wanted.length : lineFeed;
    const part = wanted.subarray(start, Math.min(end, start + MAX_PART_LENGTH));
    const known = parts.get(part.toString("latin1"));
    if (known !== undefined) known.count += 1;
    else if (part.length > 0) parts.set(part.toString("latin1"), { part, before: start, count: 1 });
    start = end + 1;
  }
  return [...parts.values()].toSorted((a, b) => a.count - b.count || b.part.length - a.part.length).slice(0, MAX_PARTS);
}

/** The Knuth-Morris-Pratt algorithm, which is linear for any text. */
function searchEachByte(bytes: Buffer, wanted: Buffer, options: SearchOptions, places: PlaceList): void {
  const { from, mayOverlap = false, most } = options;
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    while (matched > 0 && wanted[matched] !== byte) matched = borders[matched - 1] as number;
    if (wanted[matched] === byte) matched += 1;
    if (matched < wanted.length) continue;
    const place = { start: at + 1 - wanted.length, end: at + 1 };
    const isFound = !splitsLineEnding(bytes, place, options);
    if (isFound) places.add(place.start, place.end);
    if (places.length === most) return;
    matched = isFound && !mayOverlap ? 0 : (borders[matched - 1] as number);
  }
}

/** Returns, for each prefix of a text, the length of its longest proper prefix that is also a suffix. */
function bordersOf(text: Buffer): Uint32Array {
  const borders = new Uint32Array(text.length);
  let matched = 0;
  for (let at = 1; at < text.length; at++) {
    while (matched > 0 && text[matched] !== text[at]) matched = borders[matched - 1] as number;
    if (text[matched] === text[at]) matched += 1;
    borders[at] = matched;
  }
  return borders;
}

function isAt(bytes: Buffer, { start, end }: Place, wanted: Buffer): boolean {
  return end <= bytes.length && bytes.compare(wanted, 0, wanted.length, start, end) === 0;
}

function splitsLineEnding(bytes: Buffer, { start, end }: Place, { isFolded = false }: SearchOptions): boolean {
  return !isFolded && [start, end].some((offset) => bytes[offset] === LF && bytes[offset - 1] === CR);
}
