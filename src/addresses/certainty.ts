import type { Node, Tree } from "web-tree-sitter";
import type { Span } from "./attach.ts";

/** Which bracket closes which. */
const CLOSERS: Readonly<Record<string, string>> = { "{": "}", "(": ")", "[": "]", "${": "}", "#{": "}", "#[": "]", "[[": "]]" };
const BRACKETS = [...new Set([...Object.keys(CLOSERS), ...Object.values(CLOSERS)])];

/**
 * Tells whether it is certain where a node ends. A node without syntax errors ends where its grammar says. With one it does where its
 * brackets are balanced all the same, as around a macro that no grammar can know; a missing brace lets it swallow what follows.
 */
export function judge({ rootNode: root }: Tree, endsByBrackets: boolean): (node: Node) => boolean {
  if (!root.hasError) return () => true;
  if (!endsByBrackets || root.descendantCount > MOST_NODES) return (node) => !node.hasError;
  let tokens: readonly Token[] | undefined;
  return (node) => {
    if (!node.hasError) return true;
    tokens ??= bracketsIn(root);
    return isBalanced(tokens, { start: node.startIndex, end: node.endIndex });
  };
}

/** With more, as in files of nothing but brackets, to collect them would take gigabytes. */
const MOST_NODES = 5_000_000;

/** What a parser only added, to go on, has no width. */
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

/** The index of the first token at or after an offset. */
function firstFrom(tokens: readonly Token[], offset: number): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tokens[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
