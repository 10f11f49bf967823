import type { Place } from "./place-list.ts";
import { likelyPlaces } from "./likely-places.ts";
import { PlainBytes } from "./plain-bytes.ts";
import type { Anchor, QuotedLine, Quotation } from "./quotation.ts";
import { NO_SHIFT, type Shift, shiftBetween, shifted } from "./shift.ts";

/** A place that differs from a quotation in formatting only. */
export interface TolerantPlace extends Place {
  readonly shift: Shift;
}

/** More places than these are as good as any number: none of them can be meant. */
const MOST_PLACES = 8;
/** Of a piece that stands in more places, another one may be rarer. */
const MANY = 1_000;
/** The work that one search may take, in bytes compared; some tens of milliseconds. */
const MOST_WORK = 2_000_000;
/** What it takes at least to look at a place where nothing fits, or at one line. */
const COST_OF_CANDIDATE = 40;
const COST_OF_LINE = 20;

/**
 * The places at or after `from` that a quotation fits but for formatting: line endings, trailing white space, typographic characters,
 * and one shift of the indentation for all lines. Its first and its last line may be parts of lines, but not of words.
 *
 * Every place holds the quotation's anchors byte for byte, so they are found first and the rest is compared around them.
 * `gaveUp` says that there were too many to look at all: then nothing can be said about uniqueness.
 */
export function findTolerant(bytes: Buffer, quotation: Quotation, from = 0): TolerantPlaces {
  try {
    return find(bytes, quotation, from);
  } catch (thrown) {
    // Millions of blanks in a row are more than a regular expression can go through.
    if (thrown instanceof RangeError) return { places: [], gaveUp: true };
    throw thrown;
  }
}

interface TolerantPlaces {
  readonly places: TolerantPlace[];
  readonly gaveUp: boolean;
}

function find(bytes: Buffer, quotation: Quotation, from: number): TolerantPlaces {
  const places: TolerantPlace[] = [];
  const anchor = rarest(bytes, quotation, from);
  if (anchor === undefined) return { places, gaveUp: false };
  const comparison = new Comparison(bytes, quotation.lines);
  const { at: line, offsets } = candidates(bytes, quotation, { anchor, from });
  for (const at of offsets) {
    const place = comparison.placeAround(at, line);
    if (place !== undefined && place.start >= from) places.push(place);
    if (comparison.work > MOST_WORK) return { places, gaveUp: true };
    if (places.length === MOST_PLACES) break;
  }
  return { places, gaveUp: false };
}

/** How much of a line's content stands before an offset. */
type Within = Pick<Anchor, "line" | "before">;

/** The places to look at: all of a rare anchor's or, where even that one is common, those of as much of the text as tells it from others. */
function candidates(bytes: Buffer, { lines }: Quotation, { anchor, from }: { readonly anchor: Anchor & { readonly isCommon: boolean }; readonly from: number }): { readonly at: Within; readonly offsets: Iterable<number> } {
  const likely = anchor.isCommon ? likelyPlaces(bytes, lines, from) : undefined;
  if (likely !== undefined) return { at: { line: likely.line, before: 0 }, offsets: likely.offsets };
  return { at: anchor, offsets: placesOf(bytes, anchor.bytes, from) };
}

function* placesOf(bytes: Buffer, wanted: Buffer, from: number): Iterable<number> {
  for (let at = bytes.indexOf(wanted, from); at !== -1; at = bytes.indexOf(wanted, at + 1)) yield at;
}

/** The anchor that stands in the fewest places; undefined where one stands nowhere, or there is none. */
function rarest(bytes: Buffer, { anchors }: Quotation, from: number): (Anchor & { readonly isCommon: boolean }) | undefined {
  let best = anchors[0];
  let fewest = Infinity;
  for (const anchor of anchors) {
    let count = 0;
    for (let at = bytes.indexOf(anchor.bytes, from); at !== -1 && count < Math.min(fewest, MANY); at = bytes.indexOf(anchor.bytes, at + 1)) count += 1;
    if (count === 0) return undefined;
    if (count < fewest) [best, fewest] = [anchor, count];
  }
  return best && { ...best, isCommon: fewest >= MANY };
}

/** Where a line's content stands, and the white space before it: all of it up to the line's beginning, or to other content. */
interface FoundLine {
  readonly start: number;
  readonly bodyStart: number;
  readonly bodyEnd: number;
}

class Comparison {
  #lineWork = 0;
  readonly #bytes: PlainBytes;
  readonly #lines: readonly QuotedLine[];

  constructor(bytes: Buffer, lines: readonly QuotedLine[]) {
    this.#bytes = new PlainBytes(bytes);
    this.#lines = lines;
  }

  get work(): number {
    return this.#lineWork + this.#bytes.work;
  }

