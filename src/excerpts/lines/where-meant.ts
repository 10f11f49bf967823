/** Sees that what a sentence adds stands where that says, or where its form tells that it belongs. */
import { placeAsShown } from "./as-shown.ts";
import { placeWhereTold, withCommas } from "./into-block.ts";
import type { Told } from "../told/told.ts";
import { type PlacedLines, Unplaced } from "../text.ts";

/** Returns added lines at the place that is meant, with the commas of the list they stand in. All else stays as it is. */
export function placeWhereMeant<Placed extends PlacedLines>(
  file: string,
  placed: Placed | Unplaced,
  { content, path, said }: { readonly content: string; readonly path: string; readonly said: Told },
): Placed | Unplaced {
  if (placed instanceof Unplaced || !said.isAddition) return placed;
  const { splices } = placed;
  // A paragraph stands below all lines of the one that is named.
  if (/\.(?:md|mdx|markdown)$/i.test(path) && splices.every(({ text }) => /^\n|\n\n$/.test(text))) return placed;
  const moved =
    placeWhereTold(file, content, { splices, text: said.text }) ??
    placeAsShown(file, content, { splices, said, path }) ??
    placed;
  return moved instanceof Unplaced ? moved : { ...placed, done: moved.done, splices: withCommas(file, moved.splices) };
}
