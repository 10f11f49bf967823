import { opensBlock } from "../syntaxes/opens-block.ts";
import type { Delimiters } from "../syntaxes/csl/marker.ts";
import { isReportLine } from "./report-line.ts";
import { visible } from "../core/visible.ts";

export interface Foreign {
  /** CSL's delimiters where they differ from the usual ones, which count everywhere. */
  readonly csl?: Delimiters | undefined;
  /** Between two marks of the report's own, as a file is. There only a mark or a block can deceive. */
  readonly isFramed?: boolean;
}

/**
 * Returns foreign text as lines of a report: nothing hidden, no line that opens a block in any syntax, none that can pass for
 * a line of the report itself. Such a line gets `⁞ ` before it. Lines end with LF. Idempotent.
 */
export function inert(text: string, { csl, isFramed = false }: Foreign = {}): string {
  const mark = (line: string): string => (opensBlock(line, csl) || isReportLine(line, isFramed) ? `⁞ ${line}` : line);
  return visible(text).replaceAll("\r\n", "\n").split("\n").map(mark).join("\n");
}
