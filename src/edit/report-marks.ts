import { REPORT_MARK } from "./quotation.ts";

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
