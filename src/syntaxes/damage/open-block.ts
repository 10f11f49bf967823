import { type Block, isBlock, type ReadText } from "../../core/block.ts";

/** Returns the block that a text ends in, if it was never closed. */
export function openBlock(text: string, { items }: ReadText): Block | undefined {
  const last = items.findLast(isBlock);
  return last === undefined || last.block.endLine !== null || last.span.end < text.trimEnd().length ? undefined : last.block;
}
