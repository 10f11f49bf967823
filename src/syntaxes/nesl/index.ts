import { type Diagnostic, isBlock, isStray, type ReadBlock, type ReadText } from "../../core/block.ts";
import type { Finding } from "../../core/finding.ts";
import { listed } from "../advice.ts";
import type { Source } from "../source.ts";
import type { NearLine, NearSettings, ProseLine, Syntax } from "../syntax.ts";
import { advise } from "./advise.ts";
import { NESL, readHeader, SPELLINGS } from "./lines.ts";
import { isIndentedHeader, repair } from "./indentation.ts";
import { NeslParser } from "./read.ts";
import { teach } from "./teach.ts";

/** Loaf's own syntax. SHAM counts as NESL with another spelling. */
export const nesl = {
  name: "nesl",
  called: "NESL",
  unit: "block",
  asked: {
    as: "NESL blocks",
    change: "file_replace_text with path, old_text and new_text",
    write: "file_write with path and content",
    remove: "file_delete with path, or file_move with old_path and new_path",
  },
  endMarker: new RegExp(`^\\s*(?:${SPELLINGS.map(({ end }) => end).join("|")})`),
  opens: (line) => readHeader(line) !== undefined,
  read: ({ text }, _settings, maxErrors) => {
    const items: Array<ReadBlock | Diagnostic> = [];
    const parser = parserOf((item) => items.push(item), maxErrors);
    parser.write(text);
    parser.end();
    return { items };
  },
  arriving: { parser: parserOf, mustWait: ({ content }) => isIndentedHeader(content) },
  repair,
  near: nearHeader,
  advise,
  cutOff,
  damage: typography,
  teach,
  hasShortLesson: true,
} as const satisfies Syntax;

function parserOf(onItem: (item: ReadBlock | Diagnostic) => void, maxErrors?: number): NeslParser {
  return new NeslParser(onItem, onItem, maxErrors);
}

/** Finds blocks with typographic quotes around a value or a heredoc's name, and headers with typographic dashes. */
function typography({ items }: ReadText): Finding | undefined {
  const quoted = items.filter(isBlock).flatMap(({ id, diagnostics }) => {
    const first = diagnostics.find(({ content }) => TYPOGRAPHIC_VALUE.test(content));
    return first === undefined ? [] : [{ line: first.line, name: `block ${id}` }];
  });
  const strays = items.filter(isStray);
  const dashed = strays.filter(({ content }) => isPlainHeader(content)).map(({ line }) => ({ line, name: "a header" }));
  const [first, ...others] = [...quoted, ...dashed].sort((a, b) => a.line - b.line);
  if (first === undefined) return undefined;
  const more = others.length === 0 ? "" : ` and in ${others.length} more`;
  return {
    code: "answer/typography",
    line: first.line,
    message: `typographic quotes or dashes are used where plain ones belong, in ${first.name} (line ${first.line})${more}: not run`,
    request: `Send ${others.length === 0 ? "that block" : "those blocks"} again in a code fence, with plain quotes (" and ') and plain hyphens, in the content too`,
  };
}

