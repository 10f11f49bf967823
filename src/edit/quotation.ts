import { isAmbiguous, plain } from "./typography.ts";

/** A line of a text that someone quotes from a file: what of it is content, and what only formatting. */
export interface QuotedLine {
  /** White space before and behind the content, in plain characters. A line without content has all of it in `trail`. */
  readonly indent: string;
  readonly trail: string;
  /** The content in plain characters, as bytes. */
  readonly body: Buffer;
}

/** A piece of a line's content that a file must hold byte for byte, because nothing in it may be typographic. */
export interface Anchor {
  readonly line: number;
  /** Bytes of the content before it. */
  readonly before: number;
  readonly bytes: Buffer;
}

export interface Quotation {
  readonly lines: readonly QuotedLine[];
  /** The longest first, each of other bytes; none where there is no content to look for. */
  readonly anchors: readonly Anchor[];
}

/** The mark that Loaf's reports put before a line that would act; it is no part of the file. */
export const REPORT_MARK = "\u205e ";

/** Reads a quotation. A half of a surrogate pair is in no file, so there is nothing to look for. */
export function readQuotation(text: string): Quotation {
  if (!text.isWellFormed()) return { lines: [], anchors: [] };
  const lines = text.split("\n").map(quotedLine);
  return { lines, anchors: anchorsOf(lines) };
}

/** A line's white space before its content, the content, and the white space behind it. Of a blank line all is behind. */
export function partsOf(line: string): readonly [indent: string, body: string, trail: string] {
  let start = 0;
  while (isBlank(line[start])) start += 1;
  if (start === line.length) return ["", "", line];
  let end = line.length;
  while (isBlank(line[end - 1])) end -= 1;
  return [line.slice(0, start), line.slice(start, end), line.slice(end)];
}

function isBlank(character: string | undefined): boolean {
  if (character === undefined || character === " " || character === "\t") return character !== undefined;
  return character > "\x7f" && plain(character) === " ";
}

function quotedLine(written: string): QuotedLine {
  const line = written.endsWith("\r") ? written.slice(0, -1) : written;
  const [indent, body, trail] = partsOf(line.startsWith(REPORT_MARK) ? line.slice(REPORT_MARK.length) : line);
  return { indent: plain(indent), body: Buffer.from(plain(body)), trail: plain(trail) };
}

/** So many pieces are looked at to find a rare one. */
const MOST_ANCHORS = 4;
/** Of a long quotation's lines, the first so many have rare pieces enough. */
const MOST_LINES = 2_000;

function anchorsOf(lines: readonly QuotedLine[]): Anchor[] {
  const longest = new Map<string, Anchor>();
  for (const [line, { body }] of lines.slice(0, MOST_LINES).entries()) {
    const anchor = longestRun(body, line);
    if (anchor !== undefined && !longest.has(String(anchor.bytes))) longest.set(String(anchor.bytes), anchor);
  }
  return [...longest.values()].toSorted((a, b) => b.bytes.length - a.bytes.length).slice(0, MOST_ANCHORS);
}

const LONGEST_ANCHOR = 64;

function longestRun(body: Buffer, line: number): Anchor | undefined {
  let best: Anchor | undefined;
  let start = 0;
  for (let at = 0; at <= body.length; at++) {
    if (at < body.length && !AMBIGUOUS_BYTES.has(body[at] as number)) continue;
    const bytes = body.subarray(start, Math.min(at, start + LONGEST_ANCHOR));
    if (bytes.length > (best?.bytes.length ?? 0)) best = { line, before: start, bytes };
    start = at + 1;
  }
  return best;
}

const AMBIGUOUS_BYTES: ReadonlySet<number> = new Set(Array.from({ length: 0x80 }, (_, code) => code).filter((code) => isAmbiguous(String.fromCharCode(code))));
