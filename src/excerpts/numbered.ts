/**
 * Replaces lines that a sentence tells by their numbers, which models count wrongly: the first and the last line there
 * have to be alike, and no other line of the file more so.
 */
import { rangeOf } from "./fragment.ts";
import { isImport } from "./imports.ts";
import {
  dedented,
  indentOf,
  isAlike,
  linesNamed,
  type PlacedLines,
  reindented,
  sharedLength,
  Unplaced,
} from "./text.ts";

/** Returns undefined if no sentence tells a number for what is shown, or other lines stand there. */
export function placeNumbered(file: string, content: string, told: string): PlacedLines | Unplaced | undefined {
  const [, only, from = only, to = from] = NUMBERED.exec(told) ?? NUMBERED_FIRST.exec(told) ?? [];
  if (from === undefined) return undefined;
  const lines = file.split("\n");
  const shown = content.replace(/^\n+|\s+$/g, "");
  const own = shown.split("\n").map((line) => line.trim());
  // For one number, one line is shown.
  if (only !== undefined && own.length > 1) return undefined;
  const [first, last] = [Number(from) - 1, Number(to) - 1];
  if (last < first || !isNearest(lines, first, own[0]) || !isNearest(lines, last, own.at(-1)))
    // An import would be added beside the one that it is to replace.
    return own.every(isImport) ? new Unplaced(`has other lines at line ${from}: show the old line too`) : undefined;
  const range = rangeOf(lines, first, last);
  const end = file.slice(range.start, range.end).endsWith("\n") ? "\n" : "";
  const text = `${reindented(dedented(shown), indentOf(lines[first] ?? ""), file)}${end}`;
  return { splices: [{ ...range, text }], done: [`${linesNamed(file, range)} replaced`] };
}

/** Returns whether a line of a file may have become another one, and no other line is more like that. */
function isNearest(lines: readonly string[], at: number, now = ""): boolean {
  const old = lines[at]?.trim() ?? "";
  const shared = sharedEnds(old, now);
  const isLike = isAlike(old, now) || shared * 2 > Math.max(old.length, now.length);
  return old !== "" && isLike && lines.every((line) => sharedEnds(line.trim(), now) <= shared);
}

/** Returns how many characters two lines begin and end with alike. */
function sharedEnds(one: string, other: string): number {
  const begin = sharedLength(one, other);
  const most = Math.min(one.length, other.length) - begin;
  let end = 0;
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return begin + end;
}

const LINES = "(?:line (\\d+)(?!\\d| ?(?:,|and|or|to|-|–) ?\\d)|lines (\\d+) ?(?:-|–|to|through) ?(\\d+))";
const NUMBERED = new RegExp(`\\b(?:change|replace|update|modify|edit|fix|rewrite)\\b[^.\`\\n]{0,40}\\b${LINES}`, "i");
const NUMBERED_FIRST = new RegExp(
  `\\b${LINES}[^.\\n]{0,40}\\b(?:to|with|should (?:be|read|become)|becomes?)\\W*$`,
  "im",
);
