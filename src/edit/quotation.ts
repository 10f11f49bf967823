import { plain } from "./typography.ts";

/** A line quoted from a file, split into content and formatting. */
export interface QuotedLine {
  /** White space around the content, in plain characters. In a line without content, all of it is in `trail`. */
  readonly indent: string;
  readonly trail: string;
  /** The content in plain characters, as UTF-8 with one character for each byte. */
  readonly body: string;
}

/** The mark that Loaf's reports put before a line that would act. It is not part of the file. */
export const REPORT_MARK = "\u205e ";

export function withoutReportMark(line: string): string {
  return line.startsWith(REPORT_MARK) ? line.slice(REPORT_MARK.length) : line;
}

/** Reads a quotation. No file contains a lone surrogate, so there is nothing to search for. */
export function readQuotation(text: string): readonly QuotedLine[] {
  return text.isWellFormed() ? text.split("\n").map(quotedLine) : [];
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
  return { indent: plain(indent), body: Buffer.from(plain(body)).toString("latin1"), trail: plain(trail) };
}
