import { diffArrays } from "diff";
import { fitLineEndings, LF, lineNumberAt, splitLines } from "./lines.ts";
import type { Proposed } from "./passes.ts";
import { plain, splitMargins, withoutReportMark } from "./quotation.ts";
import type { Splice } from "./splice.ts";
import {
  hasAddedTypography,
  isNone,
  isUnitOf,
  NO_SHIFT,
  type Shift,
  shifted,
  type Tolerated,
  toleratedIn,
} from "./tolerance.ts";

export interface Fitted {
  readonly splices: readonly Splice[];
  readonly tolerated: readonly Tolerated[];
}

/**
 * Adapts a new text to the file's formatting, at a place that matches the old text. Lines that both texts share stay as
 * they are in the file. The others get the differences found between the old text and the file.
 *
 * @returns undefined if the new text has less indentation than must be removed, or not the same unit
 */
export function fit(bytes: Buffer, place: Proposed, oldText: string, newText: string): Fitted | undefined {
  const { tolerated, addsTypography } = compare(bytes, place, oldText);
  if (!isUnitOfTexts(bytes, place, [oldText, newText])) return undefined;
  const fitLine = lineFitter(bytes, { shift: place.shift ?? NO_SHIFT, tolerated, addsTypography });
  const withEndings = fitLineEndings(bytes, oldText, newText);
  const splices: Splice[] = [];
  for (const { start, end, lines, replaced, isFirst } of changedLines(oldText, newText, linePlacesOf(bytes, place))) {
    const fitted = lines.map((line, index) => fitLine(line, index > 0 || !isFirst || startsLine(bytes, place.start)));
    if (fitted.includes(undefined)) return undefined;
    const actual = bytes.toString("utf8", start, end).split("\n");
    const kept = fitted.map((line = "", index) =>
      withContent(line, (content) => keepTypography(content, contentOf(replaced[index]), contentOf(actual[index]))),
    );
    splices.push({ start, end, text: withEndings(kept.join(""), start) });
  }
  return { splices, tolerated };
}

function contentOf(line = ""): string {
  return splitMargins(line.replace(/\r?\n$|\r$/, ""))[1];
}

function withContent(line: string, change: (content: string) => string): string {
  const content = contentOf(line);
  const at = content === "" ? 0 : line.indexOf(content);
  return line.slice(0, at) + change(content) + line.slice(at + content.length);
}

/** Compares the file's text at a place with the old text. */
export function compare(bytes: Buffer, { start, end }: Proposed, oldText: string): Comparison {
  const actual = bytes.toString("utf8", start, end);
  return {
    tolerated: toleratedIn(oldText, actual, lineNumberAt(bytes, start)),
    addsTypography: hasAddedTypography(oldText, actual),
  };
}

export interface Comparison {
  readonly tolerated: readonly Tolerated[];
  /** Whether the old text has typographic characters where the file has plain ones. */
  readonly addsTypography: boolean;
}

/**
 * Adapts a whole new text for a place that starts at an offset, except for its line endings. Returns undefined like
 * `fit`.
 */
export function fitWhole(
  bytes: Buffer,
  start: number,
  { oldText, newText }: { readonly oldText: string; readonly newText: string },
  difference: Comparison & { readonly shift: Shift },
): string | undefined {
  if (!isUnitOfTexts(bytes, { start, shift: difference.shift }, [oldText, newText])) return undefined;
  const fitLine = lineFitter(bytes, difference);
  const fitted = splitLines(newText).map((line, index) => fitLine(line, index > 0 || startsLine(bytes, start)));
  return fitted.includes(undefined) ? undefined : fitted.join("");
}

function isUnitOfTexts(
  bytes: Buffer,
  { start, shift = NO_SHIFT }: Pick<Proposed, "start" | "shift">,
  texts: readonly string[],
): boolean {
  const indentsOf = (lines: readonly string[]): string[] =>
    lines
      .map((line) => splitMargins(plain(line.replace(/\r$/, ""))))
      .flatMap(([indent, body]) => (body === "" ? [] : [indent]));
  // A first line that is part of a line has no indentation.
  const first = startsLine(bytes, start) ? 0 : 1;
  return isUnitOf(
    shift,
    texts.map((text) => indentsOf(text.split("\n").slice(first))),
    () => indentsOf(bytes.toString("latin1").split("\n")),
  );
}

/**
 * Returns a function that adapts one line, with its ending. It returns undefined if the line has less indentation than
 * must be removed.
 */
