/**
 * Decides whether an entry may be placed at a path. Actions, moves and the landing of a command's changes ask here, so
 * that what the one may not place, no other can.
 */
import { dirname } from "node:path";
import { follow } from "../disk/follow.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import { foldName } from "../paths/fold-name.ts";
import { isWithin, joinPath, segmentsOf, splitPath } from "../paths/path-segments.ts";
import { hooksNamedIn, type Looking } from "./built-in.ts";
import type { Policy } from "./policy.ts";

export type Placed = { readonly kind: "file" | "directory" } | { readonly kind: "link"; readonly target: string };

export interface Placing {
  readonly volume: Looking;
  /** Canonical. */
  readonly root: string;
  readonly policy: Policy;
}

/**
 * Returns the rule against placing an entry at a canonical path, or undefined.
 *
 * @param of `itself` if the entry there is replaced, not only its content
 */
export function mayPlace(
  { volume, root, policy }: Placing, path: string, placed: Placed, of: "target" | "itself"
): string | undefined {
  const rule = policy(path, "write", of) ?? nestedHooksRule(volume, root, path);
  if (rule !== undefined || placed.kind !== "link") return rule;
  // A write to the refused name would follow the link to another place.
  return policy.below(path) ?? (leadsOut(volume, root, path, placed.target) ? OUTSIDE : undefined);
}

/** What is written through such a link later, as by `npm install`, changes files that no rule has opened. */
const OUTSIDE = "links to places outside the project are not accepted";

/** Also refuses a target with `..` after a name, because another link in that name's place would change the meaning. */
function leadsOut(volume: Looking, root: string, path: string, target: string): boolean {
  const { root: top, segments } = splitPath(target);
  const down = segments.findIndex((name) => name !== "..");
  if (down !== -1 && segments.slice(down).includes("..")) return true;
  const start = segments.reduce((at, name) => (name === ".." ? dirname(at) : joinPath(at, name)), top || dirname(path));
  return !isWithin(follow(volume, start, "follow").path, root);
}

/** Returns the rule against writing hooks of a repository nested in the project, which its own configuration names. */
export function nestedHooksRule(volume: Looking, root: string, path: string): string | undefined {
  const names = (place: string): string[] => segmentsOf(place).map(foldName);
  for (let top = dirname(path); top !== root && isWithin(top, root); top = dirname(top)) {
    const at = top;
    if (unlessSystemError(() => volume.entry(joinPath(at, ".git")), undefined) === undefined) continue;
    const isIn = (place: string): boolean => names(place).every((name, index) => name === names(path)[index]);
    const obeyed = hooksNamedIn(volume, top).find((place) => !isWithin(root, place) && isIn(place));
    if (obeyed !== undefined) return `deny ${obeyed}`;
  }
  return undefined;
}
