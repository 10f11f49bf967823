import type { Diagnostic, ReadBlock } from "../core/block.ts";
import type { Finding } from "../core/finding.ts";
import { findingsIn } from "./damage/findings.ts";
import { unindentBlocks } from "./damage/indentation.ts";
import { NeslParser } from "./nesl.ts";

/** A model's answer as a run reads it. `parse` reads to the letter; here a block that is indented as a whole is read as if it were not. */
export interface Answer {
  /** What the blocks' spans are of: the text, with such blocks moved to the first column. Line numbers are those of the text as it came. */
  readonly text: string;
  /** Blocks, and what was wrong outside them, as they follow in the text. */
  readonly items: ReadonlyArray<ReadBlock | Diagnostic>;
  readonly totalBlocks: number;
  /** By line. */
  readonly findings: readonly Finding[];
}

/** Reads an answer and what is damaged in it. Never throws; the work is linear in the text. */
export function readAnswer(written: string): Answer {
  const asWritten = readItems(written);
  const { text, moved, uneven } = unindentBlocks(written, asWritten.filter(isStray));
  const items = text === written ? asWritten : readItems(text).map((item) => (isStray(item) ? item : warned(item, moved)));
  const blocks = items.filter((item): item is ReadBlock => !isStray(item));
  return { text, items, totalBlocks: blocks.length, findings: findingsIn({ text, blocks, strays: items.filter(isStray), uneven }) };
}

function readItems(text: string): Array<ReadBlock | Diagnostic> {
  const items: Array<ReadBlock | Diagnostic> = [];
  const parser = new NeslParser(
    (block) => items.push(block),
    (stray) => items.push(stray),
  );
  parser.write(text);
  parser.end();
  return items;
}

function isStray(item: ReadBlock | Diagnostic): item is Diagnostic {
  return "message" in item;
}

/** @param moved indentation by the line of the header */
function warned(item: ReadBlock, moved: ReadonlyMap<number, string>): ReadBlock {
  const indentation = moved.get(item.block.startLine);
  if (indentation === undefined) return item;
  return { ...item, warnings: [`the block is indented by ${countOf(indentation)} as a whole: it was read as if it were not`] };
}

function countOf(indentation: string): string {
  const unit = !indentation.includes("\t") ? "space" : indentation.includes(" ") ? "character" : "tab";
  return `${indentation.length} ${unit}${indentation.length === 1 ? "" : "s"}`;
}
