/** Finds the place of new lines beside those that the file has: above them, below them, or both, one after the other. */
import { smallest } from "../../core/lists.ts";
import { isImport } from "../declarations/imports.ts";
import { HAS_WORD } from "./nearest.ts";
import { isRemark } from "../remarks.ts";
import { wordsIn } from "../../edit/excerpt.ts";
import { CLOSED, OPENED, RETURNS } from "../block.ts";
import { holdsWord, mayBeAlike, type Line, sharedWords, type Within } from "../text.ts";

/** Returns where the lines of a file stand that an addition shows at its ends, if that is once, with nothing between. */
export function placeAnchored(there: readonly Line[], added: readonly Line[]): Within | undefined {
  const known = new Set(there.map(({ text }) => text));
  const isNew = ({ text }: Line): boolean => !known.has(text);
  const fresh = added.findIndex(isNew);
  if (fresh === -1) return undefined;
  const last = added.findLastIndex(isNew);
  // New comments belong to those above them, and not these to them.
  const areRemarks = added.slice(fresh, last + 1).every(({ text }) => isRemark(text));
  const begin = areRemarks ? fresh : aboveRemarksOf(added, fresh);
  const end = endOfNew(added, begin, last);
  const anchors = [...added.slice(0, begin), ...added.slice(end)];
  if (!anchors.some(({ text }) => HAS_WORD.test(text))) return undefined;
  const isAt = (from: number): boolean => anchors.every(({ text }, index) => there[from + index]?.text === text);
  const [only, other] = [...there.keys()].filter(isAt);
  if (only === undefined || other !== undefined) return undefined;
  const [above, below] = [there[only + begin - 1], there[only + begin]];
  const place = { first: there[only]?.at ?? 0, last: there[only + anchors.length - 1]?.at ?? 0 };
  const [top, bottom] = [added[begin], added[end - 1]];
  // Documentation stands there once.
  const areComments = [bottom, above].every((line) => line?.text.endsWith("*/") === true);
  if (begin === 0 && areComments && isClose(above, below)) return undefined;
  // Where only one side is shown, a new line may be the new form of the line on the other one.
  if (begin === 0 && isNewForm(bottom, above, below)) return undefined;
  if (end === added.length && isNewForm(top, below, above)) return undefined;
  const leaves = end === added.length && below?.indent === above?.indent ? returnBelow(added, begin) : undefined;
  if (leaves !== undefined && below !== undefined && isNewReturn(below.text, leaves.text))
    return { ...place, last: below.at };
  // Blank lines beside the file's own lines of this kind are the file's; blocks have them on both sides.
  if (CLOSED.test(bottom?.text ?? "")) return place;
  if (begin === 0 && isApart(bottom, added[end]) && isOneKind(bottom, above))
    return { ...place, first: (above?.at ?? 0) + 1 };
  if (end === added.length && isApart(added[begin - 1], top) && isOneKind(top, below))
    return { ...place, last: (below?.at ?? 0) - 1 };
  return place;
}

/** Returns whether a new line may replace a line of the file, and is not just one more like its neighbours. */
function isNewForm(line: Line | undefined, old: Line | undefined, anchor: Line | undefined): boolean {
  if (line === undefined || old === undefined) return false;
  // What a shown line opens is closed once.
  if (CLOSED.test(line.text) && CLOSED.test(old.text) && line.text[0] === old.text[0]) return true;
  return mayBeAlike(old.text, line.text) && !(anchor !== undefined && mayBeAlike(anchor.text, line.text));
}

/** Returns the return that ends new lines, as deep as the line above them: below it, nothing of the file would run. */
function returnBelow(added: readonly Line[], begin: number): Line | undefined {
  const depth = added[begin - 1]?.indent;
  const last = added.slice(begin).findLast(({ indent, text }) => indent === depth && !CLOSED.test(text));
  return last !== undefined && RETURNS.test(last.text) ? last : undefined;
}

/** Returns whether a return is the new form of another one, of which it has all words. */
function isNewReturn(old: string, now: string): boolean {
  const words = new Set(wordsIn(now));
  return RETURNS.test(old) && !OPENED.test(old) && wordsIn(old).every((word) => words.has(word));
}

