import { LF } from "../edit/lines.ts";
import { findFirst } from "../edit/match.ts";

/** Finds a pattern in whole lines. */
export interface Needle {
  /** Bytes of the pattern to show. */
  readonly width: number;
  /** Whether the beginning of a line tells nothing about the line. */
  readonly needsWholeLines?: true;
  /** Returns the offset of the first match that starts at or after `from`, or -1. */
  find(lines: Buffer, from: number): number;
}

/** A line that contains the pattern. */
export interface FoundLine {
  /** 1-based. */
  readonly line_number: number;
  /** Without its line ending. A long line is cut to the text around the first match, with `…` at each cut. */
  readonly line: string;
}

/** Bytes of a line to show on either side of a match. */
const SHOWN = 500;
/** Bytes of a line. What follows in a longer one is not searched. */
const LONGEST_LINE = 4 * 2 ** 20;

/**
 * Finds the lines of a file that contain a match. Reads the file piece by piece, so that memory use does not depend on
 * its size. A file with a NUL byte is binary and has no lines.
 */
export class LineFinder {
  readonly found: FoundLine[] = [];
  isBinary = false;
  /** Whether a line was too long to be searched to its end. */
  hasUnsearched = false;
  readonly #needle: Needle;
  readonly #most: number;
  #count = 0;
  #isBegun = false;
  /** 1-based number of the line in which the pending bytes start. */
  #line = 1;
  /** The start of a line whose end is in a later piece. Joined once, so that a long line takes linear time. */
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  /** Whether the rest of a line is passed over. */
  #isPassing = false;

  /** @param most maximum number of lines in `found`; more are only counted */
  constructor(needle: Needle, most: number) {
    this.#needle = needle;
    this.#most = most;
  }

  /** Number of lines that contain a match. */
  get count(): number {
    return this.isBinary ? 0 : this.#count;
  }

  /** Takes the next piece of the file. Returns false if later pieces cannot matter. */
  take(piece: Buffer): boolean {
    this.isBinary = piece.includes(0);
    if (this.isBinary) return false;
    const firstEnd = piece.indexOf(LF) + 1;
    if (firstEnd === 0) {
      if (!this.#isPassing) this.#keep(piece);
      return true;
    }
    let start = 0;
    if (this.#isPassing) [this.#isPassing, this.#line, start] = [false, this.#line + 1, firstEnd];
    else if (this.#pending.length > 0) {
      this.#search(this.#joined(piece.subarray(0, firstEnd)));
      start = firstEnd;
    }
    const end = piece.lastIndexOf(LF) + 1;
    if (end > start) this.#search(piece.subarray(start, end));
    if (end < piece.length) this.#keep(piece.subarray(end));
    return true;
  }

  /** Must be called after the last piece. */
  end(): void {
    if (this.isBinary) this.found.length = 0;
    else this.#search(this.#joined(NOTHING));
  }

  /** Copies the bytes, because the piece is valid only during the call. */
  #keep(bytes: Buffer): void {
    this.#pending.push(Buffer.from(bytes));
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes <= LONGEST_LINE) return;
    [this.hasUnsearched, this.#isPassing] = [true, true];
    const line = this.#joined(NOTHING);
    if (this.#needle.needsWholeLines !== true) this.#search(line);
  }

  #joined(piece: Buffer): Buffer {
    const lines = this.#pending.length === 0 ? piece : Buffer.concat([...this.#pending, piece]);
    [this.#pending, this.#pendingBytes] = [[], 0];
    return lines;
  }

  #search(lines: Buffer): void {
    // A byte order mark does not belong to the first line.
    let from = !this.#isBegun && lines.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
    this.#isBegun = true;
    let at = this.#needle.find(lines, from);
    while (at !== -1) {
      const start = at === 0 ? 0 : Math.max(from, lines.lastIndexOf(LF, at - 1) + 1);
      this.#countLines(lines, from, start);
      const next = lines.indexOf(LF, at);
      const end = next === -1 ? lines.length : next;
      if (this.#count < this.#most)
        this.found.push({ line_number: this.#line, line: this.#shown(lines, { start, at, end }) });
      this.#count += 1;
      from = end;
      at = next === -1 ? -1 : this.#needle.find(lines, next + 1);
    }
    this.#countLines(lines, from, lines.length);
  }

  #countLines(lines: Buffer, from: number, to: number): void {
    if (this.#most > 0)
      for (let at = lines.indexOf(LF, from); at !== -1 && at < to; at = lines.indexOf(LF, at + 1)) this.#line += 1;
  }

  #shown(
    lines: Buffer,
    { start, at, end }: { readonly start: number; readonly at: number; readonly end: number },
  ): string {
    const [first, last] = [Math.max(start, at - SHOWN), Math.min(end, at + this.#needle.width + SHOWN)];
    const text = lines.toString(
      "utf8",
      first > start ? betweenCharacters(lines, first, 1) : first,
      last < end ? betweenCharacters(lines, last, -1) : last,
    );
    return `${first > start ? "…" : ""}${last < end ? `${text}…` : text.replace(/\r$/, "")}`;
  }
}

const NOTHING: Buffer = Buffer.alloc(0);
const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/** Returns the nearest offset in one direction that does not split a character. */
function betweenCharacters(lines: Buffer, offset: number, step: 1 | -1): number {
  const isInside = (at: number): boolean => ((lines[at] ?? 0) & 0xc0) === 0x80;
  const steps = [0, 1, 2, 3].find((count) => !isInside(offset + count * step)) ?? 0;
  return offset + steps * step;
}

/** What to search for. */
export interface Sought {
  /** Makes what finds it. */
  needle(): Needle;
  readonly isRegex: boolean;
  /**
   * For ripgrep, which may find more of a regular expression; undefined if it would understand it otherwise, or find
   * less.
   */
  readonly ripgrepPattern: string | undefined;
}

/** @param pattern not empty, without a newline */
export function soughtText(pattern: string): Sought {
  const bytes = Buffer.from(pattern);
  // `indexOf` is quadratic for a long pattern on uniform bytes.
  const find = (lines: Buffer, from: number): number =>
    bytes.length <= 256 ? lines.indexOf(bytes, from) : (findFirst(lines, bytes, from)?.start ?? -1);
  const needle: Needle = { width: bytes.length, find };
  return { needle: () => needle, isRegex: false, ripgrepPattern: pattern };
}
