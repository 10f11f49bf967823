import type { Node, Tree } from "web-tree-sitter";
import { bracketsIn, firstFrom, isBalanced, MAX_NODES, unmatchedIn } from "./faults.ts";
import type { Bracket } from "./syntax.ts";

/**
 * Returns a function that tells whether a node's end is certain. Without syntax errors, the grammar determines it. With
 * one, the end is certain if the brackets are balanced, as around a macro unknown to the grammar. A missing brace makes
 * a node swallow what follows.
 */
export function judge({ rootNode: root }: Tree, endsByBrackets: boolean): (node: Node) => boolean {
  if (!root.hasError) return () => true;
  if (!endsByBrackets || root.descendantCount > MAX_NODES) return (node) => !node.hasError;
  let brackets: readonly Bracket[] | undefined;
  return (node) => {
    if (!node.hasError) return true;
    brackets ??= bracketsIn(root);
    return isBalanced(unmatchedIn(brackets, firstFrom(brackets, node.startIndex), firstFrom(brackets, node.endIndex)));
  };
}

/** UTF-16 offsets, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A comment, which must directly precede its declaration, or an attribute, which may precede it at any distance. */
interface Remark extends Span {
  readonly isComment: boolean;
}

/** Some grammars include the newline after a comment. A `#!` line is not a comment on a declaration. */
export function toRemarks(nodes: readonly Node[], text: string, isComment: (type: string) => boolean): Remark[] {
  const commentNodes = nodes.filter(({ startIndex }) => startIndex > 0 || !text.startsWith("#!"));
  return commentNodes.map(({ type, startIndex: start, endIndex }) => {
    let end = endIndex;
    while (end > start && /\s/.test(text.charAt(end - 1))) end -= 1;
    return { start, end, isComment: isComment(type) };
  });
}

/**
 * Returns a function that finds where a declaration starts, including the remarks directly above it and its
 * indentation. A remark after other text on its line belongs to that text. Must be called in ascending order.
 */
export function attacher(remarks: readonly Remark[], text: string): (start: number) => number {
  let next = 0;
  return (start) => {
    while (next < remarks.length && (remarks[next]?.start ?? 0) < start) next += 1;
    let from = lineBeginning(text, start) ?? start;
    let reached = start;
    for (let index = next - 1; index >= 0; index--) {
      const remark = remarks[index];
      if (remark === undefined || remark.end > reached || !belongs(text.slice(remark.end, reached), remark)) break;
      reached = remark.start;
      from = lineBeginning(text, reached) ?? from;
    }
    return from;
  };
}

function belongs(between: string, { isComment }: Remark): boolean {
  return isComment ? /^[ \t]*\r?\n?[ \t]*$/.test(between) : /^\s*$/.test(between);
}

/** Returns undefined if the offset is not the first on its line. */
function lineBeginning(text: string, offset: number): number | undefined {
  let start = offset;
  while (start > 0 && (text[start - 1] === " " || text[start - 1] === "\t")) start -= 1;
  return start === 0 || text[start - 1] === "\n" ? start : undefined;
}
