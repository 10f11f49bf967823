/** Tells whether what a sentence adds would take the place of another one of its kind. */
import type { Part } from "../../addresses/part.ts";
import { trimmedLines } from "../../edit/lazy.ts";
import { areOtherBlocks } from "../../edit/named-block.ts";
import { OPENS } from "../block.ts";
import { isFrame } from "./list-end.ts";
import { HAS_WORD, isGrown, keptIn } from "./nearest.ts";
import { everyPart } from "../parts.ts";
import { type PlacedLines, Unplaced } from "../text.ts";

export const ONE_MORE = new Unplaced("has one that looks alike, and would lose it: say what the new one goes below");

/** Returns whether an element of a list without names would get another text, of which it has no line. */
export function replacesElement(
  { text, parts }: { text: string; parts: readonly Part[] },
  { splices }: Pick<PlacedLines, "splices">,
): boolean {
  const elements = everyPart(parts).filter(({ part }) => part.kind === "item");
  return splices.some((one) => {
    const isInside = elements.some(({ part: { start, end } }) => one.start < end && one.end > start);
    const now = new Set(trimmedLines(one.text).filter((line) => !isHeadOfElement(line)));
    return (
      isInside && one.start < one.end && !trimmedLines(text.slice(one.start, one.end)).some((line) => now.has(line))
    );
  });
}

function isHeadOfElement(line: string): boolean {
  return isFrame(line) || line.startsWith("[[");
}

/** Returns whether a block would get another head, of which the old one is no part. */
export function replacesHead(before: string, { splices }: Pick<PlacedLines, "splices">, head: string): boolean {
  return (
    OPENS.test(head) &&
    splices.some(({ start, end, text }) => {
      const [old, now] = [trimmedLines(before.slice(start, end))[0], trimmedLines(text)[0]];
      return now === head && old !== undefined && !isGrown(old, head);
    })
  );
}

/** Returns whether a block would take the place of one that has another name, and no sentence renames that. */
export function replacesOther(before: string, { splices }: Pick<PlacedLines, "splices">, told: string): boolean {
  return splices.some(({ start, end, text }) => areOtherBlocks(before.slice(start, end), text, told));
}

/**
 * Returns whether the lines that are replaced keep their first and last one, and no other with a word, or at most half
 * of them.
 *
 * @param isElement whether half of them may be those of another element
 */
export function keepsOnlyEnds(before: string, { splices }: Pick<PlacedLines, "splices">, isElement: boolean): boolean {
  return splices.some(({ start, end, text }) => {
    const [old, now] = [before.slice(start, end), text].map((stretch) =>
      trimmedLines(stretch)
        .slice(1, -1)
        .filter((line) => HAS_WORD.test(line)),
    ) as [string[], string[]];
    if (old.length === 0) return false;
    if (isElement) return old.filter(keptIn(now, old)).length * 2 <= old.length;
    return !old.some((line) => now.some((one) => isGrown(line, one)));
  });
}
