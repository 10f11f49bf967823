import { LF } from "../edit/line-ending.ts";

/** Finds a pattern in a stream of bytes, which it is given block by block. */
export interface Needle {
  /** Bytes of the pattern to show, and to keep from one block to the next. */
  readonly width: number;
  /** Bytes of a line that is searched as a whole: a longer one is not. Absent if its pieces are searched. */
  readonly longestLine?: number;
  /**
   * Returns the offset of the first match in a block, or -1.
   *
   * @param from offset at which a match may start
   * @param isEnd whether the block ends the text
   */
  find(block: Buffer, from: number, isEnd: boolean): number;
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

/**
 * Finds the lines of a file that contain a match. Reads the file piece by piece, so memory use does not depend on its
 * size, nor on line lengths beyond those that the needle wants whole. A file with a NUL byte is binary and has no
 * lines.
 */
export class LineFinder {
  readonly found: FoundLine[] = [];
  isBinary = false;
  /** Whether a line was too long to be searched. */
  hasUnsearched = false;
  readonly #needle: Needle;
  readonly #most: number;
  #count = 0;
  /** Whether the first bytes were seen. A byte order mark does not belong to the first line. */
  #isBegun = false;
  /** 1-based number of the line in which the pending bytes start. */
  #line = 1;
  /** The end of the last piece: it may contain the start of a match, or text to show before one. */
  #pending: Buffer = NOTHING;
  /** What follows them in a line that is searched as a whole. Joined once, so that a long line takes linear time. */
  #more: Buffer[] = [];
  /** Offset in the pending bytes of a match that lacks the text to show after it. */
  #waiting: number | undefined;
  /** Whether the pending bytes start inside a line. */
  #isCut = false;
  /** Whether the current line already matched, so the rest of it can be skipped. */
  #isDone = false;

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
    if (!this.isBinary && !this.#waits(piece)) this.#search(this.#joined(piece), false);
    return !this.isBinary;
  }

  /** Must be called after the last piece. */
  end(): void {
    if (this.isBinary) this.found.length = 0;
    else if (this.#pending.length > 0) this.#search(this.#joined(NOTHING), true);
  }

  /** Keeps a piece that is the middle of a line which is searched as a whole. Returns whether it is one. */
  #waits(piece: Buffer): boolean {
    const isMiddle = this.#needle.longestLine !== undefined && this.#pending.length > 0 && !piece.includes(LF);
    if (!isMiddle) return false;
    this.#more.push(Buffer.from(piece));
    this.#passOverLongLine();
    return true;
  }

  /** Passes over the rest of a line that is too long, as over that of a line that was found. */
  #passOverLongLine(): void {
    const length = [this.#pending, ...this.#more].reduce((sum, bytes) => sum + bytes.length, 0);
    if (length <= (this.#needle.longestLine ?? Infinity)) return;
    [this.hasUnsearched, this.#isDone, this.#pending, this.#more] = [true, true, NOTHING, []];
  }

  #joined(piece: Buffer): Buffer {
    const block = this.#pending.length === 0 ? piece : Buffer.concat([this.#pending, ...this.#more, piece]);
    this.#more = [];
    return block;
  }

  #search(block: Buffer, isEnd: boolean): void {
    let from = 0;
    if (!this.#isBegun) {
      if (block.length < 3 && !isEnd) return this.#keep(block, 0);
      this.#isBegun = true;
      if (block.subarray(0, 3).equals(BYTE_ORDER_MARK)) from = 3;
    }
    while (true) {
      if (this.#isDone) {
        const end = block.indexOf(LF, from);
        if (end === -1) return this.#keep(block, block.length);
        this.#advance(block, from, end + 1);
        from = end + 1;
      }
      const at = this.#waiting ?? this.#needle.find(block, from, isEnd);
      this.#waiting = undefined;
      if (at === -1) return this.#keepTail(block, from);
      const start = at === 0 ? 0 : Math.max(from, block.lastIndexOf(LF, at - 1) + 1);
      this.#advance(block, from, start);
      const end = block.indexOf(LF, at);
      if (end === -1 && !isEnd && block.length - at <= SHOWN + this.#needle.width) {
        this.#keepFrom(block, start, at - SHOWN);
        this.#waiting = at - Math.max(start, at - SHOWN);
        return;
      }
      if (this.#count < this.#most) {
        this.found.push({
          line_number: this.#line,
          line: this.#shown(block, { start, at, end: end === -1 ? block.length : end }),
        });
      }
      this.#count += 1;
      this.#isDone = true;
      from = at;
    }
  }

  /** Nothing more is found in this block. Keeps a possible start of a match, and the text to show before it. */
  #keepTail(block: Buffer, from: number): void {
    const start = Math.max(from, block.lastIndexOf(LF) + 1);
    this.#advance(block, from, start);
    const { width, longestLine } = this.#needle;
    if (longestLine === undefined) return this.#keepFrom(block, start, block.length - width - SHOWN);
    this.#keep(block, start);
    this.#passOverLongLine();
  }

  #keepFrom(block: Buffer, start: number, enough: number): void {
    if (enough > start) this.#isCut = true;
    this.#keep(block, Math.max(start, enough));
  }

  #keep(block: Buffer, from: number): void {
    // Copied, because the piece is valid only during this call.
    this.#pending = from === block.length ? NOTHING : Buffer.from(block.subarray(from));
  }

  /** Counts the lines that end before `to`, which is a line start or equals `from`. */
  #advance(block: Buffer, from: number, to: number): void {
    if (to === from) return;
    if (this.#most > 0)
      for (let at = block.indexOf(LF, from); at !== -1 && at < to; at = block.indexOf(LF, at + 1)) this.#line += 1;
    this.#isCut = false;
    this.#isDone = false;
  }

  #shown(
    block: Buffer, { start, at, end }: { readonly start: number; readonly at: number; readonly end: number }
  ): string {
    const [first, last] = [Math.max(start, at - SHOWN), Math.min(end, at + this.#needle.width + SHOWN)];
    const [isCutBefore, isCutAfter] = [first > start || this.#isCut, last < end];
    const text = block.toString(
      "utf8",
      isCutBefore ? betweenCharacters(block, first, 1) : first,
      isCutAfter ? betweenCharacters(block, last, -1) : last,
    );
    const begun = isCutBefore ? `…${text}` : this.#line === 1 ? text.replace(/^\ufeff/, "") : text;
    return isCutAfter ? `${begun}…` : begun.replace(/\r$/, "");
  }
}
const NOTHING: Buffer = Buffer.alloc(0);
const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/** Returns the nearest offset in one direction that does not split a character. */
function betweenCharacters(block: Buffer, offset: number, step: 1 | -1): number {
  const isInside = (at: number): boolean => ((block[at] ?? 0) & 0xc0) === 0x80;
  const steps = [0, 1, 2, 3].find((count) => !isInside(offset + count * step)) ?? 0;
  return offset + steps * step;
}
