import { HunkChoice } from "../files/hunks.ts";
import type { Action } from "../answer/resolve.ts";

/** Positions of the items to run. As a map, with the IDs of the hunks to take of each. */
export type Selection = ReadonlySet<number> | ReadonlyMap<number, "all" | ReadonlySet<string>>;

/** Limits an action to its chosen hunks. Refuses it if there are none. */
export function withChosenHunks(action: Action, only: Selection | undefined, position: number): Action {
  const chosen = only !== undefined && "get" in only ? only.get(position) : undefined;
  if (chosen === undefined || chosen === "all") return action;
  // A command has no hunks, so none of it can have been chosen.
  const hasNone = chosen.size === 0 || action.definition.runs !== undefined;
  if (hasNone) return { ...action, refusal: { failure: { code: "skip/refused" } } };
  return { ...action, hunks: new HunkChoice(chosen) };
}
