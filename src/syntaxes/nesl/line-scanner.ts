/**
 * Reads a text that arrives in pieces line by line. A line ends with LF or CRLF. The rest after the last ending is a
 * line too, even if empty.
 *
 * Keeps only the last few lines, for the contexts of diagnostics. Joins pieces only when one completes a line, so every
 * unit is copied only a few times, however small the pieces are.
 */
import type { Diagnostic } from "../../core/block.ts";

export class LineScanner {
  /** The text available. The current line is `text.slice(start, end)`, without its ending. */
  text = "";
  start = 0;
  end = 0;
  /** 1-based number of the current line; 0 before the first. */
  number = 0;

  /** Start of the next line. */
  #next = 0;
  /** Starts of the last lines including the current one, by `number & RING`. */
  readonly #starts = Array.from({ length: RING + 1 }, () => 0);
  /** Number of units of the whole text before `text`. */
  #dropped = 0;
  /** Pieces after `text`. Only the last one may contain a line ending. */
  #pieces: string[] = [];
  #isFresh = true;
  #capture: Capture | undefined;
  /** Diagnostics without a context yet, by line. */
  readonly #waiting: InContext[] = [];

  /** @returns whether the piece completes a line; if not, there is nothing new to read */
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

  /** Moves to the next line. Returns false if it is incomplete. */
  next(): boolean {
    return this.#moveOver(this.text.indexOf("\n", this.#next));
  }

  /**
   * Moves to the next line that contains `wanted`, or to one before it. Prose and heredocs make up most of any text, so
   * this skips them by searching. Reads line by line if the next line looks promising or a context waits for it.
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

  /**
   * Moves to the next line if it matches a sticky pattern that ends with its only line feed. Never matches a marker.
   */
  nextMatch(pattern: RegExp): RegExpExecArray | null {
    if (this.text.charCodeAt(this.#next) === HASH) return null;
    pattern.lastIndex = this.#next;
    const match = pattern.exec(this.text);
    if (match !== null) this.#moveOver(pattern.lastIndex - 1);
    return match;
  }

  /** Moves to the line that ends with the given line feed. */
  #moveOver(lineFeed: number): boolean {
    if (lineFeed === -1) return false;
    const start = this.#next;
    this.#next = lineFeed + 1;
    this.#moveTo(
      start,
      lineFeed > start && this.text.charCodeAt(lineFeed - 1) === CARRIAGE_RETURN ? lineFeed - 1 : lineFeed,
    );
    if (this.#waiting.length > 0) this.#fillContexts(lineFeed);
    return true;
  }

  /** Moves to the last line, which ends with the text. */
  last(): void {
    this.#join();
    this.#moveTo(this.#next, this.text.length);
  }

  #moveTo(start: number, end: number): void {
    this.start = start;
    this.end = end;
    this.#starts[++this.number & RING] = start;
  }

  get line(): string {
    return this.text.slice(this.start, this.end);
  }

  /** The line before the current one, which must exist, and its end. */
  get previous(): { readonly line: string; readonly end: number } {
    const start = this.#startOf(this.number - 1);
    const lineFeed = this.start - 1;
    const end = lineFeed > start && this.text.charCodeAt(lineFeed - 1) === CARRIAGE_RETURN ? lineFeed - 1 : lineFeed;
    return { line: this.text.slice(start, end), end };
  }

  /** Returns the offset in the whole text of a position in `text`. */
  offsetOf(place: number): number {
    return this.#dropped + place;
  }

  /** Starts to capture what follows the current line. */
  capture(): void {
    this.#capture = { parts: [], from: this.#next };
  }

  /** Returns the captured text up to a position in the current line, with LF for CRLF. */
  captured(end: number): string {
    const { parts, from } = this.#capture as Capture;
    this.#capture = undefined;
    const tail = this.text.slice(from, end);
    const text = parts.length === 0 ? tail : parts.join("") + tail;
    return text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
  }

  /**
   * Sets a diagnostic's context once it has arrived: five lines with its own in the middle, shifted at either end of
   * the text. Must be called in the order of lines.
   */
  fillContext(diagnostic: InContext): void {
    this.#waiting.push(diagnostic);
  }

  /** Sets the pending contexts at the end of the text. */
  fillLastContexts(): void {
    const start = this.#startOf(Math.max(1, this.number - WINDOW + 1));
    for (const diagnostic of this.#waiting) diagnostic.context = this.text.slice(start);
  }

  /** Sets the contexts whose window ends with the current line. */
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
  /** Parts of text that is no longer available. */
  readonly parts: string[];
  from: number;
}

/** A diagnostic, or an object that may become one. */
interface InContext extends Pick<Diagnostic, "line"> {
  context: string;
}

const BYTE_ORDER_MARK = 0xfeff;
const CARRIAGE_RETURN = 0x0d;
const HASH = 0x23;

/** Number of lines in a context. */
const WINDOW = 5;
const HALF = (WINDOW - 1) / 2;
/** Lines that a window at the end of the text extends back from the incomplete one. */
const KEPT = WINDOW - 1;
/** One less than a power of two that is not less than a window. */
const RING = 7;
