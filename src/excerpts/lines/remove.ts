/** Removes what a plain answer shows: whole lines, and with a declaration the comments and decorators above it. */
import type { Part } from "../../addresses/part.ts";
import { smallest } from "../../core/lists.ts";
import { placeOfAll, rangeOf } from "./fragment.ts";
import { everyPart } from "../parts.ts";
import { isRemark } from "../remarks.ts";
import {
  indentOf,
  isInRows,
  type Line,
  linesNamed,
  type PlacedLines,
  rowAt,
  significant,
  type Splice,
  Unplaced,
  wholeLines,
  type Within,
} from "../text.ts";

/**
 * Each stretch has to be in the file exactly once. Declarations that stand apart are shown one below the other.
 *
 * @param within the lines that the sentence names, if it names some
 */
export function removeShown(
  file: string,
  content: string,
  { parts, within }: { readonly parts: readonly Part[]; readonly within?: Within | undefined },
): PlacedLines | Unplaced {
  const lines = file.split("\n");
  const all = significant(lines);
  const there = all.filter(({ at }) => isInRows(at, within));
  const splices: Splice[] = [];
  for (const stretch of stretchesIn(content, there)) {
    const place = stretch.length === 0 ? undefined : placeOfAll(there, stretch);
    if (place === undefined) return new Unplaced("does not have the lines to remove exactly once, as they are shown");
    const shown = rangeOf(lines, place.first, place.last);
    const begun = everyPart(parts).flatMap(({ part }) => {
      const range = wholeLines(file, part);
      const isHeadShown = lines
        .slice(rowAt(file, range.start), place.first)
        .every((line, at) => line.trim() === "" || isRemark(line, lines[rowAt(file, range.start) + at + 1]));
      return range.start <= shown.end && isHeadShown && range.end > shown.start ? [{ name: part.name, ...range }] : [];
    });
    const isCut = (end: number): boolean => file.slice(shown.end, end).trim() !== "";
    const cut = begun.find(({ start, end }) => start >= shown.start && start < shown.end && isCut(end));
    if (cut !== undefined) return new Unplaced(`is shown only a part of ${cut.name}: show all that is to go`);
    const whole = begun.filter(({ start, end }) => start < shown.start && end <= shown.end);
    const first = smallest([
      ...whole.map(({ start }) => rowAt(file, start)),
      parts.length === 0 ? aboveRemarksOf(lines, place) : place.first,
    ]);
    const range = withoutBlankLines(lines, first, place.last);
    splices.push({ ...range, text: "" });
  }
  return { splices, done: splices.map((range) => `${linesNamed(file, range)} removed`) };
}

/** Returns a file without what is removed, and without the comma that its last member leaves behind, if it does. */
export function withoutComma(file: string, { splices }: PlacedLines): readonly string[] {
  const [only, other] = splices;
  const above = only === undefined ? "" : file.slice(0, only.start).trimEnd();
  if (only === undefined || other !== undefined || !above.endsWith(",")) return [];
  return [above.slice(0, -1) + file.slice(above.length, only.start) + file.slice(only.end)];
}

/** Returns what is shown as one stretch of lines, or else as few of them as the file has, each of whole paragraphs. */
function stretchesIn(content: string, there: readonly Line[]): readonly (readonly Line[])[] {
  const lines = content.split("\n");
  const own = significant(lines);
  const left = indentOf(lines[own[0]?.at ?? 0] ?? "").length;
  const begins = own.flatMap(({ at, indent }, index) =>
    index === 0 || ((lines[at - 1] ?? "").trim() === "" && indent <= left) ? [index] : [],
  );
  const stretches: (readonly Line[])[] = [];
  for (let from = 0; from < begins.length || from === 0;) {
    const until = (next: number): readonly Line[] => own.slice(begins[from], begins[next]);
    let next = begins.length;
    while (next > from + 1 && placeOfAll(there, until(next)) === undefined)
      next = Math.min(next - 1, from + MAX_TOGETHER);
    stretches.push(until(next));
    from = Math.max(next, 1);
  }
  return stretches;
}

/** Paragraphs that are looked for as one stretch, where not all are one. */
const MAX_TOGETHER = 50;

/** Returns the first line of the comments above a block, where no grammar tells what they belong to. */
function aboveRemarksOf(
  lines: readonly string[],
  { first, last }: { readonly first: number; readonly last: number },
): number {
  const isBlock = last > first && indentOf(lines[first] ?? "") === indentOf(lines[last] ?? "");
  let above = first;
  if (isBlock) while (isRemark(lines[above - 1] ?? "", lines[above])) above -= 1;
  return above;
}

/** Of the blank lines around what goes, the longer row stays; none does at the beginning and the end of a block. */
function withoutBlankLines(
  lines: readonly string[],
  first: number,
  last: number,
): { readonly start: number; readonly end: number } {
  const isFree = (at: number): boolean => at >= 0 && at < lines.length - 1 && lines[at]?.trim() === "";
  let [above, below] = [0, 0];
  while (isFree(first - 1 - above)) above += 1;
  while (isFree(last + 1 + below)) below += 1;
  const next = lines[last + 1 + below] ?? "";
  const isEnd = last + 1 + below >= lines.length - 1 || CLOSED.test(next);
  const isBegun =
    first - above === 0 ||
    (above === 0 && indentOf(lines[first - 1] ?? "").length < indentOf(lines[first] ?? "").length);
  return isBegun || (!isEnd && above > 0 && above >= below)
    ? rangeOf(lines, first, last + below)
    : rangeOf(lines, first - (isEnd || below > 0 ? above : 0), last);
}

const CLOSED = /^\s*(?:[)}\]]|<\/|end\b)/;
