/**
 * Reads marker lines of CSL: `<---WRITE file="a.txt"--->`.
 *
 *     marker    = START NAME *( 1*WS attribute ) *WS END     from the first column to the last
 *     attribute = name *WS "=" *WS ( '"' text '"' / "'" text "'" )   `\` escapes the quote in use and `\`
 */
import { closingQuote, type Fault } from "../source.ts";

/** What a marker starts and ends with. */
export interface Delimiters {
  readonly start: string;
  readonly end: string;
}

export const DELIMITERS: Delimiters = { start: "<---", end: "--->" };

/** Markers allowed outside an operation. A text with such a marker is CSL. */
export const OPENERS: readonly string[] = ["WRITE", "RUN", "SEARCH", "TASKS"];

export interface Marker {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/**
 * Returns the name in a line that starts like a marker, up to white space or the end delimiter. Empty if there is none.
 */
export function markerName(line: string, { start, end }: Delimiters): string {
  WORD.lastIndex = start.length;
  const word = WORD.exec(line)?.[0] ?? "";
  const close = word.indexOf(end);
  return close === -1 ? word : word.slice(0, close);
}

const WORD = /\S*/y;

/** The known attributes. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  WRITE: ["file", "append"],
  RUN: ["dir"],
  SEARCH: ["file", "count"],
};

/** Warns of unknown attributes of an operation, and of a line in its texts that may have been meant as another one. */
export function warningsOn({ name, attributes }: Marker, texts: string, delimiters: Delimiters): string[] {
  const { start, end } = delimiters;
  const unknown = [...attributes.keys()].filter((attribute) => ATTRIBUTES[name]?.includes(attribute) !== true);
  const warnings = unknown.map((attribute) => `unknown attribute '${attribute}' was ignored`);
  const opener = texts
    .split("\n")
    .find((line) => line.startsWith(start) && line.endsWith(end) && OPENERS.includes(markerName(line, delimiters)));
  if (opener !== undefined)
    warnings.push(`'${opener}' was read as text: if it begins an operation, END is missing above it`);
  return warnings;
}

/** Reads a line that starts like a marker and has a name. */
export function readMarker(line: string, name: string, { start, end }: Delimiters): Marker | Fault {
  if (!line.includes(end, start.length + name.length)) return malformed(line);
  let at = start.length + name.length;
  const attributes = new Map<string, string>();
  for (;;) {
    at = skipSpace(line, at);
    if (line.startsWith(end, at)) break;
    if (at === line.length) return malformed(line);
    const attribute = readAttribute(line, at, end);
    if ("code" in attribute) return attribute;
    if (attributes.has(attribute.name))
      return {
        code: "DUPLICATE_ATTRIBUTE",
        message: `Duplicate attribute: ${attribute.name}`,
        at,
        length: attribute.name.length,
      };
    attributes.set(attribute.name, attribute.value);
    at = attribute.next;
  }
  if (at + end.length === line.length) return { name, attributes };
  return {
    code: "MALFORMED_MARKER",
    message: "Content not allowed on marker line",
    at: at + end.length,
    length: line.length - at - end.length,
  };
}

export function malformed(line: string): Fault {
  return { code: "MALFORMED_MARKER", message: "Malformed marker", at: 0, length: line.length };
}

interface Attribute {
  readonly name: string;
  readonly value: string;
  /** Offset of the rest of the line. */
  readonly next: number;
}

function readAttribute(line: string, start: number, end: string): Attribute | Fault {
  NAME.lastIndex = start;
  const [name = ""] = (NAME.exec(line)?.[0] ?? "").split(end, 1);
  const after = skipSpace(line, start + name.length);
  if (name === "") return invalid("Invalid attribute syntax", start, line);
  if (line[after] !== "=") return invalid("Expected '=' after attribute name", start, line);
  const open = skipSpace(line, after + 1);
  const quote = line[open] ?? "";
  if (line.startsWith(end, open) || quote === "") return invalid("Missing attribute value", start, line);
  if (quote !== '"' && quote !== "'") return invalid("Unquoted attribute value", open, line);
  const closing = closingQuote(line, open);
  if (closing === -1) return invalid("Unterminated quoted value", open, line);
  return { name, value: line.slice(open + 1, closing).replace(/\\([\\"'])/g, "$1"), next: closing + 1 };
}

/** Matches nothing after the name, so that many attributes on a line take linear time. */
const NAME = /[^\s="']*/y;

function skipSpace(line: string, from: number): number {
  let at = from;
  while (/\s/.test(line[at] ?? "")) at += 1;
  return at;
}

function invalid(message: string, at: number, line: string): Fault {
  return { code: "INVALID_ATTRIBUTE", message, at, length: line.length - at };
}
