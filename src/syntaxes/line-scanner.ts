/**
 * A text that arrives in pieces, read line by line. A line ends with LF or CRLF; what stands after the last one is a line too, if an
 * empty one.
 *
 * Only the last few lines are kept, for the contexts of diagnostics. Pieces are joined only when one of them brings a line to its
 * end, so every unit is copied a few times at most, however small the pieces are.
 */
import type { Diagnostic } from "../core/block.ts";

export class LineScanner {
  /** What is at hand of the text. The current line is `text.slice(start, end)`, its ending left out. */
  text = "";
  start = 0;
  end = 0;
  /** Of the current line, 1-based; 0 before the first. */
  number = 0;

  /** Where the line after the current one starts. */
  #next = 0;
  /** Where the last lines start, the current one included, by `number & RING`. */
  readonly #starts = Array.from({ length: RING + 1 }, () => 0);
  /** How many units of the whole text stand before `text`. */
  #dropped = 0;
  /** What came after `text`. None but the last piece holds the end of a line. */
  #pieces: string[] = [];
  #isFresh = true;
  #capture: Capture | undefined;
  /** Without a context yet, by line. */
  readonly #waiting: InContext[] = [];

  /** @returns whether the piece brings a line to its end; if not, there is nothing new to read */
  append(piece: string): boolean {
    if (piece === "") return false;
    const hasMark = this.#isFresh && piece.charCodeAt(0) === BYTE_ORDER_MARK;
    if (hasMark) this.#dropped = 1;
    this.#isFresh = false;
    this.#pieces.push(hasMark ? piece.slice(1) : piece);
    const endsLine = piece.includes("\n");
    if (endsLine) this.#join();
    return endsLine;
  }

  /** Moves on to the next line, unless its end has not arrived. */
  next(): boolean {
    return this.#moveOver(this.text.indexOf("\n", this.#next));
  }

  /**
   * Moves on to the next line that holds `wanted`, or to one before it. Prose and heredocs are most of any text: they are skipped by
   * search, but where the very next line looks promising or a context waits for it.
   */
  nextWith(wanted: string): boolean {
    const { text } = this;
    if (this.#waiting.length > 0 || text.charCodeAt(this.#next) === wanted.charCodeAt(0)) return this.next();
    const starts = this.#starts;
    const place = text.indexOf(wanted, this.#next);
    const limit = place === -1 ? text.length : place;
    let start = this.#next;
    let number = this.number;
    let lineFeed = text.indexOf("\n", start);
    while (lineFeed !== -1 && lineFeed < limit) {
      starts[++number & RING] = start;
      start = lineFeed + 1;
      lineFeed = text.indexOf("\n", start);
    }
    this.number = number;
    this.#next = start;
    return this.#moveOver(lineFeed);
  }

  /** Moves on to the next line if it matches a sticky pattern, which ends with a line feed and holds no other. None matches a marker. */
  nextMatch(pattern: RegExp): RegExpExecArray | null {
    if (this.text.charCodeAt(this.#next) === HASH) return null;
    pattern.lastIndex = this.#next;
    const match = pattern.exec(this.text);
    if (match !== null) this.#moveOver(pattern.lastIndex - 1);
    return match;
  }

  /** Moves on to the line that ends with the given line feed. */
  #moveOver(lineFeed: number): boolean {
    if (lineFeed === -1) return false;
    const start = this.#next;
    this.#next = lineFeed + 1;
    this.#moveTo(start, lineFeed > start && this.text.charCodeAt(lineFeed - 1) === CARRIAGE_RETURN ? lineFeed - 1 : lineFeed);
    if (this.#waiting.length > 0) this.#fillContexts(lineFeed);
    return true;
  }

  /** Moves on to the last line, which the end of the text ends. */
  last(): void {
    this.#join();
    this.#moveTo(this.#next, this.text.length);
  }

  #moveTo(start: number, end: number): void {
    this.start = start;
    this.end = end;
    this.#starts[++this.number & RING] = start;
  }

  /** The current line. */
  get line(): string {
    return this.text.slice(this.start, this.end);
  }

  /** The line before it, which must exist, and where it ends. */
  get previous(): { readonly line: string; readonly end: number } {
    const start = this.#startOf(this.number - 1);
    const lineFeed = this.start - 1;
    const end = lineFeed > start && this.text.charCodeAt(lineFeed - 1) === CARRIAGE_RETURN ? lineFeed - 1 : lineFeed;
    return { line: this.text.slice(start, end), end };
  }

  /** The offset in the whole text of a place in `text`. */
  offsetOf(place: number): number {
    return this.#dropped + place;
  }

  /** Begins to keep what follows the current line. */
  capture(): void {
    this.#capture = { parts: [], from: this.#next };
  }

  /** What was kept, up to a place in the current line, with LF for CRLF. */
  captured(end: number): string {
    const { parts, from } = this.#capture as Capture;
    this.#capture = undefined;
    const rest = this.text.slice(from, end);
    const text = parts.length === 0 ? rest : parts.join("") + rest;
    return text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
  }

  /**
   * Fills in a diagnostic's context once it has arrived: the five lines with the diagnostic's own in their middle, shifted where the
   * text has no more on one side. Diagnostics come in the order of their lines.
   */
  fillContext(diagnostic: InContext): void {
    this.#waiting.push(diagnostic);
  }

  /** Fills in the contexts at the end of the text. */
  fillLastContexts(): void {
    const start = this.#startOf(Math.max(1, this.number - WINDOW + 1));
    for (const diagnostic of this.#waiting) diagnostic.context = this.text.slice(start);
  }

  /** Fills in those whose window ends with the current line. */
  #fillContexts(lineFeed: number): void {
    const start = this.#startOf(Math.max(1, this.number - WINDOW + 1));
    while (this.#waiting[0] !== undefined && Math.max(WINDOW, this.#waiting[0].line + HALF) <= this.number) {
      (this.#waiting.shift() as InContext).context = this.text.slice(start, lineFeed);
    }
  }

  #startOf(number: number): number {
    return this.#starts[number & RING] as number;
  }

  #join(): void {
    this.#capture?.parts.push(this.text.slice(this.#capture.from, this.#next));
    const kept = this.#startOf(Math.max(1, this.number - KEPT + 1));
    this.text = this.text.slice(kept) + this.#pieces.join("");
    this.#pieces = [];
    this.#dropped += kept;
    this.#next -= kept;
    for (let line = 0; line <= RING; line++) this.#starts[line] = (this.#starts[line] as number) - kept;
    if (this.#capture !== undefined) this.#capture.from = this.#next;
  }
}

interface Capture {
  /** Of text that is no longer at hand. */
  readonly parts: string[];
  from: number;
}

/** A diagnostic, or what one may be made of later. */
interface InContext extends Pick<Diagnostic, "line"> {
  context: string;
}

const BYTE_ORDER_MARK = 0xfeff;
const CARRIAGE_RETURN = 0x0d;
const HASH = 0x23;

/** Lines of a context. */
const WINDOW = 5;
const HALF = (WINDOW - 1) / 2;
/** A window at the end of the text reaches so many lines back from the one that has not arrived. */
const KEPT = WINDOW - 1;
/** One less than a power of two that holds a window. */
const RING = 7;
