import type { Diagnostic, ReadBlock, ReadText } from "../core/block.ts";
import type { Finding } from "../core/finding.ts";
import { type Delimiters, DELIMITERS } from "./csl/marker.ts";
import { findingsIn, findingsInOlder } from "./damage/findings.ts";
import { unindentBlocks } from "./damage/indentation.ts";
import { formatOf } from "./format.ts";
import { isBlock, read, type ReadOptions } from "./read.ts";

/** A model's answer as a run reads it. `parse` reads to the letter; here a NESL block that is indented as a whole is read as if it were not. */
export interface Answer extends ReadText {
  /** What the blocks' spans are of: the text, with such blocks moved to the first column. Line numbers are those of the text as it came. */
  readonly text: string;
  readonly totalBlocks: number;
  /** By line. */
  readonly findings: readonly Finding[];
}

/**
 * Reads an answer and what is damaged in it. Never throws; the work is linear in the text. A text in no syntax is read as NESL: it may hold
 * what was meant to be run.
 */
export function readAnswer(written: string, { csl = DELIMITERS, format = formatOf(written, csl) ?? "nesl" }: ReadOptions = {}): Answer {
  if (format === "nesl") return readNesl(written, csl);
  const found = read(written, { csl, format });
  return withTotal({ ...found, text: written, findings: findingsInOlder(written, found, { format, csl }) });
}

function readNesl(written: string, csl: Delimiters): Answer {
  const asWritten = itemsOf(written);
  const { text, moved, uneven } = unindentBlocks(written, asWritten.filter(isStray));
  const items = text === written ? asWritten : itemsOf(text).map((item) => (isBlock(item) ? warned(item, moved) : item));
  const findings = findingsIn({ text, blocks: items.filter(isBlock), strays: items.filter(isStray), uneven, csl });
  return withTotal({ items, text, findings });
}

function withTotal(answer: Omit<Answer, "totalBlocks">): Answer {
  return { ...answer, totalBlocks: answer.items.filter(isBlock).length };
}

function itemsOf(text: string): ReadText["items"] {
  return read(text, { format: "nesl" }, MOST_ERRORS).items;
}

/** A report has no room for more, and millions of them take gigabytes. */
export const MOST_ERRORS = 10_000;

function isStray(item: ReadBlock | Diagnostic): item is Diagnostic {
  return !isBlock(item);
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
