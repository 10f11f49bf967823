import type { Node, Tree } from "web-tree-sitter";
import type { Span } from "./attach.ts";

/** Closing brackets by opening bracket. */
const CLOSERS: Readonly<Record<string, string>> = { "{": "}", "(": ")", "[": "]", "${": "}", "#{": "}", "#[": "]", "[[": "]]" };
const BRACKETS = [...new Set([...Object.keys(CLOSERS), ...Object.values(CLOSERS)])];

/**
 * Returns a function that tells whether a node's end is certain. Without syntax errors, the grammar determines it. With
 * one, the end is certain if the brackets are balanced, as around a macro unknown to the grammar. A missing brace makes
 * a node swallow what follows.
 */
export function judge({ rootNode: root }: Tree, endsByBrackets: boolean): (node: Node) => boolean {
  if (!root.hasError) return () => true;
  if (!endsByBrackets || root.descendantCount > MAX_NODES) return (node) => !node.hasError;
  let tokens: readonly Token[] | undefined;
  return (node) => {
    if (!node.hasError) return true;
    tokens ??= bracketsIn(root);
    return isBalanced(tokens, { start: node.startIndex, end: node.endIndex });
  };
}

/** Maximum number of nodes. Collecting more brackets, as in files of only brackets, would take gigabytes. */
const MAX_NODES = 5_000_000;

/** Skips tokens of zero width, which the parser inserted to recover. */
function bracketsIn(root: Node): Token[] {
  return root.descendantsOfType(BRACKETS).flatMap((node) => (node === null || node.endIndex === node.startIndex ? [] : [{ type: node.type, start: node.startIndex }]));
}

interface Token {
  readonly type: string;
  readonly start: number;
}

function isBalanced(tokens: readonly Token[], { start, end }: Span): boolean {
  const awaited: string[] = [];
  for (let index = firstFrom(tokens, start); index < tokens.length && (tokens[index]?.start ?? 0) < end; index++) {
    const type = tokens[index]?.type ?? "";
    const closer = CLOSERS[type];
    if (closer !== undefined) awaited.push(closer);
    else if (awaited.pop() !== type) return false;
  }
  return awaited.length === 0;
}

/** Returns the index of the first token at or after an offset. */
function firstFrom(tokens: readonly Token[], offset: number): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tokens[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
