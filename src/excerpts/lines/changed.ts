/** Replaces statements of which some become others that have all their words. */
import { countsOf } from "../../core/counted.ts";
import { wordsIn } from "../../edit/excerpt.ts";
import { endOfStatement } from "../block.ts";
import { isKeptIn } from "./kept-whole.ts";
import { holdsWord, type Line, type PlacedLines } from "../text.ts";
import {
  type AroundForm,
  blockAround,
  isInText,
  isWhole,
  type Pair,
  readStatements,
  replacedStatements,
  type Statement,
  statementsIn,
} from "./statements.ts";

/**
 * Replaces a stretch of statements by one that shows each of them: as it is, or with all its words and more. New ones
 * stand between two of these, or set a name that a changed one uses. Undefined if this tells no single place.
 * What sentences add changes only blocks.
 */
export function placeChanged(
  file: string,
  content: string,
  { within, isUse, isAddition }: AroundForm,
): PlacedLines | undefined {
  const { rows, lines, shown } = readStatements(file, content, within);
  if (shown.length * lines.length > MOST_COMPARED) return undefined;
  const anchors = new Map(shown.map((statement) => [statement, oldRow(lines, statement, rows)]));
  const block = blockAround(
    rows,
    [...anchors.values()].flatMap((row) => row ?? []),
  );
  const old = (block && statementsIn(rows, block)) ?? [];
  const pairs: Pair[] = [];
  for (const statement of shown) {
    const match = old.find(({ first }) => first === anchors.get(statement));
    if (match !== undefined && match.first > (pairs.at(-1)?.old.last ?? -1))
      pairs.push({ shown: statement, old: match });
  }
  const [begin, end] = [pairs[0], pairs.at(-1)];
  if (begin === undefined || end === undefined || isInText(rows, begin.old.first) || !isWhole(old, pairs))
    return undefined;
  const changed = pairs.filter((pair) => pair.shown.text !== pair.old.text);
  if (isAddition && changed.some((pair) => !pair.old.text.includes("\n"))) return undefined;
  const fresh = shown.filter((statement) => !pairs.some((pair) => pair.shown === statement));
  const areBetween = fresh.every(({ first, last }) => first > begin.shown.first && last < end.shown.last);
  const areUsed = fresh.every((statement) => isUsedIn(statement, changed, lines));
  const there = new Set(lines.map(({ text }) => text));
  // What stands elsewhere may be meant to move.
  if (!(areBetween || (areUsed && !isAddition)) || fresh.some((statement) => there.has(headOf(statement))))
    return undefined;
  if (changed.length + fresh.length === 0) return undefined;
  const isSameHead = headOf(begin.shown) === headOf(begin.old);
  const isSameBody = begin.shown.text.includes("\n") && bodyOf(begin.shown) === bodyOf(begin.old) && isOfSame(begin);
  const isPart = shown.length === 1 && !isAddition && (isSameHead || isSameBody);
  const known = pairs.filter(
    (pair) => pair.shown.text === pair.old.text || isKeptIn(headOf(pair.old), headOf(pair.shown)),
  );
  const isProven = known.length > 1 || (!isUse && (isPart || (fresh.length > 0 && areUsed)));
  return isProven ? replacedStatements(file, content, { first: begin.old.first, last: end.old.last }) : undefined;
}

/** Returns whether a statement sets a name that no line has, and that a changed statement uses. */
function isUsedIn({ name }: Statement, changed: readonly Pair[], lines: readonly Line[]): boolean {
  const names = wordsIn(name ?? "").flatMap((word) => [word, `$${word}`]);
  const isIn = (text: string): boolean => names.some((word) => holdsWord(text, word));
  return changed.some((pair) => isIn(pair.shown.text)) && !lines.some(({ text }) => isIn(text));
}

/** Returns the only row that begins a statement or its old form. */
function oldRow(lines: readonly Line[], statement: Statement, rows: readonly string[]): number | undefined {
  const words = statement.text.match(WORDS) ?? [];
  const most = statement.text.split("\n").length * 2 + MOST_LONGER;
  const isForm = ({ at }: Line): boolean => {
    const below = rows.slice(at, at + most);
    const end = endOfStatement(below, 0);
    const [old, now] = [below.slice(0, end + 1).flatMap((line) => line.match(WORDS) ?? []), words].map(countsOf);
    return end + 1 < most && [...(old ?? [])].every(([word, count]) => (now?.get(word) ?? 0) >= count);
  };
  const begins = ({ text }: Line): boolean => {
    const all = text.match(WORDS) ?? [];
    return new Set(all).size > BEGINNING && words.slice(0, BEGINNING).every((word, index) => word === all[index]);
  };
  const head = headOf(statement);
  const same = lines.filter(({ text }) => text === head);
  const isForms = lines.filter((line) => (begins(line) || isKeptIn(line.text, head)) && isForm(line));
  const [only, other] = same.length > 0 ? same : isForms;
  return only !== undefined && other === undefined && isForm(only) ? only.at : undefined;
}

/** Returns whether two blocks are of one thing. Of one line, as all checks of errors in Go are, their heads tell it. */
function isOfSame({ shown, old }: Pair): boolean {
  const words = headOf(old).match(WORDS) ?? [];
  const isLong = shown.text.split("\n").length > SHORT;
  return isLong || words.some((word) => !OF_CHECKS.test(word) && holdsWord(headOf(shown), word));
}

function headOf({ text }: Statement): string {
  return text.split("\n", 1)[0] ?? "";
}

function bodyOf({ text }: Statement): string {
  return text.slice(text.indexOf("\n"));
}

/** A block of one line. */
const SHORT = 3;
/** What any check may have. */
const OF_CHECKS = /^(?:None|null|undefined|false|true|error|return|\p{L}{1,3})$/u;
const WORDS = /[\p{L}\p{N}_$]+/gu;
/** Words that a statement and its new form begin with. */
const BEGINNING = 2;
/** Lines by which an old statement may be longer than twice the new one. */
const MOST_LONGER = 20;
/** Pairs of lines. */
const MOST_COMPARED = 50_000;
