/** Places further cases of a switch or a match beside those that a file has. */
import { smallest } from "../../core/lists.ts";
import { trimmedLines } from "../../edit/lazy.ts";
import { dedented, indentOf, isInRows, type PlacedLines, reindented, startOfRow, type Within } from "../text.ts";
import { tellsPlace } from "../told/places.ts";
import type { Told } from "../told/told.ts";

/**
 * Inserts cases that a sentence adds or handles and that the only switch of a kind lacks: below those that the text
 * repeats from the file, else below the last one, but above what takes all others.
 */
export function placeCases(
  file: string,
  content: string,
  { within, told }: { readonly within: Within | undefined; readonly told: Told },
): PlacedLines | undefined {
  const isMeant = NEW_CASE.test(told.text) && !CHANGES.test(told.text) && !tellsPlace(told);
  const shown = isMeant ? casesIn(dedented(content).trim().split("\n"), 0) : undefined;
  if (shown === undefined) return undefined;
  const rows = file.split("\n");
  const switches = switchesIn(rows, within);
  const [only, other] = switches.filter((cases) => goesInto(shown, cases));
  if (only === undefined || other !== undefined) return undefined;
  const isThere = ({ head }: Case): boolean => only.some((one) => one.head === head);
  const fresh = shown.filter((one) => !isThere(one));
  const anchor = shown.findLast(isThere);
  const isSeries = fresh.every((one, index) => one === shown[shown.indexOf(fresh[0] as Case) + index]);
  // What another switch has may be meant as a new form of that.
  const isElsewhere = switches.some((cases) => cases.some(({ head }) => fresh.some((one) => one.head === head)));
  if (fresh.length === 0 || !isSeries || isElsewhere) return undefined;
  const goesFirst = anchor !== undefined && shown.indexOf(anchor) > shown.indexOf(fresh[0] as Case);
  const next = goesFirst
    ? only.find(({ head }) => head === shown[shown.indexOf(fresh.at(-1) as Case) + 1]?.head)
    : only[only.findIndex(({ head }) => head === anchor?.head) + 1];
  const above = anchor === undefined ? only.findLast((one) => !takesRest(one)) : only[only.indexOf(next as Case) - 1];
  const last = above ?? (next === undefined ? only.at(-1) : undefined);
  // What falls through to the next case would fall into the new one.
  if (last !== undefined && fallsThrough(last)) return undefined;
  const row = last === undefined ? (only[0]?.first ?? 0) : last.end + 1;
  const indent = indentOf(rows[only[0]?.row ?? 0] ?? "");
  const isApart = only.length > 1 && only.slice(1).every(({ first }) => rows[first - 1]?.trim() === "");
  const text = reindented(
    fresh.map(({ lines }) => lines.join("\n").trimEnd()).join(isApart ? "\n\n" : "\n"),
    indent,
    file,
  );
  const start = startOfRow(rows, row);
  const gap = isApart ? (last === undefined ? [`${text}\n\n`] : [`\n${text}\n`]) : [`${text}\n`];
  return { splices: [{ start, end: start, text: gap.join("") }], done: [`lines added below line ${row}`] };
}

interface Case {
  /** Its first line, trimmed. */
  readonly head: string;
  readonly row: number;
  /** The row of the first comment above its head. */
  readonly first: number;
  /** The last row that is not blank. */
  readonly end: number;
  readonly lines: readonly string[];
  /** Whether the next case runs too where nothing leaves this one. */
  readonly mayFall: boolean;
}

/** Returns the cases of each switch whose head stands in a stretch of lines. */
function switchesIn(rows: readonly string[], within: Within | undefined): readonly (readonly Case[])[] {
  const known = new Set<number>();
  const switches: (readonly Case[])[] = [];
  for (const [row, line] of rows.entries()) {
    if (!isInRows(row, within) || !SWITCH.test(line)) continue;
    const from = row + (/^\s*\{\s*$/.test(rows[row + 1] ?? "") ? 2 : 1);
    const cases = casesIn(rows, from, line);
    // A case without a line of its own looks like a head of those below it.
    if (cases !== undefined && !cases.some((one) => known.has(one.row))) switches.push(cases);
    for (const { row: head } of cases ?? []) known.add(head);
  }
  return switches;
}

/** Returns the cases that follow each other from a row on. Undefined if something else stands among them. */
function casesIn(rows: readonly string[], from: number, opener?: string): readonly Case[] | undefined {
  const begin = rows.findIndex((line, row) => row >= from && line.trim() !== "" && !COMMENT.test(line));
  const indent = indentOf(rows[begin] ?? "");
  const stop = endOfCases(rows, { begin, isBeside: opener !== undefined && indentOf(opener) === indent });
  const outer = rows.slice(0, stop).map((line, row) => (row < begin || isInner(line, indent) ? "" : line));
  const heads = [...outer.keys()].filter((row) => outer[row] !== "");
  if (begin === -1 || heads.some((row) => signOf(outer[row] ?? "") === undefined)) return undefined;
  const firsts = heads.map((head) => firstOf(rows, head, from));
  return heads.map((row, index) => {
    const first = firsts[index] ?? row;
    const lines = rows.slice(first, firsts[index + 1] ?? stop);
    const end = first + lines.findLastIndex((line) => line.trim() !== "");
    return { head: rows[row]?.trim() ?? "", row, first, end, lines, mayFall: /\bswitch\s*\(/.test(opener ?? "") };
  });
}

/** Returns the row below the cases that begin in one. Where they are no deeper than what opens them, its end is at their depth. */
function endOfCases(
  rows: readonly string[],
  { begin, isBeside }: { readonly begin: number; readonly isBeside: boolean },
): number {
  const indent = indentOf(rows[begin] ?? "");
  let isOpen = false;
  for (let row = begin; row < rows.length; row++) {
    const line = rows[row] ?? "";
    if (line.trim() === "") continue;
    if (!line.startsWith(indent)) return row;
    const isEnd = /^(?:\}|end\b|esac\b)/.test(line.slice(indent.length));
    if (isBeside && isEnd && !isOpen) return row;
    if (isEnd || !isInner(line, indent)) isOpen = /\{\s*$/.test(line);
  }
  return rows.length;
}

/** Returns whether a line belongs to a case that begins above it. */
function isInner(line: string, indent: string): boolean {
  return (
    line.trim() === "" ||
    /^\s/.test(line.slice(indent.length)) ||
    COMMENT.test(line) ||
    /^\s*(?:[)}\]]+[,;]*|;;)$/.test(line)
  );
}

