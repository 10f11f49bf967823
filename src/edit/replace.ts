/** Replaces text. Takes a file's bytes and returns an edit, or throws `Failed` with the reason. */
import { Failed } from "../core/failure.ts";
import { fit } from "./fit.ts";
import { whereIn } from "./hints/hint-for-many.ts";
import { hintForMiss, hintForUnfit } from "./hints/hint-for-miss.ts";
import { fitLineEndings } from "./line-ending.ts";
import { findPlaces } from "./match.ts";
import { onlyPlace, refuseEmpty } from "./only-place.ts";
import { foundIn, type Match } from "./passes.ts";
import type { Edit } from "./splice.ts";
import type { Tolerated } from "./tolerance.ts";

export interface TextEdit extends Edit {
  /** How the old text differed from the file. Empty if it did not. */
  readonly tolerated: readonly Tolerated[];
}

export function replaceOnce(bytes: Buffer, oldText: string, newText: string, match: Match = "exact"): TextEdit {
  const parameter = "old_text";
  const search = { bytes, wanted: oldText, parameter, match, from: 0, newText };
  const { pass, ...place } = onlyPlace(search, { code: "text/not-found", parameter }, (count) => ({ code: "text/ambiguous", parameter, count }));
  if (pass === "exact") return { splices: [{ ...place, text: fitLineEndings(bytes, oldText, newText)(newText, place.start) }], tolerated: [] };
  const fitted = fit(bytes, place, oldText, newText);
  if (fitted === undefined) throw new Failed({ code: "text/not-found", parameter }, hintForUnfit(bytes, place, { parameter, why: "new_text has too little of it to be shifted as well" }));
  return fitted;
}

/**
 * Replaces every exact occurrence of `oldText`. With `count`, there must be exactly that many; without, there may be
 * none.
 */
export function replaceAll(bytes: Buffer, oldText: string, newText: string, count?: number): Edit {
  const parameter = "old_text";
  refuseEmpty(oldText, parameter);
  const places = findPlaces(bytes, oldText);
  if (count !== undefined && places.length !== count) {
    const hint = places.length === 0 ? hintForNone(bytes, oldText, newText) : whereIn({ ...exactSearch(bytes, oldText, newText), ...foundIn(places) });
    throw new Failed({ code: "text/count", expected: count, found: places.length }, hint);
  }
  return {
    splices: places.replacedBy(() => {
      const fitted = fitLineEndings(bytes, oldText, newText);
      return (start) => fitted(newText, start);
    }),
  };
}

/** Returns the closest match to a text that `replaceAll` did not find. */
export function hintForNone(bytes: Buffer, oldText: string, newText: string): string {
  return hintForMiss(exactSearch(bytes, oldText, newText));
}

function exactSearch(bytes: Buffer, oldText: string, newText: string) {
  return { bytes, wanted: oldText, parameter: "old_text", match: "exact", isExactOnly: true, from: 0, newText } as const;
}
