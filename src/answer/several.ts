/**
 * Reads a text that may hold several syntaxes. Each block belongs to the syntax of its own markers, and what a complete
 * block of another one holds is content. Where two readings of lines are possible, the first of the list counts.
 *
 * Every syntax reads the text twice: as it is, which shows the outermost blocks, and then with those of the others
 * masked, so that what they quote has no part in it. Runs in linear time.
 */
import { type Block, isBlock, type Item, type Lines, type ReadText } from "../core/block.ts";
import type { Finding } from "../core/finding.ts";
import { Outermost, swallowedIn } from "./outermost.ts";
import { type QuotingFile, quotingFiles } from "./quoted.ts";
import { editsByFile, isMade, showsAgain } from "./shown-again.ts";
import { refuseTwoWays } from "./two-ways.ts";
import { refuseWithdrawn } from "./withdrawn.ts";
import type { Part, ReadSettings, Repaired, Syntax } from "../syntaxes/syntax.ts";
import { isFence } from "../syntaxes/fence.ts";
import { holds, isIn } from "../syntaxes/index.ts";
import { damaged, linesOf, linesOfBlocks } from "../syntaxes/line-blocks.ts";
import { Source } from "../syntaxes/source.ts";

export interface Several {
  /** The text that the blocks' spans refer to. Line numbers are those of the original. */
  readonly source: Source;
  /** In the order of the list of syntaxes. */
  readonly parts: readonly Part[];
  /** Those of all parts, in the order of the text. */
  readonly items: readonly Item[];
  readonly syntaxOf: ReadonlyMap<Item, Syntax>;
  /** Files whose text holds blocks, which are not run. */
  readonly quoting: readonly QuotingFile[];
  /** What could not be repaired, or may be text of a block that never ends. */
  readonly findings: readonly Finding[];
}

interface Reading {
  /** The syntaxes to look for, in their order. */
  readonly syntaxes: readonly Syntax[];
  readonly settings: ReadSettings;
  /** Whether to read damaged blocks as they are meant, where that is certain. */
  readonly repairs?: boolean;
  readonly maxErrors?: number;
}

interface Draft extends Part {
  readonly repaired: Repaired | undefined;
}

