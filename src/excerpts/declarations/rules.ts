/** Finds the rule of a file that one with other selectors is a new form of. */
import type { Part } from "../../addresses/part.ts";
import type { Found } from "../parts.ts";

/**
 * Returns the only rule of some whose list of selectors has grown to that of another one, which has most of its styles.
 *
 * @param shown those that are shown, so that they are meant themselves
 */
export function ruleSharing(part: Part, rules: readonly Found[], shown: readonly Part[]): Found | undefined {
  if (part.kind !== "rule" || part.name.startsWith("@")) return undefined;
  const wanted = selectorsIn(part.name);
  const isShared = (name: string): boolean => selectorsIn(name).every((one) => wanted.includes(one));
  const [only, other] = rules.filter(
    ({ part: rule }) => rule.kind === "rule" && !shown.some(({ name }) => name === rule.name) && isShared(rule.name),
  );
  return only !== undefined && other === undefined && keepsMost(only.part, part) ? only : undefined;
}

function keepsMost(old: Part, now: Part): boolean {
  const names = new Set(now.children.map(({ name }) => name));
  return old.children.filter(({ name }) => names.has(name)).length * 2 > old.children.length;
}

function selectorsIn(name: string): readonly string[] {
  return name.split(",").map((one) => one.trim());
}
