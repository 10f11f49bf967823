import { type Delimiters, DELIMITERS, OPENERS } from "./csl/marker.ts";
import { readHeader } from "./nesl/header.ts";

/**
 * Returns whether a line opens a block, or claims to, in any syntax. Reports must not repeat such a line as it is.
 * Markers of CSL and the replacer count only in the first column, but a pasted report may lose its indentation.
 *
 * @param csl the delimiters in use; the default ones always count too
 */
export function opensBlock(line: string, { start }: Delimiters = DELIMITERS): boolean {
  const rest = line.trimStart();
  if (readHeader(line) !== undefined || rest.startsWith("<<<FILE>>>")) return true;
  return [start, DELIMITERS.start].some((delimiter) => rest.startsWith(delimiter) && OPENERS.some((name) => rest.startsWith(name, delimiter.length)));
}
