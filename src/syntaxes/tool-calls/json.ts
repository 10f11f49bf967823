/**
 * Reads JSON, also with the two slips whose repair is certain. An unescaped quote may end a text at several places, and
 * a missing bracket means that the answer was cut off.
 */

import { tryOr } from "../../core/errors.ts";

export interface ParsedJson {
  readonly value: unknown;
  /** Whether the text had a slip. */
  readonly isRepaired: boolean;
}

/**
 * Returns the value of a text, whose objects and lists may end with a comma, and whose strings may hold line breaks and
 * tabs as they are; CRLF is read as LF. Undefined for other damage. Never throws. Runs in linear time.
 */
export function parsedJson(text: string): ParsedJson | undefined {
  return parsed(text, false) ?? parsed(repaired(text), true);
}

function parsed(text: string, isRepaired: boolean): ParsedJson | undefined {
  return tryOr(() => ({ value: JSON.parse(text) as unknown, isRepaired }), undefined);
}

function repaired(text: string): string {
  let result = "";
  /** Offset from which the text is not yet in the result. */
  let from = 0;
  /** Offset of a comma after which only white space came so far. */
  let comma: number | undefined;
  let isQuoted = false;
  const replace = (at: number, by: string): void => {
    result += text.slice(from, at) + by;
    from = at + 1;
  };
  for (let at = 0; at < text.length; at++) {
    const unit = text.charAt(at);
    const escape = ESCAPES[unit];
    if (isQuoted) {
      if (unit === "\\") at += 1;
      else if (unit === '"') isQuoted = false;
      else if (text.startsWith("\r\n", at)) replace(at, "");
      else if (escape !== undefined) replace(at, escape);
    } else if (unit === ",") comma = at;
    else if (unit !== " " && escape === undefined) {
      if (comma !== undefined && (unit === "}" || unit === "]")) replace(comma, "");
      comma = undefined;
      isQuoted = unit === '"';
    }
  }
  return result + text.slice(from);
}

const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
