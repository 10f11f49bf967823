/** Shows of a long file only where an edit was meant to be. */
import type { Shown } from "../actions/define.ts";
import { findClosest } from "../edit/hints/closest.ts";
import { lineNumbersAt } from "../edit/line-numbers.ts";
import { countLines, numberLines } from "../edit/lines.ts";
import { findWith } from "../edit/passes.ts";

/** Files of no more lines are shown whole. */
const MAX_WHOLE = 40;
/** Lines to show before and after a place. */
const AROUND = 15;
/** Maximum number of places of one text. */
const MAX_PLACES = 4;

/** Maximum number of texts to look for in one file. More would not fit into a report. */
const MAX_TEXTS = 40;

interface Range {
  first: number;
  last: number;
}

/**
 * Returns numbered parts of a file: the places of texts that an edit refused to replace, or else the most similar ones,
 * with the lines around them. Undefined if the whole file should be shown: it is short, or nothing in it is similar.
 */
export function excerptsOf(content: string, wanted: readonly string[]): readonly Shown[] | undefined {
  const count = countLines(content);
  if (count <= MAX_WHOLE) return undefined;
  const bytes = Buffer.from(content);
  const ranges: Range[] = [];
  const searched = wanted.filter((text) => text.trim() !== "").slice(0, MAX_TEXTS);
  const places = searched.flatMap((text) => linesOf(bytes, text));
  for (const { first, last } of places.toSorted((a, b) => a.first - b.first)) {
    const range = { first: Math.max(1, first - AROUND), last: Math.min(count, last + AROUND) };
    const before = ranges.at(-1);
    if (before !== undefined && range.first <= before.last + 1) before.last = Math.max(before.last, range.last);
    else ranges.push(range);
  }
  if (ranges.length === 0) return undefined;
  return ranges.map(({ first, last }) => ({
    title: `lines ${first}-${last} of ${count}`,
    text: numberLines(content, `${first}-${last}`, ": ").content,
  }));
}

function linesOf(bytes: Buffer, text: string): Range[] {
  const { places } = findWith("tolerant", bytes, text, 0, MAX_PLACES);
  const found = places.length > 0 ? places.slice(0, MAX_PLACES) : placeOf(bytes, text);
  return found.map(({ start, end }) => {
    const [first = 1, last = first] = lineNumbersAt(bytes, [start, Math.max(start, end - 1)]);
    return { first, last };
  });
}

function placeOf(bytes: Buffer, text: string): Array<{ readonly start: number; readonly end: number }> {
  const closest = findClosest(bytes, text);
  if (closest === undefined) return [];
  const { start, lines, wanted } = closest;
  return [{ start, end: Math.min(bytes.length, start + Buffer.byteLength(lines.slice(0, wanted.length).join("\n"))) }];
}
