/**
 * npm's `nesl`, the reference parser, with only the changes that Loaf's behaviour requires. Each amendment describes its
 * difference. In all other cases both parsers must agree.
 */
import { createRequire } from "node:module";
import type { Diagnostic, ParseResult } from "../../../src/core/block.ts";

const require = createRequire(import.meta.url);
// The package exports only its entry. Its modules call each other through exports, so amending those amends the parser.
const dist = require.resolve("nesl").replace(/index\.js$/, "");
const { parseNesl } = require(`${dist}parser.js`) as { parseNesl: (text: string) => ParseResult };
const markers = require(`${dist}parsers/parseEndMarker.js`) as { parseEndMarker: (line: string) => { isEnd: boolean } };
const kinds = require(`${dist}utils/classifyLine.js`) as { classifyLine: (line: string) => string };
const assignments = require(`${dist}parsers/parseAssignment.js`) as { parseAssignment: (line: string) => object };
const { getContextWindow } = require(`${dist}utils/getContextWindow.js`) as { getContextWindow: (text: string, line: number) => string };
const { parseHeader } = require(`${dist}parsers/parseHeader.js`) as { parseHeader: (line: string) => { isValid: boolean } };

const { parseEndMarker } = markers;
const { classifyLine } = kinds;
const { parseAssignment } = assignments;

/** An indented end marker closes the block. */
markers.parseEndMarker = (line) => parseEndMarker(line.trim());

/** A line that only resembles an end marker is invalid. */
kinds.classifyLine = (line) => {
  const kind = classifyLine(line);
  return kind === "end_marker" && !markers.parseEndMarker(line).isEnd ? "unknown" : kind;
};

/** `:=` is an error only as the operator. Hides later colons from the reference. */
assignments.parseAssignment = (line) => {
  const operator = line.indexOf("=") + 1;
  const hidden = line.slice(0, operator) + line.slice(operator).replaceAll(":=", "\uE000=");
  return JSON.parse(JSON.stringify(parseAssignment(hidden)).replaceAll("\uE000", ":")) as object;
};

export function parseByAmendedReference(text: string): ParseResult {
  // A byte order mark before the text is skipped.
  const unmarked = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const { blocks, errors } = parseNesl(hidePrototypeKeys(unmarked));
  const lines = hidePrototypeKeys(unmarked).split(/\r?\n/);
  const context = (line: number): string => getContextWindow(hidePrototypeKeys(unmarked), line);
  return JSON.parse(showPrototypeKeys(JSON.stringify({ blocks, errors: errors.map((error) => placeId(reportHeader(error, lines, context))) }))) as ParseResult;
}

/** Reports a malformed header inside a block as one. The reference reports the end of the block, but continues it. */
function reportHeader(error: Diagnostic, lines: readonly string[], context: (line: number) => string): Diagnostic {
  const header = lines[error.line] ?? "";
  if (!error.message.endsWith("not closed before new block") || parseHeader(header).isValid) return error;
  const line = error.line + 1;
  return { ...error, code: "MALFORMED_HEADER", line, length: header.length, content: header, context: context(line), message: "Invalid NESL header format" };
}

/** The reference knows the ID's position only after the usual label. */
function placeId(error: Diagnostic): Diagnostic {
  return error.code === "INVALID_BLOCK_ID" ? { ...error, column: error.content.indexOf(": ") + 3 } : error;
}

/** Keys such as `toString` are ordinary. Shows the reference other names of the same length. */
const prototypeKeys = [
  ["toString", "toStrinG"],
  ["constructor", "constructoR"],
  ["__proto__", "__protO__"],
] as const;

function hidePrototypeKeys(text: string): string {
  return prototypeKeys.reduce((hidden, [key, disguise]) => hidden.replaceAll(key, disguise), text);
}

function showPrototypeKeys(text: string): string {
  return prototypeKeys.reduce((shown, [key, disguise]) => shown.replaceAll(disguise, key), text);
}
