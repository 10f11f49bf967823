/** Replaces statements of a function by a stretch of them in which some are new, or set a name to something else. */
import { wordsIn } from "../../edit/excerpt.ts";
import { endOfStatement } from "../block.ts";
import { isHole } from "../placeholders/hole.ts";
import {
  dedented,
  holdsWord,
  indentOf,
  isInRows,
  type Line,
  type PlacedLines,
  reindented,
  significant,
  type Within,
} from "../text.ts";
import { rangeOf, replacedLines } from "./fragment.ts";

export interface Statement extends Within {
  /** Its lines, trimmed. */
  readonly text: string;
  /** The name that it sets, or the beginning of a call. */
  readonly name: string | undefined;
}

export interface Pair {
  readonly shown: Statement;
  readonly old: Statement;
}

export interface Around {
  readonly within: Within | undefined;
  /** Whether the sentences may only show how something is used: then one of the statements is unchanged. */
  readonly isUse: boolean;
}

export interface AroundForm extends Around {
  /** Whether they add something: then fewer statements may be new forms of others. */
  readonly isAddition: boolean;
}

/**
 * Each statement of the file there has to be shown, as it is or as what sets its name. New ones stand where they are
 * shown among them. Undefined if this tells no single place.
 */
export function placeStatements(file: string, content: string, { within, isUse }: Around): PlacedLines | undefined {
  const { rows, lines, shown } = readStatements(file, content, within);
  if (shown.length < 2 && !CALLS.test(shown[0]?.text ?? "")) return undefined;
  const block = blockAround(
    rows,
    shown.flatMap((statement) => rowOf(lines, statement) ?? []),
  );
  const old = block && statementsIn(rows, block);
  if (block === undefined || old === undefined) return undefined;
  const pairs = pairsOf(shown, old);
  const [first, last] = [pairs[0], pairs.at(-1)];
  const same = pairs.filter((pair) => pair.shown.text === pair.old.text);
  const isChanged = same.length < shown.length && (!isUse || same.length > 0);
  if (first === undefined || last === undefined || !isChanged || isInText(rows, first.old.first)) return undefined;
  // One name alone is one of many, unless it is set in a function.
  const isOne = same.length === 0 && pairs.length === 1 && !CALLS.test(first.shown.text);
  if (isOne && !HEAD.test(rows[block.first - 1] ?? "")) return undefined;
  const around = rows.slice(Math.max(0, block.first - 1), block.last + 1).join("\n");
  if (!isWhole(old, pairs) || !shown.every((statement) => isKnown(statement) || isNew(statement))) return undefined;
  return replacedStatements(file, content, { first: first.old.first, last: last.old.last });

  function isKnown(statement: Statement): boolean {
    return pairs.some((pair) => pair.shown === statement);
  }

  /** What has a name that is used there, or the call that another name is set to, may be the new form of something. */
  function isNew({ name, text }: Statement): boolean {
    const names = CALLS.test(text) ? [] : wordsIn(name ?? "");
    const isRenamed = text.includes("(") && old?.some((other) => valueIn(other.text) === valueIn(text)) === true;
    return names.length > 0 && !isRenamed && !names.some((word) => holdsWord(around, word));
  }
}

interface Statements {
  readonly rows: readonly string[];
  /** The lines of the file that may be meant. */
  readonly lines: readonly Line[];
  /** None, if the text has other lines than statements side by side. */
  readonly shown: readonly Statement[];
}

export function readStatements(file: string, content: string, within: Within | undefined): Statements {
  const rows = file.split("\n");
  const written = dedented(content).trim().split("\n");
  const shown = written.some(isHole) ? [] : statementsIn(written, { first: 0, last: written.length });
  return { rows, lines: significant(rows).filter(({ at }) => isInRows(at, within)), shown: shown ?? [] };
}

export function replacedStatements(file: string, content: string, { first, last }: Within): PlacedLines {
  const rows = file.split("\n");
  const indent = indentOf(rows[first] ?? "");
  return replacedLines(file, rangeOf(rows, first, last), reindented(dedented(content).trim(), indent, file));
}

/** Returns whether all statements of the file between the first and the last known one are shown. */
export function isWhole(old: readonly Statement[], pairs: readonly Pair[]): boolean {
  const rows = pairs.map((pair) => old.indexOf(pair.old));
  return rows.length === (rows.at(-1) ?? 0) - (rows[0] ?? 0) + 1;
}

