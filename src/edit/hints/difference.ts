import { diffArrays } from "diff";
import { holds } from "../match.ts";
import type { Search } from "../passes.ts";
import { splitMargins } from "../quotation.ts";
import { NO_SHIFT, type Shift, shiftBetween, shifted } from "../shift.ts";
import { plain } from "../typography.ts";
import type { Closest } from "./closest.ts";
import { shorten } from "./shorten.ts";

/** Maximum number of lines that show a difference. */
const MAX_SHOWN = 18;
/** Maximum number of differences to find. More would help nobody. */
const MAX_DIFFERENCES = 200;
/** Unchanged lines to show before and after changed ones. */
const CONTEXT = 2;

/**
 * Describes how a quoted text differs from the most similar lines of a file. First names the kind of difference, then
 * lists the lines: `-` before those only quoted, `+` and the number before those only in the file.
 */
export function describeDifference({ parameter, match }: Pick<Search, "parameter" | "match">, { wanted, lines }: Closest, firstLine: number): string {
  const isTolerant = match === "tolerant";
  const shift = isTolerant ? usualShift(wanted, lines) : NO_SHIFT;
  const quoted = wanted.map((line, index) => (isTolerant ? normalizedLine(line, shift, index === 0) : literalLine(line)));
  const compared = compareLines(quoted, lines.map((line) => (isTolerant ? normalizedLine(line, NO_SHIFT, false) : literalLine(line))));
  const actual = compared.filter(({ sign }) => sign !== "-").map(({ text }) => text);
  const where = actual.length === 1 ? `line ${firstLine}` : `lines ${firstLine}-${firstLine + actual.length - 1}`;
  const shown = shownLines(compared, firstLine);
  const more = shown.length > MAX_SHOWN ? [`       … (${shown.length - MAX_SHOWN} more lines)`] : [];
  const kind = kindOf(wanted, actual) ?? countOf(compared, wanted.length) + (shift.by === "" ? "" : ", indentation aside");
  return [`closest is ${where}, where ${kind} (- ${parameter}, + the file):`, ...shown.slice(0, MAX_SHOWN), ...more].join("\n");
}

interface ComparedLine {
  /** In both, only in the quotation, only in the file. */
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** A line, and the parts that must be equal. */
interface Line {
  readonly text: string;
  readonly indent: string | undefined;
  readonly body: string;
  /** The first line may have been quoted without its indentation. */
  readonly isFirst: boolean;
}

function literalLine(text: string): Line {
  return { text, indent: "", body: text, isFirst: false };
}

/** Leaves out differences that matching tolerates: trailing white space, the common shift, typographic characters. */
function normalizedLine(text: string, shift: Shift, isFirst: boolean): Line {
  const [indent, body] = splitMargins(plain(text));
  return { text, indent: body === "" ? "" : shifted(indent, shift), body, isFirst: isFirst && indent === "" };
}

function isSame(quoted: Line, actual: Line): boolean {
  return quoted.body === actual.body && (quoted.isFirst || quoted.indent === actual.indent);
}

/** Returns the shift of most lines that both have. Counts the first line last. */
function usualShift(quoted: readonly string[], actual: readonly string[]): Shift {
  const indents = new Map(actual.toReversed().map((line) => [splitMargins(plain(line))[1], splitMargins(plain(line))[0]]));
  const counts = new Map<string, { readonly shift: Shift; count: number }>();
  for (const line of [...quoted.slice(1), ...quoted.slice(0, 1)]) {
    const [indent, body] = splitMargins(plain(line));
    const other = indents.get(body);
    const shift = body === "" || other === undefined ? undefined : shiftBetween(indent, other);
    if (shift === undefined) continue;
    const counted = counts.get(shift.kind + shift.by) ?? { shift, count: 0 };
    counted.count += 1;
    counts.set(shift.kind + shift.by, counted);
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count)[0]?.shift ?? NO_SHIFT;
}

/** Leaves out the file's lines after the last quoted one. */
function compareLines(quoted: readonly Line[], found: readonly Line[]): ComparedLine[] {
  const parts = diffArrays([...quoted], [...found], { maxEditLength: MAX_DIFFERENCES, comparator: isSame }) ?? [{ removed: true, added: false, value: quoted }, { removed: false, added: true, value: found }];
  const [before, last] = [parts.at(-2), parts.at(-1)];
  const behind = last?.added === true ? Math.max(0, last.value.length - (before?.removed === true ? before.value.length : 0)) : 0;
  const compared = parts.flatMap(({ removed, added, value }) => value.map(({ text }): ComparedLine => ({ sign: removed ? "-" : added ? "+" : " ", text })));
  return compared.slice(0, compared.length - behind);
}

function shownLines(compared: readonly ComparedLine[], firstLine: number): string[] {
  let number = firstLine;
  const numbered = compared.map(({ sign, text }) => `${sign === "-" ? " ".repeat(6) : String(number++).padStart(6)} ${sign} ${shorten(text)}`);
  return numbered.filter((_, index) => compared.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ sign }) => sign !== " "));
}

function countOf(compared: readonly ComparedLine[], lines: number): string {
  const differing = compared.filter(({ sign }) => sign === "-").length;
  if (differing === 0) return "the file has more lines";
  return differing === 1 ? "one line differs" : `${differing} of ${lines} lines differ`;
}

/** Returns the phrase of the simplest change that makes both equal, if there is a simple one. */
function kindOf(quoted: readonly string[], actual: readonly string[]): string | undefined {
  const same = (change: (line: string) => string) => quoted.length === actual.length && quoted.every((line, index) => change(line) === change(actual[index] ?? ""));
  const tabs = (lines: readonly string[]) => lines.some((line) => /^ *\t/.test(line));
  const withoutSpace = (text: string) => text.replace(/\s+/g, "");
  if (same((line) => line)) return AROUND;
  if (same((line) => line.trim())) {
    if (tabs(actual) && !tabs(quoted)) return "the file is indented with tabs";
    if (tabs(quoted) && !tabs(actual)) return "the file is indented with spaces";
    return isShiftedAlike(quoted, actual) ? AROUND : "the indentation differs unevenly";
  }
  if (same(withoutSpace)) return "white space within the lines differs";
  if (withoutSpace(quoted.join("")) === withoutSpace(actual.join(""))) return "line breaks or blank lines differ";
  if (same((line) => line.trim().toLowerCase())) return "upper and lower case differ";
  if (same(asSeen)) return "invisible or look-alike characters differ; use file_replace_lines";
  return quoted.every((line, index) => holds(actual[index] ?? "", line.trim())) ? "the lines contain more than is quoted" : undefined;
}

const AROUND = "blank lines around it differ, or the text after it";

function isShiftedAlike(quoted: readonly string[], actual: readonly string[]): boolean {
  let shift: Shift | undefined;
  return quoted.every((line, index) => {
    const [indent, body] = splitMargins(line);
    const [other] = splitMargins(actual[index] ?? "");
    if (body === "") return true;
    shift ??= shiftBetween(indent, other);
    return shift !== undefined && shifted(indent, shift) === other;
  });
}

/** Removes characters without width, and normalizes accents. */
function asSeen(line: string): string {
  return line.replace(/\p{Cf}/gu, "").normalize().trim();
}
