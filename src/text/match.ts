/** Where a text stands in another: exactly, or, where it stands nowhere so, with other line endings. */

/** UTF-16 offsets, `end` exclusive. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * All places, one by one, where `wanted` stands in `text` at or after `from`, in order, none overlapping another. Exact places win. Only where
 * there is none may line endings differ, because a heredoc cannot carry CRLF. A CRLF is one thing: no place begins or ends inside it.
 */
export function* findPlaces(text: string, wanted: string, from = 0): Generator<Place> {
  const isWhole = ({ start, end }: Place): boolean => !splitsLineEnding(text, start) && !splitsLineEnding(text, end);
  let isFound = false;
  for (const place of search(text, wanted, from, isWhole)) {
    isFound = true;
    yield place;
  }
  const mayDiffer = wanted.includes("\n") && (text.includes("\r\n", from) || wanted.includes("\r\n"));
  if (!isFound && mayDiffer) yield* findWithAnyLineEndings(text, wanted, from);
}

function splitsLineEnding(text: string, offset: number): boolean {
  return text.charCodeAt(offset) === LF && text.charCodeAt(offset - 1) === CR;
}

/** Searches with every CRLF read as LF on both sides, then counts the CRs that were left out to get back to real offsets. */
function* findWithAnyLineEndings(text: string, wanted: string, from: number): Generator<Place> {
  const needle = wanted.replaceAll("\r\n", "\n");
  const lineFeedsOnly = text.slice(from).replaceAll("\r\n", "\n");
  let left = 0;
  let nextCr = text.indexOf("\r\n", from);
  const realOffset = (offset: number): number => {
    while (nextCr !== -1 && nextCr - from - left < offset) {
      left += 1;
      nextCr = text.indexOf("\r\n", nextCr + 2);
    }
    return from + offset + left;
  };
  // A CR left before an LF here was one before a CRLF.
  for (const { start, end } of search(lineFeedsOnly, needle, 0, () => true)) yield { start: realOffset(start), end: realOffset(end) };
}

/** `indexOf` is by far the fastest, but it begins anew after each place that is not accepted, and is slow for a long text of much the same characters. */
const LONGEST_SIMPLE = 256;

/** The places that are accepted, from left to right, none overlapping another one. */
function* search(text: string, wanted: string, from: number, accepts: (place: Place) => boolean): Generator<Place> {
  if (wanted.length > LONGEST_SIMPLE) return yield* searchLong(text, wanted, from, accepts);
  let start = text.indexOf(wanted, from);
  while (start !== -1) {
    const place = { start, end: start + wanted.length };
    const isAccepted = accepts(place);
    if (isAccepted) yield place;
    start = text.indexOf(wanted, isAccepted ? place.end : start + 1);
  }
}

/** The same in linear time, whatever the texts: the algorithm of Knuth, Morris and Pratt. */
function* searchLong(text: string, wanted: string, from: number, accepts: (place: Place) => boolean): Generator<Place> {
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    matched = extended(wanted, borders, matched, text.charCodeAt(at));
    if (matched < wanted.length) continue;
    const place = { start: at + 1 - matched, end: at + 1 };
    const isAccepted = accepts(place);
    if (isAccepted) yield place;
    matched = isAccepted ? 0 : (borders[matched - 1] as number);
  }
}

/** For each beginning of a text, how long the longest shorter beginning is that it ends with. */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  for (let at = 1; at < text.length; at++) borders[at] = extended(text, borders, borders[at - 1] as number, text.charCodeAt(at));
  return borders;
}

/** How much of `wanted` has matched with one more character. */
function extended(wanted: string, borders: Uint32Array, matched: number, character: number): number {
  let length = matched;
  while (length > 0 && wanted.charCodeAt(length) !== character) length = borders[length - 1] as number;
  return wanted.charCodeAt(length) === character ? length + 1 : length;
}

const LF = 10;
const CR = 13;
