/** Fills the holes of a declaration that plain answers leave beside lines which have changed. */
import { RETURNS } from "../block.ts";
import { indentOf, type Line, mayBeAlike, significant } from "../text.ts";
import { isUnproven, type Segment } from "./unproven.ts";

/**
 * Fills the holes of a declaration where a line beside one has changed: the only line of the old text that it is alike
 * shows where the old lines go on.
 */
export function filledAlike(old: string, now: string, isHole: (line: string) => boolean): string | undefined {
  const [lines, written] = [old.split("\n"), now.split("\n")];
  return placedAlike(lines, written, isHole)
    ?.map(({ isOld, at }) => (isOld ? lines : written)[at] ?? "")
    .join("\n");
}

/** A line of the old text or of the new one, 0-based. */
interface Placed {
  readonly isOld: boolean;
  readonly at: number;
}

/** Returns the lines of a new text, with those of the old one in place of its holes. */
export function placedAlike(
  lines: readonly string[],
  written: readonly string[],
  isHole: (line: string) => boolean,
): readonly Placed[] | undefined {
  const result: Placed[] = [];
  const segments: Segment[] = [];
  const add = (isOld: boolean, from: number, end: number): void => {
    for (let at = from; at < end; at++) result.push({ isOld, at });
  };
  let from = 0;
  for (let start = 0, isFirst = true; ; isFirst = false) {
    const hole = written.findIndex((line, at) => at >= start && isHole(line.trim()));
    const end = hole === -1 ? written.length : hole;
    const segment = written.slice(start, end);
    const first = segment.find(isText);
    const begin = isFirst
      ? from
      : first === undefined
        ? lines.length
        : (placeOfFirst(lines, segment, from, hole === -1) ??
          placeBelowNew(lines, segment, from) ??
          (hole === -1 && isNewEnd(lines, segment, from) ? lines.length : undefined));
    if (begin === undefined) return undefined;
    if (!isFirst) add(true, from, begin);
    // Beside a placeholder the blank lines are the old text's.
    const top = isFirst ? 0 : segment.findIndex(isText);
    const bottom = hole === -1 ? segment.length : segment.findLastIndex(isText) + 1;
    if (first !== undefined) add(false, start + top, start + bottom);
    const kept = hole === -1 ? lines.length - 1 : first === undefined ? begin - 1 : endOfSegment(lines, segment, begin);
    if (kept === undefined) return undefined;
    segments.push({ shown: segment, from, begin, end: kept + 1 });
    if (hole === -1) return isUnproven(lines, segments) ? undefined : result;
    from = kept + 1;
    // Holes one below the other are one.
    const next = written.findIndex((line, at) => at > hole && isText(line) && !isHole(line.trim()));
    start = next === -1 ? written.length : next;
  }
}

function isText(line: string): boolean {
  return line.trim() !== "";
}

/**
 * Returns the line of the old text that the last one of a segment is or replaces, or below which the last lines of it
 * are new: then the next line of the old text shares no names with them, or they may be its new form.
 */
