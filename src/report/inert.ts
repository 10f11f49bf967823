import { opensBlock } from "../syntax/opens-block.ts";
import { visible } from "./visible.ts";

/**
 * Foreign text as lines of a report: nothing hidden, no line that opens a block in any syntax, none that looks like the
 * report's own marks. Such a line gets `⁞ ` before it, so a report that is pasted back can neither act nor be mistaken.
 * Lines end with LF. Doing it twice changes nothing more.
 */
export function inert(text: string): string {
  return visible(text).replaceAll("\r\n", "\n").split("\n").map(inertLine).join("\n");
}

function inertLine(line: string): string {
  return line.startsWith("=== ") || opensBlock(line) ? `⁞ ${line}` : line;
}
