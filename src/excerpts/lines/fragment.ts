/** Places statements: between lines that the file has too, or where a sentence says. */
import {
  indentOf,
  isAlike,
  isInRows,
  type Line,
  linesNamed,
  MAX_QUOTED,
  type PlacedLines,
  reindented,
  sharedEnds,
  significant,
  type Span,
  startOfRow,
  Unplaced,
  type Within,
} from "../text.ts";
import { isHole, withoutEdgeHoles } from "../placeholders/hole.ts";
import { differsLeast, HAS_WORD, isSubsequence, nearest, SEVERAL, textsOf } from "./nearest.ts";
import { addsDeclaration, beginsWithOther, CALL_HEAD, isOneMore, placeAnchored } from "./anchored.ts";
import { withCommentsBetween } from "./between-blocks.ts";
import { withShownBelow } from "./shown-once.ts";
import { placeAtHead } from "./open-head.ts";
import { insertAt } from "./statement.ts";
import type { Told } from "../told/told.ts";
import { endOfStatement, OPENS } from "../block.ts";

/**
 * Replaces the lines of a file between the first and the last line of a fragment, where both stand in it: at one place,
 * or at the one that the fragment changes least. A block that begins with such a line goes to the line that ends it.
 * Without a sentence that takes lines away, one that has only lines of the file leaves out those between them.
 */
export function placeFragment(
  file: string,
  written: string,
  within: Within | undefined,
  {
    isAddition = false,
    isBeside = false,
    isLess = true,
  }: Partial<Pick<Told, "isAddition" | "isBeside" | "isLess">> = {},
): PlacedLines | Unplaced {
  const content = withoutEdgeHoles(written);
  const [lines, shown] = [file.split("\n"), significant(content.split("\n"))];
  if (shown.length === 0) return new Unplaced("is not changed by a text without lines");
  const there = significant(lines).filter(({ at }) => isInRows(at, within));
  const same = placeOfAll(there, shown);
  if (same !== undefined)
    return { splices: [], done: [`${linesNamed(file, rangeOf(lines, same.first, same.last))} unchanged`] };
  const fragment = { lines, there, shown, content: content.split("\n"), within };
  const adds = isAddition || isBeside || isOneMore(there, shown) || addsDeclaration(there, shown);
  const between =
    placeAtHead(there, shown, isAddition) ??
    placeOfClauses(there, shown) ??
    (adds ? placeAnchored(there, shown) : undefined) ??
    placeBetween(fragment);
  const nearby = between instanceof Unplaced ? (placeAtEnd(fragment, isAddition) ?? between) : between;
  const place = nearby instanceof Unplaced ? nearby : withShownBelow({ lines, all: there, shown }, nearby);
  if (place instanceof Unplaced) return place;
  const old = there.filter(({ at }) => isInRows(at, place));
  if (!isLess && isSubsequence(textsOf(shown), textsOf(old)))
    return new Unplaced("has other lines between those that are shown, and no sentence says that they go");
  // A placeholder below the last line stands for what follows that.
  if (isHole(written.trimEnd().split("\n").at(-1) ?? "") && lines[place.last]?.trim() !== shown.at(-1)?.text)
    return new Unplaced("does not have the line above the last placeholder: show an unchanged one there");
  const range = rangeOf(lines, place.first, place.last);
  const text = likeFile(fragment, place, file);
  return replacedLines(file, range, withCommentsBetween(file.slice(range.start, range.end), text));
}

/** Returns a fragment with the indentation of the file: as it is, or moved as the first line is that both have. */
function likeFile({ shown, content, lines }: Fragment, { first, last }: Within, file: string): string {
  const [begin, end] = [shown[0]?.at ?? 0, shown.at(-1)?.at ?? 0];
  const written = content.slice(begin, end + 1);
  const anchor = shown.find(({ text }) => text === lines[first]?.trim());
  const old = lines.slice(first, last + 1).map((line) => line.trimEnd());
  const known = new Set(old.map((line) => line.trim()));
  const isOwnUnit = lines.some((line) => SPACED.test(line)) || !written.some((line) => SPACED.test(line));
  const isExact =
    isOwnUnit && shown.every(({ text, at }) => !known.has(text) || old.includes(content[at]?.trimEnd() ?? ""));
  const depth = indentOf(lines[first] ?? "");
  if (isExact && anchor !== undefined) return written.join("\n");
  if (anchor === undefined || anchor.at === begin) return reindented(written.join("\n"), depth, file);
  return movedBelow(content[anchor.at] ?? "", { written: written.join("\n"), depth, file });
}

