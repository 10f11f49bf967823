/** Reads JSON, also with the two slips whose repair is certain. */

/**
 * Returns the value of a text, whose objects and lists may end with a comma, and whose strings may hold line breaks and tabs as
 * they are. Undefined for other damage. Runs in linear time.
 */
export function parsedJson(text: string): unknown {
  return parsed(text) ?? parsed(repaired(text));
}

export function isJson(text: string): boolean {
  return parsed(text) !== undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function repaired(text: string): string {
  return text.replace(STRING_OR_COMMA, (piece) => (piece.startsWith(",") ? piece.slice(1) : piece.replace(/[\n\r\t]/g, (unit) => ESCAPES[unit] ?? unit)));
}

const STRING_OR_COMMA = /"(?:[^"\\]|\\[^])*"|,(?=\s*[}\]])/g;
const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
