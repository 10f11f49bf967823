/** Replaces text. Takes a file's bytes and returns an edit, or throws `Failed` with the reason. */
import { type Alignment, Failed, type Failure } from "../core/failure.ts";
import { asSeen, editAsSeen } from "./as-seen.ts";
import { compare, fit, fitWhole, startsLine } from "./fit.ts";
import { fileLinesAt } from "./hints/closest.ts";
import { alignCounted, alignMany } from "./hints/hint-for-many.ts";
import { alignMiss, alignUnfit, whyUnfit } from "./hints/hint-for-miss.ts";
import { fitLineEndings } from "./lines.ts";
import { findPlaces } from "./match.ts";
import { findWith, foundIn, type Match, type Proposed, type Search } from "./passes.ts";
import { readQuotation } from "./quotation.ts";
import type { Edit } from "./splice.ts";
import { conversionBetween, type Indents, isSameShift, NO_SHIFT, type Shift, type Tolerated } from "./tolerance.ts";

export interface TextEdit extends Edit {
  /** How the old text differed from the file. Empty if it did not. */
  readonly tolerated: readonly Tolerated[];
}

export function replaceOnce(bytes: Buffer, oldText: string, newText: string, match: Match = "exact"): TextEdit {
  return editAsSeen(bytes, [oldText, newText], (file, [old = "", fresh = ""]) => replaceIn(file, old, fresh, match));
}

function replaceIn(bytes: Buffer, oldText: string, newText: string, match: Match): TextEdit {
  const parameter = "old_text";
  const search = { bytes, wanted: oldText, parameter, match, from: 0, newText };
  const { pass, ...place } = onlyPlace(search);
  if (pass === "exact")
    return {
      splices: [{ ...place, text: fitLineEndings(bytes, oldText, newText)(newText, place.start) }],
      tolerated: [],
    };
  const fitted = fit(bytes, place, oldText, newText);
  if (fitted === undefined)
    throw new Failed(
      { code: "text/not-found", parameter },
      alignUnfit(bytes, place, { parameter, why: whyUnfit(place.shift, "new_text") }),
    );
  return fitted;
}

/**
 * Replaces every exact occurrence of `oldText`. With `count`, there must be exactly that many; without, there may be
 * none.
 */
export function replaceAll(bytes: Buffer, oldText: string, newText: string, count?: number): Edit {
  return editAsSeen(bytes, [oldText, newText], (file, [old = "", fresh = ""]) => replaceAllIn(file, old, fresh, count));
}

function replaceAllIn(bytes: Buffer, oldText: string, newText: string, count: number | undefined): Edit {
  const parameter = "old_text";
  refuseEmpty(oldText, parameter);
  const places = findPlaces(bytes, oldText);
  if (count !== undefined && places.length !== count) {
    const alignment =
      places.length === 0
        ? alignNone(bytes, oldText, newText)
        : alignCounted({ ...exactSearch(bytes, oldText, newText), ...foundIn(places) });
    throw new Failed({ code: "text/count", expected: count, found: places.length }, alignment);
  }
  return {
    splices: places.replacedBy(() => {
      const fitted = fitLineEndings(bytes, oldText, newText);
      return (start) => fitted(newText, start);
    }),
  };
}

/** Returns the closest match to a text that `replaceAll` did not find. */
export function alignNone(bytes: Buffer, oldText: string, newText: string): Alignment {
  const {
    file,
    texts: [old = "", fresh = ""],
  } = asSeen(bytes, [oldText, newText]);
  return alignMiss(exactSearch(file, old, fresh));
}

function exactSearch(bytes: Buffer, oldText: string, newText: string) {
  return {
    bytes,
    wanted: oldText,
    parameter: "old_text",
    match: "exact",
    isExactOnly: true,
    from: 0,
    newText,
  } as const;
}

const [BEGINNING, END] = ["old_text_beginning", "old_text_end"] as const;

/** Replaces from the only place of `beginning` up to the only place of `end` after it, inclusive. */
export function replaceRange(
  bytes: Buffer,
  beginning: string,
  end: string,
  newText: string,
  match: Match = "exact",
): TextEdit {
  return editAsSeen(bytes, [beginning, end, newText], (file, [from = "", to = "", fresh = ""]) =>
    replaceRangeIn(file, from, to, fresh, match),
  );
}