/** Moves lines as one beside them is moved, which the file has at some depth. */
export function movedBelow(
  line: string,
  { written, depth, file }: { readonly written: string; readonly depth: string; readonly file: string },
): string {
  // It goes first, and comes off again.
  const moved = reindented(`${indentOf(line)}x\n${written}`, depth, file);
  return moved.slice(moved.indexOf("\n") + 1);
}

/** Returns the place of a fragment of which the file has the first line. */
function placeBetween(fragment: Fragment): Within | Unplaced {
  const { there, shown } = fragment;
  const [first, last] = [shown[0]?.text ?? "", shown.at(-1)?.text ?? ""];
  const starts = there.filter(({ text }) => text === first);
  // The brackets of an object or a list stand around whatever it holds.
  const isAround = /^[{[]$/.test(first) && /^[}\]]$/.test(last) && starts[0]?.at === there[0]?.at;
  const isNoAnchor = isAround || beginsWithOther(there, shown);
  if (isNoAnchor || starts.length === 0 || shown.length < 2) return new Unplaced(NO_ANCHOR);
  const only = placeByContext({ ...fragment, starts });
  if (only !== undefined && !isFramed(fragment, only) && !differsLeast(there, shown, only))
    return new Unplaced(SEVERAL);
  return only ?? nearest(there, shown);
}

/**
 * Returns the place of a fragment that begins with new lines above the first line of the file, or with new forms of its
 * first lines, or ends like this at its end. Elsewhere they may replace others.
 */
function placeAtEnd(fragment: Fragment, isAddition: boolean): Within | undefined {
  const { there, shown, within } = fragment;
  const known = new Set(there.map(({ text }) => text));
  const isKnown = ({ text }: Line): boolean => known.has(text);
  const [top, end] = [shown.findIndex(isKnown), shown.findLastIndex(isKnown)];
  const inner = top === -1 || within !== undefined ? [] : shown.slice(top, end + 1);
  if (inner.length === shown.length || !inner.some(({ text }) => HAS_WORD.test(text))) return undefined;
  const place =
    placeOfAll(there, inner) ?? (inner.length < 2 ? undefined : placeBetween({ ...fragment, shown: inner }));
  if (place === undefined || place instanceof Unplaced) return undefined;
  const above = linesToEdge(
    shown.slice(0, top),
    there.filter(({ at }) => at < place.first),
  );
  const below = linesToEdge(
    shown.slice(end + 1),
    there.filter(({ at }) => at > place.last),
  );
  if (above === undefined || below === undefined || (isAddition && above.length + below.length > 0)) return undefined;
  return { first: above[0]?.at ?? place.first, last: below.at(-1)?.at ?? place.last };
}

/** Returns the lines up to an edge of the file that some new ones replace: none or as many, alike. */
function linesToEdge(fresh: readonly Line[], old: readonly Line[]): readonly Line[] | undefined {
  const areNewForms =
    old.length === fresh.length && old.every(({ text }, at) => hasSameEnds(text, fresh[at]?.text ?? ""));
  return fresh.length === 0 ? [] : old.length === 0 || areNewForms ? old : undefined;
}

/** Returns the place of a fragment whose first line, with the one below it, and whose last line stand in a file once. */
function placeByContext(fragment: Fragment & { readonly starts: readonly Line[] }): Within | undefined {
  const { there, shown, starts, within } = fragment;
  // Lines of context above the first change tell equal ones apart.
  const [begin, other] = starts.filter(
    (start) => starts.length === 1 || sharesContext(there, shown, there.indexOf(start)),
  );
  if (begin === undefined || other !== undefined) return undefined;
  const rest = there.filter(({ at }) => at >= begin.at);
  // All lines from there on, and further ones below.
  const isRest = within === undefined && rest.length > 1 && isSubsequence(textsOf(rest), textsOf(shown));
  const end = isRest ? rest.at(-1)?.at : endOf({ ...fragment, begin });
  return end === undefined ? undefined : { first: begin.at, last: end };
}

/** Indented by spaces. */
const SPACED = /^ {2}/;
export const NO_ANCHOR = "does not have its first line: show one unchanged line above and one below what changes";

interface Fragment {
  readonly within: Within | undefined;
  readonly lines: readonly string[];
  readonly there: readonly Line[];
  readonly shown: readonly Line[];
  /** The lines of the fragment. */
  readonly content: readonly string[];
}

