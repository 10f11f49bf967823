/**
 * Refuses edits in other tools' formats that the text beside them takes back. Their markers are an order whatever else
 * the answer says, so only what is said of the block itself counts. Blocks of Loaf's own syntaxes run all the same.
 */
import { isBlock, type Item } from "../core/block.ts";
import type { Finding } from "../core/finding.ts";
import { append } from "../core/lists.ts";
import { isFence } from "../syntaxes/fence.ts";
import { damaged, type LineRange, linesOf } from "../syntaxes/line-blocks.ts";
import type { Source } from "../syntaxes/source.ts";
import type { Part } from "../syntaxes/syntax.ts";
import { Retractions } from "../syntaxes/taken-back.ts";

interface Withdrawn {
  readonly parts: readonly Part[];
  /** Blocks that are taken back and run. */
  readonly findings: readonly Finding[];
}

/**
 * @param parts the blocks of certain syntaxes
 * @param prose the text with all blocks masked
 */
export function refuseWithdrawn(source: Source, parts: readonly Part[], prose: Source): Withdrawn {
  const retractions = new Retractions(prose, source);
  const findings: Finding[] = [];
  const sentenceOn = (item: Item): string | undefined =>
    isRunnable(item) ? retractions.of(rangeOf(item), !isFence(source.at(item.startLine - 1))) : undefined;
  const refused = parts.map((part) => {
    const { items } = part.read;
    const ranges = items.map(rangeOf);
    const against = items.map(sentenceOn);
    if (part.syntax.isForeign !== true) {
      append(
        findings,
        items.flatMap((item, at) => takenBack(item, against[at])),
      );
      return part;
    }
    // A sentence takes back all blocks with nothing between them.
    const isNext = (at: number): boolean => {
      const [above, below] = [ranges[at - 1], ranges[at]];
      return above !== undefined && below !== undefined && retractions.isBeside(above, below);
    };
    for (let at = 1; at < items.length; at++) if (isNext(at)) against[at] ??= against[at - 1];
    for (let at = items.length - 1; at > 0; at--) if (isNext(at)) against[at - 1] ??= against[at];
    const now = items.map((item, at) => {
      const sentence = against[at];
      if (sentence === undefined || !isRunnable(item)) return item;
      const message = `The answer says not to: ${quoted(sentence)}`;
      return damaged(item, source.diagnostic(item.startLine - 1, "WITHDRAWN", item.id, message));
    });
    return { ...part, read: { ...part.read, items: now } };
  });
  return { parts: refused, findings };
}

function takenBack(item: Item, sentence: string | undefined): Finding[] {
  if (sentence === undefined || !isRunnable(item)) return [];
  const { id, startLine } = item;
  const message = `the answer takes block ${id} in line ${startLine} back (${quoted(sentence)}), and it runs all the same: check what it does`;
  return [{ code: "answer/taken-back", line: startLine, blockId: id, message }];
}

function quoted(sentence: string): string {
  return `'${sentence.slice(0, MAX_QUOTED)}'`;
}

function isRunnable(item: Item): item is Extract<Item, { readonly span: unknown }> {
  return isBlock(item) && item.diagnostics.length === 0 && item.endLine !== null;
}

function rangeOf(item: Item): LineRange {
  const { first, last } = linesOf(item);
  return { first: first - 1, next: last };
}

const MAX_QUOTED = 100;