function replaceRangeIn(bytes: Buffer, beginning: string, end: string, newText: string, match: Match): TextEdit {
  if (end === "") throw new Failed({ code: "text/empty", parameter: END });
  const first = onlyPlace({ bytes, wanted: beginning, parameter: BEGINNING, match, from: 0 });
  if (beginning.endsWith(`\n${end}`)) throw new Failed({ code: "text/end-overlaps" });
  const last = onlyPlace(
    { bytes, wanted: end, parameter: END, match, from: first.end },
    { code: "text/end-not-found" },
    (count) => ({ code: "text/end-ambiguous", count }),
  );
  const [opening, other] = [compare(bytes, first, beginning), compare(bytes, last, end)];
  const tolerated = [...opening.tolerated, ...other.tolerated];
  const shift =
    first.pass === "formatting" || last.pass === "formatting"
      ? shiftOfBoth(bytes, { first, beginning, last, end })
      : NO_SHIFT;
  const place = { start: first.start, end: last.end };
  const refusal = (why: string) =>
    new Failed(
      { code: "text/not-found", parameter: BEGINNING },
      alignUnfit(bytes, place, { parameter: `${BEGINNING} to ${END}`, why }),
    );
  if (shift === undefined) throw refusal("beginning and end differ by different amounts");
  const text = fitWhole(
    bytes,
    first.start,
    { oldText: `${beginning}\n${end}`, newText },
    { shift, tolerated, addsTypography: opening.addsTypography || other.addsTypography },
  );
  if (text === undefined) throw refusal("new_text has too little of it to be shifted as well");
  return {
    splices: [{ ...place, text: fitLineEndings(bytes, beginning + end, newText)(text, place.start) }],
    tolerated,
  };
}

interface Ends {
  readonly first: OnlyPlace;
  readonly beginning: string;
  readonly last: OnlyPlace;
  readonly end: string;
}

/** Returns the shift that both ends agree on, or undefined. */
function shiftOfBoth(bytes: Buffer, { first, beginning, last, end }: Ends): Shift | undefined {
  if ([first, last].some(({ shift = NO_SHIFT }) => !("by" in shift)))
    return conversionBetween([...indentsAt(bytes, first, beginning), ...indentsAt(bytes, last, end)]);
  const [atStart = NO_SHIFT, other = atStart] = [shiftAt(bytes, first, beginning), shiftAt(bytes, last, end)].filter(
    (shift) => shift !== undefined,
  );
  return isSameShift(atStart, other) ? atStart : undefined;
}

/** Returns the indentation of each line with content, except for a first line that is part of a line. */
function indentsAt(bytes: Buffer, place: OnlyPlace, quoted: string): Indents[] {
  const actualLines = readQuotation(bytes.toString("utf8", place.start, place.end));
  return readQuotation(quoted).flatMap(({ indent, body }, index): Indents[] =>
    body === "" || (index === 0 && !startsLine(bytes, place.start)) ? [] : [[indent, actualLines[index]?.indent ?? ""]],
  );
}

/**
 * Returns the shift of an end. A part of a single line reveals none: it may have been quoted without its indentation.
 */
function shiftAt(bytes: Buffer, place: OnlyPlace, quoted: string): Shift | undefined {
  const isWhole = startsLine(bytes, place.start);
  const hasMore = readQuotation(quoted)
    .slice(1)
    .some(({ body }) => body !== "");
  return isWhole || hasMore ? (place.shift ?? NO_SHIFT) : undefined;
}

/** The only place, and the pass that found it. */
export interface OnlyPlace extends Proposed {
  readonly pass: NonNullable<ReturnType<typeof findWith>["pass"]>;
}

/** Returns the only place of a text. Throws `text/empty`, or the failure for none or several places, with a hint. */
function onlyPlace(
  search: Search,
  none: Failure = { code: "text/not-found", parameter: search.parameter },
  several = (count: number): Failure => ({ code: "text/ambiguous", parameter: search.parameter, count }),
): OnlyPlace {
  refuseEmpty(search.wanted, search.parameter);
  const { pass, ...matches } = findWith(search.match, search.bytes, search.wanted, search.from);
  const [place] = matches.places;
  // Places that match except for formatting appear only in the hint, because the text itself was not found.
  if (pass === undefined || place === undefined || matches.gaveUp || (pass === "formatting" && matches.count > 1)) {
    throw new Failed(
      none,
      afterBeginning(search, alignMiss(search, search.match === "tolerant" ? matches : undefined)),
    );
  }
  if (matches.count > 1)
    throw new Failed(several(matches.count), afterBeginning(search, alignMany({ ...search, ...matches })));
  return { ...place, pass };
}

/** Adds the line on which the beginning of a range ends to the places of its end. */
function afterBeginning({ bytes, from }: Search, { hint, near = [] }: Alignment): Alignment {
  const beginning = from === 0 ? [] : fileLinesAt(bytes, [{ start: from - 1, end: from }]);
  return { hint, near: [...beginning, ...near] };
}

function refuseEmpty(text: string, parameter: string): void {
  if (text === "") throw new Failed({ code: "text/empty", parameter });
}