/** Returns the line of the file, 0-based, that the last one of a fragment is. */
function endOf({ lines, there, shown, begin, content }: Fragment & { readonly begin: Line }): number | undefined {
  const last = shown.at(-1) as Line;
  const frame = frameOf({ lines, there, shown, begin, content });
  if (frame !== undefined) return frame.inFile.at(-1)?.at;
  const ends = there.filter(({ at, text }) => at > begin.at && text === last.text);
  if (ends.length === 1) return ends[0]?.at;
  // One statement, of which the last line has changed too.
  const written = content.slice(shown[0]?.at ?? 0, last.at + 1);
  const statement = endOfStatement(lines, begin.at);
  const isStatement = written.length > 1 && endOfStatement(written, 0) === written.length - 1 && statement > begin.at;
  if (ends.length === 0 && isStatement && hasSameEnds(lines[statement]?.trim() ?? "", last.text)) return statement;
  // Of several, the nearest one at the depth of the fragment's last line.
  const before = shown.at(-2);
  const told = ends.filter(({ at }) => there[there.findIndex((line) => line.at === at) - 1]?.text === before?.text);
  return told.length === 1 ? told[0]?.at : undefined;
}

/**
 * Returns the lines of the file from a first one on that are not deeper than it, where those of a fragment are the
 * same, up to its last one. Whatever is deeper may differ.
 */
function frameOf({
  lines,
  there,
  shown,
  begin,
  content,
}: Omit<Fragment, "within"> & { readonly begin: Line }): Frame | undefined {
  const indent = indentOf(lines[begin.at] ?? "").length;
  const depth = indentOf(content[shown[0]?.at ?? 0] ?? "").length;
  const inFragment = shown.filter(({ at }) => indentOf(content[at] ?? "").length <= depth);
  const below = there.filter(({ at }) => at >= begin.at);
  const inFile = below.filter(({ at }) => indentOf(lines[at] ?? "").length <= indent).slice(0, inFragment.length);
  const isSame = inFragment.every(({ text }, index) => text === inFile[index]?.text);
  return inFragment.length > 1 && inFragment.at(-1) === shown.at(-1) && isSame ? { inFile, inFragment } : undefined;
}

/** The outermost lines of a fragment, and the same ones of the file. */
interface Frame {
  readonly inFile: readonly Line[];
  readonly inFragment: readonly Line[];
}

/**
 * Returns whether a place has several blocks whose heads and ends are those of a fragment, so that no other place is
 * nearer. A block without a placeholder loses no line that no other one takes the place of.
 */
function isFramed(fragment: Fragment, { first, last }: Within): boolean {
  const { there, shown } = fragment;
  const begin = there.find(({ at }) => at === first);
  const frame = begin && frameOf({ ...fragment, begin });
  const heads = frame?.inFile.filter(({ text }) => OPENS.test(text) && HAS_WORD.test(text)) ?? [];
  if (frame?.inFile.at(-1)?.at !== last || heads.length < 2) return false;
  const between = (lines: readonly Line[], edges: readonly Line[], index: number): readonly Line[] =>
    lines.filter(({ at }) => at > (edges[index]?.at ?? 0) && at < (edges[index + 1]?.at ?? 0));
  return frame.inFile.every((_, index) => {
    const [old, now] = [between(there, frame.inFile, index), between(shown, frame.inFragment, index)];
    const isKept = ({ text }: Line): boolean => now.some((line) => line.text === text || isAlike(line.text, text));
    return now.some(({ text }) => isHole(text)) || old.every(isKept);
  });
}

/** Returns whether two lines begin and end alike for most of their length. */
function hasSameEnds(one: string, other: string): boolean {
  const [begin, end] = sharedEnds(one, other);
  return begin > 0 && end > 0 && (begin + end) * 2 > Math.max(one.length, other.length);
}

/**
 * Returns the place of the statement of Python that a fragment begins as, where the fragment has other clauses than the
 * file: those would stand beside the old ones.
 */
function placeOfClauses(there: readonly Line[], shown: readonly Line[]): Within | Unplaced | undefined {
  const isClause = ({ text, indent }: Line, depth: number | undefined): boolean =>
    indent === depth && CLAUSE.test(text);
  const clausesBelow = (lines: readonly Line[], head: number): readonly Line[] => {
    const depth = lines[head]?.indent ?? 0;
    const end = lines.findIndex((line, at) => at > head && line.indent <= depth && !isClause(line, depth));
    return lines.slice(head + 1, end === -1 ? undefined : end);
  };
  const clauses = shown.filter((line) => isClause(line, shown[0]?.indent));
  if (!/^(?:try|if\b.*|for\b.*|while\b.*):$/.test(shown[0]?.text ?? "") || clauses.length === 0) return undefined;
  if (clausesBelow(shown, 0).length < shown.length - 1) return undefined;
  const [head, other] = [...there.keys()].filter((at) =>
    shown.slice(0, 2).every(({ text }, index) => there[at + index]?.text === text),
  );
  if (head === undefined || other !== undefined) return undefined;
  const old = clausesBelow(there, head);
  const depth = there[head]?.indent;
  const isShown = ({ text }: Line): boolean => shown.some((line) => line.text === text);
  if (old.every((line) => line.indent !== depth || isShown(line))) return undefined;
  // What is below the last line that is shown stays.
  const same = old.filter(({ text }) => text === shown.at(-1)?.text);
  const [end, another] = same.filter(
    (line) => same.length === 1 || old[old.indexOf(line) - 1]?.text === shown.at(-2)?.text,
  );
  const first = there[head]?.at ?? 0;
  if (end !== undefined && another === undefined) return { first, last: end.at };
  const hidden = old.filter((line) => isClause(line, depth))[clauses.length];
  return hidden === undefined
    ? { first, last: old.at(-1)?.at ?? 0 }
    : new Unplaced(`would lose "${hidden.text.slice(0, MAX_QUOTED)}": show the lines below too`);
}

