import type { QuotedLine } from "./quotation.ts";
import { typographicBytes } from "./typography.ts";

/** Maximum part of a quotation to search for. More would hardly narrow the results. */
const MAX_LINES = 12;
const MAX_BYTES = 400;

/**
 * Finds where a quotation may start, ignoring typography and white space at line ends. For quotations of only common
 * words, for which checking every place of one word would take too long. The regular expression engine scans megabytes
 * in milliseconds. Never misses a match.
 *
 * @returns the line to search for and the offsets where its content starts; undefined if no line has content
 */
export function likelyPlaces(bytes: Buffer, lines: readonly QuotedLine[], from: number): { readonly line: number; readonly offsets: Iterable<number> } | undefined {
  const line = lines.findIndex(({ body }) => body.length > 0);
  if (line === -1) return undefined;
  const pattern = new RegExp(sourceOf(lines.slice(line, line + MAX_LINES)), "g");
  return { line, offsets: matchesIn(pattern, bytes, from) };
}

function* matchesIn(pattern: RegExp, bytes: Buffer, from: number): Iterable<number> {
  // One character per byte.
  const text = bytes.toString("latin1", from);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    yield from + match.index;
    pattern.lastIndex = match.index + 1;
  }
}

/** Builds a pattern that is never ambiguous, so it looks only once at each byte after a start. */
function sourceOf(lines: readonly QuotedLine[]): string {
  let source = "";
  let left = MAX_BYTES;
  for (const [index, { body }] of lines.entries()) {
    if (index > 0) source += `${BLANKS}\\r?\\n${body.length === 0 ? "" : BLANKS}`;
    const part = body.subarray(0, left);
    source += Array.from(part, byteSource).join("");
    left -= part.length;
    if (part.length < body.length) break;
  }
  return source;
}

function byteSource(byte: number): string {
  const plain = `\\x${byte.toString(16).padStart(2, "0")}`;
  const others = typographicBytes(byte);
  return others.length === 0 ? plain : `(?:${[plain, ...others.map((one) => Array.from(one, (other) => `\\x${other.toString(16)}`).join(""))].join("|")})`;
}

const BLANKS = `(?:\\t|${byteSource(0x20)})*`;
