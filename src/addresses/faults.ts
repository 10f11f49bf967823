import type { Node, Tree } from "web-tree-sitter";
import { append } from "../core/lists.ts";
import type { Grammar } from "./grammar.ts";
import type { Bracket, Fault, ReadSyntax, SourceSyntax } from "./syntax.ts";

/** Returns what a tree tells about the syntax of its text. */
export function syntaxIn(
  { rootNode: root }: Tree,
  { layoutFaults }: Pick<Grammar, "layoutFaults">,
  wantsBrackets: Parameters<ReadSyntax>[1] = "if broken",
): SourceSyntax {
  const faults = root.hasError ? faultsIn(root) : (layoutFaults?.(root) ?? []);
  const needsBrackets = (wantsBrackets === "always" || root.hasError) && root.descendantCount <= MAX_NODES;
  return { faults, brackets: needsBrackets ? bracketsIn(root) : [] };
}

/** Maximum number of nodes. Collecting more brackets, as in files of only brackets, would take gigabytes. */
export const MAX_NODES = 5_000_000;

/** Enough to find one near the change. A text in another language is nothing but faults. */
const MAX_FAULTS = 100;

/** Returns the outermost damaged nodes. */
function faultsIn(root: Node): Fault[] {
  const faults: Fault[] = [];
  const pending = [root];
  for (let node = pending.pop(); node !== undefined && faults.length < MAX_FAULTS; node = pending.pop()) {
    const { startIndex: start, endIndex: end } = node;
    if (node.isMissing) faults.push({ start, end, ...(/\W/.test(node.type) && { missing: node.type }) });
    else if (node.isError) faults.push({ start, end });
    else {
      append(
        pending,
        node.children.filter((child) => child !== null && (child.hasError || child.isMissing)).toReversed() as Node[],
      );
    }
  }
  return faults;
}

/** Moves all places of a syntax. */
export function shiftSyntax({ faults, brackets }: SourceSyntax, by: number): SourceSyntax {
  return {
    faults: faults.map((fault) => ({ ...fault, start: fault.start + by, end: fault.end + by })),
    brackets: brackets.map(({ type, start }) => ({ type, start: start + by })),
  };
}

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
