import type { Place } from "./place-list.ts";
import { PlainBytes } from "./plain-bytes.ts";
import type { Anchor, Quotation, QuotedLine } from "./quotation.ts";
import { conversionBetween, type Indents, isNone, NO_SHIFT, type Shift, shiftBetween, shifted } from "./shift.ts";
import { isSearchBudgetSpent, spendSearch } from "./work-budget.ts";
import { typographicBytes } from "./typography.ts";

/** A place that differs from a quotation in formatting only. */
export interface TolerantPlace extends Place {
  readonly shift: Shift;
}

/** Maximum number of places to find. With this many, none of them can be the intended one. */
const MAX_PLACES = 8;
/** A piece with more places counts as common, so another one may be rarer. */
const MANY = 1_000;
/** Maximum work of one search, in compared bytes. This takes some tens of milliseconds. */
const MAX_WORK = 2_000_000;
/** Minimum work for a candidate that does not match, and for one line. */
const COST_OF_CANDIDATE = 40;
const COST_OF_LINE = 20;
/** Bytes searched in the time of one unit of work, and in that of a byte matched by a regular expression. */
const BYTES_PER_WORK = 30;
const BYTES_PER_MATCHED = 6;
/** With this few places, comparing them is faster than searching for another piece. */
const FEW = 4;

/**
 * Returns the places at or after `from` that match a quotation except for formatting: line endings, trailing white
 * space, typographic characters, and in the indentation one shift for all lines, or tabs against spaces. The first and
 * last line may be parts of lines, but not of words.
 *
 * Every place contains the quotation's anchors byte for byte, so finds those first and compares the rest around them.
 * `gaveUp` means that there were too many candidates, so nothing is known about uniqueness.
 */
