/** Replaces the old lines of a pair by its new ones. */
import { indentOf, linesNamed, type PlacedLines, significant, Unplaced, type Within } from "../text.ts";
import { movedBelow, placeOfAll, rangeOf } from "./fragment.ts";

/** Replaces lines that the file has once by others, at their indentation. */
export function replaceLines(
  file: string,
  { old, content, within }: { readonly old: string; readonly content: string; readonly within?: Within | undefined },
): PlacedLines | Unplaced {
  const lines = file.split("\n");
  const [all, shown] = [significant(lines), significant(old.split("\n"))];
  // Of equal ones, those in what the sentence names.
  const inside = within === undefined ? [] : all.filter(({ at }) => at >= within.first && at <= within.last);
  const there = shown.length > 0 && placeOfAll(inside, shown) !== undefined ? inside : all;
  const place = shown.length === 0 ? undefined : placeOfAll(there, shown);
  if (place === undefined) return new Unplaced("does not have the old lines exactly once");
  const range = rangeOf(lines, place.first, place.last);
  const before = file.slice(range.start, range.end);
  const written = content.replace(/^\n+/, "");
  // Where the old lines are shown with the file's indentation, the new ones have it too.
  const from = there.findIndex(({ at }) => at === place.first);
  const isExact = shown.every(
    ({ at }, index) => old.split("\n")[at]?.trimEnd() === lines[there[from + index]?.at ?? 0]?.trimEnd(),
  );
  // Each of the two texts may have been moved to the margin alone.
  const same = significant(content.split("\n")).filter(({ text }) => shown.some((line) => line.text === text));
  const isApart = same.every(({ text, indent }) => !shown.some((line) => line.text === text && line.indent === indent));
  const [first] = isApart ? same : [];
  // Of one line, a sentence may have shown only the words.
  const [line = "", at = place.first] =
    first !== undefined
      ? [content.split("\n")[first.at], there[from + shown.findIndex(({ text }) => text === first.text)]?.at]
      : shown.length > 1
        ? [old.split("\n")[shown[0]?.at ?? 0]]
        : [written.split("\n").find((one) => one.trim() !== "")];
  const moved = isExact ? written : movedBelow(line, { written, depth: indentOf(lines[at] ?? ""), file });
  // White space at the end of a line is a part of it.
  const now = moved.trim() === "" ? "" : moved.replace(/\n\s*$/, "");
  return {
    splices: [{ ...range, text: now === "" ? "" : `${now}${before.endsWith("\n") ? "\n" : ""}` }],
    done: [`${linesNamed(file, range)} replaced`],
  };
}
