import { plain, unitAt, unitBefore } from "./typography.ts";
import { CR, LF } from "./line-ending.ts";

/** Reads a file's bytes forward and backward, treating typographic characters as plain ones. */
export class PlainBytes {
  /** Number of bytes examined so far. */
  work = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  text(start: number, end: number): string {
    return plain(this.#bytes.toString("utf8", start, end));
  }

  /** Returns the end of a plain text that starts at an offset, or undefined if it does not match. */
  forward(start: number, wanted: Buffer): number | undefined {
    let at = start;
    for (let index = 0; index < wanted.length; index++) {
      const size = this.#bytes[at] === wanted[index] ? 1 : sizeOf(unitAt(this.#bytes, at), wanted[index]);
      if (size === 0) {
        this.work += at - start;
        return undefined;
      }
      at += size;
    }
    this.work += at - start;
    return at;
  }

  /** Returns the start of a plain text that ends at an offset, or undefined if it does not match. */
  backward(end: number, wanted: Buffer): number | undefined {
    let at = end;
    for (let index = wanted.length - 1; index >= 0; index--) {
      const size = this.#bytes[at - 1] === wanted[index] ? 1 : sizeOf(unitBefore(this.#bytes, at), wanted[index]);
      if (size === 0) {
        this.work += end - at;
        return undefined;
      }
      at -= size;
    }
    this.work += end - at;
    return at;
  }

  /** Returns the end of the white space that starts at an offset. */
  blanksAfter(start: number): number {
    let at = start;
    for (let size = this.#blankAt(at); size > 0; size = this.#blankAt(at)) at += size;
    this.work += at - start;
    return at;
  }

  /** Returns the start of the white space that ends at an offset. */
  blanksBefore(end: number): number {
    let at = end;
    for (let size = this.#blankBefore(at); size > 0; size = this.#blankBefore(at)) at -= size;
    this.work += end - at;
    return at;
  }

  /** Returns the start of the next line, if only white space remains on this one. */
  nextLine(end: number): number | undefined {
    const blanks = this.blanksAfter(end);
    const lineFeed = this.#bytes[blanks] === CR ? blanks + 1 : blanks;
    return this.#bytes[lineFeed] === LF ? lineFeed + 1 : undefined;
  }

  /**
   * Returns the end of the previous line without its ending. Returns undefined if no line, or the first one, starts
   * here.
   */
  lineEndBefore(start: number): number | undefined {
    if (this.#bytes[start - 1] !== LF) return undefined;
    return this.#bytes[start - 2] === CR ? start - 2 : start - 1;
  }

  startsLine(at: number): boolean {
    return at === 0 || this.#bytes[at - 1] === LF;
  }

  endsLine(at: number): boolean {
    return at >= this.#bytes.length || this.#bytes[at] === LF || (this.#bytes[at] === CR && this.#bytes[at + 1] === LF);
  }

  /** Returns whether an offset lies inside a word or number. */
  splitsWord(at: number): boolean {
    const [before, behind] = [
      this.#bytes.toString("utf8", Math.max(0, at - MAX_CHARACTER_BYTES), at),
      this.#bytes.toString("utf8", at, at + MAX_CHARACTER_BYTES),
    ];
    return /[\p{L}\p{N}\p{M}_$\ufffd]$/u.test(before) && /^[\p{L}\p{N}\p{M}_$\ufffd]/u.test(behind);
  }

  /** Returns the size of the blank at an offset, or 0. */
  #blankAt(at: number): number {
    const byte = this.#bytes[at];
    return byte === SPACE || byte === TAB ? 1 : sizeOf(unitAt(this.#bytes, at), SPACE);
  }

  #blankBefore(end: number): number {
    const byte = this.#bytes[end - 1];
    return byte === SPACE || byte === TAB ? 1 : sizeOf(unitBefore(this.#bytes, end), SPACE);
  }
}

function sizeOf(unit: ReturnType<typeof unitAt>, wanted: number | undefined): number {
  return unit !== undefined && unit.plain === wanted ? unit.size : 0;
}

/** Maximum bytes of a character. */
const MAX_CHARACTER_BYTES = 4;

const TAB = 9;
const SPACE = 32;
