/** Where a text stands in the bytes of a file: exactly, or, where it stands nowhere so, with other line endings. */
import { type Place, PlaceList } from "./place-list.ts";

/**
 * All places where `wanted` stands at or after `from`, none overlapping another. Exact places win. Only where there is none may line
 * endings differ, because a heredoc cannot carry CRLF. A CRLF is one thing: no place begins or ends inside it.
 */
export function findPlaces(bytes: Buffer, wanted: string, from = 0): PlaceList {
  const exact = findExact(bytes, wanted, from);
  return exact.length > 0 ? exact : findWithAnyLineEndings(bytes, wanted, from);
}

/** The places where exactly this stands, so many at most. */
export function findExact(bytes: Buffer, wanted: string, from = 0, most?: number): PlaceList {
  // What is no text is encoded to U+FFFD, and must not be found where a file holds that.
  return wanted.isWellFormed() ? search(bytes, Buffer.from(wanted), { from, foldsCrlf: false, most }) : new PlaceList();
}

/** Where exactly this stands first. */
export function findFirst(bytes: Buffer, wanted: Buffer, from: number): Place | undefined {
  return search(bytes, wanted, { from, foldsCrlf: false, most: 1 }).first(1)[0];
}

/** Whether a text holds another one. `String.includes` takes quadratic time where most of a long text almost fits everywhere. */
export function holds(text: string, part: string): boolean {
  return part.length <= LONGEST_PART ? text.includes(part) : findFirst(Buffer.from(text, "utf16le"), Buffer.from(part, "utf16le"), 0) !== undefined;
}

/** The places where this stands with every CRLF taken as LF on both sides, or none where that makes no difference; so many at most. */
export function findWithAnyLineEndings(bytes: Buffer, wanted: string, from = 0, most?: number): PlaceList {
  const mayDiffer = wanted.isWellFormed() && wanted.includes("\n") && (wanted.includes("\r\n") || bytes.includes("\r\n", from));
  return mayDiffer ? search(bytes, Buffer.from(wanted.replaceAll("\r\n", "\n")), { from, foldsCrlf: true, most }) : new PlaceList();
}

interface Reading {
  readonly from: number;
  /** Whether the CR before an LF counts for nothing. */
  readonly foldsCrlf: boolean;
  /** Places to be found; the others are not looked for. */
  readonly most?: number | undefined;
}

/** What a call out of JavaScript takes at least, and a comparison done there, in bytes that could have been looked at here meanwhile. */
const COST_OF_CALL = 32;
const COST_OF_COMPARISON = 1 / 16;
/** By how many bytes a search may fall behind before it goes on in another way. */
const PATIENCE = 2 ** 14;

/**
 * The places, from left to right, none overlapping another one, in time that grows with the lengths alone. Node finds a part of a line
 * as fast as memory can be read; where that part stands everywhere, another part is taken, and at last each byte is looked at.
 */
function search(bytes: Buffer, wanted: Buffer, { from, foldsCrlf, most }: Reading): PlaceList {
  const places = new PlaceList();
  const placeAround = foldsCrlf ? foldedPlaceAround : exactPlaceAround;
  let next = from;
  for (const { part, before } of partsOf(wanted)) {
    let behind = 0;
    for (let at = next - 1; behind < PATIENCE + wanted.length; ) {
      const last = at;
      at = bytes.indexOf(part, at + 1);
      if (at === -1) return places;
      const place = placeAround(bytes, { wanted, at, before, found: part.length });
      if (place !== undefined && place.start >= next) {
        places.add(place.start, place.end);
        if (places.length === most) return places;
        next = place.end;
      }
      behind = Math.max(0, behind + COST_OF_CALL + wanted.length * COST_OF_COMPARISON - (at - last));
    }
  }
  searchEachByte(bytes, wanted, { from: next, foldsCrlf, most }, places);
  return places;
}

interface Part {
  readonly part: Buffer;
  /** Bytes of the whole before it. */
  readonly before: number;
}

