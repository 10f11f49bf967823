/**
 * Lines of a file: replaced and inserted by number, counted, and their endings, LF or CRLF. A final newline starts no
 * line, so an empty text has none.
 */
import { Failed, type Failure } from "../core/failure.ts";
import type { Edit, Place } from "./splice.ts";

/** 1-based and inclusive. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
  /** As written. */
  readonly lines: string;
}

/** Reads `4` or `2-5`. */
export function parseLineRange(lines: string): LineRange {
  const [, from, to = from] = /^([0-9]+)(?:-([0-9]+))?$/.exec(lines) ?? [];
  const first = Number(from);
  const last = Number(to);
  if (!(first >= 1 && last >= 1)) throw new Failed({ code: "lines/invalid", lines });
  if (first > last) throw new Failed({ code: "lines/reversed", lines, first, last });
  return { first, last, lines };
}

/**
 * Replaces whole lines. Keeps the last one's ending, so an empty new content leaves one empty line.
 *
 * @param firstLine number of the text's first line, if it is part of a file
 */
export function replaceLines(
  bytes: Buffer,
  range: LineRange,
  newContent: string,
  firstLine?: number,
): Edit & { readonly start: number } {
  if (hasOnlyLoneCrs(bytes)) throw new Failed({ code: "lines/lone-cr" });
  const outside = outsideOf(bytes, range, firstLine);
  if (outside !== undefined) throw new Failed(outside);
  let start = 0;
  let count = (firstLine ?? 1) - 1;
  let last: Place | undefined;
  for (const place of linePlaces(bytes)) {
    count += 1;
    last = place;
    if (count === range.first) start = place.start;
    if (count < range.last) continue;
    return {
      start,
      splices: [{ start, end: place.end, text: fitLineEndings(bytes, "", newContent)(newContent, start) }],
    };
  }
  const text = last && shorten(bytes.toString("utf8", last.start, last.end));
  throw new Failed({ code: "lines/out-of-bounds", lines: range.lines, count, last: text });
}

/**
 * Inserts whole lines. A file without a final newline keeps having none.
 *
 * @param after number of the line before them, 0 for the start, undefined for the end
 */
export function insertLines(bytes: Buffer, newLines: string, after: number | undefined): Edit {
  if (hasOnlyLoneCrs(bytes)) throw new Failed({ code: "lines/lone-cr" });
  const start = after === undefined ? bytes.length : startAfter(bytes, after);
  const text = fitLineEndings(bytes, "", "\n")("\n", start);
  const lines = fitLineEndings(bytes, "", newLines)(newLines, start).replace(/(?<!\n)$/, text);
  const isOpen = start > 0 && bytes[start - 1] !== LF;
  return { splices: [{ start, end: start, text: isOpen ? text + lines.slice(0, -text.length) : lines }] };
}

function startAfter(bytes: Buffer, line: number): number {
  let start = 0;
  for (let count = 0; count < line; count++) {
    if (start >= bytes.length)
      throw new Failed({ code: "lines/out-of-bounds", lines: String(line), count, isAdded: true });
    const lineFeed = indexOfLineFeed(bytes, start);
    start = lineFeed === -1 ? bytes.length : lineFeed + 1;
  }
  return start;
}

/** Lone CRs do not count as line endings, so everything would be line 1. */
export function hasOnlyLoneCrs(text: string | Buffer): boolean {
  return !text.includes("\n") && text.includes("\r");
}

/** Returns a failure if lines outside a part of a file are requested. */
function outsideOf(
  text: string | Buffer,
  { first, last, lines }: LineRange,
  firstLine: number | undefined,
): Failure | undefined {
  if (firstLine === undefined) return undefined;
  const lastLine = firstLine + countLines(text) - 1;
  return first < firstLine || last > lastLine
    ? { code: "lines/outside-part", lines, first: firstLine, last: lastLine }
    : undefined;
}

export function countLines(text: string | Buffer): number {
  const lineFeeds = typeof text === "string" ? lineAt(text, text.length) - 1 : countLineFeeds(text, 0, text.length);
  const last = text[text.length - 1];
  return lineFeeds + (last === undefined || last === "\n" || last === LF ? 0 : 1);
}

/** Returns the 1-based number of the line that contains an offset. */
export function lineAt(text: string, offset: number): number {
  return ascendingLines(text)(offset);
}

/** Like `lineAt` for many ascending offsets; linear over all of them. */
export function ascendingLines(text: string): (offset: number) => number {
  let line = 1;
  let next = text.indexOf("\n");
  return (offset) => {
    for (; next !== -1 && next < offset; next = text.indexOf("\n", next + 1)) line += 1;
    return line;
  };
}

/**
 * Returns the lines of a text without their endings, numbered like `cat -n`. `missing` is set if some of the requested
 * lines do not exist.
 *
 * @param firstLine number of the text's first line, if it is part of a file
 */
