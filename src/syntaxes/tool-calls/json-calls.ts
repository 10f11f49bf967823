/** Reads calls of tools in JSON, in the forms in which programs get them from models. */
import { type Call, isKnownTool, isObject } from "./tools.ts";

/**
 * Returns the calls in a value: Anthropic's tool_use, OpenAI's function_call and tool_calls, and `{name, arguments}`, alone or in
 * lists. Other JSON has none.
 *
 * @param isCertain whether the value stands where only a call does, so that any name is one
 */
export function callsIn(value: unknown, isCertain: boolean): readonly Call[] {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => callsIn(one, isCertain));
  if (!isObject(value)) return [];
  for (const key of ["tool_calls", "content", "tool_uses", "output"]) if (Array.isArray(value[key])) return callsIn(value[key], isCertain);
  if (isObject(value["message"])) return callsIn(value["message"], isCertain);
  if (Array.isArray(value["choices"])) return callsIn(value["choices"], isCertain);
  const inner = isObject(value["function"]) ? value["function"] : isObject(value["function_call"]) ? value["function_call"] : undefined;
  if (inner !== undefined) return callOf(inner, true);
  return callOf(value, isCertain || ["tool_use", "function_call", "tool_call"].includes(String(value["type"])));
}

function callOf(value: Readonly<Record<string, unknown>>, isCertain: boolean): readonly Call[] {
  const tool = ["name", "tool", "tool_name", "recipient_name", "function"].map((key) => value[key]).find((name) => typeof name === "string");
  const written = ["input", "arguments", "parameters", "params", "args"].map((key) => value[key]).find((given) => given !== undefined);
  if (tool === undefined || written === undefined || !(isCertain || isKnownTool(tool))) return [];
  const given = typeof written === "string" ? parsed(written) : written;
  return [{ tool, given: isObject(given) ? given : {} }];
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Finds where values end. Its work is limited, so that many values that never end take linear time. */
export class ValueScanner {
  readonly #text: string;
  #left: number;

  constructor(text: string) {
    this.#text = text;
    this.#left = text.length * MAX_SCANS;
  }

  /**
   * @param start offset of a bracket
   * @returns the offset after the bracket that closes it; undefined if there is none
   */
  endOf(start: number): number | undefined {
    let depth = 0;
    let isQuoted = false;
    for (let at = start; at < this.#text.length && this.#left > 0; at++, this.#left--) {
      const unit = this.#text.charCodeAt(at);
      if (isQuoted) {
        if (unit === BACKSLASH) at += 1;
        else if (unit === QUOTE) isQuoted = false;
      } else if (unit === QUOTE) isQuoted = true;
      else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth += 1;
      else if ((unit === CLOSE_BRACE || unit === CLOSE_BRACKET) && --depth === 0) return at + 1;
    }
    return undefined;
  }
}

/** How many times the text is read at most. */
const MAX_SCANS = 4;
const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d];
