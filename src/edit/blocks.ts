/** Finds where a part of a lazy text stands in the old file by its declarations, where its lines do not tell. */
import { countsOf } from "../core/counted.ts";
import { largest } from "../core/lists.ts";

/** A function, class or other part of a source, as its grammar finds it. Lines are 0-based. */
export interface Block {
  /** The names of the parts around it, and its kind and name. */
  readonly name: string;
  /** The same with what each kind may become: an interface may become a type. */
  readonly family: string;
  /** That without the names around it. */
  readonly ownFamily: string;
  /** Its first line, with the comments and decorators above it. Undefined if something stands before it there. */
  readonly first: number | undefined;
  readonly last: number;
  /** What follows it in its last line. */
  readonly rest: string;
}

/** Returns the blocks of a source whose ends are certain, inner ones before outer ones; none without a grammar. */
export type BlocksIn = (text: string) => readonly Block[];

/** A line that is not blank. */
export interface Significant {
  /** Without its ending and trailing space. */
  readonly line: string;
  /** 0-based, among all lines. */
  readonly at: number;
}

/** Lines of a text, 0-based and inclusive. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** Where a part of a new text begins or ends in the old file. */
interface Edge {
  /** 0-based line, that below the last one for an end. */
  readonly at: number;
  /** Whether something new stands there. */
  readonly isAdded: boolean;
  /** How many blank lines go above it, if it begins with something new. */
  readonly blank: number;
}

/** Lines of the new text, and those of the old file that they stand for. */
interface Known {
  readonly now: Stretch;
  readonly old: Stretch;
}

type WholeBlock = Block & Stretch;

/** A text, without its blank lines. */
interface Version {
  readonly lines: readonly Significant[];
  readonly blocks: readonly Block[];
}

/** The blocks of a file and of a new text for it. */
export class BlockPairs {
  readonly #old: readonly Significant[];
  readonly #new: readonly Significant[];
  readonly #oldBlocks: readonly Block[];
  readonly #newBlocks: readonly Block[];
  /** Old blocks by their new forms: those of one name, where both texts have as many of them. */
  readonly #pairs: ReadonlyMap<Block, Block>;
  readonly #oldFamilies: ReadonlySet<string>;
  /** How often each line stands in the old file and in the new text. */
  readonly #times: { readonly old: ReadonlyMap<string, number>; readonly now: ReadonlyMap<string, number> };
  /** Where each line of the old file stands last. */
  readonly #oldPlaces: ReadonlyMap<string, number>;
  readonly #oldTrimmed: ReadonlySet<string>;

