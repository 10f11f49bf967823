import type { ParseResult } from "../../src/core/block.ts";
import { parse } from "../../src/answer/read-answer.ts";

/** Reads a text literally, as NESL whatever it holds. */
export function parseNesl(text: string): ParseResult {
  return parse(text, { format: "nesl" });
}
