/** Rehearses groups of blocks that run all or not at all, before the first one of each runs. */
import type { Resolved } from "../answer/groups.ts";
import type { Outcome } from "../core/outcome.ts";
import { type ContextFor, outcomeOf } from "./perform.ts";

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
