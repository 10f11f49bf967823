/** Reads one line of a block: `key = "quoted value"` or `key = <<'DELIMITER'`. */
import { once } from "../../core/once.ts";
import type { Fault } from "../lines.ts";
import type { LineScanner } from "./line-scanner.ts";

export type Assignment =
  /** `trailing` is set if something follows the value. */
  | { readonly kind: "quoted"; readonly key: Key; readonly value: string; readonly trailing: Fault | undefined }
  | { readonly kind: "heredoc"; readonly key: Key; readonly delimiter: string }
  | { readonly kind: "fault"; readonly fault: Fault };

export interface Key {
  readonly name: string;
  readonly fault: Fault | undefined;
  /** False if the name itself is wrong, not only its position. */
  readonly isName: boolean;
}

export class AssignmentReader {
  /** Caches keys, because models use the same few again and again. A colliding key takes over the slot. */
  readonly #recent: Array<Key | undefined> = Array.from({ length: RECENT }, () => undefined);

  /**
   * Moves to the next line and reads it if it is in the usual form. This takes a third of the time of `read`, which
   * handles all other lines.
   */
  readUsual(lines: LineScanner): Assignment | undefined {
    const match = lines.nextMatch(USUAL_LINE);
    if (match === null) return undefined;
    const key = this.#readKey(match[1] as string);
    const delimiter = match[3];
    if (delimiter !== undefined) return { kind: "heredoc", key, delimiter };
    // The pattern accepts only escapes that JSON has.
    const value = decodeEscapes(match[2] as string) as string;
    return { kind: "quoted", key, value, trailing: undefined };
  }

  /**
   * Reads a line. Its first `=` is the operator.
   *
   * @returns undefined if there is none
   */
  read(line: string): Assignment | undefined {
    const operator = line.indexOf("=");
    if (operator === -1) return undefined;
    if (line[operator + 1] === ">") return faulty("INVALID_VALUE", operator, 2);
    if (line[operator - 1] === ":") return faulty("INVALID_ASSIGNMENT_OPERATOR", operator - 1, 2);
    const written = line.slice(0, operator).trimEnd();
    if (written === "") return faulty("EMPTY_KEY", operator, 1);

    const tail = line.slice(operator + 1).trimStart();
    const start = line.length - tail.length;
    if (tail === "") return faulty("INVALID_VALUE", start, 1);
    const key = this.#readKey(written);
    if (tail.startsWith('"')) return readQuoted(line, start, key);
    const value = tail.trimEnd();
    const delimiter = readDelimiter(value);
    return delimiter === undefined ? faulty("INVALID_VALUE", start, value.length) : { kind: "heredoc", key, delimiter };
  }

  #readKey(written: string): Key {
    const slot = (written.length * 7 + written.charCodeAt(0)) % RECENT;
    const recent = this.#recent[slot];
    if (recent !== undefined && recent.name === written) return recent;
    const key = judgeKey(written);
    if (key.fault === undefined) this.#recent[slot] = key;
    return key;
  }
}

const RECENT = 64;

/**
 * No part can match what the next one must start with, so nothing is read twice. The limit on escapes keeps the regular
 * expression's stack small.
 */
const USUAL_LINE =
  /([A-Za-z_][A-Za-z0-9_]*) *= *(?:"([^"\\\u0000-\u001f]*(?:\\["\\/bfnrt][^"\\\u0000-\u001f]*){0,99})"|<<'([^'\n]+)')\r?\n/y;

/** @param open offset of the opening quote */
function readQuoted(line: string, open: number, key: Key): Assignment {
  const close = closingQuote(line, open);
  if (close === -1) return faulty("UNCLOSED_QUOTE", open, line.length - open);
  const quoted = line.slice(open + 1, close);
  const value = CONTROL_CHARACTER.test(quoted) ? undefined : decodeEscapes(quoted);
  if (value === undefined) return faulty("INVALID_VALUE", open, close + 1 - open);

  const tail = line.slice(close + 1).trimStart();
  const trailing = tail === "" ? undefined : fault("TRAILING_CONTENT", line.length - tail.length, tail.length);
  return { kind: "quoted", key, value, trailing };
}

function closingQuote(line: string, open: number): number {
  for (let at = open + 1; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return -1;
}

/**
 * Decodes the content of a JSON string. `JSON.parse` takes twice as long for a value of usual length, and a hundred
 * times if it throws.
 *
 * @returns undefined if it is invalid JSON
 */
function decodeEscapes(quoted: string): string | undefined {
  let value = "";
  let from = 0;
  for (let at = quoted.indexOf("\\"); at !== -1; at = quoted.indexOf("\\", from)) {
    const character = SHORT_ESCAPES.get(quoted.charCodeAt(at + 1)) ?? codeUnit(quoted, at);
    if (character === undefined) return undefined;
    value += quoted.slice(from, at) + character;
    from = at + (quoted.charCodeAt(at + 1) === LOWER_U ? "\\u0000" : "\\n").length;
  }
  return from === 0 ? quoted : value + quoted.slice(from);
}

function codeUnit(quoted: string, at: number): string | undefined {
  const digits = CODE_UNIT.exec(quoted.slice(at, at + "\\u0000".length))?.[1];
  return digits === undefined ? undefined : String.fromCharCode(Number.parseInt(digits, 16));
}

const CONTROL_CHARACTER = /[\u0000-\u001f]/;
const CODE_UNIT = /^\\u([0-9A-Fa-f]{4})$/;
const SHORT_ESCAPES: ReadonlyMap<number, string> = new Map(
  ['""', "\\\\", "//", "b\b", "f\f", "n\n", "r\r", "t\t"].map((pair) => [pair.charCodeAt(0), pair.charAt(1)]),
);
/** Returns the text between the quotes of `<<'…'`. */
function readDelimiter(value: string): string | undefined {
  if (!value.startsWith("<<'") || !value.endsWith("'")) return undefined;
  const delimiter = value.slice("<<'".length, -1);
  return delimiter === "" || delimiter.includes("'") ? undefined : delimiter;
}

/**
 * Returns the string in the form that V8 uses for property names. With any other form, each access looks it up again.
 */
function internalize(name: string): string {
  return Object.keys({ [name]: 0 })[0] ?? name;
}

/** Checks a key's position, then its characters, then its length. */
function judgeKey(written: string): Key {
  const name = internalize(written.trimStart());
  const nameFault = faultOfName(name);
  const fault = name === written ? nameFault : keyFault(wrongCharacter(written, 0), written.length);
  return { name, fault, isName: nameFault === undefined };
}

function faultOfName(name: string): Fault | undefined {
  if (name.length <= MAX_LENGTH && PLAIN_NAME.test(name)) return undefined;
  const at = notAtStart().test(name) ? 0 : name.search(notInName());
  if (at !== -1) return keyFault(wrongCharacter(name, at), name.length);
  return name.length > MAX_LENGTH ? keyFault(`Key exceeds ${MAX_LENGTH} character limit`, name.length) : undefined;
}

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const notAtStart = once(() => /^[^\p{L}_]/u);
const notInName = once(() => /[^\p{L}\p{N}_]/u);
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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
