/** Keeps the commas of a list in brackets right where lines are added to it: columns of a table, arguments of a call. */
import { indentOf, type Splice, startOfRow } from "../text.ts";

interface Divided {
  readonly text: string;
  /** Index of the line above that gets a comma, and where in it. */
  readonly comma?: { readonly row: number; readonly column: number };
}

/**
 * Returns a text to add with the commas that it needs, if it stands in a list whose members are divided by them.
 *
 * @param at index of the line above which it goes
 */
export function divided(lines: readonly string[], at: number, text: string): Divided {
  const above = lines.slice(0, at).findLastIndex((line) => endOf(line) > 0);
  const depth = indentOf(text.split("\n", 1)[0] ?? "").length;
  const opener = lines.slice(0, at).findLastIndex((line) => line.trim() !== "" && indentOf(line).length < depth);
  const closer = lines.findIndex((line, row) => row >= at && line.trim() !== "" && indentOf(line).length < depth);
  const head = lines[opener] ?? "";
  const bracket = /([([{])\s*$/.exec(head)?.[1] ?? "";
  if (bracket === "" || (lines[closer] ?? "").trim()[0] !== CLOSERS[bracket]) return { text };
  const inner = [...lines.keys()].slice(opener + 1, closer).filter((row) => endOf(lines[row] ?? "") > 0);
  // Deeper lines, and what opens them, end no member.
  const isEnd = (row: number): boolean =>
    indentOf(lines[row] ?? "").length === depth && !/[([{]\s*$/.test(lines[row] ?? "");
  const ends = inner.filter(isEnd).map((row) => lines[row] ?? "");
  const end = ends.at(-1) ?? "";
  const isTexts =
    (bracket === "[" && [end, text].every((line) => /^\s*["']/.test(line))) ||
    (bracket === "{" && [end, text].every((line) => /^\s*"[^"]*"\s*:/.test(line)));
  // Enums of other languages have no commas, or a grammar that misses them.
  const isEnum = /\benum class\b/.test(head) || (/\benum\b/.test(head) && /^\s*\};/.test(lines[closer] ?? ""));
  const isDivided = ends.length > 1 || hasComma(end) || isTexts || isEnum || TABLE.test(head);
  const isList = ends.slice(0, -1).every(hasComma) && isDivided;
  // Statements may hold lists too.
  if (!isList || text.trimEnd().endsWith(";") || /[;{]$/.test(end.slice(0, endOf(end)))) return { text };
  const isLast = !inner.some((row) => row >= at);
  const hasEnd = hasComma(end);
  const last = lines[above] ?? "";
  const added = isLast && !hasEnd ? text.replace(/,(?=\s*$)/, "") : withComma(text);
  return !isLast || hasEnd || above <= opener
    ? { text: added }
    : { text: added, comma: { row: above, column: endOf(last) } };
}

/**
 * Returns what a text may be where lines are added to a list without the comma that divides them from those beside:
 * with one above them, below them or both. A list of Java may end with a semicolon.
 */
export function dividedTexts(file: string, splices: readonly Splice[]): readonly string[] {
  const [only, other] = splices.filter(({ text }) => text !== ",");
  if (only === undefined || other !== undefined || only.start !== only.end) return [];
  const [above, below] = [file.slice(0, only.start), file.slice(only.end)];
  const added = only.text.trimEnd().replace(/[,;]$/, "");
  const rows = above.trimEnd().split("\n");
  const end = startOfRow(rows, rows.length - 1) + endOf(rows.at(-1) ?? "");
  const head = above.slice(0, end);
  const isLast = /^\s*[)}\]]/.test(below);
  const text = (sign: string, last: string): string =>
    head.replace(/[,;]$/, "") +
    sign +
    above.slice(end) +
    added +
    last +
    only.text.slice(only.text.trimEnd().length) +
    below;
  if (/[([{]$/.test(head)) return isLast ? [] : [text("", ",")];
  if (head.endsWith(";")) return [text(",", ";")];
  return isLast ? [text(",", ""), text(",", ",")] : [text(",", ",")];
}

const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const TABLE = /\bcreate\s+(?:\w+\s+)*table\b/i;

/** Returns the length of a line without its comment. */
function endOf(line: string): number {
  return line.replace(/(?:^|\s)\s*(?:--|\/\/|#)\s.*$/, "").trimEnd().length;
}

function hasComma(line: string): boolean {
  return line[endOf(line) - 1] === ",";
}

function withComma(text: string): string {
  const start = text.trimEnd().lastIndexOf("\n") + 1;
  const last = text.slice(start);
  const end = endOf(last);
  return hasComma(last) || end === 0 ? text : `${text.slice(0, start + end)},${last.slice(end)}`;
}
