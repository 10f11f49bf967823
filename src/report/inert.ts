import { opensBlock } from "../syntaxes/index.ts";
import type { Delimiters } from "../syntaxes/csl/marker.ts";
import { isReportLine } from "./report-line.ts";
import { visible } from "../core/visible.ts";

export interface Foreign {
  /** Configured delimiters of CSL. The default ones always count. */
  readonly csl?: Delimiters | undefined;
  /** Whether the text is between two marks of the report, like a file. There, only a mark or a block can deceive. */
  readonly isFramed?: boolean;
}

/**
 * Makes foreign text safe for a report. Escapes hidden characters, and puts `⁞ ` before lines that would open a block
 * in any syntax or look like the report's own. Converts line endings to LF. Idempotent.
 */
export function inert(text: string, { csl, isFramed = false }: Foreign = {}): string {
  const mark = (line: string): string => (opensBlock(line, csl) || isReportLine(line, isFramed) ? `⁞ ${line}` : line);
  return visible(text).replaceAll("\r\n", "\n").split("\n").map(mark).join("\n");
}