  constructor(before: Version, now: Version) {
    [this.#old, this.#oldBlocks, this.#new, this.#newBlocks] = [before.lines, before.blocks, now.lines, now.blocks];
    const exact = pairsOf(before.blocks, now.blocks, ({ name }) => name);
    const used = new Set(exact.values());
    const [olds, others] = [before.blocks.filter((old) => !used.has(old)), now.blocks.filter((one) => !exact.has(one))];
    const known = new Map([...exact, ...pairsOf(olds, others, ({ family }) => family)]);
    this.#pairs = new Map([...pairsByDepth(before, now), ...known]);
    this.#oldFamilies = new Set(before.blocks.map(({ family }) => family));
    const timesOf = (lines: readonly Significant[]): ReadonlyMap<string, number> =>
      countsOf(lines.map(({ line }) => line));
    this.#times = { old: timesOf(before.lines), now: timesOf(now.lines) };
    this.#oldPlaces = new Map(before.lines.map(({ line, at }) => [line, at]));
    this.#oldTrimmed = new Set(before.lines.map(({ line }) => line.trim()));
  }

  /** Returns the lines of the old file that the declarations of a part stand for. */
  replacedBy(part: Stretch): readonly Stretch[] {
    return this.#wholeIn(part).flatMap((block) => {
      const { first, last } = this.#pairs.get(block) ?? {};
      return first === undefined || last === undefined ? [] : [{ first, last }];
    });
  }

  /**
   * Returns where a part begins in the old file: at the first declaration or line which the file has too, or at the end
   * of a declaration around it. What stands above that is new.
   */
  beginOf(part: Stretch, isLast: boolean): Edge | undefined {
    const [known] = [...this.#belowEnded(part), ...this.#knownIn(part)].sort(byLine);
    const added = this.#addedIn({ first: part.first, last: (known?.now.first ?? part.last + 1) - 1 });
    const above = this.#old.findLast(({ at }) => at < (known?.old.first ?? Infinity))?.at ?? -1;
    const block = this.#oldBlocks.findLast(({ first, last }) => last === above && first !== last);
    const isUnclear = (added.lines || known === undefined) && block === undefined;
    if (added.hasOld || isUnclear || (known === undefined && !(isLast && added.blocks && !added.lines)))
      return undefined;
    const at = known?.old.first ?? above + 1;
    const isDivided = added.blocks && at === above + 1;
    const gaps = [this.#blankAbove(this.#old, block?.first), this.#blankAbove(this.#new, part.first)];
    return { at, isAdded: added.blocks || added.lines, blank: isDivided ? largest(gaps) : 0 };
  }

  /** Returns where a part ends in the old file. What stands below the last line of that in the part is new. */
  endOf(part: Stretch): Edge | undefined {
    const last = this.#opened(part) ?? this.#knownIn(part).at(-1);
    if (last === undefined) return undefined;
    const known = this.#goneOn(last, part);
    const below = this.#old.find(({ at }) => at > known.old.last)?.at;
    const added = this.#addedIn({ first: known.now.last + 1, last: part.last });
    const isUnclear = added.lines && !this.#oldBlocks.some(({ first }) => first === below);
    if (added.hasOld || isUnclear) return undefined;
    return { at: known.old.last + 1, isAdded: added.blocks || added.lines, blank: 0 };
  }

  /** Returns what is known of a part with the lines below that are the same in both texts. */
  #goneOn({ now, old }: Known, part: Stretch): Known {
    const first = this.#new.findIndex(({ at }) => at > now.last);
    const below = this.#old.findIndex(({ at }) => at > old.last);
    const lines = first === -1 || below === -1 ? [] : this.#new.slice(first).filter(({ at }) => at <= part.last);
    const count = lines.findIndex(({ line }, index) => this.#old[below + index]?.line !== line);
    const same = count === -1 ? lines.length : count;
    const [nowLast, oldLast] = [lines[same - 1]?.at ?? now.last, this.#old[below + same - 1]?.at ?? old.last];
    return same === 0 ? { now, old } : { now: { ...now, last: nowLast }, old: { ...old, last: oldLast } };
  }

  /** Returns the last line of the old form of a block, if the two have the same things beside their ends. */
  #endOf(block: Block): number | undefined {
    const old = this.#pairs.get(block);
    return old?.rest === block.rest ? old.last : undefined;
  }

  /** Returns the outermost blocks of a part, by their lines. */
  #wholeIn({ first, last }: Stretch): readonly WholeBlock[] {
    const inside = this.#newBlocks
      .filter((block): block is WholeBlock => block.first !== undefined && block.first >= first && block.last <= last)
      .sort((one, other) => one.first - other.first || other.last - one.last || one.name.length - other.name.length);
    const whole: WholeBlock[] = [];
    let around: readonly WholeBlock[] = [];
    for (const block of inside) {
      around = around.filter(({ last: end }) => end >= block.last);
      if (around.some(({ name }) => name.length < block.name.length && block.name.startsWith(name))) continue;
      around = [...around, block];
      whole.push(block);
    }
    return whole;
  }

  /**
   * Returns the declarations of a part that the old file has too, the lines beside them that stand once in both, and
   * the brackets that end declarations around them.
   */
  #knownIn(part: Stretch): readonly Known[] {
    const whole = this.#wholeIn(part);
    const blocks = whole.flatMap((now) => {
      const [first, last] = [this.#pairs.get(now)?.first, this.#endOf(now)];
      return first === undefined || last === undefined ? [] : [{ now, old: { first, last } }];
    });
    const lines = this.#besideIn(part, whole).flatMap(({ line, at }) => {
      const old = this.#oldPlaces.get(line);
      const isOnce = this.#times.old.get(line) === 1 && this.#times.now.get(line) === 1;
      return old === undefined || !isOnce || !/\w/.test(line) ? [] : [oneLine(at, old)];
    });
    const ends = this.#endedIn(part).flatMap((block) => {
      const last = this.#endOf(block);
      return last === undefined || !this.#isBracket(block.last) ? [] : [oneLine(block.last, last)];
    });
    return [...blocks, ...lines, ...ends].sort(byLine);
  }

  /** Returns the blocks that end in a part and begin above it. */
  #endedIn({ first, last }: Stretch): readonly Block[] {
    return this.#newBlocks.filter((block) => (block.first ?? -1) < first && block.last >= first && block.last <= last);
  }

  /** Returns what is below a block of Python that ends in a part: its last line is one of its own. */
  #belowEnded(part: Stretch): readonly Known[] {
    return this.#endedIn(part).flatMap((block) => {
      const last = this.#endOf(block);
      return last === undefined || this.#isBracket(block.last) ? [] : [oneLine(block.last + 1, last + 1)];
    });
  }

  /** Returns the head of the innermost block that goes on below a part, if the old one has as many lines like it. */
  #opened(part: Stretch): Known | undefined {
    const block = this.#newBlocks.find(
      ({ first, last }) => first !== undefined && first >= part.first && first <= part.last && last > part.last,
    );
    const first = block && this.#pairs.get(block)?.first;
    if (block?.first === undefined || first === undefined) return undefined;
    const from = block.first;
    const head = this.#new.filter(({ at }) => at >= from && at <= part.last);
    const old = this.#old.filter(({ at }) => at >= first).slice(0, head.length);
    const isHead = head.every(({ line }, index) => {
      const other = old[index]?.line ?? "";
      return line.trim().split(" ", 1)[0] === other.trim().split(" ", 1)[0] && line.at(-1) === other.at(-1);
    });
    const last = old.at(-1)?.at;
    return isHead && last !== undefined && /[{(:]$/.test(head.at(-1)?.line ?? "")
      ? { now: { first: from, last: part.last }, old: { first, last } }
      : undefined;
  }

  #isBracket(line: number): boolean {
    return CLOSING.test(this.#new.find(({ at }) => at === line)?.line ?? "");
  }

  #besideIn({ first, last }: Stretch, blocks: readonly Stretch[]): readonly Significant[] {
    const lines = this.#new.filter(({ at }) => at >= first && at <= last);
    return outside(lines, blocks);
  }

  /** Tells whether a stretch has anything of the old file, new declarations, and new lines beside those. */
  #addedIn({ first, last }: Stretch): Record<"hasOld" | "blocks" | "lines", boolean> {
    const blocks = this.#wholeIn({ first, last });
    const beside = this.#besideIn({ first, last }, blocks);
    const hasOld =
      blocks.some((block) => this.#oldFamilies.has(block.family) || this.#pairs.has(block)) ||
      beside.some(({ line }) => this.#oldTrimmed.has(line.trim()));
    return { hasOld, blocks: blocks.length > 0, lines: beside.length > 0 };
  }

  #blankAbove(lines: readonly Significant[], line = 0): number {
    return line - 1 - (lines.findLast(({ at }) => at < line)?.at ?? line - 1);
  }
}

