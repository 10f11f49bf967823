/** Reads any syntax into the same kind of blocks. */
import type { Block, Diagnostic, ParseResult, ReadBlock, ReadText } from "../core/block.ts";
import { readCsl } from "./csl/read.ts";
import { type Delimiters, DELIMITERS } from "./csl/marker.ts";
import { type Format, formatOf } from "./format.ts";
import { NeslParser } from "./nesl/read.ts";
import { readReplacer } from "./replacer/read.ts";

export interface ReadOptions {
  /** The syntax to read; detected if omitted. */
  readonly format?: Format | undefined;
  readonly csl?: Delimiters | undefined;
}

/**
 * Reads a whole text. Never throws. Runs in linear time.
 *
 * @param maxErrors as for `NeslParser`
 */
export function read(text: string, { csl = DELIMITERS, format }: ReadOptions = {}, maxErrors?: number): ReadText {
  switch (format ?? formatOf(text, csl)) {
    case "nesl":
      return readNesl(text, maxErrors);
    case "csl":
      return readCsl(text, csl);
    case "replacer":
      return readReplacer(text);
    case undefined:
      return { items: [] };
  }
}

/** Like `read`, but returns blocks and errors, each in order. Returns only the error if it is fatal. */
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

function readNesl(text: string, maxErrors: number | undefined): ReadText {
  const items: Array<ReadBlock | Diagnostic> = [];
  const parser = new NeslParser(
    (block) => items.push(block),
    (stray) => items.push(stray),
    maxErrors,
  );
  parser.write(text);
  parser.end();
  return { items };
}
