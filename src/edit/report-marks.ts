import { REPORT_MARK } from "./quotation.ts";

/**
 * A file's new content without the marks that Loaf's reports put before lines that would act: who was shown the file that way writes them
 * back. Only where the file has that very line without a mark, and none with it; so a mark that is meant stays.
 *
 * @param before the file's text
 * @returns undefined where there is none to take off
 */
export function withoutReportMarks(content: string, before: string): string | undefined {
  if (!content.includes(REPORT_MARK)) return undefined;
  const own = new Set(before.split(LINE_END));
  const isMarked = (line: string): boolean => line.startsWith(REPORT_MARK) && own.has(line.slice(REPORT_MARK.length)) && !own.has(line);
  const pieces = content.split(LINES);
  return pieces.some(isMarked) ? pieces.map((line) => (isMarked(line) ? line.slice(REPORT_MARK.length) : line)).join("") : undefined;
}

const LINE_END = /\r?\n/;
/** With the ends kept as pieces of their own. */
const LINES = /(\r?\n)/;
