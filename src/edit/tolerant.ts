import { LF } from "./lines.ts";
import type { Place } from "./splice.ts";
import { isAmbiguous, plainBytes, type PlainText, type QuotedLine } from "./quotation.ts";
import { conversionBetween, type Indents, isNone, NO_SHIFT, type Shift, shiftBetween, shifted } from "./tolerance.ts";
import { isSearchBudgetSpent, spendSearch } from "./work-budget.ts";

/** A place that differs from a quotation in formatting only. */
export interface TolerantPlace extends Place {
  readonly shift: Shift;
}

interface TolerantPlaces {
  readonly places: TolerantPlace[];
  /** Whether there were too many candidates, so that nothing is known about uniqueness. */
  readonly gaveUp: boolean;
}

/** Maximum number of places to find. With this many, none of them can be the intended one. */
const MAX_PLACES = 8;
/** Maximum work of one search, in compared characters. This takes some tens of milliseconds. */
const MAX_WORK = 2_000_000;
/** Minimum work for a candidate, and for one of its lines. */
const COST_OF_CANDIDATE = 40;
const COST_OF_LINE = 20;
/** Bytes searched exactly in the time of one unit of work, and in that of a byte searched by a regular expression. */
const BYTES_PER_WORK = 30;
const BYTES_PER_MATCHED = 3;

/**
 * Returns the places at or after `from` that match a quotation except for formatting: line endings, trailing white
 * space, typographic characters, and in the indentation one shift for all lines, or tabs against spaces. The first and
 * last line may be parts of lines, but not of words.
 */
export function findTolerant(bytes: Buffer, quoted: readonly QuotedLine[], from = 0): TolerantPlaces {
  const places: TolerantPlace[] = [];
  if (quoted.every(({ body }) => [...body].every(isAmbiguous))) return { places, gaveUp: false };
  if (isSearchBudgetSpent()) return { places, gaveUp: true };
  const lineStart = from === 0 ? 0 : bytes.lastIndexOf(LF, from - 1) + 1;
  const { text, byteAt } = lineStart === 0 ? plainFile(bytes) : plainBytes(bytes.subarray(lineStart));
  const comparison = new Comparison(text, quoted);
  for (const candidate of candidates(text, quoted)) {
    const inText = comparison.placeAround(candidate);
    const place = inText && { ...inText, start: lineStart + byteAt(inText.start), end: lineStart + byteAt(inText.end) };
    // In `return 10`, a part of a word would be another token than the quoted `return 1`.
    if (place !== undefined && place.start >= from && !splitsWord(bytes, place.start) && !splitsWord(bytes, place.end))
      places.push(place);
    if (comparison.work > MAX_WORK || places.length === MAX_PLACES) break;
  }
  spendSearch(text.length * BYTES_PER_MATCHED + comparison.work * BYTES_PER_WORK);
  return { places, gaveUp: comparison.work > MAX_WORK };
}

/** Returns the plain form of a whole file. Kept for as long as the file is, of which many edits may miss. */
function plainFile(bytes: Buffer): PlainText {
  const known = PLAIN.get(bytes) ?? plainBytes(bytes);
  PLAIN.set(bytes, known);
  return known;
}

const PLAIN = new WeakMap<Buffer, PlainText>();

/** Returns whether an offset lies inside a word or number. */
function splitsWord(bytes: Buffer, at: number): boolean {
  const before = bytes.toString("utf8", Math.max(0, at - MAX_CHARACTER_BYTES), at);
  const behind = bytes.toString("utf8", at, at + MAX_CHARACTER_BYTES);
  return /[\p{L}\p{N}\p{M}_$\ufffd]$/u.test(before) && /^[\p{L}\p{N}\p{M}_$\ufffd]/u.test(behind);
}

/** Maximum bytes of a character. */
const MAX_CHARACTER_BYTES = 4;

/** Maximum part of a quotation to search for. More would hardly narrow the results. */
const MAX_LINES = 12;
const MAX_LENGTH = 400;

