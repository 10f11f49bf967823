/** The replacing that edits are made of: a text and what is wanted go in, splices come out, or `Failed` says why not. */
import { Failed } from "../core/failure.ts";
import { fitLineEndings } from "./line-ending.ts";
import { findPlaces, type Place } from "./match.ts";
import type { Splice } from "./splice.ts";

/** Replaces the only place of `oldText`. */
export function replaceOnce(text: string, oldText: string, newText: string): Splice[] {
  const place = onlyPlace(findIn(text, oldText, "old_text"), "old_text");
  return spliceAt([place], fitLineEndings(text, oldText, newText));
}

/** Replaces every place of `oldText`. With `count`, there must be exactly so many; without, there may be none. */
export function replaceAll(text: string, oldText: string, newText: string, count?: number): Splice[] {
  const places = findIn(text, oldText, "old_text");
  if (count !== undefined && places.length !== count) throw new Failed({ code: "text/count", expected: count, found: places.length });
  return spliceAt(places, fitLineEndings(text, oldText, newText));
}

/** Replaces from the only place of `beginning` to the only place of `end` after it, both included. */
export function replaceRange(text: string, beginning: string, end: string, newText: string): Splice[] {
  const first = onlyPlace(findIn(text, beginning, "old_text_beginning"), "old_text_beginning");
  const lasts = findIn(text, end, "old_text_end", first.end);
  const [last] = lasts;
  if (last === undefined) throw new Failed({ code: "text/end-not-found" });
  if (lasts.length > 1) throw new Failed({ code: "text/end-ambiguous", count: lasts.length });
  return spliceAt([{ start: first.start, end: last.end }], fitLineEndings(text, beginning + end, newText));
}

function findIn(text: string, wanted: string, parameter: string, from = 0): Place[] {
  if (wanted === "") throw new Failed({ code: "text/empty", parameter });
  return findPlaces(text, wanted, from);
}

function spliceAt(places: readonly Place[], newTextAt: (start: number) => string): Splice[] {
  return places.map(({ start, end }) => ({ start, end, text: newTextAt(start) }));
}

function onlyPlace(places: readonly Place[], parameter: string): Place {
  const [place] = places;
  if (place === undefined) throw new Failed({ code: "text/not-found", parameter });
  if (places.length > 1) throw new Failed({ code: "text/ambiguous", parameter, count: places.length });
  return place;
}
