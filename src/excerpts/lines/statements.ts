/** Replaces statements of a function by a stretch of them in which some are new, or set a name to something else. */
import { endOfStatement } from "../block.ts";
import {
  dedented,
  holdsWord,
  indentOf,
  isHole,
  type PlacedLines,
  reindented,
  significant,
  type Within,
} from "../text.ts";
import { rangeOf, replacedLines } from "./fragment.ts";

interface Statement extends Within {
  /** Its lines, trimmed. */
  readonly text: string;
  /** The name that it sets, or the beginning of a call. */
  readonly name: string | undefined;
}

/**
 * Each statement of the file there has to be shown, as it is or as what sets its name. New ones stand where they are
 * shown among them. Undefined if this tells no single place.
 *
 * @param isUse whether the sentences may only show how something is used: then one of the statements is unchanged
 */
export function placeStatements(
  file: string,
  content: string,
  { within, isUse }: { readonly within: Within | undefined; readonly isUse: boolean },
): PlacedLines | undefined {
  const rows = file.split("\n");
  const written = dedented(content).trim();
  const shown = statementsIn(written.split("\n"), { first: 0, last: written.length });
  const anchors = shown?.flatMap((one) => rowOf(rows, one, within) ?? []) ?? [];
  const block = blockAround(rows, anchors);
  const isInText =
    rows
      .slice(0, block?.first)
      .join("\n")
      .split(/"""|'''/).length %
      2 ===
    0;
  const old = block && statementsIn(rows, block);
  const isTold = shown !== undefined && (shown.length > 1 || CALLS.test(shown[0]?.text ?? ""));
  if (!isTold || isInText || old === undefined || shown.some(({ text }) => text.split("\n").some(isHole)))
    return undefined;
  const pairs = pairsOf(shown, old);
  const [first, last] = [pairs[0], pairs.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const replaced = old.slice(old.indexOf(first.old), old.indexOf(last.old) + 1);
  const isKept = replaced.every((one) => pairs.some((pair) => pair.old === one));
  const added = shown.filter((one) => pairs.every((pair) => pair.shown !== one));
  const around = rows.slice(Math.max(0, (block?.first ?? 0) - 1), (block?.last ?? 0) + 1).join("\n");
  // Other statements may be new forms of any, and what has a name already is set elsewhere.
  const isNew = ({ name, text }: Statement): boolean =>
    name !== undefined &&
    !CALLS.test(text) &&
    !(name.match(/[\p{L}\p{N}_$]+/gu) ?? []).some((one) => holdsWord(around, one));
  const same = pairs.filter((pair) => pair.shown.text === pair.old.text);
  const isChanged = same.length < shown.length && (!isUse || same.length > 0);
  // One name alone is one of many, unless it is set in a function.
  const isOne =
    same.length > 0 ||
    pairs.length > 1 ||
    CALLS.test(first.shown.text) ||
    HEAD.test(rows[(block?.first ?? 0) - 1] ?? "");
  if (!isKept || !added.every(isNew) || !isChanged || !isOne) return undefined;
  const range = rangeOf(rows, first.old.first, last.old.last);
  return replacedLines(file, range, reindented(written, indentOf(rows[first.old.first] ?? ""), file));
}

/** Returns the statements side by side in some rows. Undefined if some of them stand deeper. */
function statementsIn(rows: readonly string[], { first, last }: Within): readonly Statement[] | undefined {
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

/** Returns the only row that begins a statement, or one of its name. What sets a name stands in a function. */
function rowOf(rows: readonly string[], { text, name }: Statement, within: Within | undefined): number | undefined {
  const head = text.split("\n", 1)[0];
  const lines = significant(rows);
  const same = lines.filter((line) => line.text === head);
  const setting =
    name === undefined ? [] : lines.filter((line) => line.text.includes(name) && nameIn(line.text) === name);
  const [only, other] = (same.length > 0 ? same : setting).filter(
    ({ at }) => within === undefined || (at >= within.first && at <= within.last),
  );
  const isStatement = only !== undefined && (only.indent > 0 || CALLS.test(only.text));
  return isStatement && other === undefined ? only.at : undefined;
}

/** Returns the rows around some that are as deep as they, or deeper. Undefined if not all are of one block. */
function blockAround(rows: readonly string[], anchors: readonly number[]): Within | undefined {
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

interface Pair {
  readonly shown: Statement;
  readonly old: Statement;
}

/** Returns the statements that are the same, or that set the same name, in their order. */
function pairsOf(shown: readonly Statement[], old: readonly Statement[]): readonly Pair[] {
  const pairs: Pair[] = [];
  for (const one of shown) {
    const left = old.filter(({ first }) => first > (pairs.at(-1)?.old.last ?? -1));
    const same = left.filter(({ text }) => text === one.text);
    const [only, other] = same.length > 0 ? same : left.filter(({ name }) => name !== undefined && name === one.name);
    if (only !== undefined && other === undefined) pairs.push({ shown: one, old: only });
  }
  return pairs;
}

/** The head of a function or a condition. */
const HEAD = /^\s*(?:def|fn|func|function)\b|\)[^()]*[{:]\s*$|=>\s*\{\s*$|\b(?:do|else|then|try)\b[^()]*$/;
/** A call with more than a text, which is all of a statement. */
const CALLS = /^(?:(?:await|return) )?([\p{L}_$][\p{L}\p{N}_$.]*\(\s*["'`][^"'`]+["'`])\s*,(?!.*\)\s*\.)/u;
/** A name, or several in brackets, with what stands before it: a word such as `let`, a type. */
const SETS =
  /^(?!<|(?:and|having|if|on|or|return|when|where|while)\b)(?:[\p{L}\p{N}_<>[\],.?&*]+\s+){0,3}(\[[^\]=]*\]|\{[^}=]*\}|[\p{L}_$@][\p{L}\p{N}_$.]*)\s*(?::\s*[^=]+?)?\s*:?=(?![=>~])/iu;
