import { type Addressed, addresses, find, STEP } from "../paths/address.ts";
import type { Part } from "./part.ts";

/** So many are listed where an address is wrong: what a reader takes in, and a report has room for. */
const MOST_LISTED = 15;

export interface Candidates {
  readonly candidates: readonly string[];
  /** How many more there are. */
  readonly omitted: number;
}

/** What may have been meant by an address that names nothing: all there is where that is little; else what is named alike, else what stands beside. */
export function nearest(parts: readonly Part[], address: string): Candidates {
  const all = [...addresses(parts)];
  if (all.length <= MOST_LISTED) return listed(all, all.length);
  const wanted = plain(address.slice(address.lastIndexOf(STEP) + STEP.length));
  const alike = all.filter(({ part }) => isAlike(plain(part.name), wanted));
  const isExact = ({ part }: Addressed) => plain(part.name) === wanted;
  if (alike.length > 0) return listed([...alike.filter(isExact), ...alike.filter((one) => !isExact(one))], all.length);
  return listed(siblings(parts, address), all.length);
}

/** The same for an address that names several. */
export function several(found: readonly Addressed[], lineOf: (part: Part) => number): Candidates {
  return { ...listed(found, found.length, ({ address, part }) => `${address} (line ${lineOf(part)})`) };
}

function listed(found: readonly Addressed[], total: number, write = ({ address }: Addressed) => address): Candidates {
  const shown = found.slice(0, MOST_LISTED);
  return { candidates: shown.map(write), omitted: total - shown.length };
}

/** Returns the parts beside the first step that leads nowhere. A beginning of the address that names nothing may end inside a name that holds `@@`. */
function siblings(parts: readonly Part[], address: string): Addressed[] {
  let deepest: Addressed | undefined;
  let misses = 0;
  for (let end = address.indexOf(STEP, STEP.length); end !== -1 && misses < MOST_MISSES; end = address.indexOf(STEP, end + STEP.length)) {
    const [found, second] = find(parts, address.slice(0, end));
    if (found === undefined) misses += 1;
    else if (second === undefined) deepest = found;
  }
  return [...addresses(deepest?.part.children ?? parts, 1, deepest?.address)];
}

/** Searching for every beginning of a long address would take quadratic time. */
const MOST_MISSES = 3;

function isAlike(name: string, wanted: string): boolean {
  return name === wanted || (wanted.length > 2 && name.includes(wanted)) || (name.length > 2 && wanted.includes(name));
}

/** Letters and digits only: models drop hashes, dots and brackets, and change case. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
