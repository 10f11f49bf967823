/** Finds the lines of a file that a fragment changes least, between two that are its first and its last one. */
import { diffArrays } from "diff";
import { OPENS } from "../block.ts";
import { isAlike, type Line, stepOf, Unplaced, type Within } from "../text.ts";

/** Lines of the file as indexes, both inclusive. */
interface Window {
  readonly first: number;
  readonly last: number;
}

/** How much a fragment changes the lines of a window. */
interface Measured extends Bounded {
  /** Lines that go, and lines that come. */
  readonly changes: number;
  /** Lines that go. */
  readonly gone: number;
  /** Lines that become ones like them. */
  readonly alike: number;
  /** The same, but a line that becomes one like it counts once, and another indentation counts too. */
  readonly distance: number;
}

/** Returns the place of which a fragment changes least. */
export function nearest(there: readonly Line[], shown: readonly Line[]): Within | Unplaced {
  const [first, last] = [shown[0]?.text ?? "", shown.at(-1)?.text ?? ""];
  const windows = windowsFor(there, shown);
  if (windows?.length === 0)
    return new Unplaced(
      `does not have the last line "${last.slice(0, 60)}" below the first: show one unchanged line below`,
    );
  const measured = windows && closest(there, shown, windows);
  if (measured === undefined) {
    const times = there.filter(({ text }) => text === first).length;
    return new Unplaced(`has the line "${first.slice(0, 60)}" ${times} times: show one more unchanged line above`);
  }
  const [best, second] = measured;
  const isClear =
    best !== undefined &&
    best.changes < shown.length &&
    (second === undefined || second.distance >= best.distance + CLEARLY) &&
    (sharesWords(there, shown, best) || hasNewForms(there, shown, best)) &&
    // Without a new line, it may only show some lines.
    !isSubsequence(textsOf(shown), textsOf(there.slice(best.first, best.last + 1))) &&
    !windows?.some((window) => isOtherReading(there, shown, { window, best }));
  if (!isClear) return new Unplaced(SEVERAL);
  const inside = there.slice(best.first, best.last + 1).map(({ text }) => text);
  const twice = shown.find(
    ({ text }) =>
      OPENS.test(text) && !text.startsWith("}") && !inside.includes(text) && there.some((line) => line.text === text),
  );
  if (twice !== undefined)
    return new Unplaced(`has the line "${twice.text.slice(0, 60)}" elsewhere, and would have it twice`);
  return { first: there[best.first]?.at ?? 0, last: there[best.last]?.at ?? 0 };
}

/** Returns whether a fragment differs more from the lines between any other two that are its first and its last one. */
export function differsLeast(there: readonly Line[], shown: readonly Line[], place: Within): boolean {
  const first = there.findIndex(({ at }) => at === place.first);
  const last = there.findLastIndex(({ at }) => at <= place.last);
  const { changes } = measure(there, shown, { first, last, bound: 0, isIndented: true });
  const isRival = (window: Bounded): boolean =>
    window.bound <= changes && (window.first !== first || window.last !== last);
  const rivals = windowsFor(there, shown)?.filter(isRival);
  if (rivals === undefined || isTooMuch(rivals.length, shown)) return false;
  return rivals.every((rival) => measure(there, shown, rival).changes > changes);
}

interface Bounded extends Window {
  /** The changes, and the distance, are at least this. */
  readonly bound: number;
  /** Whether its last line is indented against its first one as in the fragment. */
  readonly isIndented: boolean;
}

/**
 * Returns the windows that begin and end as a fragment does, nearest first: those whose last line is indented against
 * the first one as in the fragment, if there are any. Undefined if they are too many.
 */
function windowsFor(there: readonly Line[], shown: readonly Line[]): readonly Bounded[] | undefined {
  const [first, last] = [shown[0], shown.at(-1)];
  if (first === undefined || last === undefined) return [];
  const counts = new Map<string, number>();
  for (const { text } of shown) counts.set(text, (counts.get(text) ?? 0) + 1);
  const windows: Bounded[] = [];
  for (const [start, begin] of there.entries()) {
    if (begin.text !== first.text) continue;
    const left = new Map(counts);
    let common = 0;
    for (const [index, { text, indent }] of there.slice(start, start + shown.length * 2 + MOST_LONGER).entries()) {
      const times = left.get(text) ?? 0;
      left.set(text, times - 1);
      if (times > 0) common += 1;
      if (index === 0 || text !== last.text) continue;
      const isIndented = Math.sign(indent - begin.indent) === Math.sign(last.indent - first.indent);
      // A line can become only one other, so that the longer side tells the least distance.
      const bound = Math.max(shown.length, index + 1) - common;
      windows.push({ first: start, last: start + index, bound, isIndented });
    }
    if (windows.length > MOST_WINDOWS) return undefined;
  }
  const isExact = (window: Window): boolean => stepIn(there, window) === last.indent - first.indent;
  const exact = stepOf(there) === stepOf(shown) ? windows.filter(isExact) : [];
  return (exact.length > 0 ? exact : windows).sort((one, other) => one.bound - other.bound);
}

/** Returns by how many characters the last line of a window is indented more than its first one. */
function stepIn(lines: readonly Line[], { first, last }: Window): number {
  return (lines[last]?.indent ?? 0) - (lines[first]?.indent ?? 0);
}

/**
 * Returns the windows that a fragment changes least, in this order, without some that differ clearly more. Undefined if
 * too many have to be compared.
 */
