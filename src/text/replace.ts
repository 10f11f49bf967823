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
  const splices = spliceAt(findIn(text, oldText, "old_text"), fitLineEndings(text, oldText, newText));
  if (count !== undefined && splices.length !== count) throw new Failed({ code: "text/count", expected: count, found: splices.length });
  return splices;
}

/** Replaces from the only place of `beginning` to the only place of `end` after it, both included. */
export function replaceRange(text: string, beginning: string, end: string, newText: string): Splice[] {
  const first = onlyPlace(findIn(text, beginning, "old_text_beginning"), "old_text_beginning");
  const { place: last, count } = firstOf(findIn(text, end, "old_text_end", first.end));
  if (last === undefined) throw new Failed({ code: "text/end-not-found" });
  if (count > 1) throw new Failed({ code: "text/end-ambiguous", count });
  return spliceAt([{ start: first.start, end: last.end }], fitLineEndings(text, beginning + end, newText));
}

function findIn(text: string, wanted: string, parameter: string, from = 0): Iterable<Place> {
  if (wanted === "") throw new Failed({ code: "text/empty", parameter });
  return findPlaces(text, wanted, from);
}

function spliceAt(places: Iterable<Place>, newTextAt: (start: number) => string): Splice[] {
  return Array.from(places, ({ start, end }) => ({ start, end, text: newTextAt(start) }));
}

function onlyPlace(places: Iterable<Place>, parameter: string): Place {
  const { place, count } = firstOf(places);
  if (place === undefined) throw new Failed({ code: "text/not-found", parameter });
  if (count > 1) throw new Failed({ code: "text/ambiguous", parameter, count });
  return place;
}

/** The first place, and how many there are. */
function firstOf(places: Iterable<Place>): { place: Place | undefined; count: number } {
  let first: Place | undefined;
  let count = 0;
  for (const place of places) {
    first ??= place;
    count += 1;
  }
  return { place: first, count };
}
