/** Replaces the old lines of a pair by its new ones. */
import { CLOSED, OPENS } from "../block.ts";
import {
  indentOf,
  isInRows,
  type Line,
  linesNamed,
  type PlacedLines,
  significant,
  Unplaced,
  type Within,
} from "../text.ts";
import { movedBelow, placeOfAll, rangeOf } from "./fragment.ts";

/** Replaces lines that the file has once by others, at their indentation. */
export function replaceLines(
  file: string,
  { old, content, within }: { readonly old: string; readonly content: string; readonly within?: Within | undefined },
): PlacedLines | Unplaced {
  const lines = file.split("\n");
  const [all, shown] = [significant(lines), significant(old.split("\n"))];
  // Of equal ones, those in what the sentence names.
  const inside = within === undefined ? [] : all.filter(({ at }) => isInRows(at, within));
  const there = shown.length > 0 && placeOfAll(inside, shown) !== undefined ? inside : all;
  const place = shown.length === 0 ? undefined : placeOfAll(there, shown);
  if (place === undefined) return new Unplaced("does not have the old lines exactly once");
  const range = rangeOf(lines, place.first, place.last);
  const before = file.slice(range.start, range.end);
  const from = there.findIndex(({ at }) => at === place.first);
  const placed = there.slice(from, from + shown.length).map(({ at }) => lines[at] ?? "");
  const next = all.find(({ at }) => at > place.last);
  const moved = movedAsOld(file, { old, content: content.replace(/^\n+/, ""), placed, next });
  // White space at the end of a line is a part of it.
  const now = moved.trim() === "" ? "" : moved.replace(/\n\s*$/, "");
  return {
    splices: [{ ...range, text: now === "" ? "" : `${now}${before.endsWith("\n") ? "\n" : ""}` }],
    done: [`${linesNamed(file, range)} replaced`],
  };
}

interface Pair {
  readonly old: string;
  readonly content: string;
  /** The lines of the file that the old ones are. */
  readonly placed: readonly string[];
  /** The line below these. */
  readonly next: Line | undefined;
}

/** Moves the new lines of a pair as its old ones are moved to their place in the file. */
function movedAsOld(file: string, { old, content, placed, next }: Pair): string {
  const lost = lostByFirst(old, placed) || lostByOnly(old, content, placed);
  const [oldLines, newLines] = [old, content].map((text) => significant(text.split("\n"))) as [Line[], Line[]];
  const [oldFirst, newFirst] = [oldLines[0], newLines[0]];
  if (oldFirst === undefined || newFirst === undefined) return content;
  if (lost !== "") {
    const given = { old: withIndent(old, lost), placed, next };
    return movedAsOld(file, {
      ...given,
      content: newFirst.indent === oldFirst.indent ? withIndent(content, lost) : content,
    });
  }
  const oldRows = old.split("\n");
  const isWhole = areStatements(oldLines, placed, next);
  const isExact = oldLines.every(({ at }, index) => oldRows[at]?.trimEnd() === placed[index]?.trimEnd());
  // An only line may be meant to become less deep.
  const isLess = isWhole && newFirst.indent < oldFirst.indent && !(isExact && oldLines.length === 1);
  // Of what is cut out of a block, each of the two texts may have been moved to the margin alone.
  const same = isWhole || isExact ? [] : newLines.filter(({ text }) => oldLines.some((line) => line.text === text));
  const isApart = same.every(
    ({ text, indent }) => !oldLines.some((line) => line.text === text && line.indent === indent),
  );
  const [shared] = isApart ? same : [];
  const rowsNow = content.split("\n");
  // Of one line, a sentence may have shown only the words.
  const [line, target] =
    shared !== undefined
      ? [rowsNow[shared.at], placed[oldLines.findIndex(({ text }) => text === shared.text)]]
      : [(oldLines.length > 1 || isExact) && !isLess ? oldRows[oldFirst.at] : rowsNow[newFirst.at], placed[0]];
  return movedBelow(line ?? "", { written: content, depth: indentOf(target ?? ""), file });
}

/** Returns the indentation that only the first line lacks, which was copied from the middle of a line. */
function lostByFirst(old: string, placed: readonly string[]): string {
  const rows = old.split("\n").filter((line) => line.trim() !== "");
  const [first, ...others] = rows.map((row, index) => {
    const [shown, inFile] = [indentOf(row), indentOf(placed[index] ?? "")];
    return inFile.endsWith(shown) ? inFile.slice(0, inFile.length - shown.length) : undefined;
  });
  const [shift] = others;
  const isSame = shift !== undefined && others.every((other) => other === shift);
  return isSame && first?.startsWith(shift) === true ? first.slice(shift.length) : "";
}

/** The same of an only old line, where all new lines but the first have the indentation of the file. */
function lostByOnly(old: string, content: string, [line = "", other]: readonly string[]): string {
  const [first = "", ...others] = content.split("\n").filter((row) => row.trim() !== "");
  const [shown, inFile] = [indentOf(old.trimEnd().split("\n").at(-1) ?? ""), indentOf(line)];
  const isKept = others.length > 0 && others.every((row) => row.startsWith(inFile));
  const isLost = other === undefined && shown.length < inFile.length && indentOf(first) === shown;
  return isLost && isKept && !OPENS.test(first) && inFile.endsWith(shown) ? inFile.slice(shown.length) : "";
}

/** Puts white space before the first line that is not blank. */
function withIndent(text: string, indent: string): string {
  return text.replace(/^(?=[ \t]*\S)/m, indent);
}

/** Returns whether lines of a file are whole statements: none of them continues below. */
function areStatements(shown: readonly Line[], placed: readonly string[], next: Line | undefined): boolean {
  const depth = indentOf(placed[0] ?? "").length;
  const isOpen = next !== undefined && (next.indent > depth || (next.indent === depth && CLOSED.test(next.text)));
  return !isOpen && shown.every(({ indent }) => indent >= (shown[0]?.indent ?? 0));
}
