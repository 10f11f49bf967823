/**
 * Replaces lines that a sentence tells by their numbers, which models count wrongly: the first and the last line there
 * have to be alike, and no other line of the file more so.
 */
import { rangeOf } from "../lines/fragment.ts";
import { isImport } from "../declarations/imports.ts";
import {
  dedented,
  indentOf,
  isAlike,
  linesNamed,
  type PlacedLines,
  reindented,
  sharedEnds,
  Unplaced,
} from "../text.ts";

/** Returns undefined if no sentence tells a number for what is shown, or other lines stand there. */
export function placeNumbered(file: string, content: string, told: string): PlacedLines | Unplaced | undefined {
  const [, only, from = only, to = from] = NUMBERED.exec(told) ?? NUMBERED_FIRST.exec(told) ?? [];
  if (from === undefined) return undefined;
  const lines = file.split("\n");
  const shown = content.replace(/^\n+|\s+$/g, "");
  const shownLines = shown.split("\n").map((line) => line.trim());
  // For one number, one line is shown.
  if (only !== undefined && shownLines.length > 1) return undefined;
  const [first, last] = [Number(from) - 1, Number(to) - 1];
  if (last < first || !isNearest(lines, first, shownLines[0]) || !isNearest(lines, last, shownLines.at(-1)))
    // An import would be added beside the one that it is to replace.
    return shownLines.every(isImport)
      ? new Unplaced(`has other lines at line ${from}: show the old line too`)
      : undefined;
  const range = rangeOf(lines, first, last);
  const end = file.slice(range.start, range.end).endsWith("\n") ? "\n" : "";
  const text = `${reindented(dedented(shown), indentOf(lines[first] ?? ""), file)}${end}`;
  return { splices: [{ ...range, text }], done: [`${linesNamed(file, range)} replaced`] };
}

/** Returns whether a line of a file may have become another one, and no other line is more like that. */
function isNearest(lines: readonly string[], at: number, now = ""): boolean {
  const old = lines[at]?.trim() ?? "";
  const sharedWith = (line: string): number => sharedEnds(line, now).reduce((begin, end) => begin + end);
  const shared = sharedWith(old);
  const isLike = isAlike(old, now) || shared * 2 > Math.max(old.length, now.length);
  return old !== "" && isLike && lines.every((line) => sharedWith(line.trim()) <= shared);
}

const LINES = "(?:line (\\d+)(?!\\d| ?(?:,|and|or|to|-|–) ?\\d)|lines (\\d+) ?(?:-|–|to|through) ?(\\d+))";
const NUMBERED = new RegExp(`\\b(?:change|replace|update|modify|edit|fix|rewrite)\\b[^.\`\\n]{0,40}\\b${LINES}`, "i");
const NUMBERED_FIRST = new RegExp(
  `\\b${LINES}[^.\\n]{0,40}\\b(?:to|with|should (?:be|read|become)|becomes?)\\W*$`,
  "im",
);
