/** Detects an answer that ends too early: inside a block, a heredoc or a header. */
import { isBlock, type ReadBlock, type ReadText } from "../../core/block.ts";
import type { Finding } from "../../core/finding.ts";
import { visitLines } from "../damage/lines.ts";
import { listed } from "../damage/words.ts";
import type { ProseLine } from "../syntax.ts";
import { readHeader } from "./header.ts";
import { NESL, SPELLINGS } from "./spelling.ts";

/** @param lastLine the last non-blank line of the text, if no block contains it */
export function cutOff(text: string, { items }: ReadText, lastLine: ProseLine | undefined): Finding | undefined {
  const last = items.findLast(isBlock);
  return cutOffBlock(text, last) ?? (lastLine === undefined ? undefined : cutOffHeader(lastLine, last));
}

/** Finds the block that the text ends in, and names what may be missing. */
function cutOffBlock(text: string, last: ReadBlock | undefined): Finding | undefined {
  // A block closed by a header ends before that header.
  if (last === undefined || last.block.endLine !== null || last.span.end < text.length) return undefined;
  const { id, startLine } = last.block;
  const isHeredoc = last.diagnostics.at(-1)?.code === "UNCLOSED_HEREDOC";
  const message = `the answer ends inside ${isHeredoc ? "a heredoc of " : ""}block ${id}, which was not run: it was cut off, or ${missing(text, last, isHeredoc)}`;
  return { code: "answer/cut-off", line: startLine, blockId: id, message, request: `continue from block ${id}` };
}

function missing(text: string, { block, span }: ReadBlock, isHeredoc: boolean): string {
  const spelling = SPELLINGS.find(({ header }) => text.startsWith(header, span.start)) ?? NESL;
  if (!isHeredoc) return `the line ${spelling.end}${block.id} is missing`;
  const terminator = spelling.heredoc + block.id;
  const alike: number[] = [];
  const headers: number[] = [];
  visitLines(text.slice(span.start, span.end), block.startLine, (line, number) => {
    if (number === block.startLine) return;
    if (line.length < MAX_TERMINATOR_LENGTH && lettersOf(line) === lettersOf(terminator)) alike.push(number);
    else if (isHeader(line)) headers.push(number);
  });
  const near = alike.length === 0 ? "" : ` (nearly so in ${listed(alike)})`;
  const swallowed = headers.length === 0 ? "" : `; what begins as a block in ${listed(headers)} was read as content`;
  return `the line ${terminator} is missing${near}${swallowed}`;
}

/** Maximum length of a line that may be meant as a terminator, in UTF-16 units. */
const MAX_TERMINATOR_LENGTH = 60;

function lettersOf(line: string): string {
  return line.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}

function isHeader(line: string): boolean {
  const header = line.startsWith("#!") ? readHeader(line) : undefined;
  return header !== undefined && !("code" in header);
}

/** Finds an incomplete header at the end of the text. */
function cutOffHeader({ line, number }: ProseLine, last: ReadBlock | undefined): Finding | undefined {
  if (!BEGUN_HEADER.test(line)) return undefined;
  const request = last === undefined ? "Send the whole answer again" : `continue after block ${last.block.id}`;
  return { code: "answer/cut-off", line: number, message: "the answer ends inside the header of a block: it was cut off", request };
}

const BEGUN_HEADER = /^#!(?:n|ne|nes|(?:nesl|SHAM)(?: (?:\[(?:@[A-Za-z0-9-]*(?:: ?[A-Za-z0-9]{0,8})?)?)?)?|S|SH|SHA)?$/;
