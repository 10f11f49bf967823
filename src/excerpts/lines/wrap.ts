/** Places a block around lines of the file that a sentence wraps: in a try, in a condition. */
import { rangeOf, placeOfAll } from "./fragment.ts";
import { HAS_WORD } from "./nearest.ts";
import { dedented, indentOf, type Line, linesNamed, type PlacedLines, reindented, significant } from "../text.ts";
import type { Told } from "../told/told.ts";

/**
 * Puts a fragment in the place of the lines that it has in common with the file, if those stand there once, one after
 * the other, and deeper in the fragment than its first line. Those that follow them there may end the fragment, as deep
 * as its first line: then no sentence has to say that something is wrapped.
 */
export function placeAround(file: string, content: string, { text }: Told): PlacedLines | undefined {
  const lines = file.split("\n");
  const [there, shown] = [significant(lines), significant(content.split("\n"))];
  const known = new Set(there.map((line) => line.text).filter((line) => HAS_WORD.test(line)));
  const isKnown = (line: { readonly text: string }): boolean => known.has(line.text);
  const [head] = shown;
  const first = shown.findIndex(isKnown);
  if (first < 1 || head === undefined) return undefined;
  const isDeeper = ({ indent }: Line): boolean => indent > head.indent;
  const tail = shown.findLastIndex((line) => isDeeper(line) || !isKnown(line)) + 1;
  const end = shown.slice(0, tail).findLastIndex(isKnown) + 1;
  const inside = shown.slice(first, end);
  const below = shown.slice(tail);
  // A line above them that opens nothing may be a new form of another one.
  const opensAll = shown.slice(0, first).every((line) => /[{(:]$/.test(line.text));
  if (!inside.every(isDeeper) || !(WRAPS.test(text) || (below.length > 0 && opensAll))) return undefined;
  const place = placeOfAll(there, [...inside, ...below]);
  if (place === undefined) return undefined;
  const range = rangeOf(lines, place.first, place.last);
  const indent = indentOf(lines[place.first] ?? "");
  const isDeepAsBelow = below.length === 0 || indent === indentOf(lines[place.last] ?? "");
  const gap = file.slice(range.start, range.end).endsWith("\n") ? "\n" : "";
  const now = `${indent}${reindented(dedented(content), indent, file).trim()}${gap}`;
  return isDeepAsBelow
    ? { splices: [{ ...range, text: now }], done: [`${linesNamed(file, range)} wrapped`] }
    : undefined;
}

/** In a sentence that puts something around what is there. */
export const WRAPS =
  /\b(?:wrap|surround|enclos|guard|protect|umschließ|umgib|pack\w* .* in |entour|envelopp|envuelv|rode)/i;
