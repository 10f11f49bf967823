/** Handles blocks that are indented as a whole, such as those in a list. */
import { type Diagnostic, isStray, type ReadText } from "../../core/block.ts";
import { counted } from "../../core/counted.ts";
import type { Finding } from "../../core/finding.ts";
import { lineFrom, type Line } from "../lines.ts";
import type { Source } from "../source.ts";
import type { Repaired } from "../syntax.ts";
import { readHeader } from "./header.ts";
import { NeslParser } from "./read.ts";

/** Moves blocks that are indented as a whole to the first column. */
export function repair({ text }: Source, { items }: ReadText): Repaired {
  const { moved, uneven, ...unindented } = unindentBlocks(text, items.filter(isStray));
  const warnings = [...moved].map(
    ([line, indentation]) =>
      [line, `the whole block is indented by ${countOf(indentation)}: it was read without that indentation`] as const,
  );
  const [first, ...others] = uneven;
  return {
    text: unindented.text,
    warnings: new Map(warnings),
    findings: first === undefined ? [] : [unevenFinding(first, others.length)],
  };
}

function countOf(indentation: string): string {
  const unit = !indentation.includes("\t") ? "space" : indentation.includes(" ") ? "character" : "tab";
  return counted(indentation.length, unit);
}

/** @param others number of further blocks like it */
function unevenFinding({ id, line, until }: UnevenBlock, others: number): Finding {
  const more = others === 0 ? "" : `; so ${others === 1 ? "is 1 more block" : `are ${others} more blocks`}`;
  return {
    code: "answer/uneven-indentation",
    line,
    blockId: id,
    message: `block ${id} was not run: it is indented, but line ${until} is indented less than its header in line ${line}, and it is unclear what belongs to the content${more}`,
    request: `Send ${others === 0 ? `block ${id}` : "those blocks"} again from the first column, outside of any list`,
  };
}

interface Unindented {
  readonly text: string;
  /** The indentation of the moved blocks, by 1-based line of the header. */
  readonly moved: ReadonlyMap<number, string>;
  /** Indented blocks with a less indented line. */
  readonly uneven: readonly UnevenBlock[];
}

interface UnevenBlock {
  readonly id: string;
  /** 1-based line of the header. */
  readonly line: number;
  /** 1-based number of the first less indented line. */
  readonly until: number;
}

/**
 * Unindents blocks in which every line from header to end marker is blank or starts with the same white space as the
 * header. Also moves a block that ends with the text, so that it is reported as cut off. Leaves blocks in a diff alone:
 * a space precedes every context line there, and the block belongs to the file of the diff.
 *
 * @param strays the errors outside blocks, which include indented headers
 */
function unindentBlocks(text: string, strays: readonly Diagnostic[]): Unindented {
  const indented = strays.filter(({ content }) => indentedHeader(content) !== undefined);
  const isInDiff = indented.length === 0 ? () => false : linesInDiffs(text);
  const candidates = indented.filter(({ line }) => !isInDiff(line));
  const parts: string[] = [];
  const moved = new Map<number, string>();
  const uneven: UnevenBlock[] = [];
  let from = 0;
  let at: Position = { start: text.startsWith(BYTE_ORDER_MARK) ? 1 : 0, number: 1 };
  for (const { line, content } of candidates) {
    // Headers within a block already read belong to that block. So each line is read once.
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

/**
 * Returns whether a line is part of a diff: from the head of a hunk or the fence of a diff to a line that no diff
 * contains. Must be called in ascending order.
 */
function linesInDiffs(text: string): (line: number) => boolean {
  let at: Position = { start: 0, number: 1 };
  let isInside = false;
  return (wanted) => {
    while (at.number <= wanted && at.start < text.length) {
      const { start, end, next } = lineFrom(text, at.start, at.number);
      isInside =
        DIFF_HEAD.test(text.slice(start, Math.min(end, start + MAX_HEAD_LENGTH))) ||
        (isInside && (start === end || " +-\\".includes(text.charAt(start))));
      at = { start: next, number: at.number + 1 };
    }
    return isInside;
  };
}

const DIFF_HEAD = /^(?:@@ |\s*(?:```|~~~)+ *(?:diff|patch)\b)/;
/** Number of UTF-16 units of a line to look at. */
const MAX_HEAD_LENGTH = 40;

interface IndentedHeader {
  readonly indentation: string;
  readonly id: string;
}

/** Returns whether a line is a header outside the first column, so that its block may be indented as a whole. */
export function isIndentedHeader(line: string): boolean {
  return indentedHeader(line) !== undefined;
}

function indentedHeader(line: string): IndentedHeader | undefined {
  const indentation = INDENTATION.exec(line)?.[0] ?? "";
  const header = indentation === "" ? undefined : readHeader(line.slice(indentation.length));
  return header === undefined || "code" in header ? undefined : { indentation, id: header.id };
}

const INDENTATION = /^[ \t]*/;

type Position = Pick<Line, "start" | "number">;

const BYTE_ORDER_MARK = "\ufeff";

function moveTo(text: string, { start, number }: Position, wanted: number): Position {
  let at = start;
  for (let line = number; line < wanted; line++) at = text.indexOf("\n", at) + 1;
  return { start: at, number: wanted };
}

interface IndentedBlock {
  /** Whether it is indented up to its end, or the end of the text. */
  readonly isWhole: boolean;
  /** Its text without the indentation. */
  readonly parts: readonly string[];
  /** The first line after the block. */
  readonly next: Position;
}

/** Reads one block, starting with its header, as if it were not indented. */
function readIndented(text: string, from: Position, indentation: string): IndentedBlock {
  let endLine: number | undefined;
  const parser = new NeslParser(
    (block) => {
      endLine ??= block.endLine ?? 0;
    },
    () => {},
  );
  const parts: string[] = [];
  let at = from;
  while (at.start < text.length) {
    const line = lineFrom(text, at.start, at.number);
    const isBlank = text.slice(line.start, line.end).trim() === "";
    if (!isBlank && !text.startsWith(indentation, line.start)) return { isWhole: false, parts, next: at };
    const isIndented = text.startsWith(indentation, line.start);
    const part = isIndented ? text.slice(line.start + indentation.length, line.next) : text.slice(line.end, line.next);
    parser.write(part);
    // Another header closed the block, so this line is not part of it.
    if (endLine === 0) return { isWhole: true, parts, next: at };
    parts.push(part);
    at = { start: line.next, number: line.number + 1 };
    if (endLine !== undefined) return { isWhole: true, parts, next: at };
  }
  return { isWhole: true, parts, next: at };
}
