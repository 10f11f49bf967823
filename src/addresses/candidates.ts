import { type Addressed, addresses, find, STEP } from "../paths/address.ts";
import type { Part } from "./part.ts";

/** Maximum number of candidates for a wrong address: more would overwhelm a reader and a report. */
const MAX_LISTED = 15;

export interface Candidates {
  readonly candidates: readonly string[];
  /** Number of further candidates. */
  readonly omitted: number;
}

/**
 * Suggests parts for an address that names nothing: all parts if they are few, else those of a similar name, else the
 * siblings.
 */
export function nearest(parts: readonly Part[], address: string): Candidates {
  const all = [...addresses(parts)];
  if (all.length <= MAX_LISTED) return listed(all, all.length);
  const wanted = plain(address.slice(address.lastIndexOf(STEP) + STEP.length));
  const alike = all.filter(({ part }) => isAlike(plain(part.name), wanted));
  const isExact = ({ part }: Addressed) => plain(part.name) === wanted;
  if (alike.length > 0) return listed([...alike.filter(isExact), ...alike.filter((one) => !isExact(one))], all.length);
  return listed(siblings(parts, address), all.length);
}

/** Lists the parts that an ambiguous address names. */
export function several(found: readonly Addressed[], lineOf: (part: Part) => number): Candidates {
  return { ...listed(found, found.length, ({ address, part }) => `${address} (line ${lineOf(part)})`) };
}

function listed(found: readonly Addressed[], total: number, write = ({ address }: Addressed) => address): Candidates {
  const shown = found.slice(0, MAX_LISTED);
  return { candidates: shown.map(write), omitted: total - shown.length };
}

/**
 * Returns the siblings of the first step that leads nowhere. A prefix that names nothing may end inside a name that
 * contains `@@`.
 */
function siblings(parts: readonly Part[], address: string): Addressed[] {
  let deepest: Addressed | undefined;
  let misses = 0;
  for (let end = address.indexOf(STEP, STEP.length); end !== -1 && misses < MAX_MISSES; end = address.indexOf(STEP, end + STEP.length)) {
    const [found, second] = find(parts, address.slice(0, end));
    if (found === undefined) misses += 1;
    else if (second === undefined) deepest = found;
  }
  return [...addresses(deepest?.part.children ?? parts, 1, deepest?.address)];
}

/** Checking every prefix of a long address would take quadratic time. */
const MAX_MISSES = 3;

function isAlike(name: string, wanted: string): boolean {
  return name === wanted || (wanted.length > 2 && name.includes(wanted)) || (name.length > 2 && wanted.includes(name));
}

/** Keeps only letters and digits: models drop hashes, dots and brackets, and change case. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
