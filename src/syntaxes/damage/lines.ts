import type { ReadBlock } from "../../core/block.ts";

/** A line of a text, in UTF-16 offsets. */
export interface Line {
  /** 1-based. */
  readonly number: number;
  readonly start: number;
  /** Offset before its line ending. */
  readonly end: number;
  /** Offset after its line ending. */
  readonly next: number;
}

/** Returns the line that starts at an offset. */
export function lineFrom(text: string, start: number, number: number): Line {
  const lineFeed = text.indexOf("\n", start);
  if (lineFeed === -1) return { number, start, end: text.length, next: text.length };
  const end = lineFeed > start && text.charCodeAt(lineFeed - 1) === CARRIAGE_RETURN ? lineFeed - 1 : lineFeed;
  return { number, start, end, next: lineFeed + 1 };
}

const CARRIAGE_RETURN = 0x0d;

/** Visits the lines outside blocks in order. A final newline adds no line. */
export function visitProse(text: string, blocks: readonly ReadBlock[], visit: (line: string, number: number) => void): void {
  let start = 0;
  let number = 1;
  for (const { block, span } of blocks) {
    visitLines(text.slice(start, span.start), number, visit);
    start = lineFrom(text, span.end, 0).next;
    number = block.endLine === null ? block.startLine + countLines(text, span) : block.endLine + 1;
  }
  visitLines(text.slice(start), number, visit);
}

export function visitLines(text: string, first: number, visit: (line: string, number: number) => void): void {
  for (let start = 0, number = first; start < text.length; number++) {
    const line = lineFrom(text, start, number);
    visit(text.slice(line.start, line.end), number);
    start = line.next;
  }
}

function countLines(text: string, { start, end }: { readonly start: number; readonly end: number }): number {
  let count = 1;
  for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
