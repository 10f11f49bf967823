/** Detects the syntax of a text. */
import { type Delimiters, OPENERS } from "./csl/marker.ts";
import { readHeader } from "./nesl/header.ts";
import { SPELLINGS } from "./nesl/spelling.ts";

export type Format = (typeof FORMATS)[number];

/** SHAM counts as NESL with another spelling. */
export const FORMATS = ["nesl", "csl", "replacer"] as const;

/**
 * Returns NESL if a line is, or claims to be, a NESL header, because nothing that such a block quotes must run.
 * Otherwise CSL if a line starts with an opening marker, or the replacer if a line is its FILE marker. Runs in linear
 * time.
 */
export function formatOf(text: string, { start }: Delimiters): Format | undefined {
  if (hasLine(text, "#!", claimsHeader)) return "nesl";
  if (hasLine(text, start, (_, at) => startsLine(text, at) && OPENERS.some((name) => text.startsWith(name, at + start.length)))) return "csl";
  return hasLine(text, FILE, (_, at) => startsLine(text, at) && isBlank(text, at + FILE.length)) ? "replacer" : undefined;
}

const FILE = "<<<FILE>>>";

/** Returns whether any occurrence of `wanted` is accepted. */
function hasLine(text: string, wanted: string, accepts: (text: string, at: number) => boolean): boolean {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    if (accepts(text, at)) return true;
  }
  return false;
}

/** Accepts only white space before it. Reads no more than the maximum length of a header. */
function claimsHeader(text: string, at: number): boolean {
  if (!SPELLINGS.some(({ header }) => text.startsWith(header, at))) return false;
  let start = at;
  while (start > 0 && /[^\S\n]/.test(text.charAt(start - 1))) start -= 1;
  if (start > 0 && text[start - 1] !== "\n") return false;
  const lineFeed = text.indexOf("\n", at);
  return readHeader(text.slice(start, lineFeed === -1 ? undefined : lineFeed).trimEnd()) !== undefined;
}

/** Returns whether an offset is in the first column, ignoring a byte order mark. */
function startsLine(text: string, at: number): boolean {
  return at === 0 || /[\r\n]/.test(text.charAt(at - 1)) || (at === 1 && text.charCodeAt(0) === BYTE_ORDER_MARK);
}

function isBlank(text: string, from: number): boolean {
  let at = from;
  while (/[^\S\n]/.test(text.charAt(at))) at += 1;
  return at === text.length || text[at] === "\n";
}

const BYTE_ORDER_MARK = 0xfeff;
