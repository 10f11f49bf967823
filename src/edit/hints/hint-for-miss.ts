import { isAscii, isUtf8 } from "node:buffer";
import type { Alignment } from "../../core/failure.ts";
import { compare } from "../fit.ts";
import { isEllipsis } from "../holes.ts";
import { LF, lineNumberAt, lineNumbersAt, shorten } from "../lines.ts";
import { holds } from "../match.ts";
import { findIgnoringFormatting, findWith, type Found, type Proposed, type Search } from "../passes.ts";
import type { Place } from "../splice.ts";
import { kindOf } from "../placeholder-kind.ts";
import { describeTolerated, type Shift } from "../tolerance.ts";
import { fileLinesAt, findClosest, lineAround } from "./closest.ts";
import { withinHintBudget } from "../work-budget.ts";
import { describeDifference } from "./difference.ts";

/**
 * Explains to the author of a text why it was not found, or not in only one place.
 *
 * @param matches the matches that differ in formatting, if those were searched for
 */
export function alignMiss(search: Search, matches?: Found): Alignment {
  const { hint, places = [] }: Explained = withinHintBudget(search.bytes.length, () => explainMiss(search, matches));
  return { hint, near: fileLinesAt(search.bytes, places) };
}

function explainMiss(search: Search, matches?: Found): Explained {
  const { bytes, wanted, parameter, from } = search;
  if (bytes.length === 0) return { hint: "the file is empty" };
  if (wanted.trim() === "") return { hint: `${parameter} is only white space; quote a line with words too` };
  if (!isAscii(Buffer.from(wanted)) && !isUtf8(bytes))
    return {
      hint: `the file is not UTF-8 text: only plain ASCII can be found in it, and ${parameter} has other characters`,
    };
  const { places, gaveUp } = matches ?? findIgnoringFormatting(bytes, wanted, from);
  if (gaveUp)
    return {
      hint: `gave up searching for matches that differ only in formatting: ${parameter} has too many candidates; quote a line that is rare in the file`,
    };
  const [place] = places;
  if (place !== undefined)
    return { hint: places.length === 1 ? onlyFormatting(search, place) : severalFit(search, places), places };
  const end = endWithoutNewline(search);
  if (end !== undefined)
    return {
      hint: `the file has no final newline: ${parameter} matches its end except for that newline`,
      places: [end],
    };
  const added = findAdded(search);
  if (added !== undefined) return { hint: onlyAdded(search, added), places: [added.place] };
  const parts = [occursBefore(search) ?? alreadyThere(search), closest(search)].filter((part) => part !== undefined);
  return {
    hint:
      parts.map(({ hint }) => hint).join("\n") || `nothing in the file is similar to ${parameter}: read the file again`,
    places: parts.flatMap(({ places = [] }) => places),
  };
}

/**
 * Describes a place that matches except for indentation, if the new text cannot be indented the same way.
 *
 * @param why part of the sentence
 */
export function alignUnfit(
  bytes: Buffer,
  place: Place,
  { parameter, why }: { readonly parameter: string; readonly why: string },
): Alignment {
  const hint = withLines(
    bytes,
    place,
    (where) => `${parameter} matches ${where} except for indentation, and ${why}; indent all texts as the file does:`,
  );
  return { hint, near: fileLinesAt(bytes, [place]) };
}

/**
 * Returns why a new text cannot be fitted to a place.
 *
 * @param subject in the plural if it has several words
 */
export function whyUnfit(shift: Shift | undefined, subject: string): string {
  const [has, is] = subject.includes(" ") ? ["have", "are"] : ["has", "is"];
  return shift === undefined || "by" in shift
    ? `${subject} ${has} too little of it to be shifted as well`
    : `${subject} ${is} not indented by whole units of ${shift.unit} spaces or a tab`;
}

interface Explained {
  readonly hint: string;
  /** Those that the hint names. */
  readonly places?: readonly Place[];
}

/** Used if the setting is `exact`. */
function onlyFormatting({ bytes, wanted, parameter, isExactOnly = false }: Search, place: Proposed): string {
  const differs = describeTolerated(compare(bytes, place, wanted).tolerated);
  return withLines(
    bytes,
    place,
    (where) =>
      `only formatting differs: ${parameter} matches ${where} except for ${differs}. Quote the file as it is${isExactOnly ? "" : " (or set edits.match: tolerant in loaf.yml)"}:`,
  );
}

function onlyAdded({ bytes, parameter }: Search, { what, place }: Added): string {
  return withLines(
    bytes,
    place,
    (where) => `${parameter} ${what}; otherwise it matches ${where}. Quote the file as it is, in the new text too:`,
  );
}

function severalFit({ bytes, wanted, parameter }: Search, places: readonly Proposed[]): string {
  const lines = places.map(
    (place) => `${linesOf(bytes, place)}: differs in ${describeTolerated(compare(bytes, place, wanted).tolerated)}`,
  );
  return [
    `${parameter} has no exact match, but several that differ only in formatting; quote the intended one exactly, with a neighbouring line:`,
    ...lines,
  ].join("\n");
}

/** A heredoc easily quotes too much, because its last blank line is a newline. */
function endWithoutNewline({ bytes, wanted, from }: Search): Place | undefined {
  if (!wanted.endsWith("\n") || bytes.at(-1) === LF) return undefined;
  return findWith("tolerant", bytes, wanted.replace(/\r?\n$/, ""), from).places.find(({ end }) => end === bytes.length);
}

