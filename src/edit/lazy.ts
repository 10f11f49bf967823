/** Fills the holes in a file that a model wrote lazily: `// ... existing code ...`. */
import { diffArrays } from "diff";
import { isComment } from "../core/comment-styles.ts";
import { counted, countsOf } from "../core/counted.ts";
import { type Block, type BlocksIn, BlockPairs, outside, type Significant } from "./blocks.ts";
import { LF, splitLines } from "./lines.ts";

/** The file that is meant, or why nobody can tell. Lines are 1-based, in the new text. */
export type Merged = { readonly text: string } | { readonly hole: number; readonly reason: string };

/**
 * Puts the old file's lines into the holes of a new text. A hole is filled only where the lines before it and after it,
 * up to one that stands in the old file exactly once, are those of the old file, in order. Lines that only together
 * stand there once prove nothing: an added bracket makes the second of two equal places fit. A part that loses no line
 * may also be at the only place below the part above it. Everything else of the old file must be covered by a part that
 * keeps at least half of it. Blank lines do not count, and beside a hole are the old file's.
 *
 * @param isHole whether a line, trimmed, stands for others
 * @param blocksIn set if the declarations beside a hole tell before its lines do. Then lines of a declaration that a
 *   part shows may go, and what stands above all that is shown, or below it, stays
 */
export function fillHoles(
  oldText: string,
  newText: string,
  isHole: (line: string) => boolean,
  blocksIn?: BlocksIn,
): Merged {
  const oldLines = splitLines(oldText);
  const old = significantIn(oldLines);
  const parts = partsOf(newText, isHole);
  const tooMany = parts[MAX_HOLES + 1];
  if (tooMany !== undefined)
    return { hole: tooMany.hole, reason: `the text has more than ${counted(MAX_HOLES, "placeholder")}` };
  const newLines = splitLines(newText);
  const oldBlocks = blocksIn?.(oldText) ?? [];
  const depths = new Set(oldBlocks.map(({ first }) => indentOf(oldLines[first ?? -1])));
  // A block that a placeholder continues is not shown whole. A line as deep as no declaration is a local value.
  const isWhole = ({ first, last }: Block): boolean => {
    if (first === last && !depths.has(indentOf(newLines[first]))) return false;
    const below = newLines.slice(last + 1).find(isText);
    const isInside = below !== undefined && indentOf(below) > indentOf(newLines[first ?? -1]);
    return !(isInside && isHole(below.trim()));
  };
  const pairs =
    blocksIn &&
    new BlockPairs(
      { lines: old, blocks: oldBlocks },
      { lines: significantIn(newLines), blocks: blocksIn(newText).filter(isWhole) },
    );
  let merged = "";
  /** Index in the old file of the first line that is not covered yet. */
  let covered = 0;
  for (const [index, part] of parts.entries()) {
    const { lines, hole } = part;
    const [isFirst, isLast] = [index === 0, index === parts.length - 1];
    const partLines = significantIn(lines);
    const begin = partLines.length === 0 ? undefined : pairs?.beginOf(part, isLast);
    const end = partLines.length === 0 ? undefined : pairs?.endOf(part);
    const shows = (stretch: readonly Significant[]): boolean => countKept(stretch, partLines) > 0;
    const isBegun = begin !== undefined && !(isFirst && (begin.isAdded || shows(old.slice(0, indexFrom(begin.at)))));
    const isEnded = end !== undefined && !(isLast && (end.isAdded || shows(old.slice(indexFrom(end.at)))));
    let isByOrder = false;
    const placeFrom = (from: number, side: "start" | "end"): number | string => {
      const place = placeOf(old, partLines, side);
      const next = typeof place === "string" && from > 0 ? placeOf(old.slice(from), partLines, side) : place;
      isByOrder ||= next !== place;
      return next === place || typeof next === "string" ? place : from + next;
    };
    const begins = isBegun ? indexFrom(begin.at) : isFirst ? 0 : placeFrom(covered, "start");
    if (typeof begins === "string") return { hole, reason: `the lines after it ${begins}` };
    const ends = isEnded ? indexFrom(end.at) : isLast ? old.length : placeFrom(begins, "end");
    if (typeof ends === "string")
      return { hole: parts[index + 1]?.hole ?? hole, reason: `the lines before it ${ends}` };
    if (begins < covered || ends < begins)
      return { hole, reason: "the lines around it are in another order in the file" };
    if (index > 0 && covered < begins && belongsAround(newLines, hole - 1, old[covered]?.line))
      return { hole, reason: "it is indented less than the lines that it would stand for" };
    const shown = [...(pairs?.replacedBy(part) ?? [])].sort((one, other) => one.first - other.first);
    const region = old.slice(begins, ends);
    const kept = countKept(region, partLines);
    // A part without a new line may also be one that has come to equal another: then the other one is lost.
    const mayLose = kept === partLines.length ? kept / 2 : kept;
    const others = outside(region, shown);
    const lost = others.length - countKept(others, partLines);
    if (lost > (isByOrder ? 0 : mayLose))
      return { hole, reason: `${counted(lost, "line")} of the file would be lost without a placeholder` };
    merged += linesBetween(old, covered, begins, oldLines) + "\n".repeat(begin?.blank ?? 0);
    if (partLines.length > 0) merged += lines.join("");
    covered = ends;
  }
  return { text: merged + (covered < old.length ? linesBetween(old, covered, old.length, oldLines) : "") };

  function indexFrom(line: number): number {
    const index = old.findIndex(({ at }) => at >= line);
    return index === -1 ? old.length : index;
  }
}