function closest(
  there: readonly Line[],
  shown: readonly Line[],
  windows: readonly Bounded[],
): readonly Measured[] | undefined {
  const measured: Measured[] = [];
  let least = Infinity;
  for (const window of windows) {
    if (window.bound >= least + CLEARLY) break;
    if (isTooMuch(measured.length + 1, shown)) return undefined;
    const result = measure(there, shown, window);
    measured.push(result);
    least = Math.min(least, result.distance);
  }
  return measured.sort((one, other) => one.distance - other.distance);
}

function isTooMuch(count: number, shown: readonly Line[]): boolean {
  return count > MOST_COMPARED || count * shown.length > MOST_LINES;
}

function measure(there: readonly Line[], shown: readonly Line[], window: Bounded): Measured {
  const old = there.slice(window.first, window.last + 1).map(({ text }) => text);
  const parts = diffArrays(
    old,
    shown.map(({ text }) => text),
  );
  let [changes, gone, alike] = [0, 0, 0];
  for (const [index, { added, removed, value }] of parts.entries()) {
    if (!added && !removed) continue;
    changes += value.length;
    if (removed) gone += value.length;
    const next = parts[index + 1];
    if (removed && next?.added) alike += countAlike(value, next.value);
  }
  return { ...window, changes, gone, alike, distance: changes - alike + (window.isIndented ? 0 : CLEARLY) };
}

/** Counts the lines that become ones like them, in their order. */
function countAlike(old: readonly string[], now: readonly string[]): number {
  let [count, next] = [0, 0];
  for (const line of old) {
    const match = now.findIndex((other, index) => index >= next && isAlike(line, other));
    if (match === -1) continue;
    count += 1;
    next = match + 1;
  }
  return count;
}

/** Returns whether a window has a line of a fragment that is more than signs. */
function sharesWords(there: readonly Line[], shown: readonly Line[], { first, last }: Window): boolean {
  return there
    .slice(first, last + 1)
    .some(({ text }) => HAS_WORD.test(text) && shown.some((line) => line.text === text));
}

/** Returns whether each line of a window becomes one that is the same or like it. */
function hasNewForms(there: readonly Line[], shown: readonly Line[], { first, last }: Window): boolean {
  const isNewForm = ({ text }: Line, at: number): boolean => isAlike(text, there[first + at]?.text ?? "");
  return last - first + 1 === shown.length && shown.every(isNewForm);
}

/**
 * Returns whether another window may be meant: one inside the best, of which the fragment would lose nothing, or one
 * around it, where lines that the best only adds are new forms of others.
 */
function isOtherReading(
  there: readonly Line[],
  shown: readonly Line[],
  { window, best }: { readonly window: Bounded; readonly best: Measured },
): boolean {
  if (isInside(window, best))
    return (
      (window.isIndented || !best.isIndented) &&
      (addsOnly(there, shown, window) || (!losesNone(best) && losesNone(measure(there, shown, window))))
    );
  if (!window.isIndented || !isInside(best, window) || !addsOnly(there, shown, best)) return false;
  return measure(there, shown, window).alike > 0;
}

function losesNone({ gone, alike }: Measured): boolean {
  return gone === alike;
}

function isInside(window: Window, { first, last }: Window): boolean {
  return (first < window.first && last === window.last) || (first === window.first && window.last < last);
}

function addsOnly(there: readonly Line[], shown: readonly Line[], { first, last }: Window): boolean {
  return isSubsequence(textsOf(there.slice(first, last + 1)), textsOf(shown));
}

export function textsOf(lines: readonly Line[]): readonly string[] {
  return lines.map(({ text }) => text);
}

/** Returns whether a text has all lines of another one, in their order. */
export function isSubsequence(some: readonly string[], all: readonly string[]): boolean {
  let next = 0;
  for (const line of all) if (line === some[next]) next += 1;
  return next === some.length;
}

/** Returns whether a line has all words and signs of another one, in their order. */
export function isGrown(old: string, now: string): boolean {
  const wordsIn = (line: string): readonly string[] => line.match(/\w+|[^\w\s]/g) ?? [];
  return isSubsequence(wordsIn(old), wordsIn(now));
}

/** Returns whether a line has all words of another one in their order: `/about` is no longer form of `/`. */
export function hasWordsOf(old: string, now: string): boolean {
  return isSubsequence(wordsOfLine(old), wordsOfLine(now));
}

/** Returns what stands between spaces, quotes, brackets and signs that divide or end a sentence. */
function wordsOfLine(line: string): readonly string[] {
  return (line.match(/[^\s"'`,;(){}[\]<>=]+/g) ?? []).map((word) => word.replace(/(?<=\p{L})[.!?:]+$/u, ""));
}

/** Returns what tells whether a line of some is kept in others: as it is, or with more words. */
export function keptIn(now: readonly string[], old: readonly string[]): (line: string) => boolean {
  const [known, had] = [new Set(now), new Set(old)];
  const others = now.filter((line) => !had.has(line)).map(wordsOfLine);
  const isLong = others.length * old.length > MOST_PAIRS;
  return (line) => {
    const words = wordsOfLine(line);
    return known.has(line) || isLong || others.some((one) => isSubsequence(words, one));
  };
}

/** Lines of which each is compared with each: of more, all count as kept. */
const MOST_PAIRS = 200_000;
/** Lines by which another place has to differ more. */
const CLEARLY = 2;
/** Lines by which the old text of a fragment may be longer than twice the new one. */
const MOST_LONGER = 20;
const MOST_WINDOWS = 20_000;
/** Windows that are compared: the work is that of a diff for each. */
const MOST_COMPARED = 100;
/** Lines of all these windows. */
const MOST_LINES = 5_000;
/** Tells a line that is more than signs. */
export const HAS_WORD = /\w/;
export const SEVERAL = "has lines like these at several places: show one more unchanged line above or below";