  /** The place whose line `line` has at `at` what stands there behind `before` bytes of its content. */
  placeAround(at: number, { line, before }: { readonly line: number; readonly before: number }): TolerantPlace | undefined {
    this.#lineWork += COST_OF_CANDIDATE;
    const body = this.#body(line);
    const bodyStart = this.#bytes.backward(at, body.subarray(0, before));
    const bodyEnd = this.#bytes.forward(at, body.subarray(before));
    if (bodyStart === undefined || bodyEnd === undefined) return undefined;
    const here = { start: this.#bytes.blanksBefore(bodyStart), bodyStart, bodyEnd };
    const below = this.#linesBelow(line, here);
    const above = below && this.#linesAbove(line, here);
    return above && below && this.#placeOf([...above, here, ...below]);
  }

  #linesBelow(line: number, here: FoundLine): FoundLine[] | undefined {
    const found: FoundLine[] = [];
    let end = here.bodyEnd;
    for (let index = line + 1; index < this.#lines.length; index++) {
      const start = this.#bytes.nextLine(end);
      if (start === undefined) return undefined;
      const body = this.#body(index);
      // That nothing more stands in a blank line shows when the next one is looked for.
      const bodyStart = body.length === 0 ? start : this.#bytes.blanksAfter(start);
      const bodyEnd = this.#bytes.forward(bodyStart, body);
      if (bodyEnd === undefined) return undefined;
      found.push({ start, bodyStart, bodyEnd });
      end = bodyEnd;
    }
    return found;
  }

  #linesAbove(line: number, here: FoundLine): FoundLine[] | undefined {
    const found: FoundLine[] = [];
    let { start } = here;
    for (let index = line - 1; index >= 0; index--) {
      const lineEnd = this.#bytes.lineEndBefore(start);
      if (lineEnd === undefined) return undefined;
      const bodyEnd = this.#bytes.blanksBefore(lineEnd);
      const body = this.#body(index);
      const bodyStart = this.#bytes.backward(bodyEnd, body);
      if (bodyStart === undefined) return undefined;
      // A blank first line is the end of whatever line stands there, with the white space in front of it if it has any itself.
      const end = this.#lines[0]?.trail === "" ? lineEnd : bodyEnd;
      if (body.length === 0 && index === 0) found.push({ start: end, bodyStart: end, bodyEnd: end });
      else found.push({ start: this.#bytes.blanksBefore(bodyStart), bodyStart, bodyEnd });
      start = found.at(-1)?.start ?? 0;
    }
    return found.toReversed();
  }

  #placeOf(found: readonly FoundLine[]): TolerantPlace | undefined {
    const [first, last] = [found[0], found.at(-1)];
    const ofOthers = this.#shiftOf(found);
    if (first === undefined || last === undefined || ofOthers === "several") return undefined;
    const beginning = this.#beginning(first, ofOthers);
    const end = beginning && this.#ending(last, beginning.shift);
    if (beginning === undefined || end === undefined) return undefined;
    // Of `return 10` that would be another token than the `return 1` that was quoted.
    return this.#bytes.splitsWord(beginning.start) || this.#bytes.splitsWord(end) ? undefined : { ...beginning, end };
  }

  /** The one shift of all lines after the first that have content; undefined where none has. */
  #shiftOf(found: readonly FoundLine[]): Shift | "several" | undefined {
    let shift: Shift | undefined;
    for (const [index, { start, bodyStart }] of found.entries()) {
      const { body, indent } = this.#lines[index] as QuotedLine;
      if (index === 0 || body.length === 0) continue;
      const there = this.#bytes.text(start, bodyStart);
      shift ??= shiftBetween(indent, there);
      if (shift === undefined || shifted(indent, shift) !== there) return "several";
    }
    return shift;
  }

  /** A first line that stands at its line's beginning is shifted like the others; otherwise it is a part of a line, and nothing is shifted. */
  #beginning({ start, bodyStart }: FoundLine, ofOthers: Shift | undefined): { start: number; shift: Shift } | undefined {
    const { body, indent } = this.#lines[0] as QuotedLine;
    if (body.length === 0) return { start, shift: ofOthers ?? NO_SHIFT };
    const there = this.#bytes.text(start, bodyStart);
    const shift = ofOthers ?? shiftBetween(indent, there);
    if (this.#bytes.startsLine(start) && shift !== undefined && shifted(indent, shift) === there) return { start, shift };
    const partStart = this.#bytes.backward(bodyStart, Buffer.from(indent));
    return (ofOthers ?? NO_SHIFT).by === "" && partStart !== undefined ? { start: partStart, shift: NO_SHIFT } : undefined;
  }

  /** White space at the very end is the line's, whatever that has of it; within a line it has to be there. */
  #ending({ bodyEnd, start }: FoundLine, shift: Shift): number | undefined {
    const { body, trail } = this.#lines.at(-1) as QuotedLine;
    if (trail === "") return bodyEnd;
    if (body.length === 0) return shift.by === "" ? this.#bytes.forward(start, Buffer.from(trail)) : undefined;
    const lineEnd = this.#bytes.blanksAfter(bodyEnd);
    return this.#bytes.endsLine(lineEnd) ? lineEnd : this.#bytes.forward(bodyEnd, Buffer.from(trail));
  }

  #body(index: number): Buffer {
    this.#lineWork += COST_OF_LINE;
    return (this.#lines[index] as QuotedLine).body;
  }
}
