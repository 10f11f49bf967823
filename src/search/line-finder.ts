import { findFirst } from "../edit/match.ts";

/** A line that holds the pattern. */
export interface FoundLine {
  /** 1-based. */
  readonly line_number: number;
  /** Without its line ending. Of a long line only the part around the pattern, with `…` where it was cut. */
  readonly line: string;
}

/** Bytes of a line shown on either side of where the pattern begins. */
const SHOWN = 500;

/**
 * Finds the lines of one file that hold a text literally. The file comes piece by piece, so neither its size nor that of a line
 * decides how much memory it takes. A file with a NUL byte in it is binary, and holds no lines.
 */
export class LineFinder {
  readonly found: FoundLine[] = [];
  isBinary = false;
  readonly #pattern: Buffer;
  readonly #most: number;
  #count = 0;
  /** 1-based, of the line that the pending bytes begin in. */
  #line = 1;
  /** The end of what was taken, which may hold a beginning of the pattern, or the part of its line that is to be shown. */
  #pending: Buffer = NOTHING;
  /** Whether the pending bytes are not the beginning of their line. */
  #isCut = false;
  /** Whether the pattern was found in the line, so that the rest of it does not matter. */
  #isDone = false;

  /**
   * @param pattern without a newline in it, not empty
   * @param most lines to keep in `found`; the others are only counted
   */
  constructor(pattern: Buffer, most: number) {
    this.#pattern = pattern;
    this.#most = most;
  }

  /** How many lines hold the pattern. */
  get count(): number {
    return this.isBinary ? 0 : this.#count;
  }

  /** Takes the next piece of the file. False when nothing more can matter. */
  take(piece: Buffer): boolean {
    this.isBinary = piece.includes(0);
    if (!this.isBinary) this.#search(this.#pending.length === 0 ? piece : Buffer.concat([this.#pending, piece]), false);
    return !this.isBinary;
  }

  /** The file has ended. */
  end(): void {
    if (this.isBinary) this.found.length = 0;
    else if (this.#pending.length > 0) this.#search(this.#pending, true);
  }

  #search(block: Buffer, isEnd: boolean): void {
    let from = 0;
    while (true) {
      if (this.#isDone) {
        const end = block.indexOf(LF, from);
        if (end === -1) return this.#keep(block, block.length);
        this.#advance(block, from, end + 1);
        from = end + 1;
      }
      const at = this.#placeIn(block, from);
      if (at === -1) return this.#keepTail(block, from);
      const start = Math.max(from, block.lastIndexOf(LF, at) + 1);
      this.#advance(block, from, start);
      const end = block.indexOf(LF, at);
      if (end === -1 && !isEnd && block.length - at <= SHOWN + this.#pattern.length) return this.#keepFrom(block, start, at - SHOWN);
      if (this.#count < this.#most) this.found.push({ line_number: this.#line, line: this.#shown(block, { start, at, end: end === -1 ? block.length : end }) });
      this.#count += 1;
      this.#isDone = true;
      from = at;
    }
  }

  #placeIn(block: Buffer, from: number): number {
    // Of a long pattern `indexOf` is quadratic on uniform bytes.
    if (this.#pattern.length <= 256) return block.indexOf(this.#pattern, from);
    return findFirst(block, this.#pattern, from)?.start ?? -1;
  }

  /** Nothing more is found from here on: keeps what may hold a beginning of the pattern, with what would be shown before it. */
  #keepTail(block: Buffer, from: number): void {
    const start = Math.max(from, block.lastIndexOf(LF) + 1);
    this.#advance(block, from, start);
    this.#keepFrom(block, start, block.length - this.#pattern.length - SHOWN);
  }

  #keepFrom(block: Buffer, start: number, enough: number): void {
    if (enough > start) this.#isCut = true;
    this.#keep(block, Math.max(start, enough));
  }

  #keep(block: Buffer, from: number): void {
    // Copied: the piece is valid only while it is visited.
    this.#pending = from === block.length ? NOTHING : Buffer.from(block.subarray(from));
  }

  /** Counts the lines that end before `to`, which is at the beginning of a line or where it was. */
  #advance(block: Buffer, from: number, to: number): void {
    if (to === from) return;
    if (this.#most > 0) for (let at = block.indexOf(LF, from); at !== -1 && at < to; at = block.indexOf(LF, at + 1)) this.#line += 1;
    this.#isCut = false;
    this.#isDone = false;
  }

  #shown(block: Buffer, { start, at, end }: { readonly start: number; readonly at: number; readonly end: number }): string {
    const [first, last] = [Math.max(start, at - SHOWN), Math.min(end, at + this.#pattern.length + SHOWN)];
    const [isCutBefore, isCutAfter] = [first > start || this.#isCut, last < end];
    const text = block.toString("utf8", isCutBefore ? betweenCharacters(block, first, 1) : first, isCutAfter ? betweenCharacters(block, last, -1) : last);
    const begun = isCutBefore ? `…${text}` : this.#line === 1 ? text.replace(/^\ufeff/, "") : text;
    return isCutAfter ? `${begun}…` : begun.replace(/\r$/, "");
  }
}

const LF = 10;
const NOTHING: Buffer = Buffer.alloc(0);

/** The nearest offset, in one direction, that cuts no character in two. */
function betweenCharacters(block: Buffer, offset: number, step: 1 | -1): number {
  const isInside = (at: number): boolean => ((block[at] ?? 0) & 0xc0) === 0x80;
  const steps = [0, 1, 2, 3].find((count) => !isInside(offset + count * step)) ?? 0;
  return offset + steps * step;
}
