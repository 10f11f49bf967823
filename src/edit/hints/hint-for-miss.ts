import { isAscii, isUtf8 } from "node:buffer";
import { diffArrays } from "diff";
import { compare } from "../fit.ts";
import { LF } from "../line-ending.ts";
import { lineNumberAt, lineNumbersAt } from "../line-numbers.ts";
import { shorten } from "../lines.ts";
import { holds } from "../match.ts";
import { findIgnoringFormatting, findWith, type Found, type Proposed, type Search } from "../passes.ts";
import type { Place } from "../place-list.ts";
import { splitMargins } from "../quotation.ts";
import { NO_SHIFT, type Shift, shiftBetween, shifted } from "../shift.ts";
import { describeTolerated } from "../tolerance.ts";
import { plain } from "../typography.ts";
import { type Closest, findClosest, lineAround } from "./closest.ts";

/**
 * Explains to the author of a text why it was not found, or not in only one place.
 *
 * @param found the matches that differ in formatting, if those were searched for
 */
export function hintForMiss(search: Search, found?: Found): string {
  const { bytes, wanted, parameter, from } = search;
  if (bytes.length === 0) return "the file is empty";
  if (wanted.trim() === "") return `${parameter} is only white space; quote a line with words too`;
  if (!isAscii(Buffer.from(wanted)) && !isUtf8(bytes)) return `the file is not UTF-8 text: only plain ASCII can be found in it, and ${parameter} has other characters`;
  const { places, gaveUp } = found ?? findIgnoringFormatting(bytes, wanted, from);
  if (gaveUp) return `gave up searching for matches that differ only in formatting: ${parameter} has too many candidates; quote a line that is rare in the file`;
  const [place] = places;
  if (place !== undefined) return places.length === 1 ? onlyFormatting(search, place) : severalFit(search, places);
  if (endsWithoutNewline(search)) return `the file has no final newline: ${parameter} matches its end except for that newline`;
  const added = findAdded(search);
  if (added !== undefined) return onlyAdded(search, added);
  const parts = [occursBefore(search) ?? alreadyThere(search), closest(search)].filter((part) => part !== undefined);
  return parts.join("\n") || `nothing in the file is similar to ${parameter}: read the file again`;
}

/**
 * Describes a place that matches except for indentation, if the new text cannot be indented the same way.
 *
 * @param why part of the sentence
 */
export function hintForUnfit(bytes: Buffer, place: Place, { parameter, why }: { readonly parameter: string; readonly why: string }): string {
  const [where, ...lines] = shown(bytes, place);
  return [`${parameter} matches ${where} except for indentation, and ${why}; indent all texts as the file does:`, ...lines].join("\n");
}

/** Used if the setting is `exact`. */
function onlyFormatting({ bytes, wanted, parameter, isExactOnly = false }: Search, place: Proposed): string {
  const [where, ...lines] = shown(bytes, place);
  const differs = describeTolerated(compare(bytes, place, wanted).tolerated);
  return [`only formatting differs: ${parameter} matches ${where} except for ${differs}. Quote the file as it is${isExactOnly ? "" : " (or set edits.match: tolerant in loaf.yml)"}:`, ...lines].join("\n");
}

function onlyAdded({ bytes, parameter }: Search, { what, place }: Added): string {
  const [where, ...lines] = shown(bytes, place);
  return [`${parameter} ${what}; otherwise it matches ${where}. Quote the file as it is, in the new text too:`, ...lines].join("\n");
}

function severalFit({ bytes, wanted, parameter }: Search, places: readonly Proposed[]): string {
  const lines = places.map((place) => `${linesOf(bytes, place)}: differs in ${describeTolerated(compare(bytes, place, wanted).tolerated)}`);
  return [`${parameter} has no exact match, but several that differ only in formatting; quote the intended one exactly, with a neighbouring line:`, ...lines].join("\n");
}

/** A heredoc easily quotes too much, because its last blank line is a newline. */
function endsWithoutNewline({ bytes, wanted, from }: Search): boolean {
  if (!wanted.endsWith("\n") || bytes.at(-1) === LF) return false;
  return findWith("tolerant", bytes, wanted.replace(/\r?\n$/, ""), from).places.some(({ end }) => end === bytes.length);
}

/** Describes a range's end that occurs only before the end of its beginning. */
function occursBefore({ bytes, wanted, parameter, from }: Search): string | undefined {
  const [place] = from === 0 ? [] : findWith("exact", bytes.subarray(0, from), wanted, 0, 1).places;
  return place && `${parameter} occurs in ${linesOf(bytes, place)}, before old_text_beginning ends (line ${lineNumberAt(bytes, from)})`;
}

/** A shorter new text may be in a file by chance. */
const MIN_TELLING_LENGTH = 8;

