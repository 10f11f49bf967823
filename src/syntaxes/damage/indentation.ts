/** Blocks that are indented as a whole, as those in a list are. */
import type { Diagnostic } from "../../core/block.ts";
import { readHeader } from "../nesl/header.ts";
import { NeslParser } from "../nesl/read.ts";
import { lineAt, type Line } from "./lines.ts";

export interface Unindented {
  /** The text, with the blocks that are indented as a whole moved to the first column: as many lines as before. */
  readonly text: string;
  /** The indentation of those blocks, by the 1-based line of the header. */
  readonly moved: ReadonlyMap<number, string>;
  /** Blocks that are indented, with a line that is less so. */
  readonly uneven: readonly UnevenBlock[];
}

export interface UnevenBlock {
  readonly id: string;
  /** 1-based, of the header. */
  readonly line: number;
  /** 1-based, the first one that is less indented. */
  readonly until: number;
}

/**
 * Every line of such a block, from its header to its end marker, begins with the very white space that its header begins with, or is
 * blank. One that ends with the text is moved too, so that it is told as what it is. In a diff every line that stays is indented by a
 * space, and a block there belongs to the file that the diff is about: it is left alone.
 *
 * @param strays what the parser found wrong outside blocks: an indented header is among it
 */
export function unindentBlocks(text: string, strays: readonly Diagnostic[]): Unindented {
  const indented = strays.filter(({ content }) => indentedHeader(content) !== undefined);
  const isInDiff = indented.length === 0 ? () => false : linesInDiffs(text);
  const candidates = indented.filter(({ line }) => !isInDiff(line));
  const parts: string[] = [];
  const moved = new Map<number, string>();
  const uneven: UnevenBlock[] = [];
  let from = 0;
  let at: Position = { start: text.startsWith(BYTE_ORDER_MARK) ? 1 : 0, number: 1 };
  for (const { line, content } of candidates) {
    // Within a block that has been looked at, every header is that block's own matter: each line is looked at once.
    if (line < at.number) continue;
    at = moveTo(text, at, line);
    const { indentation, id } = indentedHeader(content) as IndentedHeader;
    const block = readIndented(text, at, indentation);
    if (block.isWhole) {
      moved.set(line, indentation);
      parts.push(text.slice(from, at.start), ...block.parts);
      from = block.next.start;
    } else uneven.push({ id, line, until: block.next.number });
    at = block.next;
  }
  return { text: parts.length === 0 ? text : parts.join("") + text.slice(from), moved, uneven };
}

/** Whether a line, asked for in ascending order, stands in a diff: after the head of a hunk or the fence of a diff, up to a line that no diff has. */
function linesInDiffs(text: string): (line: number) => boolean {
  let at: Position = { start: 0, number: 1 };
  let isInside = false;
  return (wanted) => {
    while (at.number <= wanted && at.start < text.length) {
      const { start, end, next } = lineAt(text, at.start, at.number);
      isInside = DIFF_HEAD.test(text.slice(start, Math.min(end, start + LONGEST_HEAD))) || (isInside && (start === end || " +-\\".includes(text.charAt(start))));
      at = { start: next, number: at.number + 1 };
    }
    return isInside;
  };
}

const DIFF_HEAD = /^(?:@@ |\s*(?:```|~~~)+ *(?:diff|patch)\b)/;
/** UTF-16 units of a line that are looked at. */
const LONGEST_HEAD = 40;

interface IndentedHeader {
  readonly indentation: string;
  readonly id: string;
}

/** Whether a line is a header that does not begin in the first column, so that the block may be one that is indented as a whole. */
export function isIndentedHeader(line: string): boolean {
  return indentedHeader(line) !== undefined;
}

function indentedHeader(line: string): IndentedHeader | undefined {
  const indentation = INDENTATION.exec(line)?.[0] ?? "";
  const header = indentation === "" ? undefined : readHeader(line.slice(indentation.length));
  return header === undefined || "code" in header ? undefined : { indentation, id: header.id };
}

const INDENTATION = /^[ \t]*/;

/** Where a line starts. */
type Position = Pick<Line, "start" | "number">;

const BYTE_ORDER_MARK = "\ufeff";

function moveTo(text: string, { start, number }: Position, wanted: number): Position {
  let at = start;
  for (let line = number; line < wanted; line++) at = text.indexOf("\n", at) + 1;
  return { start: at, number: wanted };
}

interface IndentedBlock {
  /** Whether it is indented up to its end, or the text's. */
  readonly isWhole: boolean;
  /** Its text without the indentation. */
  readonly parts: readonly string[];
  /** The first line that is not the block's. */
  readonly next: Position;
}

/** Reads one block, header first, as the parser would without its indentation. */
function readIndented(text: string, from: Position, indentation: string): IndentedBlock {
  let endLine: number | undefined;
  const parser = new NeslParser(
    ({ block }) => {
      endLine ??= block.endLine ?? 0;
    },
    () => {},
  );
  const parts: string[] = [];
  let at = from;
  while (at.start < text.length) {
    const line = lineAt(text, at.start, at.number);
    const isBlank = text.slice(line.start, line.end).trim() === "";
    if (!isBlank && !text.startsWith(indentation, line.start)) return { isWhole: false, parts, next: at };
    const isIndented = text.startsWith(indentation, line.start);
    const part = isIndented ? text.slice(line.start + indentation.length, line.next) : text.slice(line.end, line.next);
    parser.write(part);
    // Another header closed it: that one is not its own line.
    if (endLine === 0) return { isWhole: true, parts, next: at };
    parts.push(part);
    at = { start: line.next, number: line.number + 1 };
    if (endLine !== undefined) return { isWhole: true, parts, next: at };
  }
  return { isWhole: true, parts, next: at };
}
