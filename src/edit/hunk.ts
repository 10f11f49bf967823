/** Replaces whole lines of a file, as blocks and hunks of other tools' formats mean them. */
import type { HunkPlace, HunksOfFile, HunkText } from "../core/block.ts";
import { Failed } from "../core/failure.ts";
import { editAsSeen } from "./as-seen.ts";
import { fit } from "./fit.ts";
import { alignMany } from "./hints/hint-for-many.ts";
import { fileLinesAt } from "./hints/closest.ts";
import { alignMiss, alignUnfit, whyUnfit } from "./hints/hint-for-miss.ts";
import { CR, fitLineEndings, LF, lineNumbersAt, splitLines } from "./lines.ts";
import { findAdjacent } from "./match.ts";
import { findIgnoringFormatting, foundIn, type Match, type Proposed } from "./passes.ts";
import type { Splice } from "./splice.ts";
import type { TextEdit } from "./replace.ts";

export interface Hunk extends HunkPlace, HunkText {}

/** A place of whole lines, with the ending of the last one if it has one. */
interface LinePlace extends Proposed {
  /** 1-based. */
  readonly line: number;
}

/** Throws `text/not-found`, `text/ambiguous` or a `hunk/*` failure. */
export function replaceHunk(bytes: Buffer, hunk: Hunk, match: Match): TextEdit {
  return editAsSeen(bytes, [hunk.oldLines, hunk.newLines], (file, [oldLines = "", newLines = ""]) =>
    replaceIn(file, { ...hunk, oldLines, newLines }, match),
  );
}

function replaceIn(bytes: Buffer, hunk: Hunk, match: Match): TextEdit {
  const { places: marks } =
    hunk.absentLine === undefined ? { places: [] } : linePlaces(bytes, `${hunk.absentLine}\n`, "exact");
  if (marks.length > 0) throw new Failed({ code: "hunk/conflict" }, { near: fileLinesAt(bytes, marks) });
  const { edit, end } = replaceLines(bytes, hunk, match);
  if (
    hunk.isAll === true &&
    [...edit.splices].reduce((left, { start, end, text }) => left - (end - start) + text.length, bytes.length) > 0
  )
    throw new Failed({ code: "hunk/remainder" }, { near: fileLinesAt(bytes, [...edit.splices]) });
  // Models note the end of a file also where it is not near.
  return hunk.finalNewline === undefined || end < bytes.length
    ? edit
    : { ...edit, splices: withFinalNewline(bytes, [...edit.splices], hunk.finalNewline) };
}

function withFinalNewline(bytes: Buffer, splices: readonly Splice[], isWanted: boolean): readonly Splice[] {
  const [last, others] = [splices.at(-1), splices.slice(0, -1)];
  if (last !== undefined && last.end === bytes.length && last.text !== "") {
    return [...others, { ...last, text: last.text.replace(/\r?\n$/, "") + (isWanted ? ending(bytes) : "") }];
  }
  const end = last?.end === bytes.length ? last.start : bytes.length;
  if ((bytes[end - 1] === LF) === isWanted || end === 0) return splices;
  if (isWanted) return [...splices, { start: end, end, text: ending(bytes) }];
  const start = withoutEnding(bytes, end);
  return end === bytes.length
    ? [...splices, { start, end, text: "" }]
    : [...others, { start, end: bytes.length, text: "" }];
}

