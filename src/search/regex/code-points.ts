/** Sets of code points, as sorted ranges that neither overlap nor touch. */
import { once } from "../../core/once.ts";

/** Both ends are included. */
export type Range = readonly [number, number];

const MAX = 0x10ffff;

export const DIGITS: readonly Range[] = [[0x30, 0x39]];
export const WORD: readonly Range[] = [[0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
export const SPACE: readonly Range[] = [[0x09, 0x0d], [0x20, 0x20]];

/** The classes that may stand as `[:name:]` between brackets. */
export const NAMED: Readonly<Record<string, readonly Range[]>> = {
  alnum: [[0x30, 0x39], [0x41, 0x5a], [0x61, 0x7a]],
  alpha: [[0x41, 0x5a], [0x61, 0x7a]],
  blank: [[0x09, 0x09], [0x20, 0x20]],
  digit: DIGITS,
  lower: [[0x61, 0x7a]],
  punct: [[0x21, 0x2f], [0x3a, 0x40], [0x5b, 0x60], [0x7b, 0x7e]],
  space: SPACE,
  upper: [[0x41, 0x5a]],
  word: WORD,
  xdigit: [[0x30, 0x39], [0x41, 0x46], [0x61, 0x66]],
};

/** Sorts ranges and joins those that overlap or touch. */
export function union(ranges: readonly Range[]): Range[] {
  const joined: Array<[number, number]> = [];
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const before = joined.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

/** @param ranges as `union` returns them */
export function complement(ranges: readonly Range[]): Range[] {
  const starts = [0, ...ranges.map(([, last]) => last + 1)];
  const ends = [...ranges.map(([first]) => first - 1), MAX];
  return starts.map((start, index): Range => [start, ends[index] ?? MAX]).filter(([first, last]) => first <= last);
}

/** @param ranges as `union` returns them */
export function without(codePoint: number, ranges: readonly Range[]): Range[] {
  return ranges.flatMap(([first, last]): Range[] => {
    if (codePoint < first || codePoint > last) return [[first, last]];
    return [[first, codePoint - 1] as const, [codePoint + 1, last] as const].filter(([from, to]) => from <= to);
  });
}

/** Adds the other case of each letter. ASCII letters and others are never paired: `k` is not the Kelvin sign. */
export function foldCase(ranges: readonly Range[]): Range[] {
  const ascii = ranges.flatMap((range) => [...overlap(range, 0x41, 0x5a, 0x20), ...overlap(range, 0x61, 0x7a, -0x20)]);
  let folded = union([...ranges, ...ascii]);
  if (folded.every(([, last]) => last < 0x80)) return folded;
  // Twice, because three letters may be one: σ and ς both have the capital Σ.
  for (let round = 0; round < 2; round++) {
    const has = (codePoint: number): boolean => folded.some(([first, last]) => first <= codePoint && codePoint <= last);
    const added = casePairs().flatMap(([one, other]): Range[] =>
      has(one) === has(other)
        ? []
        : [
            [one, one],
            [other, other],
          ],
    );
    folded = union([...folded, ...added]);
  }
  return folded;
}

function overlap([first, last]: Range, from: number, to: number, shift: number): Range[] {
  const [start, end] = [Math.max(first, from), Math.min(last, to)];
  return start <= end ? [[start + shift, end + shift]] : [];
}

/** All letters beyond ASCII that have another case. The last ones are in the block of the Adlam script. */
const casePairs = once((): Range[] => {
  const pairs: Range[] = [];
  for (let codePoint = 0x80; codePoint < 0x1e960; codePoint++) {
    const letter = String.fromCodePoint(codePoint);
    for (const other of [letter.toLowerCase(), letter.toUpperCase()]) {
      const paired = other.codePointAt(0) ?? codePoint;
      if (paired !== codePoint && paired >= 0x80 && other.length === String.fromCodePoint(paired).length)
        pairs.push([codePoint, paired]);
    }
  }
  return pairs;
});

/** Returns the sequences of byte ranges that are the UTF-8 of these code points. Surrogates have none. */
export function utf8Sequences(ranges: readonly Range[]): Range[][] {
  const sequences: Range[][] = [];
  const add = (first: number, last: number): void => {
    if (first > last) return;
    for (const end of [0x7f, 0x7ff, 0xd7ff, 0xdfff, 0xffff]) {
      if (first <= end && end < last) {
        add(first, end);
        return add(end + 1, last);
      }
    }
    if (first >= 0xd800 && last <= 0xdfff) return;
    // Splits until every byte after the first different one takes all its values.
    const length = first < 0x80 ? 1 : first < 0x800 ? 2 : first < 0x10000 ? 3 : 4;
    for (let below = 1; below < length; below++) {
      const mask = 2 ** (6 * below) - 1;
      if ((first & ~mask) === (last & ~mask)) continue;
      if ((first & mask) !== 0) {
        add(first, first | mask);
        return add((first | mask) + 1, last);
      }
      if ((last & mask) !== mask) {
        add(first, (last & ~mask) - 1);
        return add(last & ~mask, last);
      }
    }
    const to = Buffer.from(String.fromCodePoint(last));
    sequences.push(
      [...Buffer.from(String.fromCodePoint(first))].map((byte, index): Range => [byte, to[index] ?? byte]),
    );
  };
  for (const [first, last] of ranges) add(first, last);
  return sequences;
}