export function findTolerant(bytes: Buffer, quotation: Quotation, from = 0): TolerantPlaces {
  try {
    return find(bytes, quotation, from);
  } catch (thrown) {
    // Millions of consecutive blanks exceed the limits of a regular expression.
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
  if (isSearchBudgetSpent()) return { places, gaveUp: true };
  const anchor = rarest(bytes, quotation, from);
  if (anchor === undefined) return { places, gaveUp: false };
  const comparison = new Comparison(bytes, quotation.lines);
  const { at: line, offsets } = candidates(bytes, quotation, { anchor, from });
  for (const at of offsets) {
    const place = comparison.placeAround(at, line);
    if (place !== undefined && place.start >= from) places.push(place);
    if (comparison.work > MAX_WORK) break;
    if (places.length === MAX_PLACES) break;
  }
  spendSearch(comparison.work * BYTES_PER_WORK);
  return { places, gaveUp: comparison.work > MAX_WORK };
}

/** The part of a line's content that precedes an offset. */
type Within = Pick<Anchor, "line" | "before">;

/**
 * Returns the offsets to check: all places of a rare anchor. If even the rarest is common, those of a longer part of
 * the text.
 */
function candidates(
  bytes: Buffer,
  { lines }: Quotation,
  { anchor, from }: { readonly anchor: FoundAnchor; readonly from: number },
): { readonly at: Within; readonly offsets: Iterable<number> } {
  if (anchor.offsets.length < MANY) return { at: anchor, offsets: anchor.offsets };
  const likely = likelyPlaces(bytes, lines, from);
  if (likely !== undefined) return { at: { line: likely.line, before: 0 }, offsets: likely.offsets };
  return { at: anchor, offsets: placesOf(bytes, anchor.bytes, from) };
}

function* placesOf(bytes: Buffer, wanted: Buffer, from: number): Iterable<number> {
  for (let at = bytes.indexOf(wanted, from); at !== -1; at = bytes.indexOf(wanted, at + 1)) yield at;
}

interface FoundAnchor extends Anchor {
  /** Its first places. */
  readonly offsets: readonly number[];
}

/** Returns the anchor with the fewest places. Returns undefined if one has no place, or there is no anchor. */
function rarest(bytes: Buffer, { anchors }: Quotation, from: number): FoundAnchor | undefined {
  let best: FoundAnchor | undefined;
  for (const anchor of anchors) {
    const most = best?.offsets.length ?? MANY;
    const offsets: number[] = [];
    for (const at of placesOf(bytes, anchor.bytes, from)) if (offsets.push(at) >= most) break;
    spendSearch((offsets.length < most ? bytes.length : (offsets.at(-1) ?? 0)) - from);
    if (offsets.length === 0) return undefined;
    if (best === undefined || offsets.length < most) best = { ...anchor, offsets };
    if (offsets.length <= FEW) break;
  }
  return best;
}

/** Where a line's content lies, and the white space before it, up to the line's start or other content. */
interface FoundLine {
  readonly start: number;
  readonly bodyStart: number;
  readonly bodyEnd: number;
}

/** Where a place begins, and how its lines are indented differently. */
interface Beginning {
  readonly start: number;
  readonly shift: Shift;
}

/**
 * Compares the quoted lines with those of the file around one place of an anchor, outwards:
 *
 *     quoted            file
 *     if (x) {            if (x) {       ^ linesAbove
 *       run(x);             run(x);      | at: the anchor, here "run", stands at the same bytes
 *     }                   }              v linesBelow
 *
 * In each line of the file, the white space between start and bodyStart tells the shift:
 *
 *     ....run(x);
 *     ^   ^      ^
 *     start      bodyEnd
 *         bodyStart
 */
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

  /** Returns the place around an offset, at which line `line` continues after `before` bytes of its content. */
  placeAround(
    at: number,
    { line, before }: { readonly line: number; readonly before: number },
  ): TolerantPlace | undefined {
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
    const lines: FoundLine[] = [];
    let end = here.bodyEnd;
    for (let index = line + 1; index < this.#lines.length; index++) {
      const start = this.#bytes.nextLine(end);
      if (start === undefined) return undefined;
      const body = this.#body(index);
      // The next line's search checks that a blank line contains nothing else.
      const bodyStart = body.length === 0 ? start : this.#bytes.blanksAfter(start);
      const bodyEnd = this.#bytes.forward(bodyStart, body);
      if (bodyEnd === undefined) return undefined;
      lines.push({ start, bodyStart, bodyEnd });
      end = bodyEnd;
    }
    return lines;
  }

  #linesAbove(line: number, here: FoundLine): FoundLine[] | undefined {
    const lines: FoundLine[] = [];
    let { start } = here;
    for (let index = line - 1; index >= 0; index--) {
      const lineEnd = this.#bytes.lineEndBefore(start);
      if (lineEnd === undefined) return undefined;
      const bodyEnd = this.#bytes.blanksBefore(lineEnd);
      const body = this.#body(index);
      const bodyStart = this.#bytes.backward(bodyEnd, body);
      if (bodyStart === undefined) return undefined;
      // A blank first line is the end of any line, with the white space before it only if the quotation has some too.
      const end = this.#lines[0]?.trail === "" ? lineEnd : bodyEnd;
      if (body.length === 0 && index === 0) lines.push({ start: end, bodyStart: end, bodyEnd: end });
      else lines.push({ start: this.#bytes.blanksBefore(bodyStart), bodyStart, bodyEnd });
      start = lines.at(-1)?.start ?? 0;
    }
    return lines.toReversed();
  }

  #placeOf(lines: readonly FoundLine[]): TolerantPlace | undefined {
    const last = lines.at(-1);
    const beginning = this.#shiftedAlike(lines) ?? this.#converted(lines);
    const end = last && beginning && this.#ending(last, beginning.shift);
    if (beginning === undefined || end === undefined) return undefined;
    // In `return 10`, that would be another token than the quoted `return 1`.
    return this.#bytes.splitsWord(beginning.start) || this.#bytes.splitsWord(end) ? undefined : { ...beginning, end };
  }

  #shiftedAlike(lines: readonly FoundLine[]): Beginning | undefined {
    const first = lines[0];
    const ofOthers = this.#shiftOf(lines);
    return first === undefined || ofOthers === "several" ? undefined : this.#beginning(first, ofOthers);
  }

  /** Returns the shift that all lines with content after the first share; undefined if there is none. */
  #shiftOf(lines: readonly FoundLine[]): Shift | "several" | undefined {
    let shift: Shift | undefined;
    for (const [index, { start, bodyStart }] of lines.entries()) {
      const { body, indent } = this.#lines[index] as QuotedLine;
      if (index === 0 || body.length === 0) continue;
      const actual = this.#bytes.text(start, bodyStart);
      shift ??= shiftBetween(indent, actual);
      if (shift === undefined || shifted(indent, shift) !== actual) return "several";
    }
    return shift;
  }

  /**
   * Returns the start. A first line at the start of its line is shifted like the others. Otherwise it is part of a
   * line, and nothing is shifted.
   */
  #beginning({ start, bodyStart }: FoundLine, ofOthers: Shift | undefined): Beginning | undefined {
    const { body, indent } = this.#lines[0] as QuotedLine;
    if (body.length === 0) return { start, shift: ofOthers ?? NO_SHIFT };
    const actual = this.#bytes.text(start, bodyStart);
    const shift = ofOthers ?? shiftBetween(indent, actual);
    if (this.#bytes.startsLine(start) && shift !== undefined && shifted(indent, shift) === actual)
      return { start, shift };
    const partStart = this.#bytes.backward(bodyStart, Buffer.from(indent));
    return isNone(ofOthers ?? NO_SHIFT) && partStart !== undefined ? { start: partStart, shift: NO_SHIFT } : undefined;
  }

  /**
   * The same for tabs against spaces. A first line that is part of a line has no indentation, and the others must not
   * be shifted.
   */
  #converted(lines: readonly FoundLine[]): Beginning | undefined {
    const [first] = lines;
    const quoted = this.#lines[0];
    if (first === undefined || quoted === undefined) return undefined;
    const isWhole = quoted.body.length === 0 || this.#bytes.startsLine(first.start);
    const indentsFrom = (from: number): Indents[] =>
      lines.flatMap(({ start, bodyStart }, index): Indents[] => {
        const { body, indent } = this.#lines[index] as QuotedLine;
        return index < from || body.length === 0 ? [] : [[indent, this.#bytes.text(start, bodyStart)]];
      });
    const ofAll = isWhole ? conversionBetween(indentsFrom(0)) : undefined;
    if (ofAll !== undefined) return { start: first.start, shift: ofAll };
    const ofOthers = quoted.body.length > 0 && quoted.indent === "" ? conversionBetween(indentsFrom(1)) : undefined;
    return ofOthers?.deeper === 0 ? { start: first.bodyStart, shift: ofOthers } : undefined;
  }

  /** Returns the end. Trailing white space at the end of a line may differ, but within a line it must match. */
  #ending({ bodyEnd, start }: FoundLine, shift: Shift): number | undefined {
    const { body, trail } = this.#lines.at(-1) as QuotedLine;
    if (trail === "") return bodyEnd;
    if (body.length === 0) return isNone(shift) ? this.#bytes.forward(start, Buffer.from(trail)) : undefined;
    const lineEnd = this.#bytes.blanksAfter(bodyEnd);
    return this.#bytes.endsLine(lineEnd) ? lineEnd : this.#bytes.forward(bodyEnd, Buffer.from(trail));
  }

  #body(index: number): Buffer {
    this.#lineWork += COST_OF_LINE;
    return (this.#lines[index] as QuotedLine).body;
  }
}

