/** The parser's data: blocks and errors, position by position. */
import { expect } from "vitest";
import type { ParseResult } from "../../src/core/block.ts";
import { parseNesl } from "../support/parse-nesl.ts";
import { conformance } from "../support/conformance.ts";

interface NeslCase {
  readonly name: string;
  readonly input: string;
  readonly expected: ParseResult;
}

conformance<NeslCase>("nesl", async ({ input, expected }) => {
  expect(parseNesl(input)).toEqual(expected);
});
