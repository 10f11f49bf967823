import { lineAround, lineEnd, lineStartAway } from "./nearby-lines.ts";

/** The part of a file that is most like a text that is not in it. */
export interface Closest {
  /** The lines that were looked for, without blank lines around them. */
  readonly wanted: readonly string[];
  /** Where its first line begins. */
  readonly start: number;
  /** Its lines, some more than the text has, and fewer where the file ends. */
  readonly lines: readonly string[];
}

/** Bounds of the work, whatever the texts: it is to take some milliseconds. */
const MOST_COMPARED = 60;
const MOST_LINES = 1_000;
/** Lines that the file may have between those of the text. */
const MORE = 5;
const MOST_WORDS = 12;
/** A whole line is rare where each of its words stands in a hundred others. */
const MOST_WHOLE_LINES = 2;
const MOST_PLACES_OF_A_WORD = 40;
const MOST_CANDIDATES = 8;
const MOST_BYTES = 32_000_000;
/** Below this likeness, from 0 to 1, it would mislead. */
const LEAST_LIKENESS = 0.4;

/** Looks for the longest lines and words of a text, and compares the places that most of them point to. Undefined where nothing is like it. */
export function findClosest(bytes: Buffer, text: string, from = 0): Closest | undefined {
  const wanted = linesOf(text);
  const sample = wanted.slice(0, MOST_COMPARED);
  const likeness = likenessTo(sample);
  let best: { start: number; likeness: number } | undefined;
  for (const start of candidates(bytes, sample, from)) {
    const found = likeness(linesFrom(bytes, start, sample.length + MORE));
    if (found >= LEAST_LIKENESS && found > (best?.likeness ?? 0)) best = { start, likeness: found };
  }
  return best && { wanted, start: best.start, lines: linesFrom(bytes, best.start, wanted.length + MORE) };
}

function linesOf(text: string): string[] {
  const lines = text.trimEnd().split(/\r?\n/, MOST_LINES);
  return lines.slice(lines.findIndex((line) => line.trim() !== ""));
}

/** Beginnings of lines where the text could begin, the ones that most speaks for first. */
function candidates(bytes: Buffer, wanted: readonly string[], from: number): number[] {
  const votes = new Map<number, number>();
  let work = 0;
  for (const [word, line] of [...longestLines(wanted), ...rareWords(wanted)]) {
    if (work > MOST_BYTES) break;
    const offsets = offsetsOf(bytes, word, from);
    work += (offsets.length < MOST_PLACES_OF_A_WORD ? bytes.length : (offsets.at(-1) ?? 0)) - from;
    for (const offset of offsets) {
      const away = lineStartAway(bytes, offset, -line) ?? 0;
      // A blank line that was not quoted has moved it.
      const start = isFilled(lineAround(bytes, away)) ? away : (lineStartAway(bytes, away, -1) ?? away);
      votes.set(start, (votes.get(start) ?? 0) + word.length / offsets.length);
    }
  }
  return [...votes].toSorted(([, a], [, b]) => b - a).slice(0, MOST_CANDIDATES).map(([start]) => start);
}

function offsetsOf(bytes: Buffer, word: string, from: number): number[] {
  const offsets: number[] = [];
  for (let at = bytes.indexOf(word, from); at !== -1 && offsets.length < MOST_PLACES_OF_A_WORD; at = bytes.indexOf(word, at + 1)) offsets.push(at);
  return offsets;
}

/** The longest lines, without the white space around them. */
function longestLines(lines: readonly string[]): Array<[piece: string, line: number]> {
  const pieces = lines.map((line, index): [string, number] => [line.slice(0, LONGEST).trim(), index]);
  return pieces.filter(([piece]) => piece !== "" && piece.isWellFormed()).toSorted(([a], [b]) => b.length - a.length).slice(0, MOST_WHOLE_LINES);
}

/** The longest words, with the line they stand in. */
function rareWords(lines: readonly string[]): Array<[word: string, line: number]> {
  const words = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    for (const [word] of line.slice(0, LONGEST).matchAll(/[\w$\u0080-\uffff]{1,64}/g)) if (!words.has(word) && word.isWellFormed()) words.set(word, index);
  }
  return [...words].toSorted(([a], [b]) => b.length - a.length).slice(0, MOST_WORDS);
}

function linesFrom(bytes: Buffer, start: number, count: number): string[] {
  const lines: string[] = [];
  for (let at = start; at < bytes.length && lines.length < count; at = lineEnd(bytes, at) + 1) lines.push(lineAround(bytes, at));
  return lines;
}

/** How much of other lines is the same as these, line by line and without blank ones, from 0 to 1. Long lines count more. Nothing is like them that begins with a blank one. */
function likenessTo(wanted: readonly string[]): (lines: readonly string[]) => number {
  const known = wanted.filter(isFilled).map((line) => ({ trimmed: line.trim(), words: wordsOf(line), weight: Math.min(line.trim().length, 80) + 1 }));
  const total = known.reduce((sum, { weight }) => sum + weight, 0);
  return (lines) => {
    const filled = lines.filter(isFilled);
    if (lines[0] !== filled[0]) return 0;
    const same = known.map(({ trimmed, words, weight }, index) => weight * (filled[index]?.trim() === trimmed ? 1 : commonWords(words, wordsOf(filled[index] ?? ""))));
    return same.reduce((sum, part) => sum + part, 0) / total;
  };
}

function isFilled(line: string): boolean {
  return line.trim() !== "";
}

/** Dice's coefficient of the words and signs, in any case. */
function commonWords(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of other) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of one) {
    const count = left.get(word) ?? 0;
    if (count > 0) common += 1;
    left.set(word, count - 1);
  }
  return one.length + other.length === 0 ? 1 : (2 * common) / (one.length + other.length);
}

/** Of a long line the beginning is enough to compare. */
const LONGEST = 300;

function wordsOf(line: string): string[] {
  return line.slice(0, LONGEST).toLowerCase().match(/[\w$\u0080-\uffff]+|[^\s\w]/g) ?? [];
}