/** Comments belong to the case below them. */
function firstOf(rows: readonly string[], head: number, from: number): number {
  const isAbove = (row: number): boolean =>
    row >= from && COMMENT.test(rows[row] ?? "") && indentOf(rows[row] ?? "") === indentOf(rows[head] ?? "");
  let first = head;
  while (isAbove(first - 1)) first -= 1;
  return first;
}

/** Returns whether cases are written as those of a switch are, and what both have is the same. */
function goesInto(shown: readonly Case[], cases: readonly Case[]): boolean {
  const forms = new Set(cases.filter((one) => !takesRest(one)).map(formOf));
  return shown.every((one) => {
    const same = cases.find(({ head }) => head === one.head);
    return same === undefined ? !takesRest(one) && forms.has(formOf(one)) : textOf(same) === textOf(one);
  });
}

function textOf({ lines, row, first }: Case): string {
  return trimmedLines(lines.slice(row - first).join("\n")).join("\n");
}

/** Returns how a head is written, with the type that its value belongs to: `case Kind. :`, `Kind:: =>`, `case " :` */
function formOf({ head }: Case): string {
  const value = head.replace(/^(?:case|when)\s+/, "");
  const kind = /^(?:[\w$]+(?:\.|::))+|^["'`:]/.exec(value)?.[0] ?? "";
  return `${value === head ? "" : "case"} ${kind} ${signOf(head) ?? ""}`;
}

/** Returns what stands between the value of a case and what it does. Undefined if a line begins no case. */
function signOf(line: string): string | undefined {
  const head = line.trim().replaceAll(/"[^"]*"|'[^']*'|\([^()]*\)/g, "_");
  const [, sign] = /(=>|->|:(?=\s|$)|^[^\s()]+(?:\s*\|\s*[^\s()]+)*\)|\bthen\b)/.exec(head) ?? [];
  if (sign === "=>" || sign === "->")
    return /^(?:return|const|let|var)\b|=[^>]/.test(head.split(sign)[0] ?? "") ? undefined : sign;
  if (sign === ":") return /^(?:case\b|default\b)/.test(head) ? sign : undefined;
  if (sign?.endsWith(")") === true) return ")";
  return /^(?:when\s.*|else)$/.test(head) ? "" : undefined;
}

/** Returns whether a case takes what no other one does. */
function takesRest({ head }: Case): boolean {
  return /^(?:default\b|else\b|\*\)|(?:case )?_\s*(?::|=>|->))/.test(head);
}

/** Returns whether the next case runs too. */
function fallsThrough({ head, lines, mayFall }: Case): boolean {
  if (/\bfallthrough\b/.test(lines.at(-1) ?? "")) return true;
  if (!mayFall || signOf(head) !== ":") return false;
  const body = lines
    .slice(lines.findIndex((line) => line.trim() === head) + 1)
    .filter((line) => /\w/.test(line) && !COMMENT.test(line));
  const depth = smallest(body.map((line) => indentOf(line).length));
  const last = body.findLast((line) => indentOf(line).length === depth) ?? head.slice(head.lastIndexOf(":") + 1);
  return !/^\s*(?:break|continue|goto|return|throw)\b/.test(last);
}

/** Add a case, handle it. */
const NEW_CASE =
  /\badd (?:an?|another|one more|the|these|this|two|three|new)\b[^.\n]{0,40}?\b(?:arm|branch|case|clause)(?:e?s)?\b|\badd (?:handling|support) for\b|\bhandle (?:an?|it|that|the|them|these|this|`)/i;
const CHANGES = /\b(?:chang|renam|replac|rewrit|updat)\w*\b/i;
/** What opens cases, which the lines below it must be. */
const SWITCH = /(?:^|[\s=(])(?:switch|match|when|select|case)\b[^;]*$/;
const COMMENT = /^\s*(?:\/\/|#|\/?\*)(?!\))/;
