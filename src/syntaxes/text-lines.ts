import {
  type Diagnostic,
  type DiagnosticCode,
  isBlock,
  type Lines,
  type ReadBlock,
  type ReadText,
  type Translation,
} from "../core/block.ts";
import { Properties } from "./properties.ts";

/** A whole text by its lines, which end with LF or CRLF. Indices are 0-based, offsets in UTF-16 units. */
export class TextLines {
  readonly count: number;
  /** White space that is no part of the lines that begin with it: the indentation of a list item. */
  margin = "";
  readonly endsWithNewline: boolean;
  readonly #text: string;
  readonly #starts: number[] = [];

  constructor(text: string) {
    this.#text = text;
    this.endsWithNewline = text.endsWith("\n");
    this.#starts.push(text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0);
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
    // A final newline adds no line.
    this.count =
      this.#starts.at(-1) === text.length && this.#starts.length > 1 ? this.#starts.length - 1 : this.#starts.length;
  }

  /** Returns a line without its ending. */
  at(index: number): string {
    const line = this.#text.slice(this.start(index), this.end(index));
    if (this.margin === "") return line;
    return line.startsWith(this.margin) ? line.slice(this.margin.length) : line.replace(/^\s+$/, "");
  }

  start(index: number): number {
    return this.#starts[index] ?? this.#text.length;
  }

  /** Returns the offset before a line's ending. */
  end(index: number): number {
    const next = this.#starts[index + 1];
    if (next === undefined) return this.#text.length;
    return this.#text.charCodeAt(next - 2) === CARRIAGE_RETURN && next - 2 >= this.start(index) ? next - 2 : next - 1;
  }

  /** Returns lines from one index up to another, without that one, each with LF. */
  /** Returns the first line from an index on for which something is so. */
  firstOf(from: number, isSo: (line: string) => boolean): string | undefined {
    for (let index = from; index < this.count; index++) if (isSo(this.at(index))) return this.at(index);
    return undefined;
  }

  slice(from: number, to: number): string {
    let text = "";
    for (let index = from; index < to; index++) text += `${this.at(index)}\n`;
    return text;
  }

  diagnostic(index: number, code: DiagnosticCode, blockId: string | null, message: string): Diagnostic {
    const content = index < this.count ? this.at(index) : "";
    const first = Math.max(0, Math.min(index - 2, this.count - 5));
    const context = Array.from({ length: Math.min(5, this.count - first) }, (_, offset) =>
      this.at(first + offset),
    ).join("\n");
    return { code, line: index + 1, column: 1, length: content.length, blockId, content, context, message };
  }
}

/** Stands for each character of what another syntax has read, so that offsets stay. */
export const MASK = "·";

const BYTE_ORDER_MARK = 0xfeff;
const CARRIAGE_RETURN = 0x0d;

/** Lines of a text, by index. */
export interface LineRange {
  readonly first: number;
  /** The index after the last one. */
  readonly next: number;
}

/** Returns the lines of an item. A block that is never closed counts as its first one. */
export function linesOf(item: ReadBlock | Diagnostic): Lines {
  if (!isBlock(item)) return { first: item.line, last: item.line };
  const { startLine, endLine } = item.block;
  return { first: startLine, last: endLine ?? startLine };
}

/** Returns the lines that the blocks of a text have, in order, up to the end of those that are never closed. */
export function linesOfBlocks(text: string, items: ReadText["items"]): readonly Lines[] {
  return items.filter(isBlock).map(({ block, span }, index, blocks) => {
    if (block.endLine !== null) return { first: block.startLine, last: block.endLine };
    const next = blocks[index + 1]?.block.startLine ?? Infinity;
    return { first: block.startLine, last: Math.min(next, block.startLine + countLines(text, span)) - 1 };
  });
}

function countLines(text: string, { start, end }: { readonly start: number; readonly end: number }): number {
  let count = 1;
  for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** Collects the blocks of a text that are ranges of its lines. */
export class LineBlocks {
  readonly all: ReadBlock[] = [];
  readonly #lines: TextLines;

  constructor(lines: TextLines) {
    this.#lines = lines;
  }

  add(
    { first, next }: LineRange,
    given: Readonly<Record<string, string>>,
    translation: Partial<Translation> = {},
    warnings: readonly string[] = [],
  ): void {
    const block = {
      id: this.#nextId(),
      properties: Object.assign(new Properties(), given),
      startLine: first + 1,
      endLine: Math.max(first + 1, next),
    };
    const span = { start: this.#lines.start(first), end: this.#lines.end(Math.max(first, next - 1)) };
    this.all.push({
      block,
      diagnostics: [],
      span,
      ...(warnings.length > 0 && { warnings }),
      translation: { paths: "by-tail-with-warning", ...translation },
    });
  }

  /**
   * Adds a block with an error.
   *
   * @param at index of the line with the error
   * @param given what is known of the block nevertheless
   */
  refuse(
    range: LineRange,
    error: { readonly code: DiagnosticCode; readonly message: string; readonly at?: number },
    translation: Partial<Translation> = {},
    given: Readonly<Record<string, string>> = {},
  ): void {
    const diagnostic = this.#lines.diagnostic(error.at ?? range.first, error.code, this.#nextId(), error.message);
    this.add(range, given, translation);
    this.all.push(damaged(this.all.pop() as ReadBlock, diagnostic));
  }

  #nextId(): string {
    return `e${this.all.length + 1}`;
  }
}

/** Returns a block with an error. `UNCLOSED_BLOCK` leaves it without an end. */
export function damaged(read: ReadBlock, error: Diagnostic): ReadBlock {
  const block = error.code === "UNCLOSED_BLOCK" ? { ...read.block, endLine: null } : read.block;
  return { ...read, block, diagnostics: [error] };
}

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
  lines: TextLines,
  from: number,
  { margin, isEnd }: { readonly margin: string; isEnd(line: string): boolean },
): boolean {
  if (margin === "") return false;
  for (let at = from; at < lines.count; at++) {
    const line = lines.at(at);
    if (line.trim() !== "" && !line.startsWith(margin)) return false;
    if (isEnd(line)) return true;
  }
  return true;
}

/** Returns a text with empty lines in place of its blocks, whose text is no file of the answer. */
export function withoutBlocks(text: string, items: ReadText["items"]): string {
  let [outside, at] = ["", 0];
  for (const { span } of items.filter(isBlock)) {
    // The edits of one call have the same place.
    const start = Math.max(at, span.start);
    outside += text.slice(at, start) + "\n".repeat(text.slice(start, span.end).split("\n").length - 1);
    at = span.end;
  }
  return outside + text.slice(at);
}

/** Returns the offset of the first occurrence of `wanted` that is accepted, or -1. */
export function findLine(text: string, wanted: string, accepts: (at: number) => boolean): number {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    if (accepts(at)) return at;
  }
  return -1;
}

/** Returns whether an offset is in the first column, ignoring a byte order mark. */
export function startsLine(text: string, at: number): boolean {
  return at === 0 || /[\r\n]/.test(text.charAt(at - 1)) || (at === 1 && text.charCodeAt(0) === BYTE_ORDER_MARK);
}