/** Returns whether a row is inside a text of several lines. */
export function isInText(rows: readonly string[], row: number): boolean {
  const marks = rows
    .slice(0, row)
    .join("\n")
    .split(/"""|'''/);
  return marks.length % 2 === 0;
}

/** Returns what a statement sets its name to. */
function valueIn(text: string): string {
  return text.slice(text.indexOf("=") + 1).trim();
}

/** Returns the statements side by side in some rows. Undefined if some of them stand deeper. */
export function statementsIn(rows: readonly string[], { first, last }: Within): readonly Statement[] | undefined {
  const all: Statement[] = [];
  const depth = indentOf(rows[first] ?? "").length;
  for (let row = first; row <= Math.min(last, rows.length - 1); row++) {
    const line = rows[row] ?? "";
    if (line.trim() === "") continue;
    if (indentOf(line).length !== depth) return undefined;
    const end = endOfStatement(rows, row);
    const lines = rows.slice(row, end + 1).map((one) => one.trim());
    all.push({ first: row, last: end, text: lines.join("\n"), name: nameIn(line.trim()) });
    row = end;
  }
  return all;
}

/** Returns the name that a statement sets, or the call that it is, with the first text in that: `app.get("/items"`. */
function nameIn(line: string): string | undefined {
  return line.endsWith(",") ? undefined : (CALLS.exec(line) ?? SETS.exec(line))?.[1];
}

/** Returns whether two statements set the same name, or of several in brackets at least one. */
function isSameName(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const arePatterns = [one, other].every((name) => /^[[{]/.test(name));
  return one === other || (arePatterns && wordsIn(one).some((word) => wordsIn(other).includes(word)));
}

/** Returns the only row that begins a statement, or one of its name. What sets a name stands in a function. */
function rowOf(lines: readonly Line[], { text, name }: Statement): number | undefined {
  const head = text.split("\n", 1)[0];
  const same = lines.filter((line) => line.text === head);
  const words = wordsIn(name ?? "");
  const isSetting = (line: Line): boolean =>
    words.some((word) => line.text.includes(word)) && isSameName(nameIn(line.text), name);
  const [only, other] = same.length > 0 ? same : lines.filter(isSetting);
  const isStatement = only !== undefined && (only.indent > 0 || CALLS.test(only.text));
  return isStatement && other === undefined ? only.at : undefined;
}

/** Returns the rows around some that are as deep as they, or deeper. Undefined if not all are of one block. */
export function blockAround(rows: readonly string[], anchors: readonly number[]): Within | undefined {
  const [at] = anchors;
  const depth = indentOf(rows[at ?? -1] ?? "").length;
  const isInside = (row: number): boolean =>
    row >= 0 && row < rows.length && (rows[row]?.trim() === "" || indentOf(rows[row] ?? "").length >= depth);
  if (at === undefined) return undefined;
  let [first, last] = [at, at];
  while (isInside(first - 1)) first -= 1;
  while (isInside(last + 1)) last += 1;
  while (rows[first]?.trim() === "") first += 1;
  const isOne = anchors.every((row) => row >= first && row <= last && indentOf(rows[row] ?? "").length === depth);
  return isOne ? { first, last } : undefined;
}

/** Returns the statements that are the same, or that set the same name, in their order. */
function pairsOf(shown: readonly Statement[], old: readonly Statement[]): readonly Pair[] {
  const pairs: Pair[] = [];
  for (const statement of shown) {
    const left = old.filter(({ first }) => first > (pairs.at(-1)?.old.last ?? -1));
    const same = left.filter(({ text }) => text === statement.text);
    const [only, other] = same.length > 0 ? same : left.filter(({ name }) => isSameName(name, statement.name));
    if (only !== undefined && other === undefined) pairs.push({ shown: statement, old: only });
  }
  return pairs;
}

/** The head of a function or a condition. */
const HEAD = /^\s*(?:def|fn|func|function)\b|\)[^()]*[{:]\s*$|=>\s*\{\s*$|\b(?:do|else|then|try)\b[^()]*$/;
/** A call with a text and more: with a text alone it may only select something, as `$("#a")` does. */
const CALLS = /^(?:(?:await|return) )?([\p{L}_$][\p{L}\p{N}_$.]*\(\s*["'`][^"'`]+["'`])\s*,/u;
/** A name, or several in brackets, with what stands before it: a word such as `let`, a type. */
const SETS =
  /^(?!<|(?:and|having|if|on|or|return|when|where|while)\b)(?:[\p{L}\p{N}_<>[\],.?&*]+\s+){0,3}(\[[^\]=]*\]|\{[^}=]*\}|[\p{L}_$@][\p{L}\p{N}_$.]*)\s*(?::\s*[^=]+?)?\s*:?=(?![=>~])/iu;
