/** Finds what a whole new text of a file has lost at its ends, where it may have been cut off. */
import { type Block, BlockPairs, type BlocksIn, type Significant, type Stretch } from "./blocks.ts";
import { significantLines } from "./lazy.ts";

/**
 * Returns the first or last lines of a text, quoted, if another one begins or ends within it, lacks just these and has
 * fewer in their place, and no sentence tells of them. What a declaration is shorter by that both have is no loss.
 *
 * @param told words of the sentences that remove something
 */
export function lostEnd(
  before: string,
  content: string,
  { told, blocksIn = () => [] }: { readonly told: ReadonlySet<string>; readonly blocksIn?: BlocksIn | undefined },
): readonly string[] {
  // Brackets alone are everywhere.
  const [old, now] = [before, content].map((text) =>
    significantLines(text).filter(({ line }) => HAS_WORD.test(line)),
  ) as [Significant[], Significant[]];
  const [oldTexts, newTexts] = [old, now].map((lines) => new Set(lines.map(({ line }) => line.trim()))) as [
    Set<string>,
    Set<string>,
  ];
  for (const turned of [(lines: Significant[]) => lines, (lines: Significant[]) => lines.toReversed()]) {
    const [lost, come] = [linesUpTo(turned(old), newTexts), linesUpTo(turned(now), oldTexts)];
    if (lost.length <= come.length) continue;
    const replaced = completeIn(before, content, blocksIn, come.length > 0);
    const isOutside = ({ at }: Significant): boolean => !replaced.some(({ first, last }) => at >= first && at <= last);
    const gone = turned(lost.filter(isOutside)).map(({ line }) => line.trim());
    if (gone.length === 0 || (gone.length === lost.length && gone.length <= come.length)) continue;
    if (gone.some((line) => wordsIn(line).some((word) => told.has(word)))) continue;
    const shown = gone.slice(0, MAX_SHOWN).map((line) => `'${line.slice(0, MAX_LINE)}'`);
    return gone.length > MAX_SHOWN ? [...shown, `${gone.length - MAX_SHOWN} more lines`] : shown;
  }
  return [];
}

/**
 * Returns the lines of the old functions and types that the new text shows whole too: with a bracket that ends them,
 * above other things, or at its end with a line of their own.
 */
function completeIn(before: string, content: string, blocksIn: BlocksIn, endsAnew: boolean): readonly Stretch[] {
  const lines = significantLines(content);
  const end = lines.at(-1)?.at ?? 0;
  const isComplete = ({ family, last }: Block): boolean => {
    const isCode = !/@@(?:value|key|item|rule|section|table) [^@]*$/.test(family);
    return isCode && (last < end || endsAnew || /^[)}\]]|^end\b/.test(lines.at(-1)?.line.trim() ?? ""));
  };
  const blocks = blocksIn(content).filter(isComplete);
  const pairs = new BlockPairs({ lines: significantLines(before), blocks: blocksIn(before) }, { lines, blocks });
  return pairs.replacedBy({ first: 0, last: end });
}

/** Returns the lines above the first one that another text has; none where it has none at all. */
function linesUpTo(lines: readonly Significant[], others: ReadonlySet<string>): readonly Significant[] {
  return lines.slice(
    0,
    Math.max(
      0,
      lines.findIndex(({ line }) => others.has(line.trim())),
    ),
  );
}

const HAS_WORD = /[\p{L}\p{N}]/u;

export function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_$]+/gu) ?? [];
}

const MAX_SHOWN = 3;
/** UTF-16 units. */
const MAX_LINE = 60;
