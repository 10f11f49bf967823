/** Places a block around lines of the file that a sentence wraps: in a try, in a condition. */
import { rangeOf, placeOfAll } from "./fragment.ts";
import { HAS_WORD } from "./nearest.ts";
import { dedented, indentOf, linesNamed, type PlacedLines, reindented, significant } from "../text.ts";
import type { Told } from "../told/told.ts";

/**
 * Puts a fragment in the place of the lines that it has in common with the file, if those stand there once, one after
 * the other, and deeper in the fragment than its first line. Undefined if no sentence wraps something.
 */
export function placeAround(file: string, content: string, { text }: Told): PlacedLines | undefined {
  if (!WRAPS.test(text)) return undefined;
  const lines = file.split("\n");
  const [there, shown] = [significant(lines), significant(content.split("\n"))];
  const known = new Set(there.map((line) => line.text).filter((line) => HAS_WORD.test(line)));
  const isKnown = (line: { readonly text: string }): boolean => known.has(line.text);
  const [first, last] = [shown.findIndex(isKnown), shown.findLastIndex(isKnown)];
  const inside = shown.slice(first, last + 1);
  const [head] = shown;
  if (first < 1 || head === undefined || inside.some(({ indent }) => indent <= head.indent)) return undefined;
  const place = placeOfAll(there, inside);
  if (place === undefined) return undefined;
  const range = rangeOf(lines, place.first, place.last);
  const indent = indentOf(lines[place.first] ?? "");
  const end = file.slice(range.start, range.end).endsWith("\n") ? "\n" : "";
  const now = `${indent}${reindented(dedented(content), indent, file).trim()}${end}`;
  return { splices: [{ ...range, text: now }], done: [`${linesNamed(file, range)} wrapped`] };
}

/** In a sentence that puts something around what is there. */
export const WRAPS =
  /\b(?:wrap|surround|enclos|guard|protect|umschließ|umgib|pack\w* .* in |entour|envelopp|envuelv|rode)/i;