function alreadyThere({ bytes, wanted, newText = "" }: Search): string | undefined {
  // A part of the old text is in the file before the edit too.
  if (newText.trim().length < MIN_TELLING_LENGTH || holds(wanted, newText.trim())) return undefined;
  const { places } = findWith("exact", bytes, newText, 0, 2);
  const [place] = places;
  return place && places.length === 1 ? `already applied? new_text is in ${linesOf(bytes, place)}; if that is this edit, do not send it again` : undefined;
}

function closest(search: Search): string | undefined {
  const found = findClosest(search.bytes, search.wanted, search.from);
  return found && describeDifference(search, found, lineNumberAt(search.bytes, found.start));
}

/** Maximum number of the file's lines to show. */
const MAX_SHOWN = 12;

/** Returns a place's location, then its lines in the format of `file_read_numbered`. */
function shown(bytes: Buffer, place: Place): string[] {
  const [first, last] = linesAt(bytes, place);
  const lines: string[] = [];
  for (let at = place.start; at < place.end && lines.length < MAX_SHOWN; ) {
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

/** A text that matches without what its writer added. */
export interface Added {
  /** The rest of a sentence that starts with the parameter. */
  readonly what: string;
  /** Where it matches without the addition. If lines are omitted, the place includes them. */
  readonly place: Place;
}

/** What people and tools add to the lines of a quotation: numbered views, diffs, chats. */
const MARKS: ReadonlyArray<{ readonly what: string; readonly without: (lines: readonly string[]) => readonly string[] | undefined }> = [
  { what: "has line numbers before its lines", without: withoutEach(/^ *\d+(?:: ?|\t| ?[|│→] ?)/) },
  { what: "has the signs of a diff before its lines", without: (lines) => (lines.some((line) => /^[-+]/.test(line)) ? withoutEach(/^[-+ ]/)(lines) : undefined) },
  { what: "has a code fence around it", without: (lines) => (/^\s*```/.test(lines[0] ?? "") && /^\s*```\s*$/.test(lines.at(-1) ?? "") ? lines.slice(1, -1) : undefined) },
];

/**
 * Searches again without such marks, or with any lines in place of `...`. Returns undefined unless exactly one place
 * matches.
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
const ELLIPSIS = /^\s*(?:\/\/|#|--|\/\*|<!--)?\s*(?:\.\.\.|…)\s*(?:\*\/|-->)?\s*$/;

function leavingOut(search: Search, lines: readonly string[]): Added | undefined {
  const at = lines.findIndex((line) => ELLIPSIS.test(line));
  if (at === -1) return undefined;
  const before = onlyPlace(search, lines.slice(0, at), search.from);
  const behind = before && firstPlace(search, lines.slice(at + 1), before.end);
  return behind && { what: `leaves lines out: its line ${at + 1}, '${lines[at]?.trim()}', is not in the file`, place: { start: before.start, end: behind.end } };
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
  return (lines) => (lines.every((line) => line.trim() === "" || mark.test(line)) ? lines.map((line) => line.replace(mark, "")) : undefined);
}

/** Maximum number of lines that show a difference. */
const MAX_SHOWN_LINES = 18;
/** Maximum number of differences to find. More would help nobody. */
const MAX_DIFFERENCES = 200;
/** Unchanged lines to show before and after changed ones. */
const CONTEXT = 2;

/**
 * Describes how a quoted text differs from the most similar lines of a file. First names the kind of difference, then
 * lists the lines: `-` before those only quoted, `+` and the number before those only in the file.
 */
function describeDifference({ parameter, match }: Pick<Search, "parameter" | "match">, { wanted, lines }: Closest, firstLine: number): string {
  const isTolerant = match === "tolerant";
  const shift = isTolerant ? usualShift(wanted, lines) : NO_SHIFT;
  const quoted = wanted.map((line, index) => (isTolerant ? normalizedLine(line, shift, index === 0) : literalLine(line)));
  const compared = compareLines(quoted, lines.map((line) => (isTolerant ? normalizedLine(line, NO_SHIFT, false) : literalLine(line))));
  const actual = compared.filter(({ sign }) => sign !== "-").map(({ text }) => text);
  const where = actual.length === 1 ? `line ${firstLine}` : `lines ${firstLine}-${firstLine + actual.length - 1}`;
  const shown = shownLines(compared, firstLine);
  const more = shown.length > MAX_SHOWN_LINES ? [`       … (${shown.length - MAX_SHOWN_LINES} more lines)`] : [];
  const kind = kindOf(wanted, actual) ?? countOf(compared, wanted.length) + (shift.by === "" ? "" : ", indentation aside");
  return [`closest is ${where}, where ${kind} (- ${parameter}, + the file):`, ...shown.slice(0, MAX_SHOWN_LINES), ...more].join("\n");
}

interface ComparedLine {
  /** In both, only in the quotation, only in the file. */
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** A line, and the parts that must be equal. */
interface Line {
  readonly text: string;
  readonly indent: string | undefined;
  readonly body: string;
  /** The first line may have been quoted without its indentation. */
  readonly isFirst: boolean;
}

function literalLine(text: string): Line {
  return { text, indent: "", body: text, isFirst: false };
}

/** Leaves out differences that matching tolerates: trailing white space, the common shift, typographic characters. */
function normalizedLine(text: string, shift: Shift, isFirst: boolean): Line {
  const [indent, body] = splitMargins(plain(text));
  return { text, indent: body === "" ? "" : shifted(indent, shift), body, isFirst: isFirst && indent === "" };
}

function isSame(quoted: Line, actual: Line): boolean {
  return quoted.body === actual.body && (quoted.isFirst || quoted.indent === actual.indent);
}

/** Returns the shift of most lines that both have. Counts the first line last. */
function usualShift(quoted: readonly string[], actual: readonly string[]): Shift {
  const indents = new Map(actual.toReversed().map((line) => [splitMargins(plain(line))[1], splitMargins(plain(line))[0]]));
  const counts = new Map<string, { readonly shift: Shift; count: number }>();
  for (const line of [...quoted.slice(1), ...quoted.slice(0, 1)]) {
    const [indent, body] = splitMargins(plain(line));
    const other = indents.get(body);
    const shift = body === "" || other === undefined ? undefined : shiftBetween(indent, other);
    if (shift === undefined) continue;
    const counted = counts.get(shift.kind + shift.by) ?? { shift, count: 0 };
    counted.count += 1;
    counts.set(shift.kind + shift.by, counted);
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count)[0]?.shift ?? NO_SHIFT;
}

/** Leaves out the file's lines after the last quoted one. */
function compareLines(quoted: readonly Line[], found: readonly Line[]): ComparedLine[] {
  const parts = diffArrays([...quoted], [...found], { maxEditLength: MAX_DIFFERENCES, comparator: isSame }) ?? [{ removed: true, added: false, value: quoted }, { removed: false, added: true, value: found }];
  const [before, last] = [parts.at(-2), parts.at(-1)];
  const behind = last?.added === true ? Math.max(0, last.value.length - (before?.removed === true ? before.value.length : 0)) : 0;
  const compared = parts.flatMap(({ removed, added, value }) => value.map(({ text }): ComparedLine => ({ sign: removed ? "-" : added ? "+" : " ", text })));
  return compared.slice(0, compared.length - behind);
}

function shownLines(compared: readonly ComparedLine[], firstLine: number): string[] {
  let number = firstLine;
  const numbered = compared.map(({ sign, text }) => `${sign === "-" ? " ".repeat(6) : String(number++).padStart(6)} ${sign} ${shorten(text)}`);
  return numbered.filter((_, index) => compared.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ sign }) => sign !== " "));
}

