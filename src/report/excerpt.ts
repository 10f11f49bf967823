/** Shows of a long file only where an edit was meant to be. */
import type { Shown } from "../actions/define.ts";
import type { FileLines } from "../core/failure.ts";
import type { Peeked } from "../core/outcome.ts";
import { startOfLine } from "../edit/hints/closest.ts";
import { numberLines } from "../edit/lines.ts";

/** Files of no more lines are shown whole. */
const MAX_WHOLE = 40;
/** Lines to show before and after a place. */
const AROUND = 15;
/** Maximum number of places in one file. More would not fit into a report. */
const MAX_PLACES = 100;

export interface Excerpt {
  readonly parts: readonly Shown[];
  /** Whether a place is on other lines now than when the edit was refused. */
  readonly hasMoved: boolean;
}

/**
 * Returns numbered parts of a file: the places where refused edits fit, or nearly, with the lines around them.
 * Undefined if the whole file should be shown: it is short, or nothing in it is similar.
 */
export function excerptOf(
  { text, firstLine = 1 }: Pick<Peeked, "text" | "firstLine">,
  near: readonly FileLines[],
): Excerpt | undefined {
  const lines = text.replace(/\n$/, "").split(/\r?\n/);
  if (lines.length <= MAX_WHOLE || near.length === 0) return undefined;
  const end = firstLine + lines.length - 1;
  const ranges: Array<{ first: number; last: number }> = [];
  const places = near
    .slice(0, MAX_PLACES)
    .map((place) => ({ place, at: firstLine + indexNow(lines, place, firstLine) }));
  for (const { place, at } of places.toSorted((a, b) => a.at - b.at)) {
    const first = Math.max(firstLine, at - AROUND);
    const last = Math.min(end, at + place.last - place.first + AROUND);
    const before = ranges.at(-1);
    if (before !== undefined && first <= before.last + 1) before.last = Math.max(before.last, last);
    else ranges.push({ first, last });
  }
  return {
    parts: ranges.map(({ first, last }) => ({
      title: `lines ${first}-${last} of ${firstLine === 1 ? "" : `${firstLine}-`}${end}`,
      text: numberLines(text, `${first}-${last}`, ": ", firstLine).content,
    })),
    hasMoved: places.some(({ place, at }) => at !== place.first),
  };
}

/** Returns the index of the nearest lines that begin as those of a place, or as near as the file still is long. */
function indexNow(lines: readonly string[], { first, starts }: FileLines, firstLine: number): number {
  const index = Math.min(Math.max(0, first - firstLine), lines.length - 1);
  for (let distance = 0; distance < lines.length; distance++)
    for (const at of [index + distance, index - distance])
      if (starts.every((start, line) => startOfLine(lines[at + line] ?? "") === start)) return at;
  return index;
}
