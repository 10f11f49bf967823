/** Sees that a table of Markdown that an answer shows whole does not stand above or below the old one. */
import { isSubsequence } from "./nearest.ts";
import { rangeOf, replacedLines } from "./fragment.ts";
import { dedented, indentOf, type PlacedLines, reindented, spliced, type Splice, Unplaced } from "../text.ts";

/** Replaces the only table with the head of a shown one, whose columns may have another width, if it shows all rows. */
export function placeTable(file: string, content: string): PlacedLines | undefined {
  const [rows, shown] = [file, content.trim()].map((text) => text.split("\n").map(cellsOf)) as [string[], string[]];
  const heads = [...rows.keys()].filter((row) => rows[row] === shown[0] && rows[row + 1] === shown[1]);
  const [first, other] = heads;
  if (!shown.every((row) => row.startsWith("|")) || !DIVIDER.test(shown[1] ?? "")) return undefined;
  if (first === undefined || other !== undefined) return undefined;
  const below = rows.slice(first).findIndex((row) => !row.startsWith("|"));
  const last = below === -1 ? rows.length - 1 : first + below - 1;
  const lines = file.split("\n");
  const text = reindented(dedented(content).trim(), indentOf(lines[first] ?? ""), file);
  return isSubsequence(rows.slice(first, last + 1), shown)
    ? replacedLines(file, rangeOf(lines, first, last), text)
    : undefined;
}

/** Returns a row without the spaces around its cells, and a divider without its length. */
function cellsOf(row: string): string {
  return row
    .trim()
    .replaceAll(/\s*\|\s*/g, "|")
    .replaceAll(/(?<=\|:?)-+(?=:?\|)/g, "-");
}

const DIVIDER = /^(?:\|:?-:?)+\|$/;

/** Returns why lines are not added: the rows of a table would have a second head among them. */
export function doublesTable(before: string, splices: readonly Splice[]): Unplaced | undefined {
  if (!splices.some(({ text }) => text.includes("|"))) return undefined;
  return headsWithin(spliced(before, splices) ?? before) > headsWithin(before)
    ? new Unplaced("would have a table twice: show its new rows alone, or the whole table as it is in the file")
    : undefined;
}

/** Counts the heads of tables below another row of the same rows. */
function headsWithin(text: string): number {
  const rows = text.split("\n").map((line) => line.trim());
  return rows.filter((row, at) => /^\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?$/.test(row) && rows[at - 2]?.includes("|"))
    .length;
}
