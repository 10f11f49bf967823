/**
 * Reads the lines of a block: its header, its end marker, and its values, `key = "quoted"` or `key = <<'DELIMITER'`.
 */
import { tryOr } from "../../core/errors.ts";
import { closingQuote, type Fault } from "../source.ts";

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

export type Assignment =
  /** `trailing` is set if something follows the value. */
  | { readonly kind: "quoted"; readonly key: Key; readonly value: string; readonly trailing: Fault | undefined }
  | { readonly kind: "heredoc"; readonly key: Key; readonly delimiter: string }
  | { readonly kind: "fault"; readonly fault: Fault };

interface Key {
  readonly name: string;
  readonly fault: Fault | undefined;
  /** False if the name itself is wrong, not only its position. */
  readonly isName: boolean;
}

/**
 * Reads a line. Its first `=` is the operator.
 *
 * @returns undefined if there is none
 */
export function readAssignment(line: string): Assignment | undefined {
  const operator = line.indexOf("=");
  if (operator === -1) return undefined;
  if (line[operator + 1] === ">") return faulty("INVALID_VALUE", operator, 2);
  if (line[operator - 1] === ":") return faulty("INVALID_ASSIGNMENT_OPERATOR", operator - 1, 2);
  const written = line.slice(0, operator).trimEnd();
  if (written === "") return faulty("EMPTY_KEY", operator, 1);

  const tail = line.slice(operator + 1).trimStart();
  const start = line.length - tail.length;
  if (tail === "") return faulty("INVALID_VALUE", start, 1);
  const key = judgeKey(written);
  if (tail.startsWith('"')) return readQuoted(line, start, key);
  const value = tail.trimEnd();
  const delimiter = readDelimiter(value);
  return delimiter === undefined ? faulty("INVALID_VALUE", start, value.length) : { kind: "heredoc", key, delimiter };
}

/** @param open offset of the opening quote */
function readQuoted(line: string, open: number, key: Key): Assignment {
  const close = closingQuote(line, open);
  if (close === -1) return faulty("UNCLOSED_QUOTE", open, line.length - open);
  const value = tryOr(() => JSON.parse(line.slice(open, close + 1)) as string, undefined);
  if (value === undefined) return faulty("INVALID_VALUE", open, close + 1 - open);

  const tail = line.slice(close + 1).trimStart();
  const trailing = tail === "" ? undefined : fault("TRAILING_CONTENT", line.length - tail.length, tail.length);
  return { kind: "quoted", key, value, trailing };
}

/** Returns the text between the quotes of `<<'…'`. */
function readDelimiter(value: string): string | undefined {
  if (!value.startsWith("<<'") || !value.endsWith("'")) return undefined;
  const delimiter = value.slice("<<'".length, -1);
  return delimiter === "" || delimiter.includes("'") ? undefined : delimiter;
}

/** Checks a key's position, then its characters, then its length. */
function judgeKey(written: string): Key {
  const name = written.trimStart();
  const nameFault = faultOfName(name);
  const fault = name === written ? nameFault : keyFault(wrongCharacter(written, 0), written.length);
  return { name, fault, isName: nameFault === undefined };
}

function faultOfName(name: string): Fault | undefined {
  if (name.length <= MAX_LENGTH && PLAIN_NAME.test(name)) return undefined;
  const at = NOT_AT_START.test(name) ? 0 : name.search(NOT_IN_NAME);
  if (at !== -1) return keyFault(wrongCharacter(name, at), name.length);
  return name.length > MAX_LENGTH ? keyFault(`Key exceeds ${MAX_LENGTH} character limit`, name.length) : undefined;
}

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const NOT_AT_START = /^[^\p{L}_]/u;
const NOT_IN_NAME = /[^\p{L}\p{N}_]/u;
const MAX_LENGTH = 256;

function wrongCharacter(text: string, at: number): string {
  return `Key contains invalid character '${String.fromCodePoint(text.codePointAt(at) ?? 0)}' at position ${at + 1}`;
}

function keyFault(message: string, length: number): Fault {
  return { code: "INVALID_KEY", message, at: 0, length };
}

function faulty(code: keyof typeof MESSAGES, at: number, length: number): Assignment {
  return { kind: "fault", fault: fault(code, at, length) };
}

function fault(code: keyof typeof MESSAGES, at: number, length: number): Fault {
  return { code, message: MESSAGES[code], at, length };
}

const MESSAGES = {
  EMPTY_KEY: "Assignment without key name",
  INVALID_ASSIGNMENT_OPERATOR: "Invalid assignment operator ':=' - only '=' is allowed",
  INVALID_VALUE: "Value must be a quoted string or heredoc",
  TRAILING_CONTENT: "Unexpected content after quoted value",
  UNCLOSED_QUOTE: "Unclosed quoted string",
} as const;