/** Maximum part of a quotation to search for. More would hardly narrow the results. */
const MAX_LINES = 12;
const MAX_BYTES = 400;

/**
 * Finds where a quotation may start, ignoring typography and white space at line ends. For quotations of only common
 * words, for which checking every place of one word would take too long. The regular expression engine scans megabytes
 * in milliseconds. Never misses a match.
 *
 * @returns the line to search for and the offsets where its content starts; undefined if no line has content
 */
function likelyPlaces(
  bytes: Buffer,
  lines: readonly QuotedLine[],
  from: number,
): { readonly line: number; readonly offsets: Iterable<number> } | undefined {
  const line = lines.findIndex(({ body }) => body.length > 0);
  if (line === -1) return undefined;
  const pattern = new RegExp(sourceOf(lines.slice(line, line + MAX_LINES)), "g");
  return { line, offsets: matchesIn(pattern, bytes, from) };
}

function* matchesIn(pattern: RegExp, bytes: Buffer, from: number): Iterable<number> {
  // One character per byte.
  const text = bytes.toString("latin1", from);
  spendSearch(text.length * BYTES_PER_MATCHED);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    yield from + match.index;
    pattern.lastIndex = match.index + 1;
  }
}

/** Builds a pattern that is never ambiguous, so it looks only once at each byte after a start. */
function sourceOf(lines: readonly QuotedLine[]): string {
  let source = "";
  let left = MAX_BYTES;
  for (const [index, { body }] of lines.entries()) {
    if (index > 0) source += `${BLANKS}\\r?\\n${body.length === 0 ? "" : BLANKS}`;
    const part = body.subarray(0, left);
    source += Array.from(part, byteSource).join("");
    left -= part.length;
    if (part.length < body.length) break;
  }
  return source;
}

function byteSource(byte: number): string {
  const plain = `\\x${byte.toString(16).padStart(2, "0")}`;
  const others = typographicBytes(byte);
  return others.length === 0
    ? plain
    : `(?:${[plain, ...others.map((bytes) => Array.from(bytes, (other) => `\\x${other.toString(16)}`).join(""))].join("|")})`;
}

const BLANKS = `(?:\\t|${byteSource(0x20)})*`;