/** Returns the edit, and where the old lines end. */
function replaceLines(bytes: Buffer, hunk: Hunk, match: Match): { readonly edit: TextEdit; readonly end: number } {
  if (hunk.oldLines === "") return { edit: { splices: [addition(bytes, hunk)], tolerated: [] }, end: bytes.length };
  const place = placeOf(bytes, hunk, match);
  // A hunk that is shown again, after it has replaced all that it means.
  if (place === undefined) return { edit: { splices: [], tolerated: [] }, end: 0 };
  const isOpen = bytes[place.end - 1] !== LF;
  const [oldText, newText] = isOpen
    ? [hunk.oldLines.slice(0, -1), hunk.newLines.slice(0, -1)]
    : [hunk.oldLines, hunk.newLines];
  // The file keeps having no final newline.
  if (isOpen && hunk.newLines === "") {
    const splice = { start: withoutEnding(bytes, place.start), end: place.end, text: "" };
    return { edit: { splices: [splice], tolerated: [] }, end: place.end };
  }
  const fitted = fit(bytes, place, oldText, newText);
  if (fitted === undefined)
    throw new Failed(
      { code: "text/not-found", parameter: PARAMETER },
      alignUnfit(bytes, place, { parameter: PARAMETER, why: whyUnfit(place.shift, "the new lines") }),
    );
  return { edit: fitted, end: place.end };
}

const PARAMETER = "the old text";

function addition(bytes: Buffer, { newLines, scopes = [], line }: Hunk): Splice {
  const end = bytes.length;
  if (end > 0 && (scopes.length > 0 || line !== undefined)) throw new Failed({ code: "hunk/no-place" });
  const text = fitLineEndings(bytes, "", newLines)(newLines, end);
  // A file without a final newline keeps having none.
  return end === 0 || bytes[end - 1] === LF
    ? { start: end, end, text }
    : { start: end, end, text: ending(bytes) + text.replace(/\r?\n$/, "") };
}

function ending(bytes: Buffer): string {
  const lineFeed = bytes.lastIndexOf(LF);
  return lineFeed > 0 && bytes[lineFeed - 1] === CR ? "\r\n" : "\n";
}

function withoutEnding(bytes: Buffer, start: number): number {
  if (bytes[start - 1] !== LF) return start;
  return bytes[start - 2] === CR ? start - 2 : start - 1;
}

/** Returns the only place of a hunk. Returns undefined if an equal one above it has left none. */
function placeOf(bytes: Buffer, hunk: Hunk, match: Match): LinePlace | undefined {
  const matches = placesLeft(bytes, hunk, match);
  if (matches === undefined) return undefined;
  const search = { bytes, wanted: hunk.oldLines, parameter: PARAMETER, match, from: 0, newText: hunk.newLines };
  const [place, ...others] = matches.isComplete ? chosen(bytes, matches.places, hunk, match) : [];
  if (place !== undefined && others.length === 0) return place;
  const notFound = { code: "text/not-found", parameter: PARAMETER } as const;
  if (matches.places.length === 0) throw new Failed(notFound, alignMiss(search));
  if (place === undefined && matches.isComplete)
    throw new Failed(notFound, {
      hint: "the old lines are in the file, but not below the line after @@",
      near: fileLinesAt(bytes, matches.places),
    });
  throw new Failed(
    { code: "text/ambiguous", parameter: PARAMETER, count: matches.places.length },
    alignMany({ ...search, places: matches.places, count: matches.places.length }),
  );
}

/** Returns the places that no equal hunk above has replaced. Returns undefined if it has replaced all. */
function placesLeft(bytes: Buffer, { oldLines, newLines, among }: Hunk, match: Match): LinePlaces | undefined {
  const { places, isComplete } = linePlaces(bytes, oldLines, match);
  if (among === undefined || countAlike(among, "above") === 0) return { places, isComplete };
  const replaced = linePlaces(bytes, newLines, match).places;
  const left = places.filter(({ start, end }) => !replaced.some((place) => place.start <= start && place.end >= end));
  return left.length === 0 && isComplete && replaced.length > 0 ? undefined : { places: left, isComplete };
}

/** Returns how many hunks from this one on are as it is, or how many above it. */
function countAlike({ hunks, index }: HunksOfFile, side: "above" | "below"): number {
  const { oldLines, newLines } = hunks[index] as HunkText;
  const others = side === "above" ? hunks.slice(0, index) : hunks.slice(index);
  return others.filter((hunk) => hunk.oldLines === oldLines && hunk.newLines === newLines).length;
}

interface LinePlaces {
  readonly places: readonly LinePlace[];
  /** Whether there are no more. */
  readonly isComplete: boolean;
}