function endOfSegment(lines: readonly string[], written: readonly string[], from: number): number | undefined {
  const segment = written.filter(isText);
  // Of a bracket alone, the line above tells what it opens.
  const isOnce = (line: string): boolean =>
    lines.indexOf(line) >= from && lines.indexOf(line) === lines.lastIndexOf(line) && !/^\s*[({[]\s*$/.test(line);
  let at = segment.findLastIndex(isOnce);
  let kept = at === -1 ? from - 1 : lines.indexOf(segment[at] ?? "");
  const following = (): ReadonlyArray<Pick<Line, "text" | "at">> =>
    lines.flatMap((text, index) => (index > kept && isText(text) ? [{ text, at: index }] : []));
  for (let [next] = following(); at !== -1 && next !== undefined && next.text === segment[at + 1]; [next] = following())
    [at, kept] = [at + 1, next.at];
  const fresh = segment.slice(at + 1);
  const last = fresh.at(-1);
  if (last === undefined) return kept;
  const below = following();
  // The next lines, each in a new form.
  if (fresh.every((line, index) => mayBeAlike(line.trim(), below[index]?.text.trim() ?? "")))
    return below[fresh.length - 1]?.at;
  // A bracket may end what is new.
  const place = at !== -1 && !/\w/.test(last) ? undefined : placeOfLine(lines, last, kept + 1);
  if (place !== undefined || at === -1) return place;
  const nextLine = below[0]?.text ?? "";
  // Nothing runs below what leaves a function.
  if (KEYWORD.test(last) && KEYWORD.test(nextLine) && indentOf(last) === indentOf(nextLine)) return undefined;
  return fresh.some((line) => mayBeAlike(line.trim(), nextLine.trim())) || sharesNames(fresh, nextLine)
    ? undefined
    : kept;
}

/** Returns whether new lines have so many names of an old one that they may be its new form. */
function sharesNames(fresh: readonly string[], old: string): boolean {
  // The first word of an entry is its name.
  const count = fresh.every((line) => line.trimEnd().endsWith(",")) ? 1 : undefined;
  const known = new Set(fresh.flatMap((line) => wordsIn(line).slice(0, count)));
  // A keyword within a line is no name: what is returned early is not what is returned at the end.
  const keyword = KEYWORD.exec(old)?.[0];
  const names = wordsIn(old).slice(0, count);
  if (keyword !== undefined && !fresh.some((line) => KEYWORD.exec(line)?.[0] === keyword)) names.shift();
  return names.filter((word) => known.has(word)).length * MOST_SHARED > names.length;
}

const KEYWORD = /^\s*(?:return|throw|raise|yield)\b/;

function wordsIn(text: string): string[] {
  return [...new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu))];
}

/** Of the words of a line, one in so many may stand in another one that is not its new form. */
const MOST_SHARED = 2;

/**
 * Returns the only line of the old text that a segment has below lines which are all new: none of them is alike to one
 * that the hole above stands for, or sets a name that one of those sets.
 */
function placeBelowNew(lines: readonly string[], written: readonly string[], from: number): number | undefined {
  const segment = written.filter(isText);
  const known = segment.findIndex((line) => lines.includes(line));
  const wanted = segment[known] ?? "";
  const at = lines.indexOf(wanted);
  if (known < 1 || at < from || at !== lines.lastIndexOf(wanted) || !/\w/.test(wanted)) return undefined;
  const [fresh, hidden] = [segment.slice(0, known), lines.slice(from, at).filter(isText)];
  return areNew(fresh, hidden) ? at : undefined;
}

/** Returns whether none of some lines is alike to an old one, or sets a name that one sets. */
function areNew(fresh: readonly string[], old: readonly string[]): boolean {
  const isOld = (line: string, other: string): boolean =>
    mayBeAlike(other.trim(), line.trim()) || (setIn(line) !== undefined && setIn(other) === setIn(line));
  return fresh.every((line) => !old.some((other) => isOld(line, other)));
}

/**
 * Returns whether a segment is a statement that leaves a function, below one that does not: any other may be the new
 * form of what its placeholder stands for.
 */
function isNewEnd(lines: readonly string[], written: readonly string[], from: number): boolean {
  const [old, fresh] = [lines.slice(from).filter(isText), written.filter(isText)];
  const [last = "", end = ""] = [old.at(-1), fresh[0]];
  const hasSemicolons = lines.some((line) => line.trimEnd().endsWith(";"));
  const isValue = (line: string): boolean => hasSemicolons && /\w/.test(line) && !/[;{}]\s*$/.test(line);
  const leaves = (line: string): boolean => RETURNS.test(line) || isValue(line);
  return fresh.length === 1 && leaves(end) && old.length > 0 && !leaves(last);
}

/** Returns the name that a statement sets. */
function setIn(line: string): string | undefined {
  return /^\s*(?:[\w$]+\s+)*([\w$.[\]]+)\s*(?::\s*[^=]+)?:?=(?!=)/.exec(line)?.[1];
}

/**
 * Returns the line of the old text that the first one of a segment is: of equal ones, that which has the next lines of
 * the segment below it.
 *
 * @param isLast whether the segment ends the text, so that the last of equal ones is meant
 */
function placeOfFirst(
  lines: readonly string[],
  written: readonly string[],
  from: number,
  isLast: boolean,
): number | undefined {
  const segment = significant(written);
  const below = significant(lines.slice(from));
  let same = [...below.keys()].filter((at) => below[at]?.text === segment[0]?.text);
  if (same.length === 0) return placeOfLine(lines, segment[0]?.text ?? "", from);
  let next = 1;
  for (; same.length > 1 && next < segment.length; next++) {
    const narrowed = same.filter((at) => below[at + next]?.text === segment[next]?.text);
    if (narrowed.length === 0) break;
    same = narrowed;
  }
  const place = same.length === 1 || (isLast && next === segment.length) ? same.at(-1) : undefined;
  return place === undefined ? undefined : from + (below[place]?.at ?? 0);
}

/** Returns the only line that is the wanted one, or may be its new form, or sets the same name. */
function placeOfLine(lines: readonly string[], wanted: string, from: number): number | undefined {
  const below = [...lines.keys()].filter((at) => at >= from && (lines[at] ?? "").trim() !== "");
  const same = below.filter((at) => lines[at]?.trim() === wanted.trim());
  if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  // What is returned early, inside a condition, is none of what is returned at the end.
  const keyword = KEYWORD.exec(wanted)?.[0];
  const isDeeper = (line: string): boolean => /^\s/.test(keyword ?? "") && KEYWORD.exec(line)?.[0] !== keyword;
  const alike = below.filter((at) => mayBeAlike((lines[at] ?? "").trim(), wanted.trim()) && !isDeeper(lines[at] ?? ""));
  const named = below.filter((at) => setIn(wanted) !== undefined && setIn(lines[at] ?? "") === setIn(wanted));
  return alike.length === 1 ? alike[0] : alike.length === 0 && named.length === 1 ? named[0] : undefined;
}
