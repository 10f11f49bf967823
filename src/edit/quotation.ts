/** Text as it is quoted from a file: its lines without their white space and a report's marks, in plain characters. */

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

/**
 * Removes the marks that Loaf's reports put before lines that would act: a model that was shown the file that way
 * writes them back. Removes a mark only if the file has that line without a mark and not with it, so that an intended
 * mark stays.
 *
 * @param before the file's text
 * @returns undefined if there is nothing to remove
 */
export function withoutReportMarks(content: string, before: string): string | undefined {
  if (!content.includes(REPORT_MARK)) return undefined;
  const oldLines = new Set(before.split(LINE_END));
  const isMarked = (line: string): boolean =>
    line.startsWith(REPORT_MARK) && oldLines.has(line.slice(REPORT_MARK.length)) && !oldLines.has(line);
  const pieces = content.split(LINES);
  return pieces.some(isMarked)
    ? pieces.map((line) => (isMarked(line) ? line.slice(REPORT_MARK.length) : line)).join("")
    : undefined;
}

const LINE_END = /\r?\n/;
/** Keeps line ends as separate pieces. */
const LINES = /(\r?\n)/;

/**
 * Characters that word processors, chats and models put in place of plain ones: quotes, dashes, non-breaking spaces. A
 * file treats them as different characters; a reader who copies text does not notice.
 */
const TYPOGRAPHIC: ReadonlyArray<readonly [plain: string, typographic: string]> = [
  ["'", "\u2018\u2019\u201a\u201b"],
  ['"', "\u201c\u201d\u201e\u201f"],
  ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"],
  [" ", "\u00a0\u2007\u202f"],
];

const plainOf: ReadonlyMap<string, string> = new Map(
  TYPOGRAPHIC.flatMap(([plain, all]) => Array.from(all, (character) => [character, plain] as const)),
);
const ANY = new RegExp(`[${[...plainOf.keys()].join("")}]`, "g");

/** Replaces typographic characters by plain ones, except those that `isKept` accepts. */
export function plain(text: string, isKept: (character: string) => boolean = () => false): string {
  return text.replace(ANY, (character) => (isKept(character) ? character : (plainOf.get(character) ?? character)));
}

/** Returns whether a file may contain a typographic form of a plain character. */
export function isAmbiguous(character: string): boolean {
  return TYPOGRAPHIC.some(([plain]) => plain === character);
}

/** The bytes of a file in plain form, one character each; a typographic character is its plain one. */
export interface PlainText {
  readonly text: string;
  /** Returns the offset in the file of one in the text. */
  byteAt(index: number): number;
}

export function plainBytes(bytes: Buffer): PlainText {
  const typographic: Array<{ readonly end: number; readonly byte: number }> = [];
  let removed = 0;
  const text = bytes.toString("latin1").replace(ANY_BYTES, (found, at: number) => {
    removed += found.length - 1;
    typographic.push({ end: at + found.length - removed, byte: at + found.length });
    return plainOfBytes.get(found) as string;
  });
  return {
    text,
    byteAt: (index) => {
      const last = typographic.findLast(({ end }) => end <= index);
      return last === undefined ? index : last.byte + index - last.end;
    },
  };
}

const plainOfBytes: ReadonlyMap<string, string> = new Map(
  Array.from(plainOf, ([character, plain]) => [Buffer.from(character).toString("latin1"), plain]),
);
const ANY_BYTES = new RegExp([...plainOfBytes.keys()].join("|"), "g");
