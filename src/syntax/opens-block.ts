import { readHeader } from "./header.ts";

/** Whether a line would open a block, or claims to, in any syntax that Loaf reads now or later: reports must not repeat it as it is. */
export function opensBlock(line: string): boolean {
  const start = line.trimStart();
  return readHeader(line) !== undefined || OTHER_OPENERS.some((opener) => start.startsWith(opener));
}

/** CSL and the replacer. Their markers count from the first column only, but a report may be pasted with its indentation lost. */
const OTHER_OPENERS = ["<---WRITE", "<---RUN", "<---SEARCH", "<---TASKS", "<<<FILE>>>"];