/** Yields where the first content of a quotation may stand. Misses no place, and looks once at each byte after one. */
function* candidates(text: string, quoted: readonly QuotedLine[]): Iterable<number> {
  const pattern = new RegExp(sourceOf(quoted.slice(firstWithContent(quoted)).slice(0, MAX_LINES)), "g");
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    yield match.index;
    pattern.lastIndex = match.index + 1;
  }
}

function firstWithContent(quoted: readonly QuotedLine[]): number {
  return quoted.findIndex(({ body }) => body !== "");
}

function sourceOf(quoted: readonly QuotedLine[]): string {
  let [source, left] = ["", MAX_LENGTH];
  for (const [index, { body }] of quoted.entries()) {
    if (index > 0) source += `[ \\t]*\\r?\\n${body === "" ? "" : "[ \\t]*"}`;
    const part = body.slice(0, left);
    source += Array.from(part, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");
    left -= part.length;
    if (part.length < body.length) break;
  }
  return source;
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
 * Compares the quoted lines with those of a file around one candidate:
 *
 *     quoted            file
 *                                        ^ linesAbove, which are blank
 *     if (x) {            if (x) {       | at: the first content, here "if"
 *       run(x);             run(x);      v linesFrom
 *
 * In each line of the file, the white space between start and bodyStart tells the shift:
 *
 *     ....run(x);
 *     ^   ^      ^
 *     start      bodyEnd
 *         bodyStart
 */
class Comparison {
  work = 0;
  readonly #text: string;
  readonly #quoted: readonly QuotedLine[];

  /** @param text in plain form */
  constructor(text: string, quoted: readonly QuotedLine[]) {
    this.#text = text;
    this.#quoted = quoted;
  }

  /** Returns the place at which the first content stands at an offset. */
  placeAround(at: number): TolerantPlace | undefined {
    this.work += COST_OF_CANDIDATE;
    const first = firstWithContent(this.#quoted);
    const below = this.#linesFrom(first, at);
    const above = below?.[0] && this.#linesAbove(first, below[0].start);
    if (above === undefined || below === undefined) return undefined;
    const lines = [...above, ...below];
    const beginning = this.#shiftedAlike(lines) ?? this.#converted(lines);
    const end = beginning && this.#ending(lines.at(-1) as FoundLine, beginning.shift);
    return end === undefined ? undefined : { ...(beginning as Beginning), end };
  }

  #linesFrom(first: number, at: number): FoundLine[] | undefined {
    const lines: FoundLine[] = [];
    let [start, bodyStart] = [this.#blanksBefore(at), at];
    for (const { body } of this.#quoted.slice(first)) {
      const previous = lines.at(-1);
      if (previous !== undefined) {
        const next = this.#nextLine(previous.bodyEnd);
        if (next === undefined) return undefined;
        // The next line's search checks that a blank line contains nothing else.
        [start, bodyStart] = [next, body === "" ? next : this.#blanksAfter(next)];
      }
      const bodyEnd = bodyStart + body.length;
      // The CR of a line ending is no content.
      if (!this.#text.startsWith(body, bodyStart) || (body !== "" && this.#text.startsWith("\r\n", bodyEnd - 1)))
        return undefined;
      lines.push({ start, bodyStart, bodyEnd });
      this.work += COST_OF_LINE + bodyStart - start + body.length;
    }
    return lines;
  }

  #linesAbove(count: number, below: number): FoundLine[] | undefined {
    const lines: FoundLine[] = [];
    let start = below;
    for (let index = count - 1; index >= 0; index--) {
      if (this.#text[start - 1] !== "\n") return undefined;
      const lineEnd = this.#text[start - 2] === "\r" ? start - 2 : start - 1;
      // The first line is the end of any line, with the white space before it only if the quotation has some too.
      start = index === 0 && this.#quoted[0]?.trail === "" ? lineEnd : this.#blanksBefore(lineEnd);
      lines.unshift({ start, bodyStart: start, bodyEnd: start });
      this.work += COST_OF_LINE + lineEnd - start;
    }
    return lines;
  }

  #shiftedAlike(lines: readonly FoundLine[]): Beginning | undefined {
    const ofOthers = this.#shiftOf(lines);
    return ofOthers === "several" ? undefined : this.#beginning(lines[0] as FoundLine, ofOthers);
  }

  /** Returns the shift that all lines with content after the first share; undefined if there is none. */
  #shiftOf(lines: readonly FoundLine[]): Shift | "several" | undefined {
    let shift: Shift | undefined;
    for (const [indent, actual] of this.#indentsFrom(1, lines)) {
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
    const { body, indent } = this.#quoted[0] as QuotedLine;
    if (body === "") return { start, shift: ofOthers ?? NO_SHIFT };
    const actual = this.#text.slice(start, bodyStart);
    const shift = ofOthers ?? shiftBetween(indent, actual);
    if (this.#startsLine(start) && shift !== undefined && shifted(indent, shift) === actual) return { start, shift };
    return isNone(ofOthers ?? NO_SHIFT) && this.#text.endsWith(indent, bodyStart)
      ? { start: bodyStart - indent.length, shift: NO_SHIFT }
      : undefined;
  }

  /**
   * The same for tabs against spaces. A first line that is part of a line has no indentation, and the others must not
   * be shifted.
   */
  #converted(lines: readonly FoundLine[]): Beginning | undefined {
    const first = lines[0] as FoundLine;
    const { body, indent } = this.#quoted[0] as QuotedLine;
    const isWhole = body === "" || this.#startsLine(first.start);
    const ofAll = isWhole ? conversionBetween(this.#indentsFrom(0, lines)) : undefined;
    if (ofAll !== undefined) return { start: first.start, shift: ofAll };
    const ofOthers = body !== "" && indent === "" ? conversionBetween(this.#indentsFrom(1, lines)) : undefined;
    return ofOthers?.deeper === 0 ? { start: first.bodyStart, shift: ofOthers } : undefined;
  }

  /** Returns the indentation of the lines with content, from one on. */
  #indentsFrom(from: number, lines: readonly FoundLine[]): Indents[] {
    return lines.flatMap(({ start, bodyStart }, index): Indents[] => {
      const { body, indent } = this.#quoted[index] as QuotedLine;
      return index < from || body === "" ? [] : [[indent, this.#text.slice(start, bodyStart)]];
    });
  }

  /** Returns the end. Trailing white space at the end of a line may differ, but within a line it must match. */
  #ending({ bodyEnd }: FoundLine, shift: Shift): number | undefined {
    const { body, trail } = this.#quoted.at(-1) as QuotedLine;
    if (trail === "") return bodyEnd;
    const lineEnd = this.#blanksAfter(bodyEnd);
    if (body !== "" && this.#isLineEnd(lineEnd)) return lineEnd;
    const isAsQuoted = (body !== "" || isNone(shift)) && this.#text.startsWith(trail, bodyEnd);
    return isAsQuoted ? bodyEnd + trail.length : undefined;
  }

  /** Returns the start of the next line, if only white space remains on this one. */
  #nextLine(bodyEnd: number): number | undefined {
    const blanks = this.#blanksAfter(bodyEnd);
    const lineFeed = this.#text[blanks] === "\r" ? blanks + 1 : blanks;
    return this.#text[lineFeed] === "\n" ? lineFeed + 1 : undefined;
  }

  #startsLine(at: number): boolean {
    return at === 0 || this.#text[at - 1] === "\n";
  }

  #isLineEnd(at: number): boolean {
    return at === this.#text.length || this.#text[at] === "\n" || this.#text.startsWith("\r\n", at);
  }

  #blanksAfter(start: number): number {
    let at = start;
    while (isBlank(this.#text.charCodeAt(at))) at += 1;
    return at;
  }

  #blanksBefore(end: number): number {
    let at = end;
    while (at > 0 && isBlank(this.#text.charCodeAt(at - 1))) at -= 1;
    return at;
  }
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

const TAB = 9;
const SPACE = 32;
