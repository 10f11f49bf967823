/** Inserts lines beside a declaration, or in its body. */
import type { Part } from "../../addresses/part.ts";
import { bodyOf, CLOSED, endOfBlock, lastReturn, RETURNS, topOfBody } from "../block.ts";
import { endFor, topFor } from "../declarations/top-of-file.ts";
import type { ToldPlace } from "../told/places.ts";
import { isRemark } from "../remarks.ts";
import { insertInSection } from "./in-section.ts";
import { insertAt, insertAtRow, withoutAnchors } from "./statement.ts";
import { dedented, indentOf, type PlacedLines, reindented, rowAt, startOfRow, Unplaced, type Within } from "../text.ts";

/** Inserts lines where a sentence says. */
export function insertBeside(
  { text: file, path, parts }: { readonly text: string; readonly path: string; readonly parts: readonly Part[] },
  content: string,
  place: ToldPlace,
): PlacedLines | Unplaced {
  const { part, side } = place;
  const paragraph = insertInSection({ text: file, parts }, content, place);
  if (paragraph !== undefined) return paragraph;
  const lines = file.split("\n");
  if (part === undefined) {
    if (side === "top" && place.line === undefined) {
      const top = topFor(content, file, path);
      return top === undefined ? new Unplaced(NO_TOP) : insertAtRow(file, content, top);
    }
    const end = side === "end" && place.line === undefined ? endFor(content, file, path) : "end";
    if (end === undefined) return new Unplaced(NO_END);
    if (end !== "end") return insertAtRow(file, content, end);
    if (place.line === undefined || side === "above" || side === "below") return insertAt(file, content, place);
    const last = endOfBlock(lines, place.line) ?? place.line;
    const body = bodyOf(lines, place.line, last);
    return insertIn(file, content, { body, side, name: `the block of line ${place.line + 1}` });
  }
  const [first, last] = [rowAt(file, part.start), rowAt(file, Math.max(part.start, part.end - 1))];
  if (side === "above") return insertAt(file, content, { line: first, side: "above" });
  if (side === "below") return insertAt(file, content, { line: last, isLast: true, side: "below", head: first });
  const isData = DATA.has(part.kind) || (VALUES.has(part.kind) && !/^\s*\}/.test(lines[last] ?? ""));
  const head = lines.findIndex((line, at) => at >= first && line.trim() !== "" && !isRemark(line));
  const body = isData ? { first: first + 1, last: lastLineOf(lines, last) } : bodyOf(lines, head, last);
  return insertIn(file, content, { body, side, name: part.name, isData });
}

/** Why lines go nowhere though they are to stand at the top or the end. */
const NO_TOP = "has no place at its top for these lines: show the line that they stand below";
const NO_END = "has no place at its end for these lines: show the line that they stand below";

/** Returns whether an insertion adds lines that do not stand at its place yet. */
export function isMissing(before: string, inserted: PlacedLines | Unplaced | undefined): boolean {
  if (inserted === undefined || inserted instanceof Unplaced) return false;
  return inserted.splices.some(({ start, end, text }) => {
    const added = text.trim();
    const around = [before.slice(Math.max(0, start - text.length), start), before.slice(end, end + text.length)];
    return added !== "" && !around.some((stretch) => stretch.trim() === added);
  });
}

/** What has lines, and no statements. */
const DATA: ReadonlySet<string> = new Set(["section", "key", "table", "rule", "item"]);
const VALUES: ReadonlySet<string> = new Set(["variable", "constant", "field", "property"]);

function lastLineOf(lines: readonly string[], last: number): number {
  const isClosed = CLOSED.test(lines[last] ?? "");
  return lines.slice(0, isClosed ? last : last + 1).findLastIndex((line) => line.trim() !== "");
}

interface Block {
  readonly body: Within | undefined;
  readonly side: ToldPlace["side"];
  readonly name: string;
  readonly isData?: boolean;
}

function insertIn(file: string, content: string, { body, side, name, isData = false }: Block): PlacedLines | Unplaced {
  const lines = file.split("\n");
  if (body === undefined || body.last < body.first)
    return new Unplaced(`has nothing in ${name} beside which it could stand`);
  const rows = lines.slice(body.first, body.last + 1).filter((line) => line.trim() !== "");
  const items = /^\s*- /.test(content) ? rows.filter((line) => /^\s*- /.test(line)) : [];
  // A directive or a label stands at the left.
  const siblings =
    items.length > 0 ? items : isData ? rows : rows.filter((line) => !/^#|^\s*\w+:$/.test(line)).slice(0, 1);
  const [indent = ""] = siblings.map(indentOf).toSorted((left, right) => left.length - right.length);
  // Nothing runs below a return.
  const returned = side === "end" && !isData ? lastReturn(lines, body) : undefined;
  if (returned !== undefined && content.split("\n").some((line) => RETURNS.test(line)))
    return new Unplaced(`has a return at the end of ${name}: show the lines that the new ones stand beside`);
  const row = side === "top" ? (isData ? body.first : topOfBody(lines, body)) : (returned ?? body.last + 1);
  const start = startOfRow(lines, row);
  const where = returned === undefined ? `at the ${side} of ${name}` : `above the return that ends ${name}`;
  return {
    splices: [
      {
        start,
        end: start,
        text: `${reindented(dedented(withoutAnchors(content, lines, row).trimEnd()), indent, file)}\n`,
      },
    ],
    done: [`lines added ${where}`],
  };
}
