/** Detects damage in CSL: an answer that was cut off, and lines that almost are markers. */
import type { ReadText } from "../../core/block.ts";
import type { Finding } from "../../core/finding.ts";
import { nearMarker } from "../advice.ts";
import type { Source } from "../source.ts";
import type { NearLine, ReadSettings } from "../syntax.ts";
import { type Delimiters, OPENERS } from "./marker.ts";

/** Finds the operation or marker that the text ends in. Nothing runs then. */
export function cutOff({ text }: Source, { fatal }: ReadText): Finding | undefined {
  if (fatal === undefined) return undefined;
  const { code, line, content, blockId } = fatal.diagnostic;
  const isLastLine = text.trimEnd().endsWith(content.trimEnd()) && !content.trimEnd().endsWith(">");
  if (code !== "UNTERMINATED_OPERATION" && !isLastLine) return undefined;
  const where =
    code === "UNTERMINATED_OPERATION"
      ? `inside the ${fatal.operation} operation that begins in line ${line}: it was cut off, or the line that ends it is missing`
      : "inside a marker: it was cut off";
  return {
    code: "answer/cut-off",
    line,
    ...(blockId !== null && { blockId }),
    message: `the answer ends ${where}; nothing of it was run`,
    request: "Send the whole answer again, in several parts if it is long: none of its operations was run",
  };
}

/** Accepts lists, quotes, other dashes, indentation, small letters, and operations that models expect. */
export function near(line: string, { csl }: ReadSettings): NearLine | undefined {
  const text = line.replace(LIST_OR_QUOTE, "").trim();
  const name =
    NEAR_MARKER.exec(text)?.[1] ??
    (text.startsWith(csl.start) ? /^\s*([A-Za-z]+)/.exec(text.slice(csl.start.length))?.[1] : undefined);
  if (name === undefined || !(ENDED.test(text) || text.endsWith(csl.end) || ATTRIBUTE.test(text))) return undefined;
  if (OPENERS.includes(name.toUpperCase())) return misspeltMarker(name.toUpperCase(), csl);
  return UNKNOWN.has(name) ? unknownOperation(name, csl) : undefined;
}

const LIST_OR_QUOTE = /^\s*(?:(?:[>*+-]|\d{1,3}[.)])\s+)?/;
const NEAR_MARKER = /^<\s?[-\u2010-\u2015\u2212]{1,6}\s*([A-Za-z]+)(?![A-Za-z])/;
const ENDED = /[-\u2010-\u2015\u2212]{1,6}\s?>$/;
const ATTRIBUTE = /\s(?:file|dir|path|count|append)\s*=/i;
/** Operations that models expect in addition to CSL's own. */
const UNKNOWN: ReadonlySet<string> = new Set(
  "DELETE REMOVE MOVE RENAME COPY READ APPEND CREATE EDIT UPDATE INSERT OVERWRITE MKDIR EXEC PATCH".split(" "),
);

function misspeltMarker(name: string, csl: Delimiters): NearLine {
  const marker = csl.start + name;
  return nearMarker(
    marker,
    `nearly the marker ${marker} of CSL`,
    `Send what begins there again, each marker alone on its line, from the first column and exactly as in ${marker}${EXAMPLES[name] ?? ""}${csl.end}`,
  );
}

const EXAMPLES: Readonly<Record<string, string>> = { WRITE: ' file="src/a.txt"', SEARCH: ' file="src/a.txt"' };

function unknownOperation(name: string, csl: Delimiters): NearLine {
  return nearMarker(
    name,
    `written like CSL, which has no ${name}`,
    `Send it again as a NESL block, or with one of CSL's operations: ${OPENERS.map((opener) => csl.start + opener).join(", ")}`,
  );
}
