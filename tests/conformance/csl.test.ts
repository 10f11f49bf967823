/** CSL's data: what is read, to the letter, and why something is not. No case of it waits for commands to be run: RUN is only read here. */
import { expect } from "vitest";
import { blocksOf, type CslResult, type Operation, parseCsl } from "../../src/syntaxes/csl/read.ts";
import { DELIMITERS } from "../../src/syntaxes/csl/marker.ts";
import { isBlock } from "../../src/core/block.ts";
import { conformance } from "../support/conformance.ts";

interface CslCase {
  readonly name: string;
  readonly input: string;
  readonly options?: { readonly startDelimiter: string; readonly endDelimiter: string };
  readonly expected?: { readonly ast: readonly object[]; readonly validationErrors: readonly object[] };
  readonly throws?: string;
}

conformance<CslCase>("csl", async ({ input, options, expected, throws }) => {
  const result = parseCsl(input, options === undefined ? DELIMITERS : { start: options.startDelimiter, end: options.endDelimiter });
  if ("fatal" in result) expect(`Line ${result.fatal.diagnostic.line}: ${result.fatal.diagnostic.message}`).toBe(throws);
  else expect({ ast: result.operations.map(asNode), validationErrors: validationErrors(result) }).toEqual(expected);
});

function asNode({ name, attributes, content, to, replacement, operations, place }: Operation): object {
  const node = { type: name, line: place.line, ...Object.fromEntries(attributes) };
  if (name === "TASKS") return { ...node, operations: operations.map(asNode) };
  if (name !== "SEARCH") return { ...node, content };
  return { ...node, pattern: content, ...(to !== undefined && { to }), replacement };
}

function validationErrors(result: CslResult): object[] {
  const blocks = blocksOf(result).items.filter(isBlock);
  const lines = new Map("fatal" in result ? [] : result.operations.map(({ id, place }) => [id, place.line]));
  return blocks.flatMap(({ diagnostics, meant }) =>
    diagnostics.map(({ line, message }) => {
      const field = /^Invalid value for '(.*)':/.exec(message)?.[1];
      const parentTaskLine = lines.get(meant?.group ?? "");
      return { line, operation: meant?.operation, error: message, ...(field !== undefined && { field }), ...(parentTaskLine !== undefined && { parentTaskLine }) };
    }),
  );
}