/**
 * Returns whether a hole below a blank line belongs to what is around the block of Python above, which is shown whole:
 * the block begins no deeper than the hole, and the first line that it would stand for is deeper. Where brackets end a
 * block, they tell.
 *
 * @param at index of the hole among the lines
 */
export function belongsAround(lines: readonly string[], at: number, first: string | undefined): boolean {
  const depth = indentOf(lines[at]);
  const last = lines.findLastIndex((line, row) => row < at && isText(line));
  const begin = lines.findLastIndex((line, row) => row < last && !isText(line)) + 1;
  const isBlock = lines.slice(begin, last).some((line) => indentOf(line) <= depth && /:\s*$/.test(line));
  const below = lines.slice(at + 1).find(isText);
  const isApart = last < at - 1 && isBlock && !OF_BLOCK.test(lines[at] ?? "");
  return isApart && indentOf(first) > depth && indentOf(below) <= depth;
}

/**
 * Puts comments back that stand in the old file between lines of the new one, and that it lacks: a lazy text shows
 * code, and says nothing of them.
 */
export function withComments(oldText: string, newText: string): string {
  const [old, lines] = [splitLines(oldText), splitLines(newText)];
  const comparator = (left: string, right: string): boolean => left.trimEnd() === right.trimEnd();
  const parts = diffArrays(old, lines, { comparator, maxEditLength: MAX_DIFFERENCES });
  const shown = new Set(lines.map((line) => line.trim()));
  const isLost = (value: readonly string[]): boolean =>
    areComments(value) && !value.some((line) => isText(line) && shown.has(line.trim()));
  const kept = parts?.flatMap(({ value, removed }, index) => {
    const isReplaced = [parts[index - 1], parts[index + 1]].some((part) => part?.added === true);
    return !removed ? value : !isReplaced && isLost(value) ? value : [];
  });
  return kept?.join("") ?? newText;
}

const MAX_DIFFERENCES = 2_000;

function areComments(lines: readonly string[]): boolean {
  const texts = lines.map((line) => line.trim()).filter(isText);
  let isOpen = false;
  const are = texts.every((line) => {
    const is = isOpen || (isComment(line) && !/^#!?\[/.test(line));
    isOpen = line.includes("*/") ? false : isOpen || line.startsWith("/*");
    return is;
  });
  // Half a comment would hide the code below it.
  return are && !isOpen && texts.length > 0;
}

/** Says what it stands for: the rest of the function. */
const OF_BLOCK = /\b(?:body|class|function|methods?)\b/i;
/** The work is that of the old lines for each hole. */
const MAX_HOLES = 500;

function indentOf(line = ""): number {
  return line.length - line.trimStart().length;
}

interface Part {
  /** With their endings, without blank lines beside holes. */
  readonly lines: readonly string[];
  /** The line of the hole before it; that of the next one for the first part. */
  readonly hole: number;
  /** 0-based lines of the new text. */
  readonly first: number;
  readonly last: number;
}

function isText(line: string): boolean {
  return line.trim() !== "";
}

/** Returns the lines of a text that are not blank. */
export function significantLines(text: string): readonly Significant[] {
  return significantIn(splitLines(text));
}

/** Returns the lines of a text that are not blank, trimmed. */
export function trimmedLines(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => line.trim() || []);
}

