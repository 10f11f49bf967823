/** Handles blocks that are indented as a whole, such as those in a list. */
import { type Diagnostic, isStray, type ReadText } from "../../core/block.ts";
import { counted } from "../../core/counted.ts";
import type { Finding } from "../../core/finding.ts";
import { append } from "../../core/lists.ts";
import type { Source } from "../source.ts";
import type { Repaired } from "../syntax.ts";
import { readHeader } from "./lines.ts";
import { NeslParser } from "./read.ts";

/** Moves blocks that are indented as a whole to the first column. */
export function repair(source: Source, { items }: ReadText): Repaired {
  const { text, moved, uneven } = unindentBlocks(source, items.filter(isStray));
  const warnings = [...moved].map(
    ([line, indentation]) =>
      [line, `the whole block is indented by ${countOf(indentation)}: it was read without that indentation`] as const,
  );
  const [first, ...others] = uneven;
  return {
    text,
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
function unindentBlocks(source: Source, strays: readonly Diagnostic[]): Unindented {
  const { text } = source;
  const indented = strays.filter(({ content }) => indentedHeader(content) !== undefined);
  const isInDiff = indented.length === 0 ? () => false : linesInDiffs(source);
  const candidates = indented.filter(({ line }) => !isInDiff(line));
  const parts: string[] = [];
  const moved = new Map<number, string>();
  const uneven: UnevenBlock[] = [];
  let [from, next] = [0, 0];
  for (const { line, content } of candidates) {
    const first = line - 1;
    // Headers within a block already read belong to that block. So each line is read once.
    if (first < next) continue;
    const { indentation, id } = indentedHeader(content) as IndentedHeader;
    const block = readIndented(source, first, indentation);
    next = block.next;
    if (block.isWhole) {
      moved.set(line, indentation);
      append(parts, [text.slice(from, source.start(first)), ...block.parts]);
      from = source.start(next);
    } else uneven.push({ id, line, until: next + 1 });
  }
  return { text: parts.length === 0 ? text : parts.join("") + text.slice(from), moved, uneven };
}

/**
 * Returns whether a line is part of a diff: from the head of a hunk or the fence of a diff to a line that no diff
 * contains. Must be called in ascending order.
 */
function linesInDiffs(source: Source): (line: number) => boolean {
  let [at, isInside] = [0, false];
  return (wanted) => {
    for (; at < Math.min(wanted, source.count); at++) {
      const line = source.at(at);
      isInside = DIFF_HEAD.test(line.slice(0, MAX_HEAD_LENGTH)) || (isInside && /^(?:[ +\\-]|$)/.test(line));
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

interface IndentedBlock {
  /** Whether it is indented up to its end, or the end of the text. */
  readonly isWhole: boolean;
  /** Its text without the indentation. */
  readonly parts: readonly string[];
  /** Index of the first line after the block. */
  readonly next: number;
}

/** Reads one block, starting with its header, as if it were not indented. */
function readIndented(source: Source, first: number, indentation: string): IndentedBlock {
  let endLine: number | undefined;
  const parser = new NeslParser(
    (block) => {
      endLine ??= block.endLine ?? 0;
    },
    () => {},
  );
  const parts: string[] = [];
  let at = first;
  while (at < source.count) {
    const isIndented = source.text.startsWith(indentation, source.start(at));
    if (!isIndented && source.at(at).trim() !== "") return { isWhole: false, parts, next: at };
    const from = isIndented ? source.start(at) + indentation.length : source.end(at);
    const part = source.text.slice(from, source.start(at + 1));
    parser.write(part);
    // Another header closed the block, so this line is not part of it.
    if (endLine === 0) return { isWhole: true, parts, next: at };
    parts.push(part);
    at += 1;
    if (endLine !== undefined) break;
  }
  return { isWhole: true, parts, next: at };
}