export function readSeveral(text: string, reading: Reading): Several {
  const { syntaxes, settings, repairs = false, maxErrors } = reading;
  const written = new Source(text);
  const present = syntaxes.filter((syntax) => isIn(written, syntax, settings));
  const drafts = present
    .filter((syntax) => syntax.isUncertain !== true)
    .map(draft)
    .filter(({ read }) => holds(read));
  const outermost = new Outermost(written, drafts);
  const source = withRepairs(written, drafts, outermost);
  const { parts: certain, dropped } = separated(drafts.map(again), outermost);
  const kept = withoutItems(certain, dropped);
  const prose = source.masked(new Outermost(source, kept).all);
  const { parts: blocks, findings: takenBack } = refuseWithdrawn(source, kept, prose);
  const uncertain = present.filter((syntax) => syntax.isUncertain === true);
  const among = { syntaxOf: syntaxesOf(blocks), settings };
  const quoting = uncertain.length === 0 ? [] : quotingFiles(source, inOrder(blocks), among);
  const quoted = new Set<Item>(quoting.flatMap((file) => file.quoted));
  const unquoted = withoutItems(blocks, quoted);
  const all = [...unquoted];
  const unmade: Block[] = [];
  for (const syntax of uncertain) {
    const read = filesOutside(syntax, all);
    if (holds(read)) all.push({ syntax, read });
  }
  // Text in no syntax may hold what was meant to run: the first one tells.
  const [first] = syntaxes;
  if (all.length === 0 && first !== undefined)
    all.push({ syntax: first, read: first.read(source, settings, maxErrors) });
  const parts = numbered(refuseTwoWays(prose, all, (path) => settings.fileWith?.textAt(path)));
  return {
    source,
    parts,
    items: inOrder(parts),
    syntaxOf: syntaxesOf(parts),
    quoting,
    findings: [
      ...drafts.flatMap(({ repaired }) => repaired?.findings ?? []),
      ...swallowedIn(source, drafts, outermost),
      ...takenBack,
      ...unmade.map(({ startLine }) => unmadeFinding(startLine, source.at(startLine - 1))),
    ],
  };

  function draft(syntax: Syntax): Draft {
    const asWritten = syntax.read(written, settings, maxErrors);
    const repaired = repairs ? syntax.repair?.(written, asWritten) : undefined;
    const isChanged = repaired !== undefined && repaired.text !== text;
    return {
      syntax,
      repaired,
      read: isChanged ? syntax.read(new Source(repaired.text), settings, maxErrors) : asWritten,
    };
  }

  function again({ syntax, read, repaired }: Draft): Part & { readonly draft: ReadText } {
    const masked = source.masked(outermost.except(syntax));
    const isSame = masked.text === (repaired?.text ?? text);
    const reread = isSame || read.fatal !== undefined ? read : syntax.read(masked, settings, maxErrors);
    const now = syntax.carries === true ? without(reread, (item) => carries(item, syntax)) : reread;
    return { syntax, draft: read, read: repaired === undefined ? now : withWarnings(now, repaired) };
  }

  /** Returns whether a damaged block is no more than what one of another syntax stands in. */
  function carries(item: Item, syntax: Syntax): boolean {
    return isBlock(item) && item.diagnostics.length > 0 && outermost.within(linesOf(item), syntax) !== undefined;
  }

  /** Reads whole files around the blocks. A fence that a block stands in is no file. */
  function filesOutside(syntax: Syntax, around: readonly Part[]): ReadText {
    const pathsAt = pathsOf(around);
    const files = syntax.read(source.masked(new Outermost(source, around).all), { ...settings, pathsAt }, maxErrors);
    const isBeside = besides(around.flatMap(({ read }) => read.items.map(linesOf)));
    const uncertain = around.find((part) => part.syntax.isUncertain === true)?.read.items;
    const unclear = uncertain?.find((item) => isUnclear(item, source));
    const end = unclear === undefined ? Infinity : linesOf(unclear).first;
    const edits = editsByFile(
      around.filter((part) => part.syntax.isUncertain !== true).flatMap(({ read }) => read.items.filter(isBlock)),
      (path) => settings.fileWith?.textAt(path),
    );
    return without(files, (item) => {
      const [{ first, last } = linesOf(item)] = linesOfBlocks(source, [item]);
      // A sentence may show an edit again; below a fence whose end is unclear, nobody knows what is its text.
      if (syntax.name !== "plain" || !isBlock(item)) return !isBeside({ first, last });
      const isShown = showsAgain(item, edits);
      // A fence is named by its line.
      if (isShown && !isFence(source.at(first - 1)) && !isMade(item, edits)) unmade.push(item);
      return isShown || first > end || !isBeside({ first, last });
    });
  }
}

/** Tells of a sentence that may speak of a block's edit, but orders another one. */
function unmadeFinding(line: number, sentence: string): Finding {
  return {
    code: "answer/not-read",
    line,
    message: `not read: "${sentence.trim().slice(0, MAX_QUOTED)}" (line ${line})`,
    request: "Show what changes in a code fence, with the path of its file above it",
  };
}

/** UTF-16 units. */
const MAX_QUOTED = 200;

/** Returns the paths of the blocks that can run, by the lines that end them. */
function pathsOf(parts: readonly Part[]): ReadonlyMap<number, string> {
  const blocks = parts
    .flatMap(({ read }) => read.items.filter(isBlock))
    .filter(({ diagnostics }) => diagnostics.length === 0);
  return new Map(
    blocks.flatMap((block) => {
      const { path } = block.properties;
      return path === undefined ? [] : [[linesOf(block).last - 1, path] as const];
    }),
  );
}

function withoutItems(parts: readonly Part[], dropped: ReadonlySet<Item>): readonly Part[] {
  return parts.map(({ syntax, read }) => ({ syntax, read: without(read, (item) => dropped.has(item)) }));
}

function without(read: ReadText, isDropped: (item: Item) => boolean): ReadText {
  return { ...read, items: read.items.filter((item) => !isDropped(item)) };
}

/** Returns whether it is unclear where a file ends. */
function isUnclear(item: Item, { text }: Source): boolean {
  if (!isBlock(item) || item.diagnostics.length === 0) return false;
  return item.endLine !== null || item.span.end >= text.trimEnd().length;
}

/** Returns what tells whether lines have none in common with others. */
function besides(others: readonly Lines[]): (lines: Lines) => boolean {
  const sorted = others.toSorted((left, right) => left.first - right.first);
  let end = 0;
  const ends = sorted.map(({ last }) => (end = Math.max(end, last)));
  return ({ first, last }) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] as Lines).first <= last) low = middle + 1;
      else high = middle;
    }
    return low === 0 || (ends[low - 1] as number) < first;
  };
}