const LONGEST_PART = 64;
const MOST_PARTS = 3;
/** Of a long text's lines, the first so many have rare parts enough. */
const MOST_LINES = 2_000;

/** Parts of lines that are probably rare: long ones, and of lines that stand there only once. */
function partsOf(wanted: Buffer): Part[] {
  const parts = new Map<string, Part & { count: number }>();
  for (let start = 0, line = 0; start < wanted.length && (line < MOST_LINES || parts.size === 0); line++) {
    const lineFeed = wanted.indexOf(LF, start);
    const end = lineFeed === -1 ? wanted.length : lineFeed;
    const part = wanted.subarray(start, Math.min(end, start + LONGEST_PART));
    const known = parts.get(part.toString("latin1"));
    if (known !== undefined) known.count += 1;
    else if (part.length > 0) parts.set(part.toString("latin1"), { part, before: start, count: 1 });
    start = end + 1;
  }
  return [...parts.values()].toSorted((a, b) => a.count - b.count || b.part.length - a.part.length).slice(0, MOST_PARTS);
}

/** A text of which a part of so many bytes, with so many before it, was found at an offset. */
interface FoundPart {
  readonly wanted: Buffer;
  readonly at: number;
  readonly before: number;
  readonly found: number;
}

/** Where the whole text stands; undefined where it does not. */
function exactPlaceAround(bytes: Buffer, { wanted, at, before, found }: FoundPart): Place | undefined {
  const place = { start: at - before, end: at - before + wanted.length };
  if (place.start < 0 || place.end > bytes.length || !isWhole(bytes, place)) return undefined;
  return found === wanted.length || bytes.compare(wanted, 0, wanted.length, place.start, place.end) === 0 ? place : undefined;
}

function foldedPlaceAround(bytes: Buffer, { wanted, at, before }: FoundPart): Place | undefined {
  let start = at;
  for (let index = before - 1; index >= 0; index--) {
    if (bytes[start - 1] !== wanted[index]) return undefined;
    start -= splitsLineEnding(bytes, start - 1) ? 2 : 1;
  }
  let end = at;
  for (let index = before; index < wanted.length; index++) {
    if (splitsLineEnding(bytes, end + 1)) end += 1;
    if (bytes[end] !== wanted[index]) return undefined;
    end += 1;
  }
  return { start, end };
}

/** The algorithm of Knuth, Morris and Pratt: linear whatever the texts. */
function searchEachByte(bytes: Buffer, wanted: Buffer, { from, foldsCrlf, most }: Reading, places: PlaceList): void {
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (foldsCrlf && byte === CR && bytes[at + 1] === LF) continue;
    while (matched > 0 && wanted[matched] !== byte) matched = borders[matched - 1] as number;
    if (wanted[matched] === byte) matched += 1;
    if (matched < wanted.length) continue;
    const place = { start: foldsCrlf ? foldedStart(bytes, at + 1, wanted.length) : at + 1 - wanted.length, end: at + 1 };
    const isPlace = foldsCrlf || isWhole(bytes, place);
    if (isPlace) places.add(place.start, place.end);
    if (places.length === most) return;
    matched = isPlace ? 0 : (borders[matched - 1] as number);
  }
}

/** For each beginning of a text, how long the longest shorter beginning is that it ends with. */
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

/** Where so many bytes begin that end at an offset, CRLFs counted as one. */
function foldedStart(bytes: Buffer, end: number, count: number): number {
  let start = end;
  for (let left = count; left > 0; left--) start -= splitsLineEnding(bytes, start - 1) ? 2 : 1;
  return start;
}

function isWhole(bytes: Buffer, { start, end }: Place): boolean {
  return !splitsLineEnding(bytes, start) && !splitsLineEnding(bytes, end);
}

function splitsLineEnding(bytes: Buffer, offset: number): boolean {
  return bytes[offset] === LF && bytes[offset - 1] === CR;
}

const LF = 10;
const CR = 13;
