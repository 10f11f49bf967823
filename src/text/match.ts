/** Where a text stands in another: exactly, or, where it stands nowhere so, with other line endings. */

/** UTF-16 offsets, `end` exclusive. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * All places where `wanted` stands in `text` at or after `from`, in order, none overlapping another. Exact places win. Only where
 * there is none may line endings differ, because a heredoc cannot carry CRLF. A CRLF is one thing: no place begins or ends inside it.
 */
export function findPlaces(text: string, wanted: string, from = 0): Place[] {
  const exact = findExact(text, wanted, from);
  if (exact.length > 0 || !wanted.includes("\n")) return exact;
  return text.includes("\r\n", from) || wanted.includes("\r\n") ? findWithAnyLineEndings(text, wanted, from) : exact;
}

function findExact(text: string, wanted: string, from: number): Place[] {
  const places: Place[] = [];
  let start = text.indexOf(wanted, from);
  while (start !== -1) {
    const end = start + wanted.length;
    const whole = !splitsLineEnding(text, start) && !splitsLineEnding(text, end);
    if (whole) places.push({ start, end });
    start = text.indexOf(wanted, whole ? end : start + 1);
  }
  return places;
}

function splitsLineEnding(text: string, offset: number): boolean {
  return text.charCodeAt(offset) === LF && text.charCodeAt(offset - 1) === CR;
}

/** Searches with every CRLF read as LF on both sides, then counts the CRs that were left out to get back to real offsets. */
function findWithAnyLineEndings(text: string, wanted: string, from: number): Place[] {
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
  return findExact(lineFeedsOnly, needle, 0).map(({ start, end }) => ({ start: realOffset(start), end: realOffset(end) }));
}

const LF = 10;
const CR = 13;
