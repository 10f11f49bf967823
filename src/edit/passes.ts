import { findExact, findWithAnyLineEndings } from "./match.ts";
import type { Place, PlaceList } from "./splice.ts";
import { readQuotation } from "./quotation.ts";
import type { Shift } from "./tolerance.ts";
import { findTolerant } from "./tolerant.ts";

/** How an old text may differ from the file: in line endings only, or in all formatting. */
export type Match = "exact" | "tolerant";

/** A text to find in a file. */
export interface Search {
  readonly bytes: Buffer;
  readonly wanted: string;
  /** The parameter that contains it. */
  readonly parameter: string;
  readonly match: Match;
  /** Offset to start from. */
  readonly from: number;
  /** The replacement, to check whether it was already applied. */
  readonly newText?: string;
  /** Whether to allow no formatting differences, whatever the setting. */
  readonly isExactOnly?: boolean;
}

/** A match, and what is needed to adapt the new text to it. */
export interface Proposed extends Place {
  readonly shift?: Shift;
}

export interface Found {
  /** The first places. */
  readonly places: readonly Proposed[];
  readonly count: number;
  /** Whether there may be more places, so that nothing is known about uniqueness. */
  readonly gaveUp: boolean;
}

interface Pass {
  readonly name: "exact" | "line endings" | "formatting";
  /** Returns the places at or after `from`, up to `most`. */
  propose(bytes: Buffer, wanted: string, from: number, most?: number): Found;
}

/** Ordered: the first pass that proposes a place wins. docs/matching.md describes what each one allows. */
const passes: readonly Pass[] = [
  { name: "exact", propose: (...search) => foundIn(findExact(...search)) },
  { name: "line endings", propose: (...search) => foundIn(findWithAnyLineEndings(...search)) },
  { name: "formatting", propose: findIgnoringFormatting },
];

const allowed: Readonly<Record<Match, readonly Pass[]>> = { exact: passes.slice(0, 2), tolerant: passes };

/**
 * Returns what the first successful pass found, or nothing.
 *
 * @param most maximum number of places to search for
 */
export function findWith(
  match: Match,
  bytes: Buffer,
  wanted: string,
  from = 0,
  most?: number,
): Found & { readonly pass?: Pass["name"] } {
  for (const { name, propose } of allowed[match]) {
    const matches = propose(bytes, wanted, from, most);
    if (matches.count > 0 || matches.gaveUp) return { ...matches, pass: name };
  }
  return { places: [], count: 0, gaveUp: false };
}

/** Runs the last pass alone. */
export function findIgnoringFormatting(bytes: Buffer, wanted: string, from = 0): Found {
  const { places, gaveUp } = findTolerant(bytes, readQuotation(wanted), from);
  return { places, gaveUp, count: places.length };
}

/** Maximum number of places to list; more are only counted. */
const MAX_PLACES = 1_000;

export function foundIn(list: PlaceList): Found {
  return { places: list.first(MAX_PLACES), count: list.length, gaveUp: false };
}
