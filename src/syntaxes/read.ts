/** The one way into all syntaxes: the same blocks come of each. */
import type { Block, Diagnostic, ParseResult, ReadBlock, ReadText } from "../core/block.ts";
import { readCsl } from "./csl/read.ts";
import { type Delimiters, DELIMITERS } from "./csl/marker.ts";
import { type Format, formatOf } from "./format.ts";
import { NeslParser } from "./nesl/read.ts";
import { readReplacer } from "./replacer/read.ts";

export interface ReadOptions {
  /** The syntax to read; without it the text tells. */
  readonly format?: Format | undefined;
  /** What CSL's markers begin and end with. */
  readonly csl?: Delimiters | undefined;
}

/**
 * Reads a whole text. Never throws; the work is linear in the text.
 *
 * @param mostErrors as for `NeslParser`
 */
export function read(text: string, { csl = DELIMITERS, format }: ReadOptions = {}, mostErrors?: number): ReadText {
  switch (format ?? formatOf(text, csl)) {
    case "nesl":
      return readNesl(text, mostErrors);
    case "csl":
      return readCsl(text, csl);
    case "replacer":
      return readReplacer(text);
    case undefined:
      return { items: [] };
  }
}

/** The same, as blocks and errors, each in the order met. Of a text with a fatal error that is all there is. */
export function parse(text: string, options?: ReadOptions): ParseResult {
  const { items, fatal } = read(text, options);
  const blocks: Block[] = [];
  const errors: Diagnostic[] = fatal === undefined ? [] : [fatal.diagnostic];
  for (const item of items) {
    if (!isBlock(item)) errors.push(item);
    else {
      blocks.push(item.block);
      for (const diagnostic of item.diagnostics) errors.push(diagnostic);
    }
  }
  return { blocks, errors };
}

export function isBlock(item: ReadBlock | Diagnostic): item is ReadBlock {
  return "block" in item;
}

function readNesl(text: string, mostErrors: number | undefined): ReadText {
  const items: Array<ReadBlock | Diagnostic> = [];
  const parser = new NeslParser(
    (block) => items.push(block),
    (stray) => items.push(stray),
    mostErrors,
  );
  parser.write(text);
  parser.end();
  return { items };
}
