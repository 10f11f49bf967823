/** Keeps what ends a statement where its new form is shown without it. */
import { smallest } from "../../core/lists.ts";
import { CLOSED, endOfBlock, OPENS } from "../block.ts";
import {
  indentOf,
  isAlike,
  type Line,
  linesNamed,
  MAX_QUOTED,
  type PlacedLines,
  significant,
  Unplaced,
} from "../text.ts";
import { isHole } from "../placeholders/hole.ts";

/**
 * Returns a change of a statement without the line that closes it, where its new form does not close what it opens. A
 * deeper placeholder at the end of that stands for lines of the statement: for its last ones. Where its new form begins
 * as the old one, and lacks the end of its body, that stays.
 */
export function withKeptEnd(
  file: string,
  placed: PlacedLines,
  { content, isLess }: { readonly content: string; readonly isLess: boolean },
): PlacedLines | Unplaced {
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
  const upTo = (row: number): PlacedLines => {
    const isApart = (old[row - 1] ?? "").trim() === "";
    const end = splice.start + old.slice(0, isApart ? row - 1 : row).join("\n").length + 1;
    const text = `${splice.text.trimEnd()}\n`;
    return {
      splices: [{ start: splice.start, end, text }],
      done: [`${linesNamed(file, { ...splice, end })} replaced`],
    };
  };
  const isOpen = isClosed && !CLOSED.test(shown.at(-1)?.text ?? "") && isLeftOpen(now, last.text);
  const [was, is] = [rows, shown].map((lines) =>
    statementsIn(isClosed ? lines.filter((line) => line !== last) : lines),
  ) as [Line[], Line[]];
  // The first lines of a case keep the return at its end.
  const lost = was[is.length] ?? was.at(-1);
  const isBegun =
    (isOpen || !isClosed) &&
    ENDS.test(was.at(-1)?.text ?? "") &&
    ![...is, ...shown.filter(({ text }) => isHole(text))].some(isEnd);
  if (isBegun && lost !== undefined) {
    if (is.every(({ text }, index) => isAlike(text, was[index]?.text ?? ""))) return upTo(lost.at);
    if (!isLess)
      return new Unplaced(`would lose the line "${lost.text.slice(0, MAX_QUOTED)}": show the lines below too`);
  }
  if (isOpen) return upTo(last.at);
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

/** What ends the lines of a case. */
const ENDS = /^(?:return|throw|raise|break|continue)\b/;

/** Returns whether a line ends a body, or stands for one that does. */
function isEnd({ text }: Line): boolean {
  return ENDS.test(text) || isHole(text);
}

/** Returns the first lines of the statements below a head. */
function statementsIn([head, ...lines]: readonly Line[]): readonly Line[] {
  const depth = smallest(lines.map(({ indent }) => indent));
  return lines.filter(({ text, indent }) => indent === depth && indent > (head?.indent ?? 0) && !CLOSED.test(text));
}

/** Returns whether the first one of some lines opens what only another line closes. */
function isLeftOpen(lines: readonly string[], closing: string): boolean {
  const isWord = /^end\b/.test(closing) && OPENS.test(lines[0] ?? "");
  return isWord ? !lines.some((line) => /\bend\b/.test(line)) : endOfBlock(lines, 0) === undefined;
}
