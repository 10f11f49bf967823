/** Finds the block of lines that a sentence names as what new members go into: a list, a rule, a section, a key. */
import { literalPattern } from "../../core/literal.ts";
import { CLOSED, endOfBlock, endOfStatement } from "../block.ts";
import { isItem } from "./list-end.ts";
import { isRemark } from "../remarks.ts";
import { firstIndent, indentOf, placesOf } from "../text.ts";
import { lastSentence } from "../told/told.ts";

/** A block that holds members. */
export interface MemberBlock {
  /** The line that begins it, 0-based. */
  readonly head: number;
  /** The first line below its head. */
  readonly start: number;
  /** Its first and its last line of members. */
  readonly first: number;
  readonly last: number;
  /** The indentation of its members. */
  readonly indent: string;
  /** Whether its members are no deeper than its head: those of a section. */
  readonly isFlat: boolean;
  /** Whether its members are statements. */
  readonly isCode: boolean;
}

/** Returns the block that begins in a line, if it has members. */
export function blockAt(rows: readonly string[], head: number): MemberBlock | undefined {
  const isBlank = (row: number): boolean => (rows[row] ?? "").trim() === "";
  const line = rows[head] ?? "";
  const isUnderlined = UNDERLINE.test(rows[head + 1] ?? "") && /^\w/.test(line);
  const isFlat = isHeading(line) || isUnderlined;
  // The bracket may stand in a line of its own.
  const isBelow = /^\s*\{$/.test(rows[head + 1] ?? "") && indentOf(rows[head + 1] ?? "") === indentOf(line);
  const opening = isBelow ? head + 1 : belowTypes(rows, head);
  const end = isFlat ? endOfSection(rows, head, isUnderlined) : endOf(rows, opening);
  if (end === undefined) return undefined;
  const isClosed = !isFlat && CLOSED.test(rows[end] ?? "") && indentOf(rows[end] ?? "").length <= indentOf(line).length;
  const start = isUnderlined ? head + 2 : opening + 1;
  const lines = rowsFrom(start, isClosed ? end - 1 : end).filter((row) => !isBlank(row));
  const [first, last] = [lines[0], lines.findLast((row) => !isFlat || !isRemark(rows[row] ?? ""))];
  if (first === undefined || last === undefined) return undefined;
  const indents = lines
    .filter((row) => row <= last && !/^\s*#/.test(rows[row] ?? ""))
    .map((row) => indentOf(rows[row] ?? ""));
  const indent = indents.toSorted((left, right) => left.length - right.length)[0] ?? "";
  return { head, start, first, last, indent, isFlat, isCode: !isFlat && CODE.test(isBelow ? `${line} {` : line) };
}

/** Returns the line that ends a head: below the parameters of a type, each of which has a line. */
function belowTypes(rows: readonly string[], head: number): number {
  const line = rows[head] ?? "";
  const isEnd = (row: string): boolean => indentOf(row) === indentOf(line) && row.trim().startsWith(">");
  return line.endsWith("<")
    ? Math.max(
        head,
        rows.findIndex((row, at) => at > head && isEnd(row)),
      )
    : head;
}

/** Returns the lines that begin the members of a block. */
export function membersOf(rows: readonly string[], { first, last, indent }: MemberBlock): readonly number[] {
  const isMember = (row: string): boolean => row.trim() !== "" && indentOf(row) === indent && !CLOSED.test(row);
  return rowsFrom(first, last).filter((row) => isMember(rows[row] ?? ""));
}

function rowsFrom(first: number, last: number): readonly number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** Returns the last line of a block. All lines below are read only where its indentation does not tell. */
function endOf(rows: readonly string[], head: number): number | undefined {
  const end = endOfBlock(rows.slice(head, endOfStatement(rows, head) + 1), 0);
  return end === undefined ? endOfBlock(rows, head) : head + end;
}

/** A block that a sentence names, and where in it new members go. */
export interface BlockTold {
  readonly block: MemberBlock;
  readonly side: "top" | "end" | undefined;
  readonly name: string;
}

/** Returns the only block that the last sentence says something goes into. */
export function blockTold(text: string, rows: readonly string[]): BlockTold | undefined {
  const named = [...lastSentence(text).matchAll(INTO)].flatMap(([, word = "", code, subject]) => {
    const name = code ?? subject ?? "";
    const block = blockNamed(name, rows);
    const side = /^(?:top|begin|start|first)/i.test(word) ? "top" : /^(?:end|bottom)/i.test(word) ? "end" : undefined;
    return block === undefined ? [] : [{ block, side, name } as const];
  });
  // The innermost of several, if each is inside the one before it.
  const inner = named.find(({ block }) => named.every((other) => holds(other.block, block.head)));
  return inner && { ...inner, side: named.find(({ side }) => side !== undefined)?.side };
}

function holds({ head, last }: MemberBlock, row: number): boolean {
  return row >= head && row <= last;
}

/** Returns the only block whose head has a name, as exactly as any has it. */
function blockNamed(code: string, rows: readonly string[]): MemberBlock | undefined {
  const name = code.replace(/^\[+|\]+$|^#+\s+/g, "").replace(/(?<=\S)\s*(?:[:={([]|\(\))$/, "");
  if (!/[\w*]/.test(name)) return undefined;
  const isExact = new RegExp(
    `^(?:[\\w"@.-]+\\s+)*["']?${literalPattern(name)}["']?(?:\\s*[:={([].*|\\s+(?:extends|implements)\\b.*)?$`,
    "u",
  );
  const id = name.startsWith("#") ? `id="${name.slice(1)}"` : undefined;
  const bareOf = (line: string): string =>
    line
      .trim()
      .replace(/^#+\s+/, "")
      .replace(/^\[+(.*?)\]+$/, "$1")
      .replace(/\s*[:={([]+$/, "")
      .replace(/^"(.*)"$/, "$1");
  const heads = [...rows.keys()].filter(
    (row) => !isRemark(rows[row] ?? "", rows[row + 1]) || isHeading(rows[row] ?? ""),
  );
  const ways: ReadonlyArray<(line: string) => boolean> = [
    (line) => bareOf(line) === name,
    (line) => isExact.test(line.trim()),
    (line) => (id === undefined ? placesOf(name, line).next().done !== true : line.includes(id)),
  ];
  for (const is of ways) {
    const blocks = heads.filter((row) => is(rows[row] ?? "")).flatMap((row) => blockAt(rows, row) ?? []);
    if (blocks.length > 0) return blocks.length === 1 ? blocks[0] : undefined;
  }
  return undefined;
}

/** Returns whether lines are members of a block: as deep as those, or of the shape of one, and of none beside the block. */
export function areMembers(content: string, rows: readonly string[], block: MemberBlock): boolean {
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  const [first = ""] = lines;
  if (block.isFlat) return !lines.some((line) => isHeading(line)) && isLike(first, membersOf(rows, block), rows);
  const depth = indentOf(rows[block.head] ?? "").length;
  if (firstIndent(content).length > depth) return true;
  if (block.isCode || lines.some((line) => OPENS_BLOCK.test(line))) return false;
  const beside = [...rows.keys()].filter(
    (row) => indentOf(rows[row] ?? "").length === depth && !holds(block, row) && blockAt(rows, row) === undefined,
  );
  return isLike(first, membersOf(rows, block), rows) && !isLike(first, beside, rows);
}

/** Returns whether some lines are those of a file. */
export function isShownIn(content: string, rows: readonly string[]): boolean {
  const stripped = (line: string): string => line.trim().replace(/[,;]$/, "");
  const known = new Set(rows.map(stripped));
  return content.split("\n").some((line) => /\w/.test(line) && known.has(stripped(line)));
}

function isLike(line: string, others: readonly number[], rows: readonly string[]): boolean {
  return others.some((row) => isOneShape(line, rows[row] ?? ""));
}

/** Returns whether two lines begin with signs and words of the same kinds. */
export function isOneShape(left: string, right: string): boolean {
  return isItem(left) === isItem(right) && shapeOf(left) === shapeOf(right);
}

function shapeOf(line: string): string {
  const tokens = line.trim().replace(/[,;]$/, "").match(SHAPE) ?? [];
  return tokens
    .slice(0, 2)
    .map((token) => (/^["'`]/.test(token) ? '"' : /^\d/.test(token) ? "0" : /^[\w.-]/.test(token) ? "a" : token))
    .join(" ");
}

const SHAPE = /"[^"]*"|'[^']*'|`[^`]*`|\$?[\p{L}\p{N}_.-]+|[^\s\p{L}\p{N}_.-]/gu;
const OPENS_BLOCK = /[{([:]\s*$|\b(?:do|then)\s*$/;

/** Returns whether a line begins a section: `[server]`, `## Install`. */
export function isHeading(line: string): boolean {
  return /^\[[^\]]+\]{1,2}\s*$|^#{1,6}\s+\S/.test(line);
}

/** Returns the last line of a section, up to the next head that is no deeper. */
function endOfSection(rows: readonly string[], head: number, isUnderlined: boolean): number {
  const depth = /^#+/.exec(rows[head] ?? "")?.[0].length;
  const isNext = (line: string, row: number): boolean =>
    row > head + 1 &&
    (isUnderlined
      ? UNDERLINE.test(rows[row + 1] ?? "") && /^\w/.test(line)
      : depth === undefined
        ? /^\[[^\]]+\]/.test(line)
        : (/^#+(?=\s)/.exec(line)?.[0].length ?? Infinity) <= depth);
  const next = rows.findIndex(
    (line, row) => isNext(line, row) || (row === head + 1 && depth === undefined && !isUnderlined && isHeading(line)),
  );
  return next === -1 ? rows.length - 1 : next - 1;
}

const UNDERLINE = /^([-=~^"*])\1{2,}\s*$/;
/** Heads of functions and of what the flow of a program passes. */
const CODE =
  /\)[^()"'[\]]*\{\s*$|=>|->|\)\s*:\s*$|\b(?:def|do|else|fn|for|fun|func|function|if|loop|sub|switch|then|try|unless|when|while)\b/;
const KIND =
  "array|block|class|dict|dictionary|enum|function|group|key|list|map|message|method|model|object|rule|section|table|target";
/** Under `C`, at the end of `C`, as the first entry of `C`; `C` needs. */
const INTO = new RegExp(
  "\\b(under(?:neath)?|beneath|inside(?: of)?|into|in|within|to|extend|(?:top|beginning|start|end|bottom) of|first \\w+ (?:of|in))" +
    `\\s+(?:(?:the|your|existing)\\s+)*(?:(?:${KIND})\\s+)?\`([^\`\\n]*[^\\s\`][^\`\\n]*)\`|\`([^\`\\n]*[^\\s\`][^\`\\n]*)\`\\s+(?:(?:${KIND})\\s+)?needs?\\b`,
  "giu",
);