/** Describes a range's end that occurs only before the end of its beginning. */
function occursBefore({ bytes, wanted, parameter, from }: Search): Explained | undefined {
  const { places } = from === 0 ? {} : findWith("exact", bytes.subarray(0, from), wanted, 0, 1);
  const [place] = places ?? [];
  return (
    place && {
      hint: `${parameter} occurs in ${linesOf(bytes, place)}, before old_text_beginning ends (line ${lineNumberAt(bytes, from)})`,
      places: [place],
    }
  );
}

/** A shorter new text may be in a file by chance. */
const MIN_TELLING_LENGTH = 8;

function alreadyThere({ bytes, wanted, newText = "" }: Search): Explained | undefined {
  // A part of the old text is in the file before the edit too.
  if (newText.trim().length < MIN_TELLING_LENGTH || holds(wanted, newText.trim())) return undefined;
  const { places } = findWith("exact", bytes, newText, 0, 2);
  const [place] = places;
  return place && places.length === 1
    ? {
        hint: `already applied? new_text is in ${linesOf(bytes, place)}; if that is this edit, do not send it again`,
        places,
      }
    : undefined;
}

function closest(search: Search): Explained | undefined {
  const nearest = findClosest(search.bytes, search.wanted, search.from);
  return nearest && { hint: describeDifference(search, nearest), places: [nearest.place] };
}

/** Maximum number of the file's lines to show. */
const MAX_SHOWN = 12;

/** Returns a sentence with a place's location, then its lines in the format of `file_read_numbered`. */
function withLines(bytes: Buffer, place: Place, sentence: (where: string) => string): string {
  const [first, last] = linesAt(bytes, place);
  const lines: string[] = [];
  for (let at = place.start; at < place.end && lines.length < MAX_SHOWN;) {
    lines.push(`${String(first + lines.length).padStart(6)}: ${shorten(lineAround(bytes, at))}`);
    const lineFeed = bytes.indexOf(LF, at);
    at = lineFeed === -1 ? place.end : lineFeed + 1;
  }
  const more = last >= first + lines.length ? [`        … to line ${last}`] : [];
  return [sentence(named(first, last)), ...lines, ...more].join("\n");
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

/** A text that matches without what its writer added. */
export interface Added {
  /** The rest of a sentence that starts with the parameter. */
  readonly what: string;
  /** Where it matches without the addition. If lines are omitted, the place includes them. */
  readonly place: Place;
}

/** What people and tools add to the lines of a quotation: numbered views, diffs, chats. */
const MARKS: ReadonlyArray<{
  readonly what: string;
  readonly without: (lines: readonly string[]) => readonly string[] | undefined;
}> = [
  { what: "has line numbers before its lines", without: withoutEach(/^ *\d+(?:: ?|\t| ?[|│→] ?)/) },
  {
    what: "has the signs of a diff before its lines",
    without: (lines) => (lines.some((line) => /^[-+]/.test(line)) ? withoutEach(/^[-+ ]/)(lines) : undefined),
  },
  {
    what: "has a code fence around it",
    without: (lines) =>
      /^\s*```/.test(lines[0] ?? "") && /^\s*```\s*$/.test(lines.at(-1) ?? "") ? lines.slice(1, -1) : undefined,
  },
];

/**
 * Searches again without such marks, or with any lines in place of a placeholder. Returns undefined unless exactly one
 * place matches.
 */
function findAdded(search: Search): Added | undefined {
  const lines = search.wanted.trimEnd().split(/\r?\n/);
  if (lines.length > MAX_LINES) return undefined;
  for (const { what, without } of MARKS) {
    const place = onlyPlace(search, without(lines) ?? [], search.from);
    if (place !== undefined) return { what, place };
  }
  return leavingOut(search, lines);
}

/** Maximum number of lines, which keeps the search short. Nobody types or numbers more by hand. */
const MAX_LINES = 500;

function leavingOut(search: Search, lines: readonly string[]): Added | undefined {
  const at = lines.findIndex((line) => isEllipsis(line.trim()) || kindOf(line.trim()) !== undefined);
  if (at === -1) return undefined;
  const before = onlyPlace(search, lines.slice(0, at), search.from);
  const behind = before && firstPlace(search, lines.slice(at + 1), before.end);
  return (
    behind && {
      what: `leaves lines out: its line ${at + 1}, '${lines[at]?.trim()}', is not in the file`,
      place: { start: before.start, end: behind.end },
    }
  );
}

function onlyPlace({ bytes }: Search, lines: readonly string[], from: number): Place | undefined {
  const text = lines.join("\n");
  const { places } = text.trim() === "" ? { places: [] } : findWith("tolerant", bytes, text, from, 2);
  return places.length === 1 ? places[0] : undefined;
}

function firstPlace({ bytes }: Search, lines: readonly string[], from: number): Place | undefined {
  const text = lines.join("\n");
  return text.trim() === "" ? undefined : findWith("tolerant", bytes, text, from, 1).places[0];
}

/** Removes a mark that every non-blank line must start with. */
function withoutEach(mark: RegExp): (lines: readonly string[]) => readonly string[] | undefined {
  return (lines) =>
    lines.every((line) => line.trim() === "" || mark.test(line))
      ? lines.map((line) => line.replace(mark, ""))
      : undefined;
}
