/** Lines of a diff as the page shows them: with the lines around, folds, and the words that differ. */
import { diffArrays, diffWordsWithSpace } from "diff";
import { type ChangedLines, visibleInLines } from "../../index.ts";
import type { FileView, HunkView, Line, Mark } from "./protocol.ts";

/** Unchanged lines shown above and below a change. */
const AROUND = 3;

/** Longer lines, and longer stretches, have no marked words: the diff takes quadratic time. */
const MAX_WORDS_LENGTH = 500;
const MAX_PAIRED_LINES = 200;

/** A place that changes, with the name by which it can be chosen. */
export interface Place extends ChangedLines {
  readonly id?: string;
}

/**
 * Returns the hunks of a file, each place by itself, and the unchanged lines below the last one.
 *
 * @param before all lines of the file
 */
export function hunkViews(places: readonly Place[], before: readonly string[]): Pick<FileView, "hunks" | "fold"> {
  const hunks: HunkView[] = [];
  /** The first line of the file before and after the change that is not shown yet, 1-based. */
  let [next, shift] = [1, 0];
  for (const [index, place] of places.entries()) {
    const { oldStart, oldLines, newLines, id } = place;
    const end = oldStart + oldLines.length;
    const above = Math.max(next, oldStart - AROUND);
    const following = places[index + 1]?.oldStart ?? Infinity;
    const below = Math.min(end + AROUND, before.length + 1, Math.max(end, following));
    const hidden = above - next;
    const [lead, hiddenAll] = hidden > 1 ? [above, hidden] : [next, 0];
    const after = shift + newLines.length - oldLines.length;
    hunks.push({
      id,
      fold: hiddenAll > 0 ? { lines: hiddenAll, old: next, new: next + shift } : undefined,
      lines: [
        ...contextLines(before, lead, oldStart, shift),
        ...changeLines(place, oldStart + shift),
        ...contextLines(before, end, below, after),
      ],
    });
    [next, shift] = [below, after];
  }
  const left = before.length + 1 - next;
  return { hunks, fold: left > 0 && places.length > 0 ? { lines: left, old: next, new: next + shift } : undefined };
}

/** Returns unchanged lines from one number up to another, which is not included. */
export function contextLines(before: readonly string[], from: number, to: number, shift: number): Line[] {
  return before
    .slice(from - 1, to - 1)
    .map((text, index) => ({ sign: " ", old: from + index, new: from + index + shift, text: visibleInLines(text) }));
}

/** Returns what a change does to its lines. Those that it replaces by themselves are unchanged. */
export function changeLines({ oldStart, oldLines, newLines }: ChangedLines, newStart: number): Line[] {
  const isLong = oldLines.length + newLines.length > MAX_PAIRED_LINES * 10;
  const parts = isLong
    ? [
        { removed: true, added: false, value: [...oldLines] },
        { removed: false, added: true, value: [...newLines] },
      ]
    : diffArrays([...oldLines], [...newLines]);
  const lines: Line[] = [];
  let [oldLine, newLine] = [oldStart, newStart];
  for (const [index, { removed, added, value }] of parts.entries()) {
    if (!removed && !added) {
      for (const text of value) lines.push({ sign: " ", old: oldLine++, new: newLine++, text: visibleInLines(text) });
      continue;
    }
    const texts = value.map(visibleInLines);
    const besides = removed ? parts[index + 1] : parts[index - 1];
    const isReplaced = removed ? besides?.added === true : besides?.removed === true;
    const opposite = isReplaced ? (besides?.value ?? []).map(visibleInLines) : [];
    for (const [at, text] of texts.entries()) {
      const pair = texts.length <= MAX_PAIRED_LINES ? opposite[at] : undefined;
      const words = pair === undefined ? [] : wordsOf(text, pair, removed);
      const marked = words.length > 0 ? { words } : {};
      lines.push(
        removed ? { sign: "-", old: oldLine++, text, ...marked } : { sign: "+", new: newLine++, text, ...marked },
      );
    }
  }
  return lines;
}

/** Returns the words of a line that its other side lacks. None if little is the same. */
function wordsOf(text: string, other: string, isOld: boolean): Mark[] {
  if (text.length + other.length > MAX_WORDS_LENGTH) return [];
  const parts = isOld ? diffWordsWithSpace(text, other) : diffWordsWithSpace(other, text);
  const marks: Mark[] = [];
  let [at, same] = [0, 0];
  for (const { value, added, removed } of parts) {
    if (isOld ? added : removed) continue;
    const isMarked = isOld ? removed : added;
    if (isMarked && value.trim() !== "") marks.push([at, at + value.length, "word"]);
    if (!isMarked) same += value.trim().length;
    at += value.length;
  }
  return same * 4 < text.trim().length ? [] : marks;
}
