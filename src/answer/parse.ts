/** Reads a whole text in the syntaxes that it is written in. */
import { type Block, type Diagnostic, isBlock, type ParseResult } from "../core/block.ts";
import { type Delimiters, DELIMITERS } from "../syntaxes/csl/marker.ts";
import { type Format, syntaxes, syntaxNamed } from "../syntaxes/index.ts";
import type { FileWith } from "../syntaxes/syntax.ts";
import { readSeveral, type Several } from "./several.ts";

export interface ReadOptions {
  /** The syntax to read; detected if omitted. */
  readonly format?: Format | undefined;
  readonly csl?: Delimiters | undefined;
  readonly fileWith?: FileWith | undefined;
}

/** What follows the results in a report: what blocks have shown, or would change. */
const REPORT = /^=== OUTPUTS ===\r?$/m;

/**
 * Reads a whole text. A report is in no syntax of other tools, whatever it shows.
 *
 * @param more.repairs whether to read damaged blocks as they are meant, where that is certain
 */
export function read(
  text: string,
  { csl: delimiters = DELIMITERS, format, fileWith }: ReadOptions = {},
  more: { readonly repairs?: boolean; readonly maxErrors?: number } = {},
): Several {
  const all = REPORT.test(text) ? syntaxes.filter(({ isForeign }) => isForeign !== true) : syntaxes;
  const wanted = format === undefined ? all : [syntaxNamed(format)];
  return readSeveral(text, { syntaxes: wanted, settings: { csl: delimiters, fileWith }, ...more });
}

/**
 * Reads a whole text literally. Returns blocks and errors, each in order, and of a syntax with a fatal error only that.
 * Never throws. Runs in linear time.
 */
export function parse(text: string, options?: ReadOptions): ParseResult {
  const { items, parts } = read(text, options);
  const blocks: Block[] = [];
  const errors: Diagnostic[] = parts.flatMap(({ read: { fatal } }) => (fatal === undefined ? [] : [fatal.diagnostic]));
  for (const item of items) {
    if (!isBlock(item)) errors.push(item);
    else {
      const { id, properties, startLine, endLine } = item;
      blocks.push({ id, properties, startLine, endLine });
      for (const diagnostic of item.diagnostics) errors.push(diagnostic);
    }
  }
  return { blocks, errors };
}
