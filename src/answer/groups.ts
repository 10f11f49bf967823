/** Groups of blocks that run all or not at all. */
import { isBlock, type Item } from "../core/block.ts";
import type { ParseError } from "../core/outcome.ts";
import type { Action } from "./resolve.ts";

/** An item after validation: an action, or its errors. */
export type Resolved = Action | readonly ParseError[];

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
  return item !== undefined && isBlock(item) ? item.meant?.group : undefined;
}

/**
 * Places the actions of a group, which are rehearsed before any of them runs. Leaves those alone whose paths earlier
 * ones make: they are not there yet, and must not be looked up by their tail.
 */
export function placeGroup(group: readonly Resolved[], place: (action: Action) => Action): readonly Resolved[] {
  const made = new Set<unknown>();
  return group.map((resolved) => {
    if (!("definition" in resolved)) return resolved;
    const paths = Object.entries(resolved.definition.needs).map(([parameter, access = []]) => ({
      path: resolved.params[parameter],
      isMade: !access.includes("read"),
    }));
    const isKnown = paths.some(({ path }) => made.has(path));
    for (const { path, isMade } of paths) if (isMade) made.add(path);
    return isKnown ? resolved : place(resolved);
  });
}
