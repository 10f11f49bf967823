/** What of a text is to be run, given what ran before. */
import type { AnswerItem } from "../../run/answer/answer-items.ts";

type Item = Pick<AnswerItem, "hash" | "isAction">;

/** Of the last text that was run. */
export interface Memory {
  /** The hashes of its actions, in their order. */
  readonly ran: readonly string[];
  /** The hashes of what was wrong in the last text that was looked at. */
  readonly reported: readonly string[];
}

export const NOTHING_RAN: Memory = { ran: [], reported: [] };

export interface Decision {
  /** Positions of the items to run. Errors are among them, to be told. */
  readonly positions: ReadonlySet<number>;
  /** What to remember when they are run. */
  readonly memory: Memory;
}

/**
 * Where the actions of the last run still stand in their order, only those that were added run. Where a text holds none but such, something
 * was taken away, or an editor is about to save it: nothing runs. Any other text is new, and runs whole. What is wrong in a text was not run, so
 * that mending it adds an action; it is told once.
 */
export function whatToRun(items: readonly Item[], { ran, reported }: Memory): Decision {
  const actions = positionsOf(items, true);
  const errors = positionsOf(items, false);
  const hashes = (positions: readonly number[]) => positions.map((position) => hashAt(items, position));
  const standing = matchInOrder(ran, hashes(actions));
  const hasOnlyOld = matchInOrder(hashes(actions), ran) !== undefined;
  const known = new Set(reported);
  const newErrors = errors.filter((position) => !known.has(hashAt(items, position)));
  const memory = { ran: hashes(actions), reported: hashes(errors) };
  if (standing !== undefined) return { positions: new Set([...actions.filter((_, index) => !standing.has(index)), ...newErrors]), memory };
  if (hasOnlyOld) return { positions: new Set(newErrors), memory: { ...memory, ran } };
  return { positions: new Set(items.keys()), memory };
}

function positionsOf(items: readonly Item[], isAction: boolean): number[] {
  return [...items.keys()].filter((position) => items[position]?.isAction === isAction);
}

function hashAt(items: readonly Item[], position: number): string {
  return items[position]?.hash ?? "";
}

/** Where each of some stands among others, all in the same order, or undefined where they do not. */
function matchInOrder(wanted: readonly string[], among: readonly string[]): ReadonlySet<number> | undefined {
  const places = new Set<number>();
  let next = 0;
  for (const one of wanted) {
    while (next < among.length && among[next] !== one) next += 1;
    if (next === among.length) return undefined;
    places.add(next);
    next += 1;
  }
  return places;
}
