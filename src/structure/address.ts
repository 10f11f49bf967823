/** Addresses: `@@Server@@start` names a part by its steps, from the file inwards. */
import type { Kind, Part } from "./part.ts";

export const STEP = "@@";

/** A part under its whole address. */
export interface Addressed {
  /** `@@Server@@start`: what comes after the file's path. */
  readonly address: string;
  readonly part: Part;
}

/** These only group: an address may leave them out. */
const GROUPS: ReadonlySet<Kind> = new Set<Kind>(["section", "namespace", "module"]);

/** Every part that an address may mean: one where it is right, several where it is ambiguous. */
export function find(parts: readonly Part[], address: string): Addressed[] {
  return findBelow(parts, address.slice(STEP.length), "");
}

/** A name may itself hold `@@`, so steps are compared with the names there are, not split. What lies nearer goes before what lies in groups. */
function findBelow(parts: readonly Part[], steps: string, above: string): Addressed[] {
  const direct = parts.flatMap((part): Addressed[] => {
    const address = `${above}${STEP}${part.step}`;
    const name = [part.step, part.name].find((name) => steps === name || steps.startsWith(name + STEP));
    if (name === undefined) return [];
    return steps === name ? [{ address, part }] : findBelow(part.children, steps.slice(name.length + STEP.length), address);
  });
  if (direct.length > 0) return direct;
  return parts.filter(({ kind }) => GROUPS.has(kind)).flatMap((part) => findBelow(part.children, steps, `${above}${STEP}${part.step}`));
}

/** All parts under their addresses, in the order of the file, down to so many levels. */
export function* addresses(parts: readonly Part[], levels = Infinity, above = ""): Generator<Addressed> {
  if (levels <= 0) return;
  for (const part of parts) {
    const address = `${above}${STEP}${part.step}`;
    yield { address, part };
    yield* addresses(part.children, levels - 1, address);
  }
}
