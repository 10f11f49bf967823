import type { Diagnostic, DiagnosticCode, Lines } from "../core/block.ts";
import { FenceTracker, type LostFence, lostFences, MASK } from "./fence.ts";

/** A code fence, by the indices of its lines. */
export interface FencedLines {
  readonly first: number;
  /** The line that closes it. Undefined if none does. */
  readonly end: number | undefined;
  /** Set if other text begins at its end, and nothing closes it. */
  readonly isLost?: true;
}

/**
 * A text that is read: its lines, which end with LF or CRLF, and its code fences. Made once, so that no syntax looks
 * for them again. Indices are 0-based, offsets in UTF-16 units.
 */
export class Source {
  readonly text: string;
  /** White space that is no part of the lines that begin with it: the indentation of a list item. */
  readonly #margin: string;
  #starts: readonly number[] | undefined;
  #fences: readonly FencedLines[] | undefined;
  #lost: readonly LostFence[] | undefined;

  constructor(text: string, margin = "", starts?: readonly number[]) {
    this.text = text;
    this.#margin = margin;
    this.#starts = starts;
  }

  /** Returns the same text with a margin. */
  inMargin(margin: string): Source {
    return margin === this.#margin ? this : new Source(this.text, margin, this.#lineStarts);
  }

  get count(): number {
    const starts = this.#lineStarts;
    // A final newline adds no line.
    return starts.at(-1) === this.text.length && starts.length > 1 ? starts.length - 1 : starts.length;
  }

  /** Like `count`, but counts what follows a final newline, too. */
  get rows(): number {
    return this.#lineStarts.length;
  }

  get endsWithNewline(): boolean {
    return this.text.endsWith("\n");
  }

