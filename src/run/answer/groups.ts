/** Blocks that run all or not at all: what each of them would come to is found out before the first one runs. */
import type { Diagnostic, ReadBlock } from "../../core/block.ts";
import type { Outcome, ParseError } from "../../core/outcome.ts";
import { isBlock } from "../../syntaxes/read.ts";
import { type ContextFor, outcomeOf } from "../perform.ts";
import type { Action } from "./resolve.ts";

type Item = ReadBlock | Diagnostic;

/** What became of an item: an action, or what is wrong with it. */
type Resolved = Action | readonly ParseError[];

/** The items in their order, those of one group together; any other stands by itself. */
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
 * Tries out a group, and refuses all its actions where one of its blocks cannot run.
 *
 * @param contextFor lets actions change nothing but what those tried after them see
 */
export async function rehearse(group: readonly Resolved[], contextFor: ContextFor): Promise<readonly Resolved[]> {
  const obstacle = await findObstacle(group, contextFor);
  if (obstacle === undefined) return group;
  const skipped: Outcome = { failure: { code: "skip/group", obstacle: obstacle.blockId } };
  return group.map((one) => ("definition" in one && one.appliedIn === undefined ? { ...one, refusal: one.block.id === obstacle.blockId ? obstacle.outcome : skipped } : one));
}

interface Obstacle {
  readonly blockId: string;
  /** What its action would come to, if it has one. */
  readonly outcome?: Outcome;
}

/** The first block with an error, else the first whose action would fail. */
async function findObstacle(group: readonly Resolved[], contextFor: ContextFor): Promise<Obstacle | undefined> {
  const [error] = group.flatMap((one) => ("definition" in one ? [] : one));
  if (error !== undefined) return error;
  for (const [index, action] of group.entries()) {
    if (!("definition" in action) || action.appliedIn !== undefined) continue;
    const outcome = await outcomeOf(action, () => contextFor(action, index + 1, () => {}));
    if (outcome.failure !== undefined) return { blockId: action.block.id, outcome };
  }
  return undefined;
}
