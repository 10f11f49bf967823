import type { Diagnostic, ReadBlock, ReadText } from "../core/block.ts";
import type { Finding } from "../core/finding.ts";
import { type Delimiters, DELIMITERS } from "./csl/marker.ts";
import { findingsIn, findingsInOlder } from "./damage/findings.ts";
import { unindentBlocks } from "./damage/indentation.ts";
import { formatOf } from "./format.ts";
import { isBlock, read, type ReadOptions } from "./read.ts";

/**
 * A model's answer as a run reads it. `parse` is literal; this reads a NESL block that is indented as a whole as if it
 * were not.
 */
export interface Answer extends ReadText {
  /**
   * The text that the blocks' spans refer to, with such blocks moved to the first column. Line numbers are those of the
   * original.
   */
  readonly text: string;
  readonly totalBlocks: number;
  /** Sorted by line. */
  readonly findings: readonly Finding[];
}

/**
 * Reads an answer and finds damage in it. Never throws. Runs in linear time. A text in no known syntax is read as NESL,
 * because it may contain what was meant to run.
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
  return read(text, { format: "nesl" }, MAX_ERRORS).items;
}

/** Maximum number of errors: more do not fit in a report, and millions of them take gigabytes. */
export const MAX_ERRORS = 10_000;

function isStray(item: ReadBlock | Diagnostic): item is Diagnostic {
  return !isBlock(item);
}

/** @param moved indentation by line of the header */
function warned(item: ReadBlock, moved: ReadonlyMap<number, string>): ReadBlock {
  const indentation = moved.get(item.block.startLine);
  if (indentation === undefined) return item;
  return { ...item, warnings: [`the block is indented by ${countOf(indentation)} as a whole: it was read as if it were not`] };
}

function countOf(indentation: string): string {
  const unit = !indentation.includes("\t") ? "space" : indentation.includes(" ") ? "character" : "tab";
  return `${indentation.length} ${unit}${indentation.length === 1 ? "" : "s"}`;
}
