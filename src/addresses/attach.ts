/** What stands above a declaration and belongs to it. */
import type { Node } from "web-tree-sitter";

/** UTF-16 offsets, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A comment, which belongs to what follows on the next line, or an attribute, which belongs to what follows at all. */
interface Remark extends Span {
  readonly isComment: boolean;
}

/** Some grammars count the newline after a comment to it. The line that names a script's interpreter is no comment on anything. */
export function toRemarks(nodes: readonly Node[], text: string, isComment: (type: string) => boolean): Remark[] {
  const own = nodes.filter(({ startIndex }) => startIndex > 0 || !text.startsWith("#!"));
  return own.map(({ type, startIndex: start, endIndex }) => {
    let end = endIndex;
    while (end > start && /\s/.test(text.charAt(end - 1))) end -= 1;
    return { start, end, isComment: isComment(type) };
  });
}

/**
 * Finds where what belongs to a declaration begins: at the first of the remarks right above it, and at the line's beginning where
 * only white space stands before. A remark after something else on its line belongs to that. Asked in ascending order.
 */
export function attacher(remarks: readonly Remark[], text: string): (start: number) => number {
  let next = 0;
  return (start) => {
    while (next < remarks.length && (remarks[next]?.start ?? 0) < start) next += 1;
    let from = lineBeginning(text, start) ?? start;
    let reached = start;
    for (let index = next - 1; index >= 0; index--) {
      const one = remarks[index];
      if (one === undefined || one.end > reached || !belongs(text.slice(one.end, reached), one)) break;
      reached = one.start;
      from = lineBeginning(text, reached) ?? from;
    }
    return from;
  };
}

function belongs(between: string, { isComment }: Remark): boolean {
  return isComment ? /^[ \t]*\r?\n?[ \t]*$/.test(between) : /^\s*$/.test(between);
}

/** Undefined where something stands before on the line. */
function lineBeginning(text: string, offset: number): number | undefined {
  let start = offset;
  while (start > 0 && (text[start - 1] === " " || text[start - 1] === "\t")) start -= 1;
  return start === 0 || text[start - 1] === "\n" ? start : undefined;
}