/** Returns the lines that are in none of some stretches, which begin in their order. */
export function outside(lines: readonly Significant[], stretches: readonly Stretch[]): readonly Significant[] {
  let next = 0;
  let covered = -1;
  return lines.filter(({ at }) => {
    for (; (stretches[next]?.first ?? Infinity) <= at; next++) covered = Math.max(covered, stretches[next]?.last ?? -1);
    return at > covered;
  });
}

function byLine(one: Known, other: Known): number {
  return one.now.first - other.now.first;
}

function oneLine(now: number, old: number): Known {
  return { now: { first: now, last: now }, old: { first: old, last: old } };
}

/** Ends a block that another line has begun. */
const CLOSING = /^\s*(?:[)}\]]|end\b)/;

/** Returns the old blocks by new ones: the second of three of one name by the second of three. */
function pairsOf(
  olds: readonly Block[],
  news: readonly Block[],
  nameOf: (block: Block) => string,
): ReadonlyMap<Block, Block> {
  const [old, now] = [byKey(olds, nameOf), byKey(news, nameOf)];
  return new Map([...now].flatMap(([key, block]) => (old.has(key) ? [[block, old.get(key) as Block] as const] : [])));
}

/**
 * Returns the old blocks by new ones of a container whose head a placeholder stands for: in both texts, a name is there
 * once at that depth.
 */
function pairsByDepth(before: Version, now: Version): ReadonlyMap<Block, Block> {
  const [old, fresh] = [onceByDepth(before), onceByDepth(now)];
  return new Map([...fresh].flatMap(([key, block]) => (old.has(key) ? [[block, old.get(key) as Block]] : [])));
}

function onceByDepth({ lines, blocks }: Version): ReadonlyMap<string, Block> {
  const indents = new Map(lines.map(({ line, at }) => [at, line.length - line.trimStart().length]));
  const keyOf = ({ ownFamily, first = -1 }: Block): string => `${indents.get(first)} ${ownFamily}`;
  const counts = countsOf(blocks.map(keyOf));
  return new Map(blocks.flatMap((block) => (counts.get(keyOf(block)) === 1 ? [[keyOf(block), block]] : [])));
}

function byKey(blocks: readonly Block[], nameOf: (block: Block) => string): ReadonlyMap<string, Block> {
  const all = countsOf(blocks.map(nameOf));
  const seen = new Map<string, number>();
  return new Map(
    blocks.map((block) => {
      const name = nameOf(block);
      const number = (seen.get(name) ?? 0) + 1;
      seen.set(name, number);
      return [`${name} ${number}/${all.get(name)}`, block];
    }),
  );
}