function isClose(above: Line | undefined, below: Line | undefined): boolean {
  return above !== undefined && below !== undefined && !isApart(above, below);
}

function isApart(above: Line | undefined, below: Line | undefined): boolean {
  return above !== undefined && below !== undefined && below.at - above.at > 1;
}

/** Returns whether two lines are imports, or begin with the same word or sign. */
function isOneKind(left: Line | undefined, right: Line | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  // A tag and an instruction of a template both begin with a sign.
  const isAnyTag = left.text.startsWith("<") && /^<\W/.test(left.text) !== /^<\W/.test(right.text);
  return isImport(left.text) ? isImport(right.text) : !isAnyTag && sharedWords(left.text, right.text) > 0;
}

/** Returns the end of new lines with those below them that belong to them: deeper ones, and what closes them. */
function endOfNew(added: readonly Line[], begin: number, last: number): number {
  const depth = smallest(added.slice(begin, last + 1).map(({ indent }) => indent));
  let end = last + 1;
  for (let next = added[end]; next !== undefined; next = added[end]) {
    if (next.indent <= depth && !(next.indent === depth && CLOSED.test(next.text))) break;
    end += 1;
  }
  return end;
}

/**
 * Returns whether the new lines of a fragment call what its other lines call too, and no other line beside these does:
 * a further route below the only one.
 */
export function isOneMore(there: readonly Line[], shown: readonly Line[]): boolean {
  const headOf = ({ text }: Line): string | undefined => CALL_HEAD.exec(text)?.[0];
  const written = new Set(shown.map(({ text }) => text));
  const [head, ...others] = new Set(shown.map(headOf));
  if (head === undefined || others.length > 0) return false;
  return !there.some((line, at) => {
    const isBeside = [there[at - 1], there[at + 1]].some((next) => next !== undefined && written.has(next.text));
    return isBeside && !written.has(line.text) && headOf(line) === head;
  });
}

/** Returns the index of the first of the comments and attributes right above a line, which belong to it. */
function aboveRemarksOf(lines: readonly Line[], index: number): number {
  let first = index;
  while (first > 0 && isRemark(lines[first - 1]?.text ?? "") && !isApart(lines[first - 1], lines[first])) first -= 1;
  return first;
}

/** Returns whether the new lines of a fragment begin with a declaration, between lines of the file that lacks its name. */
export function addsDeclaration(there: readonly Line[], shown: readonly Line[]): boolean {
  const known = new Set(there.map(({ text }) => text));
  const [first, last] = [shown[0], shown.at(-1)];
  if (first === undefined || last === undefined || !known.has(first.text) || !known.has(last.text)) return false;
  const fresh = shown.find(({ text }) => !known.has(text) && HAS_WORD.test(text) && !isRemark(text));
  return fresh !== undefined && declaresOther(there, fresh);
}

/** Returns whether a fragment begins with comments or attributes above a declaration whose name the file lacks. */
export function beginsWithOther(there: readonly Line[], shown: readonly Line[]): boolean {
  const head = shown.findIndex(({ text }) => !isRemark(text));
  const line = shown[head];
  return head > 0 && line !== undefined && declaresOther(there, line);
}

function declaresOther(there: readonly Line[], { text: line }: Line): boolean {
  const name = HEAD.exec(line)?.slice(1).find(Boolean);
  const isSelector = SELECTOR.test(line) && !there.some(({ text }) => text.startsWith(line));
  return isSelector || (name !== undefined && !there.some(({ text }) => holdsWord(text, name)));
}

/** The head of a rule inside another one. */
const SELECTOR = /^[&.#:[@>+~][^;{}]*\{$/;

/** The head of a function or a type. */
const HEAD =
  /^(?:[\w<>[\],.*&?]+\s+)*?(?:(?:def|func|function|fn|fun|sub|class|struct|enum|interface|trait)\s+([\p{L}_$][\w$]*)|(?!(?:if|for|while|switch|catch|match|with)\b)([\p{L}_$][\w$]*)\s*\([^;]*\)[^;]*\{$)/u;
/** A call with a text as its first argument. */
export const CALL_HEAD = /^[\w$.]+\((?=["'`])/;