export function numberLines(
  text: string,
  lines: string | undefined,
  delimiter: string,
  firstLine?: number,
): { content: string; missing?: Failure } {
  const range = lines === undefined ? undefined : parseLineRange(lines);
  const shown: string[] = [];
  let count = (firstLine ?? 1) - 1;
  for (const { start, end } of linePlaces(text)) {
    count += 1;
    if (range !== undefined && count < range.first) continue;
    shown.push(`${String(count).padStart(6)}${delimiter}${text.slice(start, end)}`);
    if (count === range?.last) break;
  }
  const content = shown.join("\n");
  if (hasOnlyLoneCrs(text)) return { content, missing: { code: "lines/lone-cr", isRead: true } };
  const outside = range === undefined ? undefined : outsideOf(text, range, firstLine);
  if (outside !== undefined) return { content, missing: outside };
  if (range === undefined || range.last <= count || count === 0) return { content };
  return { content, missing: { code: "lines/beyond-end", lines: range.lines, count } };
}

/**
 * Yields the range of each line without its ending, in bytes or characters. Lazy, because a file may have millions of
 * lines.
 */
function* linePlaces(text: string | Buffer): Generator<Place> {
  const lineFeedFrom =
    typeof text === "string"
      ? (start: number) => text.indexOf("\n", start)
      : (start: number) => indexOfLineFeed(text, start);
  const isCr = (index: number) => text[index] === "\r" || text[index] === CR;
  let start = 0;
  while (start < text.length) {
    const lineFeed = lineFeedFrom(start);
    const next = lineFeed === -1 ? text.length : lineFeed;
    yield { start, end: lineFeed !== -1 && next > start && isCr(next - 1) ? next - 1 : next };
    start = next + 1;
  }
}

/** On short lines, a loop is faster than calling Node: a call costs as much as looking at a hundred bytes. */
function indexOfLineFeed(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at++) if (bytes[at] === LF) return at;
  return -1;
}

/** Shortens a line for a hint. */
export function shorten(line: string, longest = 120): string {
  return line.length <= longest ? line : `${line.slice(0, longest).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Shortens lines. Keeps more of those that would look like another one. */
export function shortenApart(lines: readonly string[]): string[] {
  const alike = new Map<string, Set<string>>();
  for (const line of lines) alike.set(shorten(line), (alike.get(shorten(line)) ?? new Set()).add(line));
  return lines.map((line) => shorten(line, (alike.get(shorten(line))?.size ?? 0) > 1 ? MAX_WHOLE : undefined));
}

/** Maximum length to keep, in UTF-16 units: more would fill the report. */
const MAX_WHOLE = 1_000;

/** The bytes that are a part of a file, and what returns the line on which the part begins. */
const parts = new WeakMap<Buffer, () => number>();

/** Makes the lines of a part of a file count from the line on which it begins. */
export function numberFrom(bytes: Buffer, firstLine: () => number): void {
  parts.set(bytes, firstLine);
}

/** Returns the number of the line that contains an offset. */
export function lineNumberAt(bytes: Buffer, offset: number): number {
  return lineNumbersAt(bytes, [offset])[0] as number;
}

/** Like `lineNumberAt` for many ascending offsets, in one pass. */
export function lineNumbersAt(bytes: Buffer, offsets: readonly number[]): number[] {
  let line = parts.get(bytes)?.() ?? 1;
  let at = 0;
  return offsets.map((offset) => {
    line += countLineFeeds(bytes, at, offset);
    at = offset;
    return line;
  });
}

/** A loop is several times as fast as Node's `indexOf` on short lines. */
export function countLineFeeds(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if (bytes[at] === LF) count += 1;
  return count;
}

/** Formats ascending numbers as `4-9, 12`. */
export function lineRanges(numbers: readonly number[]): string {
  const ranges: Array<[first: number, last: number]> = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range !== undefined && number <= range[1] + 1) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(", ");
}

export const LF = 10;
export const CR = 13;

/** Splits into lines with their LF. There is no empty line after a final one. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Adapts the text for a place. Must be called in ascending order of places. */
export type FitEnding = (text: string, start: number) => string;

/**
 * Adapts new texts to the line endings of a file: bare LFs become CRLF where the file uses it. A replacement with a CR
 * in its old or new text is intended verbatim and left alone.
 */
export function fitLineEndings(file: Buffer, oldText: string, newText: string): FitEnding {
  const verbatim = !newText.includes("\n") || newText.includes("\r") || oldText.includes("\r");
  if (verbatim) return (text) => text;
  const lineEndingAt = lineEndingsOf(file);
  // Nearly all places get the same text.
  let [last, withCrlf] = ["", ""];
  return (text, start) => {
    if (lineEndingAt(start) === "\n") return text;
    if (text !== last) [last, withCrlf] = [text, text.replaceAll("\n", "\r\n")];
    return withCrlf;
  };
}

/**
 * Returns the line ending in use at an offset: the first at or after it, else the last before it. Linear over all
 * ascending offsets.
 */
function lineEndingsOf(file: Buffer): (start: number) => "\n" | "\r\n" {
  let next: number | undefined;
  let last: number | undefined;
  return (start) => {
    if (next === undefined || (next !== -1 && next < start)) next = file.indexOf(LF, start);
    if (next === -1) last ??= file.lastIndexOf(LF, start);
    return file[(last ?? next) - 1] === CR ? "\r\n" : "\n";
  };
}
