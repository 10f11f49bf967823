/** Inserts lines beside a statement. */
import { CLOSED, endOfBlock } from "../block.ts";
import type { Top } from "../declarations/top-of-file.ts";
import { divided } from "./divided.ts";
import { isRemark } from "../remarks.ts";
import {
  dedented,
  firstIndent,
  indentOf,
  type Line,
  type PlacedLines,
  reindented,
  significant,
  type Splice,
  startOfRow,
} from "../text.ts";
import type { ToldPlace } from "../told/places.ts";

/** Inserts lines at a place that a sentence tells. */
export function insertAt(file: string, content: string, place: ToldPlace): PlacedLines {
  const lines = file.split("\n");
  const at = rowOf(lines, place);
  const text = withoutAnchors(content, lines, at).replace(/^\n+|\s+$/g, "");
  const isOpen = file !== "" && !file.endsWith("\n");
  if (place.line === undefined) {
    const isList = !/[{}();=]|\n\s/.test(text) || !/\n\s*\n/.test(file.trimEnd());
    const gap = file === "" ? "" : isOpen ? "\n" : "";
    const blank = file === "" || isList ? "" : "\n";
    return {
      splices: [{ start: file.length, end: file.length, text: `${gap}${blank}${dedented(text)}\n` }],
      done: ["lines added at the end"],
    };
  }
  const isBlank = (row: number): boolean => (lines[row] ?? "").trim() === "";
  // Blocks side by side have a blank line between them, where the file has one there.
  const indent = indentOf(lines[place.head ?? place.line] ?? "");
  // Where no line closes a body, a blank one shows its end.
  const isApart = place.isApart ?? indentOf(lines[place.line] ?? "").length > indent.length;
  const areBlocks = [text.split("\n").at(-1), lines.slice(0, at).at(-1)].every((line = "") => /^\s*\}$/.test(line));
  const isBlock =
    text.includes("\n") &&
    ((areBlocks && isBlank(at)) || ((indent === "" || DECLARES.test(text)) && isBlank(firstOf(lines, place.line) - 1)));
  const isEnd = isBlank(at) || CLOSED.test(lines[at] ?? "");
  const [above, below] = place.side === "above" ? ["", isBlank(at - 1) ? "\n" : ""] : [isEnd ? "\n" : "", ""];
  const start = startOfRow(lines, at);
  // What closes a block is less deep than what it holds, as the text itself may show.
  const before = indentOf(lines.slice(0, at).findLast((line) => line.trim() !== "") ?? "");
  const isInside = CLOSED.test(lines[at] ?? "") || firstIndent(text) === before;
  const inner = place.side === "above" && isInside ? before : "";
  const { text: now, comma } = divided(
    lines,
    at,
    reindented(dedented(text), inner.length > indent.length ? inner : indent, file),
  );
  const commas = comma === undefined ? [] : [commaAt(lines, comma)];
  return start > file.length
    ? {
        splices: [{ start: file.length, end: file.length, text: `\n${now}` }],
        done: [`lines added below line ${lines.length}`],
      }
    : {
        splices: [
          ...commas,
          {
            start,
            end: start,
            text: isApart ? apart(now, lines[at]) : isBlock ? `${above}${now}\n${below}` : `${now}\n`,
          },
        ],
        done: [`lines added ${place.side} line ${place.side === "above" ? at + 1 : at}`],
      };
}

/** Inserts lines at the top or the end of a file, above a row. */
export function insertAtRow(file: string, content: string, { row, indent }: Top): PlacedLines {
  const lines = file.replace(/\n$/, "").split("\n");
  const text = reindented(dedented(withoutAnchors(content, lines, row).replace(/^\n+|\s+$/g, "")), indent, file);
  const [above, below] = [lines[row - 1], lines[row]].map((line = "") => line.trim() !== "");
  // A line stands as close as those there.
  const isClose =
    below && !isRemark(lines[row] ?? "") && !text.includes("\n") && (row === 0 ? !/\n\s*\n/.test(file.trim()) : above);
  const start = Math.min(file.length, startOfRow(lines, row));
  const open = start > 0 && file[start - 1] !== "\n" ? "\n" : "";
  const isEnd = /^\s*(?:<\/|\\end\b)/.test(lines[row] ?? "");
  const isAlone = isEnd && !text.includes("\n");
  const gaps = [above && !isAlone, below && !isEnd].map((isText) => (isText && !isClose ? "\n" : ""));
  return {
    splices: [{ start, end: start, text: `${open}${gaps[0]}${text}\n${gaps[1]}` }],
    done: [row === 0 ? "lines added at the top" : `lines added below line ${row}`],
  };
}

function commaAt(lines: readonly string[], { row, column }: { readonly row: number; readonly column: number }): Splice {
  const start = startOfRow(lines, row) + column;
  return { start, end: start, text: "," };
}

/** A function or a type, which stands apart. */
const DECLARES =
  /^\s*(?:(?:export|pub|public|private|protected|static|async|override|abstract)\s+)*(?:def|fn|func|function|class)\b/;

/** Returns the line above which a place is, 0-based. */
function rowOf(lines: readonly string[], { side, line, isLast }: ToldPlace): number {
  if (line === undefined) return lines.length;
  return side === "above" ? firstOf(lines, line) : (isLast === true ? line : (endOfBlock(lines, line) ?? line)) + 1;
}

/** Comments and decorators belong to what is below them. */
function firstOf(lines: readonly string[], line: number): number {
  let first = line;
  while (isRemark(lines[first - 1] ?? "", lines[first])) first -= 1;
  return first;
}

/** Takes off the lines at the ends of a text that stand above and below its place: they only show it. */
export function withoutAnchors(content: string, lines: readonly string[], row: number): string {
  const shown = content.split("\n");
  const shownLines = significant(shown);
  const [above, below] = [significant(lines.slice(0, row)), significant(lines.slice(row))];
  const isSame = (some: readonly Line[], others: readonly Line[]): boolean =>
    some.length === others.length &&
    some.some(({ text }) => /\w/.test(text) && !CLOSED.test(text)) &&
    some.every(({ text }, index) => text === others[index]?.text);
  const counts = [...shownLines.keys()].toReversed();
  const lead = counts.find((count) => count > 0 && isSame(shownLines.slice(0, count), above.slice(-count))) ?? 0;
  const trail = counts.find((count) => count > 0 && isSame(shownLines.slice(-count), below.slice(0, count))) ?? 0;
  const added = shownLines.slice(lead, shownLines.length - trail);
  return added.length === 0 ? content : shown.slice(added[0]?.at ?? 0, (added.at(-1)?.at ?? 0) + 1).join("\n");
}

function apart(text: string, next = ""): string {
  return `\n${text}\n${next.trim() === "" ? "" : "\n"}`;
}
