/** Replaces lines that a sentence tells by their numbers, which models count wrongly: what stands there must be alike. */
import { hasSameEnds, rangeOf } from "./fragment.ts";
import { isImport } from "./imports.ts";
import { dedented, indentOf, isAlike, linesNamed, type PlacedLines, reindented, Unplaced } from "./text.ts";

/** Returns undefined if no sentence tells a number, or other lines stand there. */
export function placeNumbered(file: string, content: string, told: string): PlacedLines | Unplaced | undefined {
  const [, from, to = from] = NUMBERED.exec(told) ?? NUMBERED_FIRST.exec(told) ?? [];
  if (from === undefined) return undefined;
  const lines = file.split("\n");
  const shown = content.replace(/^\n+|\s+$/g, "");
  const own = shown.split("\n").map((line) => line.trim());
  const [first, last] = [Number(from) - 1, Number(to) - 1];
  const isSame = (at: number, line = ""): boolean => {
    const old = lines[at]?.trim() ?? "";
    return old !== "" && (isAlike(old, line) || hasSameEnds(old, line));
  };
  if (last < first || !isSame(first, own[0]) || (last > first && !isSame(last, own.at(-1))))
    // An import would be added beside the one that it is to replace.
    return own.every(isImport) ? new Unplaced(`has other lines at line ${from}: show the old line too`) : undefined;
  const range = rangeOf(lines, first, last);
  const end = file.slice(range.start, range.end).endsWith("\n") ? "\n" : "";
  const text = `${reindented(dedented(shown), indentOf(lines[first] ?? ""), file)}${end}`;
  return { splices: [{ ...range, text }], done: [`${linesNamed(file, range)} replaced`] };
}

const RANGE = "lines? (\\d+)(?: ?(?:-|–|to|through|and) ?(\\d+))?";
const NUMBERED = new RegExp(
  `\\b(?:change|replace|update|modify|edit|fix|rewrite)\\b[^.\`\\n]{0,40}\\b${RANGE}`,
  "i",
);
const NUMBERED_FIRST = new RegExp(
  `\\b${RANGE}[^.\\n]{0,40}\\b(?:to|with|should (?:be|read|become)|becomes?)\\W*$`,
  "im",
);