function lineFitter(
  bytes: Buffer,
  { shift, tolerated, addsTypography }: Comparison & { readonly shift: Shift },
): (line: string, startsLine: boolean) => string | undefined {
  const isMarked = tolerated.some(({ rule }) => rule === "report-mark");
  const used = new Map<string, boolean>();
  const isUsed = (character: string): boolean => {
    const isThere = used.get(character) ?? bytes.includes(character);
    used.set(character, isThere);
    return isThere;
  };
  return (line, startsLine) => {
    const unmarked = isMarked ? withoutReportMark(line) : line;
    const plainLine = addsTypography ? plain(unmarked, isUsed) : unmarked;
    const [indent, body] = splitMargins(plainLine.replace(/\r?\n$/, ""));
    // The white space of a blank line would mix tabs and spaces.
    if (startsLine && body === "" && !("by" in shift)) return /\r?\n$|$/.exec(plainLine)?.[0] ?? "";
    if (!startsLine || body === "" || isNone(shift)) return plainLine;
    const fitted = shifted(shift.kind === "added" ? indent : plain(indent), shift);
    return fitted === undefined ? undefined : fitted + plainLine.slice(indent.length);
  };
}

export function startsLine(bytes: Buffer, offset: number): boolean {
  return offset === 0 || bytes[offset - 1] === LF;
}

/** Bytes of the file, and the lines that replace them, with their endings. */
interface ChangedLines {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
  /** The old lines that they replace. */
  readonly replaced: readonly string[];
  /** Whether they start where the place starts. */
  readonly isFirst: boolean;
}

/**
 * Maximum number of changed lines to diff, because the time grows with the square. Beyond it all lines are replaced.
 */
const MAX_CHANGES = 200;

/**
 * Returns the lines that only the new text has.
 *
 * @param places of the old text's lines in the file
 */
function changedLines(
  oldText: string,
  newText: string,
  places: ReadonlyArray<{ readonly start: number; readonly end: number }>,
): ChangedLines[] {
  const startOf = (line: number): number => places[line]?.start ?? places.at(-1)?.end ?? 0;
  const [oldLines, newLines] = [splitLines(oldText), splitLines(newText)];
  const parts = diffArrays(oldLines, newLines, { maxEditLength: MAX_CHANGES });
  if (parts === undefined)
    return [{ start: startOf(0), end: startOf(places.length), lines: newLines, replaced: [], isFirst: true }];
  const changes: ChangedLines[] = [];
  let line = 0;
  for (const [index, { removed, added, value }] of parts.entries()) {
    const end = added ? line : line + value.length;
    // Added lines that follow removed ones replace them.
    const replacement = parts[index + 1];
    if (removed)
      changes.push({
        start: startOf(line),
        end: startOf(end),
        lines: replacement?.added === true ? replacement.value : [],
        replaced: value,
        isFirst: line === 0,
      });
    else if (added && parts[index - 1]?.removed !== true)
      changes.push({ start: startOf(line), end: startOf(line), lines: value, replaced: [], isFirst: line === 0 });
    line = end;
  }
  return changes;
}

function linePlacesOf(bytes: Buffer, { start, end }: Proposed): Array<{ start: number; end: number }> {
  const places: Array<{ start: number; end: number }> = [];
  for (let at = start; at < end; at = places.at(-1)?.end ?? end) {
    const lineFeed = bytes.indexOf(LF, at);
    places.push({ start: at, end: lineFeed === -1 || lineFeed >= end ? end : lineFeed + 1 });
  }
  return places;
}

/**
 * Restores the file's typographic characters in the parts of a new line that come from the old one: if the model quoted
 * them as plain characters, it does so in the new text too. Applies only if at least half of the old words remain.
 * Otherwise it is a different line, perhaps of code.
 *
 * @param file the content that matched the old line, equal except for typography
 */
function keepTypography(written: string, old: string, file: string): string {
  if (file === plain(file) || file.length !== old.length || file.length > MAX_LENGTH) return written;
  let [result, at, ofFile, words, isWhole] = ["", 0, 0, 0, true];
  for (const { added, removed, value } of diffArrays(tokensOf(old), tokensOf(written))) {
    const length = value.reduce((sum, token) => sum + token.length, 0);
    const isKept = !added && !removed;
    if (isKept)
      result += restored(
        written.slice(at, at + length),
        old.slice(ofFile, ofFile + length),
        file.slice(ofFile, ofFile + length),
      );
    else if (added) result += written.slice(at, at + length);
    if (removed) isWhole = false;
    else at += length;
    if (!added) ofFile += length;
    if (isKept) words += value.filter(isWord).length;
  }
  const all = tokensOf(old).filter(isWord).length;
  return isWhole || (words > 0 && words * 2 >= all) ? result : written;
}

/** Maximum length of a line to compare, in UTF-16 units. */
const MAX_LENGTH = 2_000;

/** Keeps a character that the new text writes differently from the old text, because that change is intended. */
function restored(written: string, old: string, file: string): string {
  return written
    .split("")
    .map((unit, index) => (unit === old[index] ? file[index] : unit))
    .join("");
}

/** Splits into words and single other characters, in plain form. Keeps lengths. */
function tokensOf(text: string): string[] {
  return plain(text).match(/[\p{L}\p{N}\p{M}_]+|[^]/gu) ?? [];
}

const isWord = (token: string): boolean => /[\p{L}\p{N}_]/u.test(token);
