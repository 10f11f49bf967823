import { type Delimiters, DELIMITERS, OPENERS } from "./csl/marker.ts";
import { readHeader } from "./nesl/header.ts";

/**
 * Whether a line would open a block, or claims to, in any syntax that Loaf reads: reports must not repeat it as it is. Markers of CSL and the
 * replacer count from the first column only, but a report may be pasted with its indentation lost.
 *
 * @param csl what CSL's markers begin with here; the usual ones count everywhere
 */
export function opensBlock(line: string, { start }: Delimiters = DELIMITERS): boolean {
  const rest = line.trimStart();
  if (readHeader(line) !== undefined || rest.startsWith("<<<FILE>>>")) return true;
  return [start, DELIMITERS.start].some((delimiter) => rest.startsWith(delimiter) && OPENERS.some((name) => rest.startsWith(name, delimiter.length)));
}
