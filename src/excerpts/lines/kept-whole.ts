/** Replaces a call by a statement that has it whole: one that keeps its value, waits for it or checks it. */
import { CLOSED, endOfStatement } from "../block.ts";
import { holdsWord, linesNamed, type PlacedLines } from "../text.ts";
import { type AroundForm, readStatements, replacedStatements } from "./statements.ts";

/**
 * Replaces the only call of a file that a shown statement has whole, behind a name that this sets or a word such as
 * `await`. Those shown below it are new, and the first of them uses that name. Undefined if this tells no single place.
 * What sentences add sets a name.
 */
export function placeKeptWhole(file: string, content: string, around: AroundForm): PlacedLines | undefined {
  const { rows, lines, shown } = readStatements(file, content, around.within);
  const [head, next] = shown;
  if (head === undefined || around.isUse) return undefined;
  const [start, names = ""] = SETS.exec(head.text) ?? (around.isAddition ? [] : (WAITS.exec(head.text) ?? []));
  if (start === undefined) return undefined;
  const kept = head.text.slice(start.length);
  const [first = ""] = kept.split("\n", 1);
  const isUsed = names.split(", ").some((name) => name !== "_" && holdsWord(next?.text ?? "", name));
  const known = new Set(lines.map(({ text }) => text));
  const isNew = shown.every(({ text }) => !known.has(text.split("\n", 1)[0] ?? ""));
  const [call, other] = lines.filter(
    ({ text }) => CALL.test(text) && (text === first || first.startsWith(`${text}; `)),
  );
  if (call === undefined || other !== undefined || !isNew || !(next === undefined || isUsed)) return undefined;
  const last = endOfStatement(rows, call.at);
  const old = rows.slice(call.at, last + 1).map((row) => row.trim());
  const isWhole = kept === old.join("\n") || (start.startsWith("if ") && kept.startsWith(`${old.join("\n")}; `));
  const below = lines.find(({ at }) => at > last);
  const isInBlock = below !== undefined && below.indent === call.indent && !CLOSED.test(below.text);
  if (!isWhole || start !== "return " || !isInBlock)
    return isWhole ? replacedStatements(file, content, { first: call.at, last }) : undefined;
  // Nothing stands below a return, which takes the place of another one.
  const isReturn = /^return\b/.test(below.text);
  return isReturn
    ? replacedStatements(file, content, { first: call.at, last: endOfStatement(rows, below.at) })
    : undefined;
}

/** Returns whether the first line of a statement sets names to a call, waits for it or passes it on. */
export function isKeptIn(call: string, head: string): boolean {
  const [start] = SETS.exec(head) ?? WAITS.exec(head) ?? [];
  return start !== undefined && CALL.test(call) && head.slice(start.length) === call;
}

/** Takes the call that stands above replaced lines too, if the first of the new ones has it whole. */
export function withCallAbove(file: string, placed: PlacedLines, content: string): PlacedLines {
  const [head = ""] = content.trimStart().split("\n", 1);
  const [splice] = placed.splices;
  const above = file.slice(0, splice?.start).trimEnd();
  const start = above.lastIndexOf("\n") + 1;
  if (splice === undefined || !isKeptIn(above.slice(start).trim(), head.trim())) return placed;
  const now = { ...splice, start };
  return { splices: [now, ...placed.splices.slice(1)], done: [`${linesNamed(file, now)} replaced`] };
}

/** The names that a statement sets, with what stands around them: a word such as `let`, a type. */
const SETS =
  /^(?:if )?(?:[\p{L}_][\p{L}\p{N}_<>[\],.?*]*\s)?((?:[\p{L}_$][\p{L}\p{N}_$]*, )*[\p{L}_$][\p{L}\p{N}_$]*) :?= (?:await )?(?=[\p{L}_$])/u;
/** What waits for a call, or passes its value on. */
const WAITS = /^(?:await|defer|go|return) (?=[\p{L}_$])/u;
const CALL = /^[\p{L}_$].*\(/u;