const CLAUSE = /^(?:except|elif|else|finally)\b.*:$/;

/** Returns where all lines of a fragment stand, one after the other, if that is once. */
export function placeOfAll(there: readonly Line[], shown: readonly Line[]): Within | undefined {
  const found = [...there.keys()].filter((from) =>
    shown.every(({ text }, index) => there[from + index]?.text === text),
  );
  const [at] = found;
  return at === undefined || found.length > 1
    ? undefined
    : { first: there[at]?.at ?? 0, last: there[at + shown.length - 1]?.at ?? 0 };
}

function sharesContext(there: readonly Line[], shown: readonly Line[], from: number): boolean {
  return shown[1] !== undefined && there[from + 1]?.text === shown[1].text;
}

export function rangeOf(
  lines: readonly string[],
  first: number,
  last: number,
): { readonly start: number; readonly end: number } {
  // Nothing divides the last line from the end.
  return {
    start: startOfRow(lines, first),
    end: Math.min(startOfRow(lines, last + 1), startOfRow(lines, lines.length) - 1),
  };
}

/** Inserts a further call below the only group of such calls, one below the other: a route below the other routes. */
export function placeBesideLike(file: string, content: string, within: Within | undefined): PlacedLines | undefined {
  const lines = file.split("\n");
  const [only, ...more] = content.split("\n").filter((line) => line.trim() !== "");
  const [head] = CALL_HEAD.exec(only?.trim() ?? "") ?? [];
  if (head === undefined || more.length > 0) return undefined;
  const like = significant(lines).filter(({ text, at }) => text.startsWith(head) && isInRows(at, within));
  const last = like.at(-1);
  const isGroup = like.every(({ at, indent }, index) => at === (like[0]?.at ?? 0) + index && indent === last?.indent);
  const isWhole = last !== undefined && /\)[;,]?$/.test(last.text);
  return isGroup && isWhole ? insertAt(file, content, { line: last.at, isLast: true, side: "below" }) : undefined;
}

/** Inserts what a class of Ruby is declared to have below the only group of its kind there: a scope below the scopes. */
export function placeBesideKind(file: string, content: string, within: Within | undefined): PlacedLines | undefined {
  const lines = file.split("\n");
  const [shown = "", more] = content.split("\n").filter((line) => line.trim() !== "");
  const [, word = "", name] = DECLARED.exec(shown.trim()) ?? [];
  const like = significant(lines).filter(({ text, at }) => text.startsWith(`${word} :`) && isInRows(at, within));
  const [first, last] = [like[0], like.at(-1)];
  if (word === "" || more !== undefined || first === undefined || last === undefined) return undefined;
  const isGroup = like.every(({ at, indent }, index) => at === first.at + index && indent === first.indent);
  const isKnown = like.some(({ text }) => DECLARED.exec(text)?.[2] === name);
  const around = lines.slice(0, first.at).findLast((line) => line.trim() && indentOf(line).length < first.indent);
  const classes = lines.filter((line) => OF_RUBY.test(line));
  const isTold = within !== undefined || classes.length === 1;
  // The end of a declaration that continues on further lines is not known here.
  const isWhole = !/(?:[,({[|\\]|\bdo)$/.test(last.text) && (lines[last.at + 1] ?? "").search(/\S|$/) <= first.indent;
  return isTold && isGroup && isWhole && !isKnown && OF_RUBY.test(around ?? "")
    ? insertAt(file, content, { line: last.at, isLast: true, side: "below" })
    : undefined;
}

const DECLARED = /^([a-z]\w*) :(\w+)/;
const OF_RUBY = /^\s*(?:class|module) [A-Z]/;

export function replacedLines(file: string, range: Span, now: string): PlacedLines {
  const before = file.slice(range.start, range.end);
  return {
    splices: [{ ...range, text: `${now}${before.endsWith("\n") ? "\n" : ""}` }],
    done: [`${linesNamed(file, range)} replaced`],
  };
}
