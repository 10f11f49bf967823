/**
 * Tells a whole new text of a file from an excerpt of the old one, from one that was cut off, and from the text of
 * another file. A fence that shows an excerpt is the commonest false edit, a path above the wrong fence the next.
 */
import { extname } from "node:path";
import { Failed } from "../core/failure.ts";
import { type Block, BlockPairs, type BlocksIn, type Significant, type Stretch } from "./blocks.ts";
import { countKept, significantLines } from "./lazy.ts";
import { areOtherBlocks } from "./named-block.ts";
import { isProse } from "./placeholder.ts";

/**
 * Throws `file/excerpt` or `file/loses` if a text for a whole file is probably a part of it, and `file/unlike` if it is
 * probably meant for another file. Blank lines do not count.
 *
 * @param hasGrammar whether its declarations are known, so that what it loses of them was told
 */
export function refuseExcerpt(path: string, before: string, content: string, hasGrammar: boolean): void {
  const [old, shown] = [significantLines(before), significantLines(content)];
  const [kept, of] = [countKept(old, shown), old.length];
  const first = shown.length < of ? findRun(old, shown) : undefined;
  if (first !== undefined) {
    const place = `${at(old, first)}-${at(old, first + shown.length - 1)}`;
    throw new Failed({ code: "file/excerpt", path, kept, of, place });
  }
  // A grammar knows no names of the tables of a list.
  const hasNames = hasGrammar && !content.startsWith("[[");
  if (!hasNames && (areOtherBlocks(before, content) || isOneOfMany(old, shown)))
    throw new Failed({ code: "file/excerpt", path, kept, of });
  if (lacksImports(before, content)) throw new Failed({ code: "file/loses", path, names: [] });
  if (kept * 2 >= of) return;
  if (shown.length < of) throw new Failed({ code: "file/excerpt", path, kept, of });
  if (of > MAX_REWRITTEN && !hasMostWords(before, content)) throw new Failed({ code: "file/unlike", path, kept, of });
}

/** Throws `file/excerpt` if a text for a whole file is a run of its lines with others above and below. */
export function refuseStretch(path: string, before: string, content: string): void {
  const [old, shown] = [significantLines(before), significantLines(content)];
  const first = findRun(old, shown);
  const end = (first ?? 0) + shown.length;
  if (first === undefined || first === 0 || end === old.length) return;
  const place = `${at(old, first)}-${at(old, end - 1)}`;
  throw new Failed({ code: "file/excerpt", path, kept: shown.length, of: old.length, place });
}

/**
 * Throws `file/signed` if some lines of a text begin with a sign of a diff: one with - that stands in the file without
 * it, or in a source one with + where the file has none.
 */
export function refuseSigned(path: string, before: string, content: string, isSource: boolean): void {
  const lines = content.split("\n");
  if (!lines.some((line) => SIGNED.test(line))) return;
  const old = new Set(before.split(/\r?\n/));
  // A list in prose may have such marks.
  const isList = !isSource || isProse(extname(path).slice(1)) || /^\+/m.test(before);
  const isSigned = (line: string): boolean =>
    SIGNED.test(line) && !old.has(line) && (line.startsWith("-") ? old.has(line.slice(1).trimEnd()) : !isList);
  const number = lines.findIndex(isSigned) + 1;
  if (number > 0) throw new Failed({ code: "file/signed", path, number, line: lines[number - 1]?.trim() ?? "" });
}

const SIGNED = /^[+-].*\p{L}/u;

/** Returns whether a text is a block that stands beside others in the file: nothing of those is shown. */
function isOneOfMany(old: readonly Significant[], shown: readonly Significant[]): boolean {
  const isOne = (lines: readonly Significant[]): boolean => {
    const [head = "", ...body] = lines.map(({ line }) => line);
    const isInside = body.slice(0, -1).every((line) => /^\s/.test(line));
    return /^[@.#\w].*(?:[{([]|\bdo)$/.test(head) && isInside && /^(?:[)}\]]|end\b)/.test(body.at(-1) ?? "");
  };
  return shown.length < old.length && isOne(shown) && !isOne(old);
}

/** Returns whether a text has no import at all, where the file has some. */
export function lacksImports(before: string, content: string): boolean {
  return IMPORT.test(before) && !IMPORT.test(content);
}

const IMPORT =
  /^(?:import\b(?!\()|from\s+\S+\s+import\b|#\s*include\b|use\s+[\w\\:{]|using\s+[\w.]+\s*;|require(?:_relative)?\b|package\s+\w|@import\b|(?:const|let|var)\s[^=\n]*=\s*require\()/m;

/** Number of lines of a file that a text of as many lines may replace whatever they are: little can be lost. */
const MAX_REWRITTEN = 3;

/** Returns where lines stand in the old ones, one after the other. Runs in linear time. */
function findRun(old: readonly Significant[], shown: readonly Significant[]): number | undefined {
  const [all, run] = [old, shown].map((lines) => `\n${lines.map(({ line }) => line).join("\n")}\n`) as [string, string];
  const start = all.indexOf(run);
  return start === -1 ? undefined : all.slice(0, start).split("\n").length - 1;
}

/** Returns the 1-based number in the file of a significant line. */
function at(lines: readonly Significant[], index: number): number {
  return (lines[index]?.at ?? 0) + 1;
}

/** Returns whether a new text has at least half of the different words of the old one. */
function hasMostWords(before: string, content: string): boolean {
  const [old, fresh] = [before, content].map((text) => new Set(text.match(/[\p{L}\p{N}_]+/gu))) as [
    Set<string>,
    Set<string>,
  ];
  return [...old].filter((word) => fresh.has(word)).length * 2 >= old.size;
}

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
