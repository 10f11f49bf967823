/** Which of the syntaxes a text is written in. */
import { type Delimiters, OPENERS } from "./csl/marker.ts";
import { readHeader } from "./nesl/header.ts";
import { SPELLINGS } from "./nesl/spelling.ts";

export type Format = (typeof FORMATS)[number];

/** SHAM is NESL in another spelling. */
export const FORMATS = ["nesl", "csl", "replacer"] as const;

/**
 * NESL, where a line is a NESL header or claims to be one: what such a block quotes must not run. Else CSL, where a line begins with a
 * marker that opens an operation; else the replacer, where a line is its FILE marker; else none. Linear in the text.
 */
export function formatOf(text: string, { start }: Delimiters): Format | undefined {
  if (hasLine(text, "#!", claimsHeader)) return "nesl";
  if (hasLine(text, start, (_, at) => startsLine(text, at) && OPENERS.some((name) => text.startsWith(name, at + start.length)))) return "csl";
  return hasLine(text, FILE, (_, at) => startsLine(text, at) && isBlank(text, at + FILE.length)) ? "replacer" : undefined;
}

const FILE = "<<<FILE>>>";

/** Whether one of the places where `wanted` stands is accepted. */
function hasLine(text: string, wanted: string, accepts: (text: string, at: number) => boolean): boolean {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    if (accepts(text, at)) return true;
  }
  return false;
}

/** Only white space may stand before it. A header is read no further than it can go. */
function claimsHeader(text: string, at: number): boolean {
  if (!SPELLINGS.some(({ header }) => text.startsWith(header, at))) return false;
  let start = at;
  while (start > 0 && /[^\S\n]/.test(text.charAt(start - 1))) start -= 1;
  if (start > 0 && text[start - 1] !== "\n") return false;
  const lineFeed = text.indexOf("\n", at);
  return readHeader(text.slice(start, lineFeed === -1 ? undefined : lineFeed).trimEnd()) !== undefined;
}

/** From the first column on, the byte order mark not counted. */
function startsLine(text: string, at: number): boolean {
  return at === 0 || /[\r\n]/.test(text.charAt(at - 1)) || (at === 1 && text.charCodeAt(0) === BYTE_ORDER_MARK);
}

function isBlank(text: string, from: number): boolean {
  let at = from;
  while (/[^\S\n]/.test(text.charAt(at))) at += 1;
  return at === text.length || text[at] === "\n";
}

const BYTE_ORDER_MARK = 0xfeff;
