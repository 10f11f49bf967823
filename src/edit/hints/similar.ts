/** How similar lines are, from 0 to 1: by their words, and by their letters where a word is misspelt. */
import { countsOf } from "../../core/counted.ts";

/** Maximum length to compare: the start of a long line is enough. */
const MAX_LENGTH = 300;
/** Maximum number of lines by which a place may have more or fewer than the text, up to any line. */
const MAX_EXTRA_LINES = 3;
/** What equal letters count for. Words count for the rest. */
const WEIGHT_OF_LETTERS = 0.6;

/**
 * Returns the share of other lines that equals these. Pairs them in order, so that either may have more. Ignores blank
 * lines, and weights long ones more. Lines that start with a blank one score 0.
 */
export function similarityTo(wanted: readonly string[]): (lines: readonly string[]) => number {
  const known = wanted
    .filter(isFilled)
    .map((line) => ({ compare: comparisonWith(line), weight: Math.min(line.trim().length, 80) + 1 }));
  const total = known.reduce((sum, { weight }) => sum + weight, 0);
  return (lines) => {
    const filled = lines.filter(isFilled);
    const [first] = filled;
    if (first === undefined || lines[0] !== first) return 0;
    // The best sums of the pairs from one line on, by the line of the others.
    let below = new Float64Array(filled.length + 1);
    for (let line = known.length - 1; line >= 0; line--) {
      const best = new Float64Array(below.length);
      const { compare, weight } = known[line] as (typeof known)[number];
      for (let other = filled.length - 1; other >= 0; other--) {
        const paired =
          Math.abs(other - line) > MAX_EXTRA_LINES
            ? 0
            : weight * compare(filled[other] as string) + (below[other + 1] as number);
        best[other] = Math.max(paired, below[other] as number, best[other + 1] as number);
      }
      below = best;
    }
    // Of two places with the same lines, the one whose first line is the text's.
    return ((below[0] as number) + (known[0]?.compare(first) ?? 0) / 1_000) / total;
  };
}

export function isFilled(line: string): boolean {
  return line.trim() !== "";
}

/** Returns a function that compares lines with one, ignoring case and white space around them. */
function comparisonWith(line: string): (other: string) => number {
  const [trimmed, words, compareLetters] = [line.trim(), wordsOf(line), lettersOf(Buffer.from(line))];
  return (line) => {
    if (line.trim() === trimmed) return 1;
    const bytes = Buffer.from(line);
    const letters = compareLetters(bytes, 0, bytes.length);
    return letters * WEIGHT_OF_LETTERS + commonWords(words, wordsOf(line)) * (1 - WEIGHT_OF_LETTERS);
  };
}

/** Returns Dice's coefficient of the words and signs, ignoring case. */
export function commonWords(words: readonly string[], others: readonly string[]): number {
  const left = countsOf(others);
  let common = 0;
  for (const word of words) {
    const count = left.get(word) ?? 0;
    if (count > 0) common += 1;
    left.set(word, count - 1);
  }
  return words.length + others.length === 0 ? 1 : (2 * common) / (words.length + others.length);
}

export function wordsOf(line: string): string[] {
  return (
    line
      .slice(0, MAX_LENGTH)
      .toLowerCase()
      .match(/[\w$\u0080-\uffff]+|[^\s\w]/g) ?? []
  );
}

/** Pairs of bytes fall into so many classes, a power of two. Different ones in one class are rare. */
const CLASSES = 4_096;

/**
 * Returns a function that compares parts of bytes with a line: Dice's coefficient of the pairs of adjacent letters,
 * ignoring case and white space. Takes a few nanoseconds a byte.
 */
export function lettersOf(line: Buffer): (bytes: Buffer, start: number, end: number) => number {
  const counts = new Int16Array(CLASSES);
  let total = 0;
  eachPair(line, 0, line.length, (pair) => {
    counts[pair] = (counts[pair] as number) + 1;
    total += 1;
  });
  return (bytes, start, end) => {
    let [common, count] = [0, 0];
    const seen: number[] = [];
    eachPair(bytes, start, end, (pair) => {
      count += 1;
      const left = counts[pair] as number;
      if (left <= 0) return;
      counts[pair] = left - 1;
      seen.push(pair);
      common += 1;
    });
    for (const pair of seen) counts[pair] = (counts[pair] as number) + 1;
    return total + count === 0 ? 0 : (2 * common) / (total + count);
  };
}

/** The line's ends count as letters, so that a single letter has pairs too. */
function eachPair(bytes: Buffer, start: number, end: number, visit: (pair: number) => void): void {
  let before = 0;
  for (let at = start; at < Math.min(end, start + MAX_LENGTH); at++) {
    const byte = bytes[at] as number;
    if (byte <= 0x20) continue;
    const letter = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
    visit((before * 31 + letter) % CLASSES);
    before = letter;
  }
  if (before !== 0) visit((before * 31) % CLASSES);
}
