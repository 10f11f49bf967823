import type { FileLines } from "../../core/failure.ts";
import { countLineFeeds, LF, lineNumbersAt } from "../lines.ts";
import type { Place } from "../splice.ts";
import { isFilled, lettersOf, similarityTo } from "./similar.ts";

/** The part of a file that is most similar to a text that it does not contain. */
export interface Closest {
  /** The lines searched for, without surrounding blank lines. */
  readonly wanted: readonly string[];
  /** As many lines of the file. */
  readonly place: Place;
  /** Its lines: a few more than the text has, or fewer at the end of the file. */
  readonly lines: readonly string[];
}

/** Limits of the work, so that any text takes only some milliseconds. */
export const MAX_COMPARED = 60;
const MAX_LINES = 1_000;
/** Maximum number of extra lines in the file between those of the text. */
const MAX_EXTRA_LINES = 5;
const MAX_WORDS = 12;
/** Whole lines to search for as well: a line may be rare even if its words are all common. */
const MAX_WHOLE_LINES = 2;
const MAX_PLACES_OF_A_WORD = 40;
const MAX_CANDIDATES = 8;
const MAX_BYTES = 32_000_000;
/** Maximum bytes of lines to compare by their letters, and how many of the most similar ones to keep. */
const MAX_SCANNED = 200_000;
const MAX_LIKE_A_LINE = 4;
/** Maximum length of a piece of a line to search for. */
const MAX_LENGTH = 300;
/** Minimum similarity, from 0 to 1. A less similar part would mislead. */
const MIN_SIMILARITY = 0.4;

/**
 * Finds places of the text's longest lines and words, and lines like its longest ones, and compares the parts that most
 * of them point to. Returns undefined if nothing is similar.
 */
export function findClosest(bytes: Buffer, text: string, from = 0): Closest | undefined {
  const wanted = linesOf(text);
  const sample = wanted.slice(0, MAX_COMPARED);
  const similarity = similarityTo(sample);
  let best: { start: number; similarity: number } | undefined;
  for (const start of new Set([...candidates(bytes, sample, from), ...startsByLetters(bytes, sample, from)])) {
    const score = similarity(linesFrom(bytes, start, sample.length + MAX_EXTRA_LINES));
    if (score >= MIN_SIMILARITY && score > (best?.similarity ?? 0)) best = { start, similarity: score };
  }
  if (best === undefined) return undefined;
  const lines = linesFrom(bytes, best.start, wanted.length + MAX_EXTRA_LINES);
  const end = best.start + Buffer.byteLength(lines.slice(0, wanted.length).join("\n"));
  return { wanted, place: { start: best.start, end: Math.min(bytes.length, end) }, lines };
}

/** Maximum number of places that a report shows of one edit. */
const MAX_NEAR = 4;
/** Number of lines by which a place is found again. */
const MAX_STARTS = 8;

/** Returns the first places as lines that can be found again in a changed file. */
export function fileLinesAt(bytes: Buffer, places: readonly Place[]): FileLines[] {
  const near = places.slice(0, MAX_NEAR).toSorted((a, b) => a.start - b.start);
  const numbers = lineNumbersAt(
    bytes,
    near.map(({ start }) => start),
  );
  return near.map(({ start, end }, index) => {
    const first = numbers[index] as number;
    const last = first + countLineFeeds(bytes, start, end - 1);
    const lines = linesFrom(bytes, lineStart(bytes, start), Math.min(last - first + 1, MAX_STARTS));
    return { first, last, starts: lines.map(startOfLine) };
  });
}

/** Returns as much of a line as it is found again by. */
export function startOfLine(line: string): string {
  return line.slice(0, MAX_LENGTH);
}

function linesOf(text: string): string[] {
  const lines = text.trimEnd().split(/\r?\n/, MAX_LINES);
  return lines.slice(lines.findIndex((line) => line.trim() !== ""));
}

/** Returns line starts where the text could start, those with the most votes first. */
function candidates(bytes: Buffer, wanted: readonly string[], from: number): number[] {
  const votes = new Map<number, number>();
  let work = 0;
  for (const [word, line] of [...longestLines(wanted), ...rareWords(wanted)]) {
    if (work > MAX_BYTES) break;
    const offsets = offsetsOf(bytes, word, from);
    work += (offsets.length < MAX_PLACES_OF_A_WORD ? bytes.length : (offsets.at(-1) ?? 0)) - from;
    for (const offset of offsets) {
      const start = startOfText(bytes, offset, line);
      votes.set(start, (votes.get(start) ?? 0) + word.length / offsets.length);
    }
  }
  return [...votes]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_CANDIDATES)
    .map(([start]) => start);
}

