/** Reads the lines around a block: its header and its end marker. */
import type { Fault } from "../lines.ts";

/** The two spellings of one syntax: NESL and the older SHAM. They differ only in these words. */
export interface Spelling {
  /** Start of a header. */
  readonly header: string;
  /** Prefix of the ID in a heredoc's delimiter. */
  readonly heredoc: string;
  /** Prefix of the ID in an end marker. */
  readonly end: string;
}

export const NESL: Spelling = { header: "#!nesl ", heredoc: "EOT_", end: "#!end_" };
const SHAM: Spelling = { header: "#!SHAM ", heredoc: "EOT_SHAM_", end: "#!END_SHAM_" };

export const SPELLINGS: readonly Spelling[] = [NESL, SHAM];

export interface Header {
  readonly spelling: Spelling;
  readonly id: string;
}

/**
 * Reads a line that claims to be a header: `#!nesl [@LABEL: ID]`, from the first column to the last.
 *
 * @returns undefined for other lines, a fault if the claim is false
 */
export function readHeader(line: string): Header | Fault | undefined {
  const match = HEADER.exec(line);
  if (match === null) {
    return CLAIM.test(line)
      ? { code: "MALFORMED_HEADER", message: "Invalid NESL header format", at: 0, length: line.length }
      : undefined;
  }
  const id = match[1];
  if (id !== undefined) return { id, spelling: line.startsWith(NESL.header) ? NESL : SHAM };
  const wrong = match[2] as string;
  return {
    code: "INVALID_BLOCK_ID",
    message: idComplaint(wrong),
    at: line.length - wrong.length - 1,
    length: wrong.length,
  };
}

const WORD = SPELLINGS.map(({ header }) => header).join("|");
const ID = "[A-Za-z0-9]{2,8}";
/**
 * Matches the ID, or any text in its place. No part can match what the next one must start with, so nothing is read
 * twice.
 */
const HEADER = new RegExp(`^(?:${WORD})\\[@[A-Za-z0-9-]+: (?:(${ID})|([^\\]]+))\\]$`);
/** The word alone is no claim. */
const CLAIM = new RegExp(`^\\s*(?:${WORD})\\s*\\S`);

/** The first message is the reference parser's, which predates the rule. */
function idComplaint(id: string): string {
  const isWrongLength = id.length < 2 || id.length > 8;
  return isWrongLength ? "Block ID must be exactly 3 characters" : "Block ID must contain only alphanumeric characters";
}

/**
 * Reads a trimmed line that claims to be the end marker of a block in this spelling.
 *
 * @returns the ID, "" if the claim is false, undefined for other lines
 */
export function readEndMarker(trimmed: string, { end }: Spelling): string | undefined {
  if (!trimmed.startsWith(end)) return undefined;
  // Models often close a quote that they never opened.
  const id = trimmed.slice(end.length, trimmed.endsWith("'") ? -1 : undefined);
  return WHOLE_ID.test(id) ? id : "";
}

const WHOLE_ID = new RegExp(`^${ID}$`);
