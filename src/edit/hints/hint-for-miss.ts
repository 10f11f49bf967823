import { isAscii, isUtf8 } from "node:buffer";
import { type Added, findAdded } from "./added-marks.ts";
import { findClosest } from "./closest.ts";
import { describeDifference } from "./difference.ts";
import { compare } from "../fit.ts";
import { lineNumberAt, lineNumbersAt } from "../line-numbers.ts";
import { holds } from "../match.ts";
import { lineAround } from "./nearby-lines.ts";
import { findButForFormatting, findWith, type Found, type Proposed, type Search } from "../passes.ts";
import type { Place } from "../place-list.ts";
import { shorten } from "./shorten.ts";
import { describeTolerated } from "../tolerance.ts";

/**
 * What stands in the way of a text that was not found, or not in one place only: made to be read by the one who wrote it.
 *
 * @param found but for formatting, where that was looked for
 */
export function hintForMiss(search: Search, found?: Found): string {
  const { bytes, wanted, parameter, from } = search;
  if (bytes.length === 0) return "the file is empty";
  if (wanted.trim() === "") return `${parameter} holds nothing but white space; quote a line with words in it too`;
  if (!isAscii(Buffer.from(wanted)) && !isUtf8(bytes)) return `the file is not UTF-8 text: only plain ASCII can be found in it, and ${parameter} holds more`;
  const { places, gaveUp } = found ?? findButForFormatting(bytes, wanted, from);
  if (gaveUp) return `gave up looking for places that differ in formatting only: what ${parameter} quotes stands in too many; quote a line that is rare in the file`;
  const [place] = places;
  if (place !== undefined) return places.length === 1 ? onlyFormatting(search, place) : severalFit(search, places);
  if (endsWithoutNewline(search)) return `the file ends without a newline: ${parameter} fits its end but for the newline that it ends with`;
  const added = findAdded(search);
  if (added !== undefined) return onlyAdded(search, added);
  const parts = [standsBefore(search) ?? alreadyThere(search), closest(search)].filter((part) => part !== undefined);
  return parts.join("\n") || `nothing in the file is like ${parameter}: read the file again`;
}

/** For a place that fits but for its indentation, and a new text that cannot be indented as the place would need it. @param why as a part of the sentence */
export function hintForUnfit(bytes: Buffer, place: Place, { parameter, why }: { readonly parameter: string; readonly why: string }): string {
  const [where, ...lines] = shown(bytes, place);
  return [`${parameter} fits ${where} but for indentation, and ${why}; indent all texts as the file does:`, ...lines].join("\n");
}

/** Under `exact`. */
function onlyFormatting({ bytes, wanted, parameter, isExactOnly = false }: Search, place: Proposed): string {
  const [where, ...lines] = shown(bytes, place);
  const differs = describeTolerated(compare(bytes, place, wanted).tolerated);
  return [`only formatting stands in the way: ${parameter} fits ${where} but for ${differs}. Quote the file as it is${isExactOnly ? "" : " (or set edits.match: tolerant in loaf.yml)"}:`, ...lines].join("\n");
}

function onlyAdded({ bytes, parameter }: Search, { what, place }: Added): string {
  const [where, ...lines] = shown(bytes, place);
  return [`${parameter} ${what}; but for that it is ${where}. Quote the file as it is, and send the new text without such, too:`, ...lines].join("\n");
}

function severalFit({ bytes, wanted, parameter }: Search, places: readonly Proposed[]): string {
  const lines = places.map((place) => `${linesOf(bytes, place)}: differs in ${describeTolerated(compare(bytes, place, wanted).tolerated)}`);
  return [`${parameter} stands nowhere as it is, and fits several places but for formatting; quote the one that is meant as it is, with a line around it:`, ...lines].join("\n");
}

/** Easily quoted too much: a heredoc's last blank line is a newline. */
function endsWithoutNewline({ bytes, wanted, from }: Search): boolean {
  if (!wanted.endsWith("\n") || bytes.at(-1) === LF) return false;
  return findWith("tolerant", bytes, wanted.replace(/\r?\n$/, ""), from).places.some(({ end }) => end === bytes.length);
}

/** A range's end that stands only before its beginning ends. */
function standsBefore({ bytes, wanted, parameter, from }: Search): string | undefined {
  const [place] = from === 0 ? [] : findWith("exact", bytes.subarray(0, from), wanted, 0, 1).places;
  return place && `${parameter} stands in ${linesOf(bytes, place)}, before old_text_beginning ends (line ${lineNumberAt(bytes, from)})`;
}

/** A new text of fewer characters stands in many a file without having been put there. */
const LEAST_TELLING = 8;

function alreadyThere({ bytes, wanted, newText = "" }: Search): string | undefined {
  // A part of the old text stands there before the edit as well as after it.
  if (newText.trim().length < LEAST_TELLING || holds(wanted, newText.trim())) return undefined;
  const { places } = findWith("exact", bytes, newText, 0, 2);
  const [place] = places;
  return place && places.length === 1 ? `already applied? new_text stands in ${linesOf(bytes, place)}; if that is this edit, do not send it again` : undefined;
}

function closest(search: Search): string | undefined {
  const found = findClosest(search.bytes, search.wanted, search.from);
  return found && describeDifference(search, found, lineNumberAt(search.bytes, found.start));
}

/** Lines of a file that are shown as they are. */
const MOST_SHOWN = 12;

/** Where a place is, then its lines, as `file_read_numbered` shows them. */
function shown(bytes: Buffer, place: Place): string[] {
  const [first, last] = linesAt(bytes, place);
  const lines: string[] = [];
  for (let at = place.start; at < place.end && lines.length < MOST_SHOWN; ) {
    lines.push(`${String(first + lines.length).padStart(6)}: ${shorten(lineAround(bytes, at))}`);
    const lineFeed = bytes.indexOf(LF, at);
    at = lineFeed === -1 ? place.end : lineFeed + 1;
  }
  return [named(first, last), ...lines, ...(last >= first + lines.length ? [`        … to line ${last}`] : [])];
}

function linesOf(bytes: Buffer, place: Place): string {
  return named(...linesAt(bytes, place));
}

function linesAt(bytes: Buffer, { start, end }: Place): [first: number, last: number] {
  const [first = 1, last = first] = lineNumbersAt(bytes, [start, Math.max(start, end - 1)]);
  return [first, last];
}

function named(first: number, last: number): string {
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}

const LF = 10;
