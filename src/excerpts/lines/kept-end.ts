/** Keeps what ends a statement where its new form is shown without it. */
import { CLOSED, endOfBlock, OPENS } from "../block.ts";
import { indentOf, isHole, linesNamed, type PlacedLines, significant, Unplaced } from "../text.ts";

/**
 * Returns a change of a statement without the line that closes it, where its new form does not close what it opens. A
 * deeper placeholder at the end of that stands for lines of the statement: for its last ones.
 */
export function withKeptEnd(file: string, placed: PlacedLines, content: string): PlacedLines | Unplaced {
  const [splice, another] = placed.splices;
  if (splice === undefined || another !== undefined) return placed;
  const [old, now] = [file.slice(splice.start, splice.end), splice.text].map((text) => text.split("\n")) as [
    string[],
    string[],
  ];
  const [rows, shown] = [significant(old), significant(now)];
  const [head, last] = [rows[0], rows.at(-1)];
  if (head === undefined || last === undefined || head === last) return placed;
  const isClosed = CLOSED.test(last.text) && last.indent <= head.indent;
  if (isClosed && !CLOSED.test(shown.at(-1)?.text ?? "") && isLeftOpen(now, last.text)) {
    const end = splice.start + old.slice(0, last.at).join("\n").length + 1;
    const text = `${splice.text.trimEnd()}\n`;
    return {
      splices: [{ start: splice.start, end, text }],
      done: [`${linesNamed(file, { ...splice, end })} replaced`],
    };
  }
  const hole = content.trimEnd().split("\n").at(-1) ?? "";
  const first = content.split("\n").find((line) => line.trim() !== "" && !isHole(line)) ?? "";
  const isInside = isHole(hole) && indentOf(hole).length > indentOf(first).length;
  // Below the change, it may have lines to stand for.
  const [next] = significant(file.slice(splice.end).split("\n"));
  const isLast = next === undefined || next.indent <= head.indent;
  return isInside && isLast && !isClosed && last.text !== shown.at(-1)?.text
    ? new Unplaced("does not have the line above the last placeholder: show an unchanged one there")
    : placed;
}

/** Returns whether the first one of some lines opens what only another line closes. */
function isLeftOpen(lines: readonly string[], closing: string): boolean {
  const isWord = /^end\b/.test(closing) && OPENS.test(lines[0] ?? "");
  return isWord ? !lines.some((line) => /\bend\b/.test(line)) : endOfBlock(lines, 0) === undefined;
}