  get fences(): readonly FencedLines[] {
    return (this.#fences ??= fencesIn(this));
  }

  get lostFences(): readonly LostFence[] {
    return (this.#lost ??= lostFences(this));
  }

  /** Returns the 1-based lines where a fence ends that nothing closes, in order. */
  get fenceEnds(): readonly number[] {
    const ends = this.lostFences.flatMap(({ below, isProse }) => (below && !isProse ? [below.text + 1] : []));
    return ends.toSorted((left, right) => left - right);
  }

  /** Returns a line without its ending. */
  at(index: number): string {
    const line = this.text.slice(this.start(index), this.end(index));
    if (this.#margin === "") return line;
    return line.startsWith(this.#margin) ? line.slice(this.#margin.length) : line.replace(/^\s+$/, "");
  }

  start(index: number): number {
    return this.#lineStarts[index] ?? this.text.length;
  }

  /** Returns the offset before a line's ending. */
  end(index: number): number {
    const next = this.#lineStarts[index + 1];
    if (next === undefined) return this.text.length;
    return this.text.charCodeAt(next - 2) === CARRIAGE_RETURN && next - 2 >= this.start(index) ? next - 2 : next - 1;
  }

  /** Returns the index of the line that an offset is in. */
  lineAt(offset: number): number {
    let [low, high] = [0, this.count];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.start(middle) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Returns the first line from an index on for which something is so. */
  firstOf(from: number, isSo: (line: string) => boolean): string | undefined {
    for (let index = from; index < this.count; index++) if (isSo(this.at(index))) return this.at(index);
    return undefined;
  }

  /** Returns lines from one index up to another, without that one, each with LF. */
  slice(from: number, to: number): string {
    let text = "";
    for (let index = from; index < to; index++) text += `${this.at(index)}\n`;
    return text;
  }

  /** Visits the lines outside some others, in order. */
  visitOutside(others: readonly Lines[], visit: (line: string, number: number) => void): void {
    let [next, until] = [0, 0];
    for (let number = 1; number <= this.count; number++) {
      for (let range = others[next]; range !== undefined && range.first <= number; range = others[++next])
        until = Math.max(until, range.last);
      if (number > until) visit(this.at(number - 1), number);
    }
  }

  /** Puts a character of prose in place of each one of some lines, which are in order, so that offsets stay. */
  masked(ranges: readonly Lines[]): Source {
    if (ranges.length === 0) return this;
    let [masked, at] = ["", 0];
    for (const { first, last } of ranges) {
      const [start, end] = [Math.max(at, this.start(first - 1)), this.end(Math.min(last, this.count) - 1)];
      if (end <= at) continue;
      masked +=
        this.text.slice(at, start) + this.text.slice(start, end).replace(/[^\r\n]+/g, (run) => MASK.repeat(run.length));
      at = end;
    }
    return new Source(masked + this.text.slice(at), "", this.#lineStarts);
  }

  /** Returns five lines as written, with one in the middle that may be below the text; shifted at the ends of the text. */
  around(index: number): string {
    const end = Math.min(this.rows, Math.max(5, index + 3));
    return this.text.slice(this.start(Math.max(0, end - 5)), end === this.rows ? undefined : this.start(end) - 1);
  }

  diagnostic(index: number, code: DiagnosticCode, blockId: string | null, message: string): Diagnostic {
    const content = index < this.count ? this.at(index) : "";
    const first = Math.max(0, Math.min(index - 2, this.count - 5));
    const context = Array.from({ length: Math.min(5, this.count - first) }, (_, offset) =>
      this.at(first + offset),
    ).join("\n");
    return { code, line: index + 1, column: 1, length: content.length, blockId, content, context, message };
  }

  get #lineStarts(): readonly number[] {
    return (this.#starts ??= lineStartsIn(this.text));
  }
}

function lineStartsIn(text: string): readonly number[] {
  const starts = [text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function fencesIn(source: Source): readonly FencedLines[] {
  const tracker = new FenceTracker(source.fenceEnds);
  const fences: FencedLines[] = [];
  let first: number | undefined;
  for (let at = 0; at < source.count; at++) {
    if (tracker.passes(at + 1) && first !== undefined) fences.push({ first, end: at, isLost: true });
    const change = tracker.read(source.at(at), at + 1);
    if (change === "opens") first = at;
    else if (change === "closes" && first !== undefined) {
      fences.push({ first, end: at });
      first = undefined;
    }
  }
  return first === undefined ? fences : [...fences, { first, end: undefined }];
}

const BYTE_ORDER_MARK = 0xfeff;
const CARRIAGE_RETURN = 0x0d;

/** Returns the white space before a line. A model may have written a block in the margin of a list item or the like. */
export function marginOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

/** Takes a margin off lines, each with its LF, where all but blank ones have it. */
export function withoutMargin(lines: string, margin: string): string {
  if (margin === "") return lines;
  const all = lines.split("\n");
  if (!all.every((line) => line.trim() === "" || line.startsWith(margin))) return lines;
  return all.map((line) => (line.startsWith(margin) ? line.slice(margin.length) : "")).join("\n");
}

/**
 * Returns whether all lines from one index on have a margin, up to and with the one that ends them. Blank lines need
 * none. One line without it shows that the others begin with content.
 */
export function hasMargin(
  source: Source,
  from: number,
  { margin, isEnd }: { readonly margin: string; isEnd(line: string): boolean },
): boolean {
  if (margin === "") return false;
  for (let at = from; at < source.count; at++) {
    const line = source.at(at);
    if (line.trim() !== "" && !line.startsWith(margin)) return false;
    if (isEnd(line)) return true;
  }
  return true;
}

/** Returns whether a text has an occurrence of `wanted` that is accepted, by its offset. */
export function hasAt(text: string, wanted: string, accepts: (at: number) => boolean): boolean {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length))
    if (accepts(at)) return true;
  return false;
}

/** Returns whether an offset is in the first column, ignoring a byte order mark. */
export function startsLine(text: string, at: number): boolean {
  return at === 0 || /[\r\n]/.test(text.charAt(at - 1)) || (at === 1 && text.charCodeAt(0) === BYTE_ORDER_MARK);
}

/** Returns the index of the quote that closes the one at an index, with `\` before what is escaped; -1 if none does. */
export function closingQuote(line: string, open: number): number {
  for (let at = open + 1; at < line.length; at++) {
    if (line[at] === line[open]) return at;
    if (line[at] === "\\") at += 1;
  }
  return -1;
}

/** An error in one line, with offsets from its start. The parser turns it into a `Diagnostic`. */
export interface Fault {
  readonly code: DiagnosticCode;
  readonly message: string;
  /** 0-based, in UTF-16 units like `length`. */
  readonly at: number;
  readonly length: number;
}