function significantIn(lines: readonly string[]): readonly Significant[] {
  return lines.flatMap((line, at) => (isText(line) ? [{ line: line.trimEnd(), at }] : []));
}

/** Holes with only blank lines between them are one. */
function partsOf(text: string, isHole: (line: string) => boolean): readonly Part[] {
  const all = splitLines(text);
  const holes: Array<{ readonly first: number; last: number }> = [];
  for (const [at, line] of all.entries()) {
    if (!isHole(line.trim())) continue;
    const before = holes.at(-1);
    if (before !== undefined && !all.slice(before.last + 1, at).some(isText)) before.last = at;
    else holes.push({ first: at, last: at });
  }
  return [undefined, ...holes].map((hole, index) => {
    const start = hole === undefined ? 0 : hole.last + 1;
    const next = holes[index]?.first ?? all.length;
    const lines = all.slice(start, next);
    const first = hole === undefined ? 0 : lines.findIndex(isText);
    const last = next === all.length ? lines.length - 1 : lines.findLastIndex(isText);
    const part = first === -1 ? [] : lines.slice(first, last + 1);
    return { lines: part, hole: (hole?.first ?? next) + 1, first: start + first, last: start + last };
  });
}

/**
 * Returns where a part begins or ends in the old file, in its significant lines: beside its first or last line, if the
 * lines from there up to one that the file has only once stand in the file as they do in the part. Otherwise the end of
 * a sentence.
 */
function placeOf(
  old: readonly Significant[],
  wantedLines: readonly Significant[],
  side: "start" | "end",
): number | string {
  if (wantedLines.length === 0) return side === "start" ? old.length : 0;
  const [first, step] = side === "start" ? [0, 1] : [wantedLines.length - 1, -1];
  let places = old.map((_, index) => index);
  for (let at = first, offset = 0; at >= 0 && at < wantedLines.length; at += step, offset += step) {
    const wanted = wantedLines[at]?.line;
    places = places.filter((place) => old[place + offset]?.line === wanted);
    if (places.length === 0)
      return at === first ? "are not in the file" : "occur in the file more than once, or differ from it";
    // Of a bracket alone, the line above tells what it opens.
    const isOpening = side === "end" && /^\s*[({[]\s*$/.test(wanted ?? "");
    if (places.length === 1 && !isOpening && old.filter(({ line }) => line === wanted).length === 1)
      return (places[0] as number) + (side === "start" ? 0 : 1);
  }
  return "occur in the file more than once";
}

/** Counts lines that a part has too, however indented. */
export function countKept(region: readonly Significant[], part: readonly Significant[]): number {
  const counts = countsOf(part.map(({ line }) => line.trim()));
  return region.filter(({ line }) => {
    const left = counts.get(line.trim()) ?? 0;
    counts.set(line.trim(), left - 1);
    return left > 0;
  }).length;
}

/** Returns the old file's lines from one significant line up to another, with the blank ones around them. */
function linesBetween(old: readonly Significant[], from: number, to: number, all: readonly string[]): string {
  const first = from === 0 ? 0 : (old[from - 1] as Significant).at + 1;
  // A placeholder may stand for nothing but blank lines.
  if (from === to) return from === 0 || to === old.length ? "" : all.slice(first, (old[to] as Significant).at).join("");
  const last = to === old.length ? all.length : (old[to] as Significant).at;
  const text = all.slice(first, last).join("");
  return text.charCodeAt(text.length - 1) === LF ? text : `${text}\n`;
}
