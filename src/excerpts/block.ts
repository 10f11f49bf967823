/** Where lines that belong together begin and end: a statement, what a bracket opens, the body of a function. */
import { largest } from "../core/lists.ts";
import { indentOf, type Within } from "./text.ts";

/** Returns the last line of the statement that begins in a line: deeper ones, and that which closes it. */
export function endOfStatement(lines: readonly string[], first: number): number {
  const head = lines[first] ?? "";
  const indent = indentOf(head).length;
  const isSection = /^\[.*\]\s*$/.test(head);
  let last = first;
  for (let at = first + 1; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.trim() === "") continue;
    const isDeeper = isSection ? !line.startsWith("[") : indentOf(line).length > indent;
    const closes = indentOf(line).length === indent && CLOSED.test(line) && OPENS.test(head);
    if (!isDeeper && !closes) break;
    last = at;
    if (closes) break;
  }
  return last;
}

export const OPENS =
  /[{([]\s*$|^\s*<\w[^>]*>\s*$|\b(?:do|then|begin)(?:\s*\|[^|]*\|)?\s*$|^\s*(?:def|class|module|if|unless|while|case)\b/;

/** Leaves a function: nothing below it runs. */
export const RETURNS = /^\s*(?:return|throw|raise)\b/;
export const OPENED = /[{([]\s*$|^<\w[^>]*[^/]>\s*$/;
export const CLOSED = /^\s*(?:[)}\]]|<\/|end\b)/;

/** Returns the last line of what begins in a line, 0-based. Undefined if it opens a bracket that nothing closes. */
export function endOfBlock(lines: readonly string[], first: number): number | undefined {
  const opened = bracketsFrom(lines, first, lines.length - 1);
  const closed = opened.filter(({ row }) => row === first).map((bracket) => bracket.closedIn);
  if (closed.includes(undefined)) return undefined;
  return largest([endOfStatement(lines, first), ...closed.map((row) => row ?? first)]);
}

/** Returns the lines of the body of a declaration, without what closes it. Undefined if none are between the two. */
export function bodyOf(lines: readonly string[], head: number, last: number): Within | undefined {
  // A statement of Python may end with a bracket too, deeper than the function.
  const isClosed =
    CLOSED.test(lines[last] ?? "") && indentOf(lines[last] ?? "").length <= indentOf(lines[head] ?? "").length;
  const begun = endOfHead(lines, { head, last, closing: isClosed ? (lines[last] ?? "").trim() : "" });
  const inner = [...lines.keys()]
    .slice((begun ?? last) + 1, isClosed ? last : last + 1)
    .filter((at) => lines[at]?.trim() !== "");
  const [first, end] = [inner[0], inner.at(-1)];
  return first === undefined || end === undefined ? undefined : { first, last: end };
}

/** Returns the line that opens a body: with the bracket that its last line closes, a colon, or no bracket left open. */
function endOfHead(
  lines: readonly string[],
  { head, last, closing }: { readonly head: number; readonly last: number; readonly closing: string },
): number | undefined {
  const opened = bracketsFrom(lines, head, last);
  if (closing.startsWith("}"))
    return opened.find(({ row, closedIn }) => closedIn === last && /\{\s*$/.test(plainCode(lines[row] ?? "")))?.row;
  const isOpen = (row: number): boolean =>
    opened.some((bracket) => bracket.row <= row && (bracket.closedIn ?? last) > row);
  const rows = [...lines.keys()].slice(head, last);
  return rows.find((row) => !isOpen(row) && (closing !== "" || /:\s*$/.test(plainCode(lines[row] ?? ""))));
}

interface Bracket {
  readonly row: number;
  readonly closedIn: number | undefined;
}

/** Returns the brackets that lines open, and where they are closed. */
function bracketsFrom(lines: readonly string[], first: number, last: number): readonly Bracket[] {
  const all: Array<{ row: number; closedIn: number | undefined }> = [];
  const open: Array<(typeof all)[number]> = [];
  for (let row = first; row <= last; row++)
    for (const bracket of plainCode(lines[row] ?? "").match(/[()[\]{}]/g) ?? [])
      if ("([{".includes(bracket)) {
        const opened = { row, closedIn: undefined };
        all.push(opened);
        open.push(opened);
      } else {
        const closed = open.pop();
        if (closed !== undefined) closed.closedIn = row;
      }
  return all;
}

/** Returns how many more brackets lines open than close. */
export function openIn(text: string): number {
  const brackets = text.split("\n").flatMap((line) => plainCode(line).match(/[()[\]{}]/g) ?? []);
  return brackets.reduce((open, bracket) => open + ("([{".includes(bracket) ? 1 : -1), 0);
}

/** Returns a line without its texts in quotes and its comment. */
function plainCode(line: string): string {
  return line.replaceAll(NO_CODE, "");
}

const NO_CODE = /"(?:[^"\\]|\\.)*"|(?<![&<\w])'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\/\/.*|\/\*.*?\*\/|(?<=^|\s)#\s.*/g;

/** Returns the first line of a body below what has to stand there: a docstring, a directive, a call of the super class. */
export function topOfBody(lines: readonly string[], { first, last }: Within): number {
  const line = (lines[first] ?? "").trim();
  const quote = /^[rub]?("""|'''|["'])/i.exec(line)?.[1];
  const isLead = /^(?:super|this)\((?!\)\.)|^["']use \w+["'];?$|^(?:public|private|protected)\s*:$/.test(line);
  if (quote === undefined && !isLead) return first;
  const isLong = quote?.length === 3 && line.indexOf(quote, line.indexOf(quote) + 3) === -1;
  const end = isLong
    ? lines.findIndex((row, at) => at > first && at <= last && row.includes(quote))
    : isLead
      ? (endOfBlock(lines, first) ?? -1)
      : first;
  // A text that is more than a docstring is a statement.
  if (end === -1 || !(isLead || /["']\s*$/.test(lines[end] ?? ""))) return first;
  return [...lines.keys()].find((at) => at > end && at <= last && lines[at]?.trim() !== "") ?? end + 1;
}

/** Returns the line of the return that ends a body, if one does. */
export function lastReturn(lines: readonly string[], { first, last }: Within): number | undefined {
  const depth = indentOf(lines[first] ?? "").length;
  for (let row = last; row >= first; row--) {
    const line = lines[row] ?? "";
    if (line.trim() === "" || indentOf(line).length > depth || /^\s*[)}\]]/.test(line)) continue;
    return RETURNS.test(line) && indentOf(line).length === depth ? row : undefined;
  }
  return undefined;
}