/**
 * Returns all places of whole lines: exact ones, else those with other line endings, else those with other formatting.
 */
function linePlaces(bytes: Buffer, lines: string, match: Match): LinePlaces {
  if (bytes.length === 0) return { places: [], isComplete: true };
  const framed = framedLines(bytes);
  const wanted = `\n${lines}`;
  const passes = [
    () => foundIn(findAdjacent(framed, wanted, false)),
    () => foundIn(findAdjacent(framed, wanted, true)),
    () => findIgnoringFormatting(framed, wanted),
  ];
  for (const propose of match === "tolerant" ? passes : passes.slice(0, 2)) {
    const { places, gaveUp } = propose();
    if (gaveUp) return { places: [], isComplete: false };
    if (places.length > 0)
      return {
        places: withLines(bytes, framed, places),
        isComplete: places.length < (propose === passes[2] ? MAX_TOLERANT : MAX_EXACT),
      };
  }
  return { places: [], isComplete: true };
}

/** Returns a file between two line endings. Kept for as long as the file is, of which many edits may miss. */
function framedLines(bytes: Buffer): Buffer {
  const kept = FRAMED.get(bytes);
  if (kept !== undefined) return kept;
  const last = bytes.at(-1) === LF ? [] : [LF];
  const framed = Buffer.concat([Buffer.from([LF]), bytes, Buffer.from(last)]);
  FRAMED.set(bytes, framed);
  return framed;
}

const FRAMED = new WeakMap<Buffer, Buffer>();

/** A search that has found as many may have missed others. */
const MAX_TOLERANT = 8;
const MAX_EXACT = 1_000;

/** @param framed the file between two line endings, of which a place holds the first */
function withLines(bytes: Buffer, framed: Buffer, places: readonly Proposed[]): LinePlace[] {
  const starts = places.map(({ start }) => framed.indexOf(LF, start));
  const numbers = lineNumbersAt(bytes, starts);
  return places.map((place, index) => ({
    ...place,
    start: starts[index] as number,
    end: Math.min(bytes.length, framed.lastIndexOf(LF, place.end - 1)),
    line: numbers[index] as number,
  }));
}

/** Returns the places that the hunk's further facts leave. */
function chosen(
  bytes: Buffer,
  places: readonly LinePlace[],
  { scopes = [], line, anchor, among, isAtEnd, finalNewline }: Hunk,
  match: Match,
): readonly LinePlace[] {
  const scoped = scopes.length === 0 ? places : scopedPlaces(bytes, places, scopes);
  const atEnd = isAtEnd === true || finalNewline !== undefined ? scoped.filter(({ end }) => end === bytes.length) : [];
  const left = atEnd.length > 0 ? atEnd : scoped;
  if (left.length < 2) return left;
  const drift = anchor === undefined ? 0 : driftOf(bytes, anchor, match);
  const near = line === undefined || drift === undefined ? left : nearest(left, line + drift);
  return near.length < 2 || among === undefined ? near : inOrder(bytes, near, among);
}

/**
 * Returns the only one of some places that leaves all other hunks places in their order, or the first if as many hunks
 * as there are places are alike. Returns all if that is unclear.
 */
function inOrder(bytes: Buffer, places: readonly LinePlace[], among: HunksOfFile): readonly LinePlace[] {
  const { hunks, index } = among;
  if (hunks.length > MAX_HUNKS) return places;
  if (countAlike(among, "below") === places.length) return places.slice(0, 1);
  // Those above have been replaced already. What only adds or removes lines without others tells nothing.
  const above = hunks.slice(0, index).flatMap(({ newLines }) => (newLines === "" ? [] : [startsOf(bytes, newLines)]));
  const below = hunks.slice(index + 1).flatMap(({ oldLines }) => (oldLines === "" ? [] : [startsOf(bytes, oldLines)]));
  if ([...above, ...below].filter(({ length }) => length === 1).length < MIN_PLACED) return places;
  let [first, last]: [number, number] = [-1, Infinity];
  for (const starts of above) first = starts.find((start) => start > first) ?? Infinity;
  for (const starts of below.toReversed()) last = starts.findLast((start) => start < last) ?? -1;
  const between = places.filter(({ start }) => start > first && start < last);
  return between.length === 1 ? between : places;
}

