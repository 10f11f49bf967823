import { findExact, findWithAnyLineEndings } from "./match.ts";
import type { Place, PlaceList } from "./place-list.ts";
import { readQuotation } from "./quotation.ts";
import type { Shift } from "./shift.ts";
import { findTolerant } from "./tolerant.ts";

/** How much a text that is to be replaced may differ from the file: in line endings only, or in all formatting. */
export type Match = "exact" | "tolerant";

/** A text that is looked for in a file. */
export interface Search {
  readonly bytes: Buffer;
  readonly wanted: string;
  /** The parameter that holds it. */
  readonly parameter: string;
  readonly match: Match;
  /** Where to begin. */
  readonly from: number;
  /** What shall take its place, where that may stand there already. */
  readonly newText?: string;
  /** Formatting is never tolerated here, whatever the setting. */
  readonly isExactOnly?: boolean;
}

/** A place that a pass proposes, and what has to be known to fit the new text to it. */
export interface Proposed extends Place {
  readonly shift?: Shift;
}

/** What a pass found. */
export interface Found {
  /** The first ones. */
  readonly places: readonly Proposed[];
  readonly count: number;
  /** There may be more places, and nothing can be said about uniqueness. */
  readonly gaveUp: boolean;
}

interface Pass {
  readonly name: "exact" | "line endings" | "formatting";
  /** The places at or after `from`, so many at most. */
  propose(bytes: Buffer, wanted: string, from: number, most?: number): Found;
}

/** In this order: the first that proposes any place decides. docs/matching.md tells what each of them allows. */
const passes: readonly Pass[] = [
  { name: "exact", propose: (...search) => foundIn(findExact(...search)) },
  { name: "line endings", propose: (...search) => foundIn(findWithAnyLineEndings(...search)) },
  { name: "formatting", propose: findButForFormatting },
];

/** The passes that a setting allows. */
const allowed: Readonly<Record<Match, readonly Pass[]>> = { exact: passes.slice(0, 2), tolerant: passes };

/** What the first pass found that found anything; nothing where none did. @param most places that are of use: no more need be looked for */
export function findWith(match: Match, bytes: Buffer, wanted: string, from = 0, most?: number): Found & { readonly pass?: Pass["name"] } {
  for (const { name, propose } of allowed[match]) {
    const found = propose(bytes, wanted, from, most);
    if (found.count > 0 || found.gaveUp) return { ...found, pass: name };
  }
  return { places: [], count: 0, gaveUp: false };
}

/** The last pass alone. */
export function findButForFormatting(bytes: Buffer, wanted: string, from = 0): Found {
  const { places, gaveUp } = findTolerant(bytes, readQuotation(wanted), from);
  return { places, gaveUp, count: places.length };
}

/** More are counted, but not told one by one. */
const MOST_PLACES = 1_000;

export function foundIn(list: PlaceList): Found {
  return { places: list.first(MOST_PLACES), count: list.length, gaveUp: false };
}