/** Returns where the text starts if its line with an index contains an offset. */
function startOfText(bytes: Buffer, offset: number, line: number): number {
  const away = lineStartAway(bytes, offset, -line) ?? 0;
  // A blank line missing from the quotation has moved it.
  return isFilled(lineAround(bytes, away)) ? away : (lineStartAway(bytes, away, -1) ?? away);
}

/** Returns where the text could start by the lines most like its longest ones, letter by letter. */
function startsByLetters(bytes: Buffer, wanted: readonly string[], from: number): number[] {
  return longestLines(wanted).flatMap(([piece, line]) => {
    const compare = lettersOf(Buffer.from(piece));
    const best: Array<{ readonly at: number; readonly similarity: number }> = [];
    const end = Math.min(bytes.length, from + MAX_SCANNED);
    for (let at = from; at < end;) {
      const next = lineEnd(bytes, at);
      const similarity = compare(bytes, at, next);
      if (similarity >= MIN_SIMILARITY && similarity > (best[MAX_LIKE_A_LINE - 1]?.similarity ?? 0)) {
        const index = best.findIndex((other) => other.similarity < similarity);
        best.splice(index === -1 ? best.length : index, 0, { at, similarity });
        best.length = Math.min(best.length, MAX_LIKE_A_LINE);
      }
      at = next + 1;
    }
    return best.map(({ at }) => startOfText(bytes, at, line));
  });
}

function offsetsOf(bytes: Buffer, word: string, from: number): number[] {
  const offsets: number[] = [];
  for (
    let at = bytes.indexOf(word, from);
    at !== -1 && offsets.length < MAX_PLACES_OF_A_WORD;
    at = bytes.indexOf(word, at + 1)
  )
    offsets.push(at);
  return offsets;
}

/** Returns the longest lines, trimmed. */
function longestLines(lines: readonly string[]): Array<[piece: string, line: number]> {
  const pieces = lines.map((line, index): [string, number] => [line.slice(0, MAX_LENGTH).trim(), index]);
  return pieces
    .filter(([piece]) => piece !== "" && piece.isWellFormed())
    .toSorted(([a], [b]) => b.length - a.length)
    .slice(0, MAX_WHOLE_LINES);
}

/** Returns the longest words, with the index of their line. */
function rareWords(lines: readonly string[]): Array<[word: string, line: number]> {
  const words = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    for (const [word] of line.slice(0, MAX_LENGTH).matchAll(/[\w$\u0080-\uffff]{1,64}/g))
      if (!words.has(word) && word.isWellFormed()) words.set(word, index);
  }
  return [...words].toSorted(([a], [b]) => b.length - a.length).slice(0, MAX_WORDS);
}

function linesFrom(bytes: Buffer, start: number, count: number): string[] {
  const lines: string[] = [];
  for (let at = start; at < bytes.length && lines.length < count; at = lineEnd(bytes, at) + 1)
    lines.push(lineAround(bytes, at));
  return lines;
}

/** Maximum bytes to look at for the ends of a line: a file may be one line. */
const MAX_LINE_LENGTH = 1_000;

/** Returns the start of the line that contains an offset, or of the part within the limit. */
export function lineStart(bytes: Buffer, offset: number): number {
  const from = Math.max(0, offset - MAX_LINE_LENGTH);
  return from + bytes.subarray(from, Math.max(from, offset)).lastIndexOf(LF) + 1;
}

/** Returns the end of that line without its LF. */
function lineEnd(bytes: Buffer, offset: number): number {
  const part = bytes.subarray(offset, offset + MAX_LINE_LENGTH);
  const lineFeed = part.indexOf(LF);
  return offset + (lineFeed === -1 ? part.length : lineFeed);
}

export function lineAround(bytes: Buffer, offset: number): string {
  return bytes.toString("utf8", lineStart(bytes, offset), lineEnd(bytes, offset)).replace(/\r$/, "");
}

/** Returns the start of the line at a distance, backwards if negative; undefined if there is none. */
export function lineStartAway(bytes: Buffer, offset: number, distance: number): number | undefined {
  let at = lineStart(bytes, offset);
  for (let step = 0; step < Math.abs(distance); step++) {
    if (distance < 0 ? at === 0 : lineEnd(bytes, at) + 1 >= bytes.length) return undefined;
    at = distance < 0 ? lineStart(bytes, at - 1) : lineEnd(bytes, at) + 1;
  }
  return at;
}
