/** The brackets of a syntax tree, outside strings and comments. */
import type { Node } from "web-tree-sitter";

/** Closing brackets by opening bracket. */
const CLOSERS: Readonly<Record<string, string>> = {
  "{": "}",
  "(": ")",
  "[": "]",
  "${": "}",
  "#{": "}",
  "#[": "]",
  "[[": "]]",
};
const BRACKETS = [...new Set([...Object.keys(CLOSERS), ...Object.values(CLOSERS)])];

export interface Bracket {
  readonly type: string;
  /** UTF-16 offset. */
  readonly start: number;
}

/** Skips tokens of zero width, which the parser inserted to recover. */
export function bracketsIn(root: Node): Bracket[] {
  return root
    .descendantsOfType(BRACKETS)
    .flatMap((node) =>
      node === null || node.endIndex === node.startIndex ? [] : [{ type: node.type, start: node.startIndex }],
    );
}

export function closerOf({ type }: Bracket): string | undefined {
  return CLOSERS[type];
}

/** Brackets without a partner. */
export interface Unmatched {
  readonly closers: readonly Bracket[];
  readonly openers: readonly Bracket[];
  /** An opener before a closer of another kind. */
  readonly wrong?: Bracket;
}

/** Matches the brackets from one index up to another. */
export function unmatchedIn(brackets: readonly Bracket[], from = 0, to = brackets.length): Unmatched {
  const closers: Bracket[] = [];
  const openers: Bracket[] = [];
  for (let index = from; index < to; index++) {
    const bracket = brackets[index];
    if (bracket === undefined) break;
    const last = openers.at(-1);
    if (closerOf(bracket) !== undefined) openers.push(bracket);
    else if (last === undefined) closers.push(bracket);
    else if (closerOf(last) === bracket.type) openers.pop();
    else return { closers: [...closers, bracket], openers, wrong: last };
  }
  return { closers, openers };
}

export function isBalanced({ closers, openers }: Unmatched): boolean {
  return closers.length + openers.length === 0;
}

/** Returns the index of the first bracket at or after an offset. */
export function firstFrom(brackets: readonly Bracket[], offset: number): number {
  let [low, high] = [0, brackets.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((brackets[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
