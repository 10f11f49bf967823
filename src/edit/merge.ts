/**
 * Three-way merge of text by lines. Splits the texts at lines that occur once in each. Between two cuts, only one side
 * may differ. So the result never depends on how a diff aligns repeated lines such as `}`.
 */
import { isUtf8 } from "node:buffer";

/**
 * Applies the change from `base` to `theirs` to `ours`. Returns undefined if both sides change the same or adjacent
 * lines, or a side is binary.
 *
 * Every line keeps its bytes, including line endings, a byte order mark and invalid UTF-8.
 */
export function mergeBytes(base: Buffer, ours: Buffer, theirs: Buffer): Buffer | undefined {
  if ([base, ours, theirs].some((text) => text.includes(0))) return undefined;
  // A file saved in another encoding must not get lines in the old one.
  if (isUtf8(base) !== isUtf8(ours)) return undefined;
  const merged = mergeText(base.toString("latin1"), ours.toString("latin1"), theirs.toString("latin1"));
  return merged === undefined ? undefined : Buffer.from(merged, "latin1");
}

export function mergeText(base: string, ours: string, theirs: string): string | undefined {
  // Lines end with CR alone only in a text without any LF.
  const ending = base.includes("\n") ? /(?<=\n)/ : /(?<=\r)/;
  const [lines, ourLines, other] = [base, ours, theirs].map((text) => (text === "" ? [] : text.split(ending))) as [
    string[],
    string[],
    string[],
  ];
  const merged: string[] = [];
  let at: Cut = { base: 0, ours: 0, theirs: 0 };
  for (const cut of [
    ...cutsIn(lines, ourLines, other),
    { base: lines.length, ours: ourLines.length, theirs: other.length },
  ]) {
    const [was, mine, two] = [
      joined(lines, at.base, cut.base),
      joined(ourLines, at.ours, cut.ours),
      joined(other, at.theirs, cut.theirs),
    ];
    if (mine !== was && two !== was && mine !== two) return undefined;
    merged.push(mine === was ? two : mine);
    if (cut.base < lines.length) merged.push(lines[cut.base] as string);
    at = { base: cut.base + 1, ours: cut.ours + 1, theirs: cut.theirs + 1 };
  }
  return merged.join("");
}

/** Positions of one line in the three texts. */
interface Cut {
  readonly base: number;
  readonly ours: number;
  readonly theirs: number;
}

/** Returns the lines that occur once in each text, except those that a side has moved past others. */
function cutsIn(base: readonly string[], ours: readonly string[], theirs: readonly string[]): Cut[] {
  const [inBase, inOurs, inTheirs] = [uniqueLines(base), uniqueLines(ours), uniqueLines(theirs)];
  const common = [...inBase].flatMap(([line, place]): Cut[] => {
    const [ourPlace, other] = [inOurs.get(line), inTheirs.get(line)];
    return ourPlace === undefined || other === undefined ? [] : [{ base: place, ours: ourPlace, theirs: other }];
  });
  return longestIncreasing(
    longestIncreasing(common, (cut) => cut.ours),
    (cut) => cut.theirs,
  );
}

/** Returns the lines that occur once, in the order of the text. */
export function uniqueLines(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [place, line] of lines.entries()) {
    if (places.has(line)) repeated.add(line);
    else places.set(line, place);
  }
  for (const line of repeated) places.delete(line);
  return places;
}

/** Returns the longest increasing subsequence, by patience sorting. */
export function longestIncreasing<Item>(items: readonly Item[], numberOf: (item: Item) => number): Item[] {
  interface Card {
    readonly item: Item;
    readonly before: Card | undefined;
  }
  const piles: Card[] = [];
  for (const item of items) {
    let [low, high] = [0, piles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numberOf((piles[middle] as Card).item) < numberOf(item)) low = middle + 1;
      else high = middle;
    }
    piles[low] = { item, before: piles[low - 1] };
  }
  const rise: Item[] = [];
  for (let card = piles.at(-1); card !== undefined; card = card.before) rise.push(card.item);
  return rise.toReversed();
}

function joined(lines: readonly string[], start: number, end: number): string {
  return lines.slice(start, end).join("");
}
