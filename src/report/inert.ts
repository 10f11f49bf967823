import { opensBlock } from "../syntax/opens-block.ts";
import type { Delimiters } from "../syntax/csl-marker.ts";
import { visible } from "./visible.ts";

/**
 * Foreign text as lines of a report: nothing hidden, no line that opens a block in any syntax, none that looks like the
 * report's own marks. Such a line gets `⁞ ` before it, so a report that is pasted back can neither act nor be mistaken.
 * Lines end with LF. CSL with other delimiters than usual counts too. Doing it twice changes nothing more.
 */
export function inert(text: string, csl?: Delimiters): string {
  const mark = (line: string): string => (line.startsWith("=== ") || opensBlock(line, csl) ? `⁞ ${line}` : line);
  return visible(text).replaceAll("\r\n", "\n").split("\n").map(mark).join("\n");
}
