/** From what the user takes of an answer to what `execute` and `preview` run of it. Terminal and page use the same. */
import type { Choice } from "./requests.ts";

/** The IDs of the hunks of each item that has any, by its position. */
export type HunkIds = ReadonlyMap<number, readonly string[]>;

type Part = "all" | ReadonlySet<string>;

/**
 * Returns what to run: each item whole, without some of its hunks, or refused. Names all items, because the report has
 * to tell what was refused.
 */
export function selectionOf({ off, hunks }: Choice, count: number, ids: HunkIds): ReadonlyMap<number, Part> {
  const refused = new Set(off);
  const positions = Array.from({ length: count }, (_, position) => position);
  const partOf = (position: number): Part => {
    if (refused.has(position)) return new Set();
    const leftOut = new Set(hunks[position]);
    const all = ids.get(position) ?? [];
    const taken = all.filter((id) => !leftOut.has(id));
    return taken.length === all.length ? "all" : new Set(taken);
  };
  return new Map(positions.map((position) => [position, partOf(position)]));
}
