/** Keeps the overload signatures above a function, of which an excerpt shows only the implementation. */
import type { Part } from "../../addresses/part.ts";
import { everyPart } from "../parts.ts";
import { remarksAbove } from "../remarks.ts";
import type { Span } from "../text.ts";

/** Returns whether a function is shown without the overload signatures that the file has above it. */
export function hidesSignatures(old: Part, shown: Part): boolean {
  return old.definition !== undefined && shown.definition === undefined;
}

/** Returns whether any function of a text lacks the overload signatures that it has in the file. */
export function hidesAnySignatures(file: readonly Part[], shown: () => readonly Part[]): boolean {
  const overloaded = everyPart(file).filter(({ part }) => part.definition !== undefined);
  if (overloaded.length === 0) return false;
  const all = everyPart(shown());
  return overloaded.some(({ part: old }) =>
    all.some(({ part }) => part.name === old.name && part.kind === old.kind && hidesSignatures(old, part)),
  );
}

/** Returns what of an old declaration a shown one replaces: also its signatures where sentences speak of them. */
export function rangeFor(shown: Part, old: Part, told: string): Span {
  const keeps = hidesSignatures(old, shown) && !TOLD.test(told);
  return keeps ? { start: old.definition ?? old.start, end: old.end } : old;
}

const TOLD = /\b(?:overloads?|overloaded|(?:one|single) signature)\b/i;

/** Takes the comments off a declaration that stand above its signatures already. */
export function withoutRepeated(signatures: string, shown: string): string {
  const remarks = remarksAbove(shown);
  return remarks.trim() !== "" && signatures.includes(remarks.trim()) ? shown.slice(remarks.length) : shown;
}
