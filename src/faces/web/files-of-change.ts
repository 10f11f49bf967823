/**
 * What a change of the project looks like on the page, file by file: its lines with those around, folds, and the words
 * that differ.
 */
import { resolve } from "node:path";
import { diffArrays, diffWordsWithSpace } from "diff";
import {
  type Change,
  changedLines,
  type ChangedLines,
  type Content,
  type EditHunk,
  nameWithin,
  shownText,
  visibleInLines,
} from "../../index.ts";
import type { FileView, HunkView, DiffLine, Mark } from "./protocol.ts";

/** The lines of files before their change, by path, to show more of them. */
export type OldLines = Map<string, readonly string[]>;

interface Shown {
  readonly root: string;
  /** Places that can be chosen, of any of the files. */
  readonly hunks?: readonly EditHunk[];
  /** Receives the lines of each file. */
  readonly oldLines?: OldLines;
}

export function fileViews(changes: readonly Change[], { root, hunks = [], oldLines }: Shown): FileView[] {
  const shown = withMoves(changes.filter((change) => !isImplied(change, changes)));
  return shown.map((change) => {
    // A hunk has the path as the block writes it, which may lead through a link.
    const inFile = shown.length === 1 ? hunks : hunks.filter(({ path }) => resolve(root, path) === change.path);
    return fileView(change, inFile.length > 0 ? inFile : undefined, { root, oldLines });
  });
}

/** Shows a deleted file and a new one with the same bytes as one that moved. */
function withMoves(changes: readonly Change[]): readonly Change[] {
  const gone = changes.filter(({ after }) => after === undefined);
  const moved = changes.map((change) => {
    const from = gone.findIndex((old) => change.before === undefined && isSameFile(old.before, change.after));
    const [old] = from === -1 ? [] : gone.splice(from, 1);
    return old === undefined ? change : { ...change, before: old.before, movedFrom: old.path };
  });
  return moved.filter((change) => change.after !== undefined || gone.includes(change));
}

function isSameFile(old: Content | undefined, now: Content | undefined): boolean {
  if (old?.kind !== "file" || now?.kind !== "file" || old.bytes === undefined || now.bytes === undefined) return false;
  return old.size > 0 && Buffer.from(old.bytes).equals(now.bytes);
}

/** Whether a change makes a folder for another one. */
function isImplied({ path, before, after }: Change, changes: readonly Change[]): boolean {
  return (
    after?.kind === "directory" && before === undefined && changes.some((other) => other.path.startsWith(`${path}/`))
  );
}

function fileView(
  change: Change,
  hunks: readonly EditHunk[] | undefined,
  { root, oldLines }: { readonly root: string; readonly oldLines: OldLines | undefined },
): FileView {
  const { before, after, movedFrom } = change;
  const path = visibleInLines(nameWithin(root, change.path));
  const named = { path, movedFrom: movedFrom && visibleInLines(nameWithin(root, movedFrom)) };
  const kind = kindOf(change);
  const content = after ?? before;
  const places: readonly Place[] | string =
    hunks ?? (content === undefined || content.kind === "directory" ? [] : changedLines(change));
  if (typeof places === "string") return { ...named, kind, hunks: [], unseen: places };
  const lines = textLines(shownText(before));
  oldLines?.set(path, lines);
  return { ...named, kind, ...hunkViews(places, lines) };
}

function kindOf({ before, after, movedFrom }: Change): FileView["kind"] {
  if ((after ?? before)?.kind === "directory") return "folder";
  if (after === undefined) return "deleted";
  if (movedFrom !== undefined) return "moved";
  if (before === undefined) return "new";
  return after.kind === "link" ? "link" : "changed";
}

/** Returns the lines of a text. A final line feed starts no line. */
export function textLines(text = ""): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** Unchanged lines shown above and below a change. */
const AROUND = 3;

/** Longer lines, and longer stretches, have no marked words: the diff takes quadratic time. */
const MAX_WORDS_LENGTH = 500;
const MAX_PAIRED_LINES = 200;

/** A place that changes, with the name by which it can be chosen. */
interface Place extends ChangedLines {
  readonly id?: string;
}

/**
 * Returns the hunks of a file, each place by itself, and the unchanged lines below the last one.
 *
 * @param before all lines of the file
 */
function hunkViews(places: readonly Place[], before: readonly string[]): Pick<FileView, "hunks" | "fold"> {
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
export function contextLines(before: readonly string[], from: number, to: number, shift: number): DiffLine[] {
  return before
    .slice(from - 1, to - 1)
    .map((text, index) => ({ sign: " ", old: from + index, new: from + index + shift, text: visibleInLines(text) }));
}

/** Returns what a change does to its lines. Those that it replaces by themselves are unchanged. */
export function changeLines({ oldStart, oldLines, newLines }: ChangedLines, newStart: number): DiffLine[] {
  const isLong = oldLines.length + newLines.length > MAX_PAIRED_LINES * 10;
  const parts = isLong
    ? [
        { removed: true, added: false, value: [...oldLines] },
        { removed: false, added: true, value: [...newLines] },
      ]
    : diffArrays([...oldLines], [...newLines]);
  const lines: DiffLine[] = [];
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
