import { type Diagnostic, isBlock, type Item, type Lines } from "../core/block.ts";
import type { Finding } from "../core/finding.ts";
import { fenceIn, FenceTracker } from "../syntaxes/fence.ts";
import { linesOf, linesOfBlocks } from "../syntaxes/line-blocks.ts";
import { listed } from "../syntaxes/advice.ts";
import type { Source } from "../syntaxes/source.ts";
import type { Part, Syntax } from "../syntaxes/syntax.ts";

/** Lines of a text that blocks of one syntax have. */
interface Range extends Lines {
  readonly syntax: Syntax;
  /** The place of the syntax in the list. */
  readonly rank: number;
  /** Set if it does not run. What it holds in a later syntax of the list may be its text all the same. */
  readonly isDamaged?: true;
  /** Set if all of the text below it may be its own. */
  readonly isOpen?: true;
}

/** The blocks of a text that no other one holds. Where two overlap, that of the first syntax counts. */
export class Outermost {
  /** In order, and disjoint. */
  readonly all: readonly Range[];

  /** @param parts in the order of the list of syntaxes */
  constructor(source: Source, parts: readonly Part[]) {
    const ranges = parts.flatMap((part, rank) =>
      rangesOf(source, part).map((range) => ({ ...range, syntax: part.syntax, rank })),
    );
    ranges.sort((left, right) => left.first - right.first || right.last - left.last || left.rank - right.rank);
    const kept: Range[] = [];
    for (const range of ranges) {
      // Blocks of one syntax may share lines: the edits of one call do.
      let last = kept.at(-1);
      while (last !== undefined && isOver(last, range)) {
        kept.pop();
        last = kept.at(-1);
      }
      if (last === undefined || last.last < range.first) kept.push(range);
      else if (last.syntax === range.syntax) kept[kept.length - 1] = joined(last, range);
    }
    this.all = kept;
  }

  except(syntax: Syntax): readonly Range[] {
    return this.all.filter((range) => range.syntax !== syntax);
  }

  /** Returns the first range of another syntax within some lines. */
  within({ first, last }: Lines, syntax: Syntax): Range | undefined {
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.all[middle] as Range).last < first) low = middle + 1;
      else high = middle;
    }
    for (let at = low; at < this.all.length; at++) {
      const range = this.all[at] as Range;
      if (range.first > last) return undefined;
      if (range.syntax !== syntax) return range;
    }
    return undefined;
  }
}

function joined({ isDamaged, ...last }: Range, range: Range): Range {
  const lines = { ...last, last: Math.max(last.last, range.last) };
  return isDamaged === true && range.isDamaged === true ? { ...lines, isDamaged } : lines;
}

/** Returns whether a range takes the place of the one before it, which it overlaps but is not within. */
function isOver(before: Range, range: Range): boolean {
  const isWithin = range.last <= before.last && before.isDamaged !== true;
  return before.syntax !== range.syntax && range.first <= before.last && !isWithin && range.rank < before.rank;
}

/** Lines of a block, or of several. */
type Found = Pick<Range, "first" | "last" | "isDamaged" | "isOpen">;

function rangesOf(source: Source, { syntax, read }: Part): Found[] {
  const [isDamaged, isOpen] = [true as const, true as const];
  const blocks = read.items.filter(isBlock);
  const lines = linesOfBlocks(source, blocks);
  const ranges: Found[] = blocks.flatMap(({ diagnostics, endLine }, index) => {
    const own = lines[index] as Lines;
    if (diagnostics.length === 0) return [own];
    // Without its end, a block may be what is below it, unless only its own marker ends it.
    if (endLine !== null) return [{ ...own, isDamaged }];
    return syntax.endMarker === undefined ? [] : [{ ...own, isDamaged, ...(own.last >= source.count && { isOpen }) }];
  });
  const strays = syntax.endMarker === undefined ? [] : strayRanges(source, read.items, syntax.endMarker);
  const fatal = (read.fatal?.ranges ?? []).map((range) => ({ ...range, ...(range.last === Infinity && { isOpen }) }));
  return [...ranges, ...fatal, ...strays.map((range) => ({ ...range, isDamaged }))];
}

/** Returns the lines below headers with an error, up to the end marker before the next item. */
function strayRanges(source: Source, items: readonly Item[], endMarker: RegExp): Lines[] {
  const strays = items.flatMap((item, index) => {
    const isHeader = !isBlock(item) && HEADER_ERRORS.has(item.code);
    const next = items[index + 1];
    return isHeader ? [{ first: item.line, before: next === undefined ? Infinity : linesOf(next).first }] : [];
  });
  if (strays.length === 0) return [];
  const ends: number[] = [];
  for (let at = 0; at < source.count; at++) if (endMarker.test(source.at(at))) ends.push(at + 1);
  let at = 0;
  return strays.map(({ first, before }) => {
    while ((ends[at] ?? Infinity) < first) at += 1;
    const end = ends[at] ?? Infinity;
    return { first, last: end < before ? end : first };
  });
}

const HEADER_ERRORS: ReadonlySet<string> = new Set<Diagnostic["code"]>(["MALFORMED_HEADER", "INVALID_BLOCK_ID"]);

/**
 * Names what stands below a block that never ends: it may be text of that block, so none of it is read.
 *
 * @param parts the syntaxes as each reads the whole text
 */
export function swallowedIn(source: Source, parts: readonly Part[], outermost: Outermost): Finding[] {
  const open = outermost.all.at(-1);
  if (open === undefined || open.isOpen !== true) return [];
  const others = parts.filter(({ syntax }) => syntax !== open.syntax).flatMap(({ read }) => read.items.filter(isBlock));
  const blocks = others.map(linesOf).filter(({ first }) => first > open.first);
  blocks.sort((left, right) => left.first - right.first);
  const starts = new Set(blocks.map(({ first }) => first));
  const fences = fencesBelow(source, open.first);
  source.visitOutside(blocks, (_, line) => fences.has(line) && starts.add(line));
  const below = [...starts].sort((left, right) => left - right);
  const [line] = below;
  if (line === undefined) return [];
  const what = `what begins in ${listed(below)} may be text of the ${open.syntax.unit} in line ${open.first}, which never ends`;
  return [{ code: "answer/not-read", line, message: `not read: ${what}` }];
}

/** Returns the lines that open code fences below a line. The first fence there may end one around the block. */
function fencesBelow(source: Source, line: number): ReadonlySet<number> {
  const tracker = new FenceTracker();
  const opened = new Set<number>();
  for (let number = 1; number <= source.count; number++) {
    const opens = tracker.read(source.at(number - 1), number) === "opens";
    if (number > line && (opens || (fenceIn(source.at(number - 1))?.info ?? "") !== "")) opened.add(number);
  }
  return opened;
}
