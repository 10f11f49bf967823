import { isBlock, type ReadBlock, type ReadText } from "../core/block.ts";
import type { Finding } from "../core/finding.ts";
import type { Source } from "./source.ts";

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

export function visitLines(text: string, first: number, visit: (line: string, number: number) => void): void {
  for (let start = 0, number = first; start < text.length; number++) {
    const line = lineFrom(text, start, number);
    visit(text.slice(line.start, line.end), number);
    start = line.next;
  }
}

/** Returns what finds the block that a text ends in, if it was never closed. Those before it run. */
export function cutOffIn({ noun, done = "run", missing = "" }: CutOff) {
  return (source: Source, read: ReadText): Finding | undefined => {
    const open = openBlock(source, read);
    if (open === undefined) return undefined;
    const { id, startLine } = open;
    const message = `the answer ends inside ${noun} ${id}, which was not ${done}: it was cut off${missing}`;
    return { code: "answer/cut-off", line: startLine, blockId: id, message, request: `continue from ${noun} ${id}` };
  };
}

/** The words for a block that is cut off. */
interface CutOff {
  readonly noun: string;
  /** What happens to a whole block. */
  readonly done?: "run" | "written";
  /** What may be missing instead, as the end of a sentence. */
  readonly missing?: string;
}

/** Returns the block that a text ends in, if it was never closed. */
export function openBlock({ text }: Source, { items }: ReadText): ReadBlock | undefined {
  const last = items.findLast(isBlock);
  return last === undefined || last.endLine !== null || last.span.end < text.trimEnd().length ? undefined : last;
}

/** Reports edits that are not run. Returns nothing if there are none. */
export function foreignEdits(lines: readonly number[], what: string, request: string): Finding[] {
  const [line] = lines;
  const message = `${listed(lines)}: ${what}`;
  return line === undefined ? [] : [{ code: "answer/foreign-edit", line, message, request }];
}

/** Names lines in a sentence: `line 5`, `lines 5 and 7`. */
export function listed(lines: readonly number[]): string {
  const named = lines.slice(0, MAX_NAMED);
  const more = lines.length - named.length;
  if (more > 0) return `lines ${named.join(", ")} and ${more} more`;
  const last = named.at(-1) ?? 0;
  return named.length === 1 ? `line ${last}` : `lines ${named.slice(0, -1).join(", ")} and ${last}`;
}

const MAX_NAMED = 4;