function countOf(compared: readonly ComparedLine[], lines: number): string {
  const differing = compared.filter(({ sign }) => sign === "-").length;
  if (differing === 0) return "the file has more lines";
  return differing === 1 ? "one line differs" : `${differing} of ${lines} lines differ`;
}

/** Returns the phrase of the simplest change that makes both equal, if there is a simple one. */
function kindOf(quoted: readonly string[], actual: readonly string[]): string | undefined {
  const same = (change: (line: string) => string) => quoted.length === actual.length && quoted.every((line, index) => change(line) === change(actual[index] ?? ""));
  const tabs = (lines: readonly string[]) => lines.some((line) => /^ *\t/.test(line));
  const withoutSpace = (text: string) => text.replace(/\s+/g, "");
  if (same((line) => line)) return AROUND;
  if (same((line) => line.trim())) {
    if (tabs(actual) && !tabs(quoted)) return "the file is indented with tabs";
    if (tabs(quoted) && !tabs(actual)) return "the file is indented with spaces";
    return isShiftedAlike(quoted, actual) ? AROUND : "the indentation differs unevenly";
  }
  if (same(withoutSpace)) return "white space within the lines differs";
  if (withoutSpace(quoted.join("")) === withoutSpace(actual.join(""))) return "line breaks or blank lines differ";
  if (same((line) => line.trim().toLowerCase())) return "upper and lower case differ";
  if (same(asSeen)) return "invisible or look-alike characters differ; use file_replace_lines";
  return quoted.every((line, index) => holds(actual[index] ?? "", line.trim())) ? "the lines contain more than is quoted" : undefined;
}

const AROUND = "blank lines around it differ, or the text after it";

function isShiftedAlike(quoted: readonly string[], actual: readonly string[]): boolean {
  let shift: Shift | undefined;
  return quoted.every((line, index) => {
    const [indent, body] = splitMargins(line);
    const [other] = splitMargins(actual[index] ?? "");
    if (body === "") return true;
    shift ??= shiftBetween(indent, other);
    return shift !== undefined && shifted(indent, shift) === other;
  });
}

/** Removes characters without width, and normalizes accents. */
function asSeen(line: string): string {
  return line.replace(/\p{Cf}/gu, "").normalize().trim();
}
