/** Decides what to run of a text, given what ran before. */
import type { AnswerItem } from "../../answer/answer-items.ts";
import { readStateJson, writeStateFile } from "../../state/state-file.ts";

type Item = Pick<AnswerItem, "hash" | "isAction">;

export interface Memory {
  /** Hashes of the actions of the last text that was run, in order. */
  readonly ran: readonly string[];
  /** Hashes of the errors in the last text that was handled. */
  readonly reported: readonly string[];
}

export const NOTHING_RAN: Memory = { ran: [], reported: [] };

export interface ItemsToRun {
  /** Positions of the items to run, including errors to report. */
  readonly positions: ReadonlySet<number>;
  /** What to remember once they are run. */
  readonly memory: Memory;
}

/**
 * Runs only the added actions if all actions of the last run are still there in order. Runs nothing if the text is
 * the beginning of the last one: an editor is in the middle of a save. Any other text is new, and runs as a whole.
 *
 * Errors are reported once. They have not run, so fixing one adds an action.
 */
export function whatToRun(items: readonly Item[], { ran, reported }: Memory): ItemsToRun {
  const actions = positionsOf(items, true);
  const errors = positionsOf(items, false);
  const hashes = (positions: readonly number[]) => positions.map((position) => hashAt(items, position));
  const kept = matchInOrder(ran, hashes(actions));
  const isBeginning = hashes(actions).every((hash, index) => hash === ran[index]);
  const known = new Set(reported);
  const newErrors = errors.filter((position) => !known.has(hashAt(items, position)));
  const memory = { ran: hashes(actions), reported: hashes(errors) };
  if (kept !== undefined)
    return { positions: new Set([...actions.filter((_, index) => !kept.has(index)), ...newErrors]), memory };
  if (isBeginning) return { positions: new Set(newErrors), memory: { ...memory, ran } };
  return { positions: new Set(items.keys()), memory };
}

function positionsOf(items: readonly Item[], isAction: boolean): number[] {
  return [...items.keys()].filter((position) => items[position]?.isAction === isAction);
}

function hashAt(items: readonly Item[], position: number): string {
  return items[position]?.hash ?? "";
}

/** Returns the places of all wanted items in the same order among others, or undefined. */
function matchInOrder(wanted: readonly string[], among: readonly string[]): ReadonlySet<number> | undefined {
  const places = new Set<number>();
  let next = 0;
  for (const block of wanted) {
    while (next < among.length && among[next] !== block) next += 1;
    if (next === among.length) return undefined;
    places.add(next);
    next += 1;
  }
  return places;
}

/** What ran, kept in the state folder, so that a restart does not run it again. */
export interface RunMemory extends Memory {
  /** A run has started and not reported its results yet. */
  readonly isRunning?: boolean;
  /** The report that was last put above the text. */
  readonly above?: string;
}

const FILE = "watched";

export function readMemory(root: string): RunMemory {
  return { ...NOTHING_RAN, ...Object(readStateJson(root, FILE)) };
}

/** Throws if the state folder is not writable. Then nothing must run. */
export function writeMemory(root: string, memory: RunMemory): void {
  writeStateFile(root, FILE, JSON.stringify(memory));
}
