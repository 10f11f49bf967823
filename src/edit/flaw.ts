/** Tells where a filled text is not what the answer means: the answer shows a line that a placeholder stands for too. */
import { isComment } from "../core/comment-styles.ts";
import { countsOf } from "../core/counted.ts";
import { significantLines } from "./lazy.ts";

interface Row {
  /** Trimmed. */
  readonly text: string;
  readonly indent: number;
}

/**
 * Returns why a filled text is not what is meant, as the end of a sentence that names the file.
 *
 * @param shown the text with its placeholders
 */
export function flawOf(before: string, shown: string, filled: string): string | undefined {
  const [old, now, result] = [rowsIn(before), rowsIn(shown), rowsIn(filled)];
  const loose = moreIn(result, [old, now], isLoose);
  if (loose !== undefined) return `would hold the line "${loose}" where nothing is open`;
  const twice = doubledIn(old, now, result) ?? moreIn(result, [old, now], isRepeated);
  return twice && `would hold the line "${twice.slice(0, MAX_QUOTED)}" twice`;
}

/** UTF-16 units of a line that a refusal shows. */
const MAX_QUOTED = 60;

type IsFlawed = (row: Row, above: Row) => boolean;

/** Returns a line that has a flaw below the one above it, if a text has more of them than others together. */
function moreIn(rows: readonly Row[], others: ReadonlyArray<readonly Row[]>, isFlawed: IsFlawed): string | undefined {
  const [all, ...known] = [rows, ...others].map((lines) =>
    lines.filter((row, at) => at > 0 && isFlawed(row, lines[at - 1] as Row)),
  );
  return all !== undefined && all.length > known.flat().length ? all[0]?.text : undefined;
}

/** Returns whether a line closes a block below the end of the one around it. */
function isLoose(row: Row, above: Row): boolean {
  return above.indent <= row.indent && CLOSES_ALONE.test(above.text) && CLOSES_ALONE.test(row.text);
}

/** Returns whether a line is the one above it once more. */
function isRepeated(row: Row, above: Row): boolean {
  return row.text === above.text && isStatement(row.text);
}

const CLOSES_ALONE = /^(?:[)}\]]+[)}\];,]*|end\b[);,]*)$/;

/**
 * Returns a line that a block of the old text has once, as the answer does, and that the filled block has twice. With a
 * line between the two that all texts have once, the other one stands beyond it, and the shown one is new.
 */
function doubledIn(old: readonly Row[], now: readonly Row[], result: readonly Row[]): string | undefined {
  const countIn = (rows: readonly Row[]) => countsOf(rows.map(({ text }) => text));
  const [oldCounts, nowCounts, counts] = [countIn(old), countIn(now), countIn(result)];
  const isOnce = (text: string): boolean => [oldCounts, nowCounts, counts].every((all) => all.get(text) === 1);
  const isHead = ({ text }: Row): boolean => counts.get(text) === 1 && (oldCounts.get(text) ?? 0) <= 1;
  const isDoubled = ({ text }: Row, at: number): boolean => {
    const isMore = nowCounts.has(text) && (counts.get(text) ?? 0) > (oldCounts.get(text) ?? Infinity);
    // What stands above a new declaration belongs to that.
    if (!isMore || !isStatement(text) || isComment(text) || /^(?:@|#?\[)/.test(text)) return false;
    const head = headOf(result, at, isHead);
    const block = blockOf(result, head);
    const [first, second, third] = block.flatMap((row, index) => (row.text === text ? [index] : []));
    const hasOnce = [old, now].every((rows) => blockOf(rows, head).filter((row) => row.text === text).length === 1);
    if (!hasOnce || second === undefined || third !== undefined) return false;
    return !block.slice(first, second).some((row) => isOnce(row.text) && isStatement(row.text));
  };
  return result.find(isDoubled)?.text;
}

function rowsIn(text: string): readonly Row[] {
  return significantLines(text).map(({ line }) => ({
    text: line.trim(),
    indent: line.length - line.trimStart().length,
  }));
}

/** Returns the head of the innermost block around a line that can be told from others. */
function headOf(rows: readonly Row[], at: number, isHead: (row: Row) => boolean): Row | undefined {
  let depth = rows[at]?.indent ?? 0;
  return rows.slice(0, at).findLast((row) => {
    if (row.indent >= depth || isComment(row.text)) return false;
    // A bracket that opens a block, or a branch of it, has its head above it.
    depth = isStatement(row.text) ? row.indent : row.indent + 1;
    return isStatement(row.text) && isHead(row);
  });
}

/** Returns the lines of a block. All of a text without its head. */
function blockOf(rows: readonly Row[], head: Row | undefined): readonly Row[] {
  const first = head === undefined ? -1 : rows.findIndex(({ text }) => text === head.text);
  const depth = rows[first]?.indent;
  if (depth === undefined) return rows;
  // A comment, and a placeholder, may stand at the margin.
  const isOutside = ({ text, indent }: Row): boolean => indent <= depth && isStatement(text) && !isComment(text);
  const length = rows.slice(first + 1).findIndex(isOutside);
  return rows.slice(first, length === -1 ? rows.length : first + 1 + length);
}

/** Returns whether a line says something, and does not only close or continue a block. */
function isStatement(text: string): boolean {
  return /\w/.test(text) && !CONTINUES.test(text);
}

const CONTINUES = /^(?:[)}\]{(]|<\/|(?:end|else|elif|elsif|except|finally|catch|rescue)\b|ensure\s*$)/;
