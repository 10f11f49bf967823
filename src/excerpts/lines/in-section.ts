/** Inserts paragraphs and list items into a text with headings. */
import type { Part } from "../../addresses/part.ts";
import { endOfStatement } from "../block.ts";
import { isItem as isMarked } from "./list-end.ts";
import { dedented, type PlacedLines, rowAt, startOfRow } from "../text.ts";
import type { ToldPlace } from "../told/places.ts";

/**
 * Inserts lines at the top or the end of a section, or beside a paragraph of it. Blank lines divide them from what is
 * there, but items of one list. Undefined where the place is none of these.
 */
export function insertInSection(
  { text: file, parts }: { readonly text: string; readonly parts: readonly Part[] },
  content: string,
  place: ToldPlace,
): PlacedLines | undefined {
  const lines = file.replace(/\n$/, "").split("\n");
  const text = dedented(content).trim();
  const row = parts.some(({ kind }) => kind === "section") ? rowFor(lines, text, { file, place }) : undefined;
  if (row === undefined) return undefined;
  const [first = "", last = ""] = [text.split("\n")[0], text.split("\n").at(-1)];
  const isDivided = (one = "", other = ""): boolean =>
    one.trim() === "" || other.trim() === "" || (isItem(one) && isItem(other));
  const isEnd = row >= lines.length;
  const above = row === 0 || isDivided(lines[row - 1], first) ? "" : "\n";
  const below = isEnd || isDivided(last, lines[row]) ? "" : "\n";
  const start = Math.min(file.length, startOfRow(lines, row));
  const open = isEnd && !file.endsWith("\n") ? "\n" : "";
  return {
    splices: [{ start, end: start, text: `${open}${above}${text}${open === "" ? "\n" : ""}${below}` }],
    done: [`lines added below line ${row}`],
  };
}

/** Returns the row that lines are put above. */
function rowFor(
  lines: readonly string[],
  text: string,
  { file, place: { part, line, side } }: { readonly file: string; readonly place: ToldPlace },
): number | undefined {
  const isBlank = (row: number): boolean => (lines[row] ?? "").trim() === "";
  const title = rowAt(file, part?.start ?? 0);
  if (part?.kind === "section" && side === "end") {
    // What is below the title of a section in it is another one, but an item goes into the list that is there.
    const ends = [part.children[0]?.start ?? part.end, part.end].map(
      (end) => rowAt(file, Math.max(part.start, end - 1)) + 1,
    );
    const isMember = (row: number): boolean => isItem(text) && markOf(lines[row] ?? "") === markOf(text);
    const items = ends.map((end) => lines.slice(0, end).findLastIndex((_, row) => row > title && isMember(row)));
    const item = items.find((row) => row !== -1);
    if (item !== undefined) return endOfStatement(lines, item) + 1;
    let row = Math.min(lines.length, ends[0] ?? 0);
    while (isBlank(row - 1)) row -= 1;
    return row;
  }
  if (part?.kind === "section" && side === "top") {
    const head = title + (/^(?:=+|-+)\s*$/.test(lines[title + 1] ?? "") ? 1 : 0);
    const next = lines.findIndex((_, row) => row > head && !isBlank(row));
    return isItem(text) && isItem(lines[next] ?? "") ? next : head + 1;
  }
  const isProse = line !== undefined && !isItem(lines[line] ?? "") && !isInFence(lines, line);
  if (!isProse || part !== undefined || side === "top" || side === "end") return undefined;
  let row = side === "above" ? line : line + 1;
  while (!isBlank(side === "above" ? row - 1 : row) && row > 0 && row < lines.length) row += side === "above" ? -1 : 1;
  return row;
}

/** Returns whether a line is a member of a list, or a row of a table. */
function isItem(line: string): boolean {
  return isMarked(line) || NUMBERED.test(line);
}

/** Returns what members of one list begin with. */
function markOf(text: string): string {
  return NUMBERED.test(text) ? "1." : (/^\s*([-*+|])/.exec(text)?.[1] ?? "");
}

const NUMBERED = /^\s*\d+[.)] /;

/** Returns whether a row stands in a code fence. */
function isInFence(lines: readonly string[], row: number): boolean {
  return lines.slice(0, row + 1).filter((line) => /^\s*(?:```|~~~)/.test(line)).length % 2 === 1;
}
