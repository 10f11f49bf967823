/** Groups of blocks that run all or not at all: each is rehearsed before the first one runs. */
import { isBlock, type Item } from "../../core/block.ts";
import type { Outcome, ParseError } from "../../core/outcome.ts";
import { type ContextFor, outcomeOf } from "../perform.ts";
import type { Action } from "./resolve.ts";

/** An item after validation: an action, or its errors. */
type Resolved = Action | readonly ParseError[];

/** Splits items into groups, in order. An item without a group is on its own. */
export function inGroups(items: readonly Item[]): Array<readonly Item[]> {
  const groups: Item[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    const name = groupOf(item);
    if (last !== undefined && name !== undefined && groupOf(last[0]) === name) last.push(item);
    else groups.push([item]);
  }
  return groups;
}

function groupOf(item: Item | undefined): string | undefined {
  return item !== undefined && isBlock(item) ? item.translation?.group : undefined;
}

/**
 * Places the actions of a group, which are rehearsed before any of them runs. Leaves those alone whose paths earlier
 * ones make: they are not there yet, and must not be looked up by their tail.
 */
export function placeGroup(group: readonly Resolved[], place: (action: Action) => Action): readonly Resolved[] {
  const made = new Set<unknown>();
  return group.map((one) => {
    if (!("definition" in one)) return one;
    const paths = Object.entries(one.definition.needs).map(([parameter, access = []]) => ({
      path: one.params[parameter],
      isMade: !access.includes("read"),
    }));
    const isKnown = paths.some(({ path }) => made.has(path));
    for (const { path, isMade } of paths) if (isMade) made.add(path);
    return isKnown ? one : place(one);
  });
}

/**
 * Rehearses a group. If one of its blocks cannot run, refuses all its actions.
 *
 * @param contextFor a context whose changes are visible only to later rehearsals
 */
export async function rehearse(group: readonly Resolved[], contextFor: ContextFor): Promise<readonly Resolved[]> {
  const obstacle = await findObstacle(group, contextFor);
  if (obstacle === undefined) return group;
  const skipped: Outcome = { failure: { code: "skip/group", obstacle: obstacle.blockId } };
  return group.map((one) =>
    "definition" in one && one.applied === undefined
      ? { ...one, refusal: one.block.id === obstacle.blockId ? obstacle.outcome : skipped }
      : one,
  );
}

interface Obstacle {
  readonly blockId: string;
  /** Outcome of its action, if it is one. */
  readonly outcome?: Outcome;
}

/** Returns the first block with an error, or the first whose action would fail. */
async function findObstacle(group: readonly Resolved[], contextFor: ContextFor): Promise<Obstacle | undefined> {
  const [error] = group.flatMap((one) => ("definition" in one ? [] : one));
  if (error !== undefined) return error;
  for (const [index, action] of group.entries()) {
    if (!("definition" in action) || action.applied !== undefined) continue;
    const outcome = await outcomeOf(action, () => contextFor(action, index + 1, () => {}));
    if (outcome.failure !== undefined) return { blockId: action.block.id, outcome };
  }
  return undefined;
}
