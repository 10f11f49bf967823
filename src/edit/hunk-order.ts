/** Chooses between equal places of a hunk by the order of all hunks of a file, which is that of their places. */
import type { HunksOfFile, HunkText } from "../core/block.ts";
import type { Place } from "./place-list.ts";

/** Maximum number of hunks to look for, so that many that are unclear take little time. */
const MAX_HUNKS = 60;
/** Minimum number of other hunks with one place. Fewer do not show that the author kept to the order. */
const MIN_PLACED = 2;

/** Returns how many hunks from this one on are as it is, or how many above it. */
export function countAlike({ hunks, index }: HunksOfFile, side: "above" | "below"): number {
  const { oldLines, newLines } = hunks[index] as HunkText;
  const others = side === "above" ? hunks.slice(0, index) : hunks.slice(index);
  return others.filter((hunk) => hunk.oldLines === oldLines && hunk.newLines === newLines).length;
}

/**
 * Returns the only one of some places that leaves all other hunks places in their order, or the first if as many hunks
 * as there are places are alike. Returns all if that is unclear.
 *
 * @param startsOf returns where lines start in the file, in ascending order
 */
export function inOrder<Found extends Place>(
  places: readonly Found[],
  among: HunksOfFile,
  startsOf: (lines: string) => readonly number[],
): readonly Found[] {
  const { hunks, index } = among;
  if (hunks.length > MAX_HUNKS) return places;
  if (countAlike(among, "below") === places.length) return places.slice(0, 1);
  // Those above have been replaced already. What only adds or removes lines without others tells nothing.
  const above = hunks.slice(0, index).flatMap(({ newLines }) => (newLines === "" ? [] : [startsOf(newLines)]));
  const below = hunks.slice(index + 1).flatMap(({ oldLines }) => (oldLines === "" ? [] : [startsOf(oldLines)]));
  if ([...above, ...below].filter(({ length }) => length === 1).length < MIN_PLACED) return places;
  let [first, last]: [number, number] = [-1, Infinity];
  for (const starts of above) first = starts.find((start) => start > first) ?? Infinity;
  for (const starts of below.toReversed()) last = starts.findLast((start) => start < last) ?? -1;
  const between = places.filter(({ start }) => start > first && start < last);
  return between.length === 1 ? between : places;
}
