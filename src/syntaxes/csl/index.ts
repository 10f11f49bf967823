import type { Diagnostic, ReadText } from "../../core/block.ts";
import type { Finding } from "../../core/finding.ts";
import { nearMarker } from "../advice.ts";
import { hasAt, type Source, startsLine } from "../source.ts";
import type { NearLine, ReadSettings, Syntax } from "../syntax.ts";
import { type Delimiters, markerName, OPENERS, readMarker } from "./marker.ts";
import { readCsl } from "./read.ts";
import { teach } from "./teach.ts";

/** The command syntax language: operations between markers. One error, and nothing of a text runs. */
export const csl = {
  name: "csl",
  called: "CSL",
  unit: "operation",
  asked: { as: "CSL operations", change: "a SEARCH with REPLACE", write: "a WRITE" },
  isIn: ({ text }, { csl: { start } }) =>
    hasAt(text, start, (at) => startsLine(text, at) && opensAt(text, at + start.length)),
  opens: (line, { csl: { start } }) => line.startsWith(start) && opensAt(line, start.length),
  read: ({ text }, settings) => readCsl(text, settings.csl),
  near,
  advise,
  cutOff,
  teach,
} as const satisfies Syntax;

function opensAt(text: string, at: number): boolean {
  return OPENERS.some((name) => text.startsWith(name, at));
}

/** Returns a hint for each error. */
function advise(diagnostics: readonly Diagnostic[], _text: string, { csl }: ReadSettings): readonly string[] {
  return diagnostics.map((diagnostic) => hintOn(diagnostic, csl));
}

function hintOn({ code, line, content, attribute }: Diagnostic, csl: Delimiters): string {
  const marker = (inside: string): string => `${csl.start}${inside}${csl.end}`;
  switch (code) {
    case "MISSING_REPLACE":
      return `write the line ${marker("REPLACE")} and the new text before ${marker("END")}`;
    case "UNTERMINATED_OPERATION":
      return `end the operation of line ${line} with this line: ${marker("END")}`;
    case "DUPLICATE_ATTRIBUTE":
      return `keep one of the attributes with this name in line ${line}`;
    case "UNKNOWN_OPERATION":
      return `the operations are ${OPENERS.map(marker).join(", ")}; a line of text must not begin with ${csl.start}`;
    case "MISPLACED_MARKER":
      return markerName(content, csl) === "TASKS"
        ? `end the first ${marker("TASKS")} with ${marker("END")} before the second one begins`
        : `leave out line ${line}, or write the operation that it belongs to above it`;
    case "INVALID_OPERATION":
      return hintOnOperation(attribute, markerName(content, csl), marker);
    default: {
      const right = content.length > MAX_SHOWN ? undefined : rightMarker(content, csl);
      return right === undefined
        ? `write a marker as in: ${marker('WRITE file="src/a.txt"')}`
        : `write line ${line} as: ${right}`;
    }
  }
}

const MAX_SHOWN = 300;

function hintOnOperation(attribute: string | undefined, name: string, marker: (inside: string) => string): string {
  if (attribute === "count") return `write count="1", another number, or count="all"; with ${marker("TO")}, no count`;
  if (attribute === "append") return `write append="true", or leave append out`;
  if (attribute === "file") return `write the file's path in the marker, as in: ${marker(`${name} file="src/a.txt"`)}`;
  return name === "RUN"
    ? `write one command on each line below ${marker("RUN")}`
    : "quote the text to find, at least one character of it";
}

/** Returns the marker with quotes around its values and nothing after it, if that makes it right. */
function rightMarker(content: string, csl: Delimiters): string | undefined {
  const name = markerName(content, csl)
    .toUpperCase()
    .replace(/[^A-Z].*$/, "");
  const [inside = ""] = content.slice(csl.start.length).split(csl.end, 1);
  const attributes = [...inside.matchAll(/([a-z]+)\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s"'<>-]\S*))/g)].map(
    ([, key, ...values]) => `${key}="${(values.find((value) => value !== undefined) ?? "").replace(/-+>?$/, "")}"`,
  );
  const right = `${csl.start}${[name, ...attributes].join(" ")}${csl.end}`;
  const read = [...OPENERS, "END", "TO", "REPLACE"].includes(name) ? readMarker(right, name, csl) : undefined;
  return read === undefined || "code" in read || right === content ? undefined : right;
}

/** Finds the operation or marker that the text ends in. Nothing runs then. */
function cutOff({ text }: Source, { fatal }: ReadText): Finding | undefined {
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
function near(line: string, { csl }: ReadSettings): NearLine | undefined {
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