const TYPOGRAPHIC_VALUE = /=\s*(?:[“”„‟«»‘’‚‛＂]|<<\s*[‘’‚‛“”„‟`´′])/;

/** Returns whether a line becomes a header if its dashes and spaces are made plain. */
function isPlainHeader(line: string): boolean {
  if (line.length > MAX_HEADER_LENGTH || !/[^\x00-\x7f]/.test(line)) return false;
  const header = readHeader(
    line
      .replace(/\p{Pd}/gu, "-")
      .replace(/\p{Zs}/gu, " ")
      .trim(),
  );
  return header !== undefined && !("code" in header);
}

const MAX_HEADER_LENGTH = 120;

/** Tells only of texts in NESL. */
function nearHeader(line: string, { isOwn }: NearSettings): NearLine | undefined {
  return isOwn && isNearHeader(line) ? NEAR_HEADER : undefined;
}

/**
 * Returns whether a line has all parts of a header, but counts as prose without an error: in a list or a quote, with
 * Markdown escapes, in bold. Ignores headers in code marks, which are only discussed, and those after `⁞`, which come
 * from a report.
 */
function isNearHeader(line: string): boolean {
  if (line.length > MAX_HEADER_LENGTH || !WORD.test(line) || /[`⁞]/.test(line) || readHeader(line) !== undefined)
    return false;
  const words = [...line.matchAll(/[\p{L}\p{N}]+/gu)];
  const at = words.findIndex(([word]) => WORD.test(word) && word.length === 4);
  const [name, label, id] = [words[at], words.at(-2), words.at(-1)];
  if (name === undefined || label === undefined || id === undefined || words.length < at + 3) return false;
  const isFirst = at === 0 || (at === 1 && /^\s*\d{1,3}[.)]/.test(line));
  const isIdSetOff = line.slice(label.index + label[0].length, id.index).includes(":");
  return isFirst && line.slice(0, name.index).includes("#") && isIdSetOff && /^[A-Za-z0-9]{2,8}$/.test(id[0]);
}

const WORD = /nesl|sham/i;

const NEAR_HEADER: NearLine = {
  name: "#!nesl",
  finding: (lines) => ({
    code: "answer/near-header",
    line: lines[0] ?? 0,
    message: `${listed(lines)} ${lines.length === 1 ? "is nearly the header of a block" : "are nearly headers of blocks"}: read as prose, and nothing there was run`,
    request:
      "Send what begins there again, each header alone on its line, from the first column and exactly as in #!nesl [@three-char-SHA-256: k7m]",
  }),
};

/**
 * Detects an answer that ends too early: inside a block, a heredoc or a header.
 *
 * @param lastLine the last non-blank line of the text, if no block contains it
 */
function cutOff(source: Source, { items }: ReadText, lastLine: ProseLine | undefined): Finding | undefined {
  const last = items.findLast(isBlock);
  // A malformed header may have closed it.
  const open = last === items.at(-1) && last?.endLine === null ? last : undefined;
  if (open !== undefined) return cutOffBlock(source, open);
  return lastLine === undefined ? undefined : cutOffHeader(lastLine, last);
}

/** Tells of the block that the text ends in, and names what may be missing. */
function cutOffBlock(source: Source, last: ReadBlock): Finding {
  const { id, startLine } = last;
  const isHeredoc = last.diagnostics.at(-1)?.code === "UNCLOSED_HEREDOC";
  const message = `the answer ends inside ${isHeredoc ? "a heredoc of " : ""}block ${id}, which was not run: it was cut off, or ${missing(source, last, isHeredoc)}`;
  return { code: "answer/cut-off", line: startLine, blockId: id, message, request: `continue from block ${id}` };
}

function missing(source: Source, { id, startLine, span }: ReadBlock, isHeredoc: boolean): string {
  const spelling = SPELLINGS.find(({ header }) => source.text.startsWith(header, span.start)) ?? NESL;
  if (!isHeredoc) return `the line ${spelling.end}${id} is missing`;
  const terminator = spelling.heredoc + id;
  const alike: number[] = [];
  const headers: number[] = [];
  for (let number = startLine + 1; source.start(number - 1) < span.end; number++) {
    const line = source.at(number - 1);
    if (line.length < MAX_TERMINATOR_LENGTH && lettersOf(line) === lettersOf(terminator)) alike.push(number);
    else if (isHeader(line)) headers.push(number);
  }
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
  const request = last === undefined ? "Send the whole answer again" : `continue after block ${last.id}`;
  return {
    code: "answer/cut-off",
    line: number,
    message: "the answer ends inside the header of a block: it was cut off",
    request,
  };
}

const BEGUN_HEADER = /^#!(?:n|ne|nes|(?:nesl|SHAM)(?: (?:\[(?:@[A-Za-z0-9-]*(?:: ?[A-Za-z0-9]{0,8})?)?)?)?|S|SH|SHA)?$/;