/** Maximum number of hunks to look for, so that many that are unclear take little time. */
const MAX_HUNKS = 60;
/** Minimum number of other hunks with one place. Fewer do not show that the author kept to the order. */
const MIN_PLACED = 2;

/** Returns where whole lines start, exactly as they are. */
function startsOf(bytes: Buffer, lines: string): readonly number[] {
  return findAdjacent(framedLines(bytes), `\n${lines}`, false)
    .first(MAX_EXACT)
    .map(({ start }) => start);
}

/** Returns how many lines further down an anchor stands than its author thinks. Undefined if nobody can tell. */
function driftOf(bytes: Buffer, { lines, line }: NonNullable<Hunk["anchor"]>, match: Match): number | undefined {
  const {
    places: [place, ...others],
    isComplete,
  } = linePlaces(bytes, lines, match);
  return place === undefined || others.length > 0 || !isComplete ? undefined : place.line - line;
}

/**
 * Returns the places below scope lines, such as the head of a function: those in what is indented below it, or else
 * those anywhere after it. A scope is found ignoring indentation. Throws `text/not-found` if a scope is not there.
 *
 * @param scopes each stands after the one before it
 */
function scopedPlaces(bytes: Buffer, places: readonly LinePlace[], scopes: readonly string[]): readonly LinePlace[] {
  const lines = splitLines(bytes.toString("utf8"));
  let heads = [-1];
  for (const scope of scopes) {
    const wanted = scope.trim();
    const all = headsIn(lines, wanted);
    heads = all.filter((index) => index > (heads[0] as number));
    if (heads.length === 0)
      throw new Failed(
        { code: "text/not-found", parameter: `@@ ${wanted}` },
        {
          hint:
            all.length === 0
              ? "no line of the file matches the one after @@: copy one exactly, or leave the @@ bare"
              : "the line after @@ occurs only above that of the preceding @@",
          near: fileLinesAt(bytes, places),
        },
      );
  }
  // The old lines may begin with the head itself.
  const inside = places.filter(({ line }) => heads.some((head) => line > head && line <= lastOf(lines, head) + 1));
  return inside.length > 0 ? inside : places.filter(({ line }) => line > (heads[0] as number));
}

/**
 * Returns the indices of the lines that are a scope, or else of those that only go on after it: `class Cart` for `class
 * Cart:`.
 */
function headsIn(lines: readonly string[], scope: string): readonly number[] {
  const numbersOf = (is: (line: string) => boolean): readonly number[] =>
    lines.flatMap((line, index) => (is(line.trim()) ? [index] : []));
  const exact = numbersOf((line) => line === scope);
  return exact.length > 0
    ? exact
    : numbersOf((line) => line.startsWith(scope) && !/^\w\w/.test(line.slice(scope.length - 1)));
}

/** Returns the index of the last line that belongs to a head: up to one that is indented as it is and ends nothing. */
function lastOf(lines: readonly string[], head: number): number {
  const depth = depthOf(lines[head] as string);
  const next = lines.findIndex(
    (line, index) => index > head && line.trim() !== "" && depthOf(line) <= depth && !/^\s*(?:[)\]}]|end\b)/.test(line),
  );
  return next === -1 ? lines.length - 1 : next - 1;
}

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Returns the place at a line, or one that is much nearer to it than all others. */
function nearest(places: readonly LinePlace[], line: number): readonly LinePlace[] {
  const byDistance = places
    .map((place) => ({ place, distance: Math.abs(place.line - line) }))
    .sort((a, b) => a.distance - b.distance);
  const [first, second] = byDistance;
  return first !== undefined && second !== undefined && first.distance * MUCH_NEARER < second.distance
    ? [first.place]
    : places;
}

/**
 * How many times as far the second nearest place must be: lines may have moved by as much as equal places are apart.
 */
const MUCH_NEARER = 3;
