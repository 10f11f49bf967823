import { isAmbiguous, plain } from "./typography.ts";

/** A line quoted from a file, split into content and formatting. */
export interface QuotedLine {
  /** White space around the content, in plain characters. In a line without content, all of it is in `trail`. */
  readonly indent: string;
  readonly trail: string;
  /** The content in plain characters, as bytes. */
  readonly body: Buffer;
}

/** A piece of a line's content that a file must contain byte for byte, because none of it can be typographic. */
export interface Anchor {
  readonly line: number;
  /** Number of content bytes before it. */
  readonly before: number;
  readonly bytes: Buffer;
}

export interface Quotation {
  readonly lines: readonly QuotedLine[];
  /** Longest first, without duplicates. Empty if there is no content to search for. */
  readonly anchors: readonly Anchor[];
}

/** The mark that Loaf's reports put before a line that would act. It is not part of the file. */
export const REPORT_MARK = "\u205e ";

export function withoutReportMark(line: string): string {
  return line.startsWith(REPORT_MARK) ? line.slice(REPORT_MARK.length) : line;
}

/** Reads a quotation. No file contains a lone surrogate, so there is nothing to search for. */
export function readQuotation(text: string): Quotation {
  if (!text.isWellFormed()) return { lines: [], anchors: [] };
  const lines = text.split("\n").map(quotedLine);
  return { lines, anchors: anchorsOf(lines) };
}

/** Splits a line into leading white space, content and trailing white space. In a blank line, all of it is trailing. */
export function splitMargins(line: string): readonly [indent: string, body: string, trail: string] {
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
  const [indent, body, trail] = splitMargins(withoutReportMark(line));
  return { indent: plain(indent), body: Buffer.from(plain(body)), trail: plain(trail) };
}

/** Maximum number of pieces to try in search of a rare one. */
const MAX_ANCHORS = 4;
/** Maximum number of lines to take pieces from. */
const MAX_LINES = 2_000;

function anchorsOf(lines: readonly QuotedLine[]): Anchor[] {
  const longest = new Map<string, Anchor>();
  for (const [line, { body }] of lines.slice(0, MAX_LINES).entries()) {
    const anchor = longestRun(body, line);
    if (anchor !== undefined && !longest.has(String(anchor.bytes))) longest.set(String(anchor.bytes), anchor);
  }
  return [...longest.values()].toSorted((a, b) => b.bytes.length - a.bytes.length).slice(0, MAX_ANCHORS);
}

const MAX_ANCHOR_LENGTH = 64;

function longestRun(body: Buffer, line: number): Anchor | undefined {
  let best: Anchor | undefined;
  let start = 0;
  for (let at = 0; at <= body.length; at++) {
    if (at < body.length && !AMBIGUOUS_BYTES.has(body[at] as number)) continue;
    const bytes = body.subarray(start, Math.min(at, start + MAX_ANCHOR_LENGTH));
    if (bytes.length > (best?.bytes.length ?? 0)) best = { line, before: start, bytes };
    start = at + 1;
  }
  return best;
}

const AMBIGUOUS_BYTES: ReadonlySet<number> = new Set(
  Array.from({ length: 0x80 }, (_, code) => code).filter((code) => isAmbiguous(String.fromCharCode(code))),
);
