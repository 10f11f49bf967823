/** Finds what an excerpt with placeholders cuts off: below the last one of a block, it does not go on to the block's end. */
import { diffArrays } from "diff";
import { smallest } from "../../core/lists.ts";
import { once } from "../../core/once.ts";
import { HAS_WORD } from "../lines/nearest.ts";
import { type Line, mayBeAlike, significant } from "../text.ts";

/**
 * Returns the lines at the end of a block that a filled text lacks, where a placeholder stood for lines of that block.
 *
 * @param now the text with its placeholders
 * @param filled the same with what they stand for
 * @param isWhole whether they stand for all that it does not show
 */
export function cutOffIn(old: string, now: string, filled: string, isWhole = true): readonly string[] {
  const [before, shown, after] = [old, now, filled].map((text) => significant(text.split("\n"))) as [
    Line[],
    Line[],
    Line[],
  ];
  const fillings = once(() => changesOf(shown, after));
  const taken = once(() => new Set(fillings().flatMap(({ first, added }) => added.map((_, index) => first + index))));
  for (const { first, removed, added } of changesOf(before, after)) {
    const fresh = [...added];
    const lost = removed.filter(({ text }) => HAS_WORD.test(text) && !takeAlike(fresh, text));
    if (lost.length === 0) continue;
    const depth = smallest(lost.map(({ indent }) => indent));
    const end = first + added.length;
    if ((after[end]?.indent ?? -1) >= depth) continue;
    const start = after.findLastIndex(({ indent }, at) => at < end && indent < depth) + 1;
    const isTaken = after.some(({ indent }, at) => at >= start && at < end && indent === depth && taken().has(at));
    // Nothing closes the block above a placeholder.
    const isClosed = [after[end - 1], after[end]].some((line) => CLOSES.test(line?.text ?? ""));
    const isEnd = added.length === 0 && !isClosed;
    const isBeside = isEnd && fillings().some((one) => one.first === end && one.removed.length > 0);
    if ((isTaken && isWhole) || isBeside) return lost.map(({ text }) => text);
  }
  return [];
}

const CLOSES = /^(?:[)}\]]|end\b)/;

interface Change {
  /** Index among the new lines. */
  readonly first: number;
  readonly removed: readonly Line[];
  readonly added: readonly Line[];
}

function changesOf(old: readonly Line[], now: readonly Line[]): readonly Change[] {
  const comparator = (one: Line, other: Line): boolean => one.text === other.text;
  const parts = diffArrays([...old], [...now], { comparator, maxEditLength: MAX_DIFFERENCES }) ?? [];
  let first = 0;
  return parts.flatMap(({ value, added, removed }, index) => {
    const [above, below] = [parts[index - 1], parts[index + 1]];
    if (!removed) first += value.length;
    if (removed) return [{ first, removed: value, added: below?.added === true ? below.value : [] }];
    return added && above?.removed !== true ? [{ first: first - value.length, removed: [], added: value }] : [];
  });
}

/** Takes the first line out that may be the new form of a text. */
function takeAlike(fresh: Line[], text: string): boolean {
  const place = fresh.findIndex((line) => mayBeAlike(line.text, text));
  if (place !== -1) fresh.splice(place, 1);
  return place !== -1;
}

const MAX_DIFFERENCES = 2_000;
