import type { QuotedLine } from "./quotation.ts";
import { typographicBytes } from "./typography.ts";

/** More of a quotation tells no more. */
const MOST_LINES = 12;
const MOST_BYTES = 400;

/**
 * Where a quotation may begin, with typographic characters and other white space at the ends of its lines: for one whose words are all
 * so common that to look at every place of one of them would take too long. The regular expression engine goes through megabytes in
 * milliseconds. Nothing that fits is left out; undefined where that cannot be told.
 *
 * @returns the line that is looked for, and the offsets at which its content begins
 */
export function likelyPlaces(bytes: Buffer, lines: readonly QuotedLine[], from: number): { readonly line: number; readonly offsets: Iterable<number> } | undefined {
  const line = lines.findIndex(({ body }) => body.length > 0);
  if (line === -1) return undefined;
  const pattern = new RegExp(sourceOf(lines.slice(line, line + MOST_LINES)), "g");
  return { line, offsets: matchesIn(pattern, bytes, from) };
}

function* matchesIn(pattern: RegExp, bytes: Buffer, from: number): Iterable<number> {
  // One character a byte.
  const text = bytes.toString("latin1", from);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    yield from + match.index;
    pattern.lastIndex = match.index + 1;
  }
}

/** In no place it can go on in two ways, so it takes one look at each byte behind a beginning. */
function sourceOf(lines: readonly QuotedLine[]): string {
  let source = "";
  let left = MOST_BYTES;
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
