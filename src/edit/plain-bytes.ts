import { plain, unitAt, unitBefore } from "./typography.ts";

/** A file's bytes, read as if all typographic characters in them were plain ones, forward and backward. */
export class PlainBytes {
  /** Bytes looked at so far. */
  work = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  text(start: number, end: number): string {
    return plain(this.#bytes.toString("utf8", start, end));
  }

  /** Where a plain text ends that begins at an offset; undefined where another one stands there. */
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

  /** Where a plain text begins that ends at an offset; undefined where another one stands there. */
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

  /** Where the white space ends that begins at an offset. */
  blanksAfter(start: number): number {
    let at = start;
    for (let size = this.#blankAt(at); size > 0; size = this.#blankAt(at)) at += size;
    this.work += at - start;
    return at;
  }

  /** Where the white space begins that ends at an offset. */
  blanksBefore(end: number): number {
    let at = end;
    for (let size = this.#blankBefore(at); size > 0; size = this.#blankBefore(at)) at -= size;
    this.work += end - at;
    return at;
  }

  /** Where the next line begins, if only white space is left of this one. */
  nextLine(end: number): number | undefined {
    const blanks = this.blanksAfter(end);
    const lineFeed = this.#bytes[blanks] === CR ? blanks + 1 : blanks;
    return this.#bytes[lineFeed] === LF ? lineFeed + 1 : undefined;
  }

  /** Where the line before ends, its ending not counted; undefined where no line begins here, or the first one does. */
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

  /** Whether a word or a number goes on at an offset. */
  splitsWord(at: number): boolean {
    const [before, behind] = [this.#bytes.toString("utf8", Math.max(0, at - LONGEST_CHARACTER), at), this.#bytes.toString("utf8", at, at + LONGEST_CHARACTER)];
    return /[\p{L}\p{N}\p{M}_$\ufffd]$/u.test(before) && /^[\p{L}\p{N}\p{M}_$\ufffd]/u.test(behind);
  }

  /** Bytes of the blank that begins at an offset, or 0. */
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

/** Bytes of a character at most. */
const LONGEST_CHARACTER = 4;

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
