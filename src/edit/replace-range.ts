import { Failed } from "../core/failure.ts";
import { compare, fitWhole } from "./fit.ts";
import { hintForUnfit } from "./hints/hint-for-miss.ts";
import { fitLineEndings, LF } from "./line-ending.ts";
import { type OnlyPlace, onlyPlace } from "./only-place.ts";
import type { Match } from "./passes.ts";
import { readQuotation } from "./quotation.ts";
import type { TextEdit } from "./replace.ts";
import { isSameShift, NO_SHIFT, type Shift } from "./shift.ts";

const [BEGINNING, END] = ["old_text_beginning", "old_text_end"] as const;

/** Replaces from the only place of `beginning` up to the only place of `end` after it, inclusive. */
export function replaceRange(bytes: Buffer, beginning: string, end: string, newText: string, match: Match = "exact"): TextEdit {
  if (end === "") throw new Failed({ code: "text/empty", parameter: END });
  const notFound = { code: "text/not-found", parameter: BEGINNING } as const;
  const first = onlyPlace({ bytes, wanted: beginning, parameter: BEGINNING, match, from: 0 }, notFound, (count) => ({ code: "text/ambiguous", parameter: BEGINNING, count }));
  if (beginning.endsWith(`\n${end}`)) throw new Failed({ code: "text/end-overlaps" }, "end old_text_beginning before that line, or quote more at the end");
  const last = onlyPlace({ bytes, wanted: end, parameter: END, match, from: first.end }, { code: "text/end-not-found" }, (count) => ({ code: "text/end-ambiguous", count }));
  const [one, other] = [compare(bytes, first, beginning), compare(bytes, last, end)];
  const tolerated = [...one.tolerated, ...other.tolerated];
  const shift = first.pass === "formatting" || last.pass === "formatting" ? shiftOfBoth(bytes, { first, beginning, last, end }) : NO_SHIFT;
  const place = { start: first.start, end: last.end };
  const refusal = (why: string) => new Failed(notFound, hintForUnfit(bytes, place, { parameter: `${BEGINNING} to ${END}`, why }));
  if (shift === undefined) throw refusal("beginning and end differ by different amounts");
  const text = fitWhole(bytes, first.start, newText, { shift, tolerated, addsTypography: one.addsTypography || other.addsTypography });
  if (text === undefined) throw refusal("new_text has too little of it to be shifted as well");
  return { splices: [{ ...place, text: fitLineEndings(bytes, beginning + end, newText)(text, place.start) }], tolerated };
}

interface Ends {
  readonly first: OnlyPlace;
  readonly beginning: string;
  readonly last: OnlyPlace;
  readonly end: string;
}

/** Returns the shift that both ends agree on, or undefined. */
function shiftOfBoth(bytes: Buffer, { first, beginning, last, end }: Ends): Shift | undefined {
  const [one = NO_SHIFT, other = one] = [shiftAt(bytes, first, beginning), shiftAt(bytes, last, end)].filter((shift) => shift !== undefined);
  return isSameShift(one, other) ? one : undefined;
}

/**
 * Returns the shift of an end. A part of a single line reveals none: it may have been quoted without its indentation.
 */
function shiftAt(bytes: Buffer, place: OnlyPlace, quoted: string): Shift | undefined {
  const isWhole = place.start === 0 || bytes[place.start - 1] === LF;
  const hasMore = readQuotation(quoted).lines.slice(1).some(({ body }) => body.length > 0);
  return isWhole || hasMore ? (place.shift ?? NO_SHIFT) : undefined;
}
