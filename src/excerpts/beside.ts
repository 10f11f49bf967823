/** Inserts lines beside a declaration, or in its body. */
import type { Part } from "../addresses/part.ts";
import { insertAt, withoutAnchors } from "./statement.ts";
import { dedented, indentOf, type PlacedLines, reindented, Unplaced } from "./text.ts";

/** Inserts lines above or below a declaration, or at the end of its body. */
export function insertBeside(
  before: string,
  content: string,
  { part, side }: { readonly part: Part; readonly side: string },
): PlacedLines | Unplaced {
  const lines = before.split("\n");
  const lineAt = (offset: number): number => before.slice(0, offset).split("\n").length - 1;
  const [first, last] = [lineAt(part.start), lineAt(Math.max(part.start, part.end - 1))];
  if (side === "above") return insertAt(before, content, { line: first, side: "above" });
  if (side !== "end") return insertAt(before, content, { line: last, isLast: true, side: "below" });
  const isClosed = /^\s*(?:[)}\]]|end\b)/.test(lines[last] ?? "");
  const inner = lines.slice(first + 1, isClosed ? last : last + 1).findLastIndex((line) => line.trim() !== "");
  if (inner === -1) return new Unplaced(`has nothing in ${part.name} below which it could stand`);
  // The last statement of the body gives the indentation.
  const body = lines.slice(first + 1, first + 2 + inner);
  const items = /^\s*- /.test(content) ? body.filter((line) => /^\s*- /.test(line)) : [];
  const depth = Math.min(
    ...(items.length > 0 ? items : body).filter((line) => line.trim() !== "").map((line) => indentOf(line).length),
  );
  const indent = " ".repeat(depth);
  const at = first + 2 + inner;
  const start = lines.slice(0, at).reduce((sum, line) => sum + line.length + 1, 0);
  const unit = body.find((line) => indentOf(line).length === depth) ?? indent;
  return {
    splices: [
      {
        start,
        end: start,
        text: `${reindented(dedented(withoutAnchors(content, lines, at).trimEnd()), indentOf(unit), before)}\n`,
      },
    ],
    done: [`lines added at the end of ${part.name}`],
  };
}