/** Takes the lines of blocks that had to be repaired from the repaired text, unless another block holds them. */
function withRepairs(written: Source, drafts: readonly Draft[], outermost: Outermost): Source {
  const draft = drafts.find(({ repaired }) => repaired !== undefined && repaired.text !== written.text);
  if (draft?.repaired === undefined) return written;
  const lines = written.text.split("\n");
  const repaired = draft.repaired.text.split("\n");
  for (const { first, last } of outermost.except(draft.syntax))
    for (let at = first - 1; at < Math.min(last, lines.length); at++) repaired[at] = lines[at] ?? "";
  return new Source(repaired.join("\n"));
}

/**
 * Refuses blocks around complete ones of another syntax that have become complete only by masking those: it is unclear
 * whether they are quoted. Neither runs.
 */
function separated(
  parts: ReadonlyArray<Part & { readonly draft: ReadText }>,
  outermost: Outermost,
): { readonly parts: readonly Part[]; readonly dropped: ReadonlySet<Item> } {
  const inside: Lines[] = [];
  const kept = parts.map(({ syntax, read }) => {
    const items = read.items.map((item) => {
      if (!isBlock(item) || item.diagnostics.length > 0) return item;
      const other = outermost.within(linesOf(item), syntax);
      if (other === undefined) return item;
      inside.push(linesOf(item));
      return damaged(item, {
        code: "MISPLACED_MARKER",
        line: other.first,
        column: 1,
        length: 0,
        blockId: item.id,
        content: "",
        context: "",
        message: `It is unclear whether the ${other.syntax.unit} in line ${other.first} is text of it`,
      });
    });
    return { syntax, read: { ...read, items } };
  });
  const isInside = (item: Item): boolean =>
    inside.some(({ first, last }) => first < linesOf(item).first && linesOf(item).last < last);
  const items = inside.length === 0 ? [] : kept.flatMap(({ read }) => read.items);
  return { parts: kept, dropped: new Set(items.filter(isInside)) };
}

function withWarnings(read: ReadText, { warnings }: Repaired): ReadText {
  if (warnings.size === 0) return read;
  const warned = (item: Item): Item => {
    const warning = isBlock(item) ? warnings.get(item.startLine) : undefined;
    return warning === undefined ? item : { ...item, warnings: [warning] };
  };
  return { ...read, items: read.items.map(warned) };
}

/** Numbers the blocks of all syntaxes whose blocks have no names, over the whole text: `e1`, `e2`. */
function numbered(parts: readonly Part[]): readonly Part[] {
  if (parts.filter(({ syntax }) => syntax.isForeign).length < 2) return parts;
  const ids = new Map<Item, string>();
  const syntaxOf = syntaxesOf(parts);
  for (const item of inOrder(parts))
    if (isBlock(item) && syntaxOf.get(item)?.isForeign === true) ids.set(item, `e${ids.size + 1}`);
  const named = (item: Item): Item => {
    const id = ids.get(item);
    if (id === undefined || !isBlock(item)) return item;
    const diagnostics = item.diagnostics.map((diagnostic) => ({ ...diagnostic, blockId: id }));
    return { ...item, id, diagnostics };
  };
  return parts.map(({ syntax, read }) => ({ syntax, read: { ...read, items: read.items.map(named) } }));
}

/** Merges the items of parts by their lines. Those of one group stay together. */
function inOrder(parts: readonly Part[]): readonly Item[] {
  const queues = parts.map(({ read }) => ({ items: read.items, at: 0 })).filter(({ items }) => items.length > 0);
  if (queues.length < 2) return queues[0]?.items ?? [];
  const merged: Item[] = [];
  const lineOf = ({ items, at }: (typeof queues)[number]): number => {
    const item = items[at];
    return item === undefined ? Infinity : linesOf(item).first;
  };
  for (;;) {
    const next = queues.reduce((left, right) => (lineOf(right) < lineOf(left) ? right : left));
    const item = next.items[next.at];
    if (item === undefined) return merged;
    do merged.push(next.items[next.at++] as Item);
    while (isWith(item, next.items[next.at]));
  }
}

/** Returns whether two items of a syntax, one below the other, run all or not at all. */
function isWith(item: Item, next: Item | undefined): boolean {
  if (next === undefined || !isBlock(item) || !isBlock(next)) return false;
  return item.meant?.group !== undefined && item.meant.group === next.meant?.group;
}

function syntaxesOf(parts: readonly Part[]): ReadonlyMap<Item, Syntax> {
  return new Map(parts.flatMap(({ syntax, read }) => read.items.map((item) => [item, syntax] as const)));
}
