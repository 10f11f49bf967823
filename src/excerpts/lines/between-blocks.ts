/** Keeps the comments between two blocks that a fragment shows one below the other. */
import { isRemark } from "../remarks.ts";

/** Returns the new form of some lines with the comments that stand between their blocks, and that it does not show. */
export function withCommentsBetween(old: string, now: string): string {
  const lines = old.split("\n");
  let shown = now.split("\n");
  const known = new Set(shown.map((line) => line.trim()));
  const isBlank = (line: string): boolean => line.trim() === "";
  for (const [row, line] of lines.entries()) {
    let next = row + 1;
    while (CLOSES.test(line) && isBesideCode(lines[next])) next += 1;
    const kept = lines.slice(row + 1, next);
    const remarks = kept.filter((other) => !isBlank(other));
    const isGone = remarks.length > 0 && !remarks.some((other) => known.has(other.trim()));
    const at = isGone ? shown.indexOf(lines[next] ?? "") : -1;
    const above = shown.slice(0, Math.max(0, at)).findLastIndex((other) => !isBlank(other));
    if (above === -1 || !CLOSES.test(shown[above] ?? "")) continue;
    shown = [...shown.slice(0, above + 1), ...kept, ...shown.slice(at)];
  }
  return shown.join("\n");
}

function isBesideCode(line: string | undefined): boolean {
  return line !== undefined && (line.trim() === "" || isRemark(line));
}

/** Ends a block. */
const CLOSES = /^\s*(?:[)}\]]+[;,]?|end)\s*$/;
