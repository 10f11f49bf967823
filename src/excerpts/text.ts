/** Lines of a source, and their indentation. */
import { smallest } from "../core/lists.ts";
import { lineAt } from "../edit/lines.ts";
import { fixedLines } from "./fixed-lines.ts";

/** Why an excerpt cannot be placed, as the end of a sentence that names the file. */
export class Unplaced {
  readonly reason: string;
  /** Whether it would lose something, so that no other way to read it may be tried. */
  readonly isLoss: boolean;

  constructor(reason: string, isLoss = false) {
    this.reason = reason;
    this.isLoss = isLoss;
  }
}

/** UTF-16 units of a line that a refusal shows. */
export const MAX_QUOTED = 60;

/** UTF-16 offsets, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A change of a text. */
export interface Splice extends Span {
  readonly text: string;
}

export interface PlacedLines {
  readonly splices: readonly Splice[];
  readonly done: readonly string[];
}

export interface Line {
  readonly text: string;
  /** 0-based, among all lines. */
  readonly at: number;
  /** Characters before it. */
  readonly indent: number;
}

/** The lines of a text that are not blank, trimmed. */
export function significant(lines: readonly string[]): readonly Line[] {
  return lines.flatMap((line, at) =>
    line.trim() === "" ? [] : [{ text: line.trim(), at, indent: indentOf(line).length }],
  );
}

/** A part of the file to look in, 0-based and inclusive. */
export interface Within {
  readonly first: number;
  readonly last: number;
}

/** Returns whether a row is in a part of the file, or no part is named. */
export function isInRows(row: number, within: Within | undefined): boolean {
  return within === undefined || (row >= within.first && row <= within.last);
}

/** Returns the 0-based row of an offset. */
export function rowAt(text: string, offset: number): number {
  return lineAt(text, offset) - 1;
}

/** Returns the offset of a row. */
export function startOfRow(rows: readonly string[], row: number): number {
  return rows.slice(0, row).reduce((sum, line) => sum + line.length + 1, 0);
}

/** Applies splices. Those at one place stay in their order. Undefined if two overlap. */
export function spliced(text: string, splices: readonly Splice[]): string | undefined {
  let [result, at] = ["", 0];
  for (const { start, end, text: now } of splices.toSorted((one, other) => one.start - other.start)) {
    if (start < at) return undefined;
    result += text.slice(at, start) + now;
    at = end;
  }
  return result + text.slice(at);
}

/**
 * Puts a comma behind the last member of an object: the file's own, or the one that a splice at `next` adds behind it.
 */
export function divideMembers(splices: Splice[], end: number, next: number): void {
  const added = splices.findLastIndex((one) => one.start === next && one.end === next);
  const last = splices[added];
  if (last === undefined) splices.push({ start: end, end, text: "," });
  else splices[added] = { ...last, text: last.text.replace(/(\n?)$/, ",$1") };
}

/** Returns the offset of the line that an offset is in. */
export function lineStartAt(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Returns the line that an offset is in. */
export function lineWith(text: string, offset: number): string {
  const end = text.indexOf("\n", offset);
  return text.slice(lineStartAt(text, offset), end === -1 ? undefined : end);
}

/** Extends a range to whole lines where nothing but white space is beside it. The last line feed is part of it. */
export function wholeLines(text: string, { start, end }: Span): Span {
  const lineStart = lineStartAt(text, start);
  const lineFeed = text.indexOf("\n", Math.max(start, end - (text[end - 1] === "\n" ? 1 : 0)));
  const lineEnd = lineFeed === -1 ? text.length : lineFeed + 1;
  const isClear = text.slice(lineStart, start).trim() === "" && TRAIL.test(text.slice(end, lineEnd));
  return isClear ? { start: lineStart, end: lineEnd } : { start, end };
}

/** White space, or a comment on what stands before it. */
const TRAIL = /^[ \t]*[,;]?[ \t]*(?:(?:\/\/|#|--).*|\/\*.*\*\/[ \t]*)?\r?\n?$/;

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** Returns the indentation of the first line that is not blank. */
export function firstIndent(text: string): string {
  return indentOf(firstLine(text));
}

export function firstLine(text: string): string {
  return text.split("\n").find((line) => line.trim() !== "") ?? "";
}

/** Takes the indentation off that all lines share. */
export function dedented(text: string): string {
  const lines = text.split("\n");
  const fixed = fixedLines(text);
  const indents = lines.filter((line, at) => line.trim() !== "" && !fixed.has(at)).map(indentOf);
  const common = indents.reduce((one, other) => one.slice(0, sharedLength(one, other)), indents[0] ?? "");
  const moved = (line: string): string => (line.startsWith(common) ? line.slice(common.length) : line.trimStart());
  return lines.map((line, at) => (fixed.has(at) ? line : moved(line))).join("\n");
}

/**
 * Moves lines from the indentation of their first one to another, in the file's own unit: tabs for spaces where the
 * file has only tabs.
 */
export function reindented(text: string, target: string, file: string): string {
  const first = firstLine(text);
  const from = codeIndentOf(first);
  const to = from === indentOf(first) ? target : target.slice(0, -1);
  const unit = unitOf(text);
  const isTabbed = /^\t/m.test(file) && !/^ {2}/m.test(file) && unit !== "\t";
  const tabs = (width: number): number => Math.round(width / Math.max(1, unit.length));
  const scale = isTabbed ? 1 : scaleOf(text, { from: from.length, target: to.length, file });
  // Blank lines keep their white space.
  if (from === to && !isTabbed && scale === 1) return text;
  const moved = (line: string): string => {
    if (line.trim() === "") return "";
    const indent = codeIndentOf(line);
    // A fragment may begin inside what it ends outside of.
    if (!isTabbed && scale === 1 && to.endsWith(from)) return to.slice(0, to.length - from.length) + line;
    if (from !== indent && from.startsWith(indent)) {
      const less = (from.length - indent.length) * scale;
      return to.slice(0, Math.max(0, to.length - (isTabbed ? tabs(less) : less))) + line.trimStart();
    }
    const deeper = indent.startsWith(from) ? indent.slice(from.length) : "";
    const inUnit = isTabbed
      ? "\t".repeat(tabs(deeper.length))
      : scale === 1
        ? deeper
        : " ".repeat(deeper.length * scale);
    return to + inUnit + line.slice(indent.length);
  };
  const fixed = fixedLines(text, { file, moved });
  return text
    .split("\n")
    .map((line, at) => (fixed.has(at) ? line : moved(line)))
    .join("\n");
}

/**
 * Returns by how much the steps of a text's indentation have to grow to be those of a file: where the lines that both
 * have, and that are deeper than the first one, all say so.
 */
function scaleOf(
  text: string,
  { from, target, file }: { readonly from: number; readonly target: number; readonly file: string },
): number {
  if (/^ *\t/m.test(text) || /^ *\t/m.test(file)) return 1;
  const { known, step } = depthsIn(file);
  const lines = significant(text.split("\n"));
  const deep = lines.filter(({ indent }) => indent > from);
  const [scale = 1, ...others] = deep.flatMap(({ text: line, indent }) => {
    const old = /\w/.test(line) ? known.get(line) : undefined;
    return old === undefined ? [] : [(old - target) / (indent - from)];
  });
  const isSame = others.length > 0 && others.every((other) => other === scale);
  const isWhole = deep.every(({ indent }) => Number.isInteger((indent - from) * scale));
  // Lines may also have left a block.
  return isSame && isWhole && (stepOf(lines) ?? 0) * scale === step ? scale : 1;
}

/** Returns the characters by which lines are most often indented more than the one above, or less. */
export function stepOf(lines: readonly Line[]): number | undefined {
  const counts = new Map<number, number>();
  for (const [at, { indent }] of lines.entries()) {
    const step = at === 0 ? 0 : Math.abs(indent - (lines[at - 1]?.indent ?? 0));
    if (step > 1) counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}

interface Depths {
  readonly file: string;
  /** How deep the lines are that it has once. */
  readonly known: ReadonlyMap<string, number | undefined>;
  readonly step: number | undefined;
}

function depthsIn(file: string): Depths {
  if (recent?.file === file) return recent;
  const lines = significant(file.split("\n"));
  const known = new Map<string, number | undefined>();
  for (const { text, indent } of lines) known.set(text, known.has(text) ? undefined : indent);
  recent = { file, known, step: stepOf(lines) };
  return recent;
}

/** Those of the last file, because each declaration of an answer asks for the same. */
let recent: Depths | undefined;

/** Returns how many characters two texts begin with alike. */
export function sharedLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** Returns how many characters two texts begin and end with alike, none of them counted for both. */
export function sharedEnds(one: string, other: string): readonly [begin: number, end: number] {
  const begin = sharedLength(one, other);
  const most = Math.min(one.length, other.length) - begin;
  let end = 0;
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return [begin, end];
}

/** Returns how many characters two lines begin and end with alike, if they are most of the longer one. Else 0. */
export function sharedAround(one: string, other: string): number {
  const [begin, end] = sharedEnds(one, other);
  return begin + end >= Math.max(one.length, other.length) * 0.75 ? begin + end : 0;
}

/** Returns how many characters two lines begin with alike, up to the end of a word of both. */
export function sharedWords(one: string, other: string): number {
  const shared = sharedLength(one, other);
  const isInside = [one, other].some((line) => /^\w\w$/.test(line.slice(shared - 1, shared + 1)));
  return isInside ? one.slice(0, shared).replace(/\w+$/, "").length : shared;
}

/** Returns whether a line may be the new form of another one: they begin with the same words for half of the shorter one. */
export function isAlike(one: string, other: string): boolean {
  return isMost(sharedWords(one, other), one, other);
}

/** Returns whether it may be that also where only a word in it has grown. */
export function mayBeAlike(one: string, other: string): boolean {
  return isMost(sharedLength(one, other), one, other);
}

function isMost(shared: number, one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  return one === other || shared >= Math.max(MIN_SHARED, shorter * 0.5) || (shared === shorter && shared >= MIN_WHOLE);
}

/** Characters that two lines begin with alike. */
export const MIN_SHARED = 7;
/** Characters of a line that begins another one. */
const MIN_WHOLE = 4;

/** Returns the indentation of a line as code has it: without the space before a star, as the lines of a comment have. */
function codeIndentOf(line: string): string {
  const indent = indentOf(line);
  // In steps of two or more, only that space makes it odd: a product or a list item keeps all of its indentation.
  return line[indent.length] === "*" && INSIDE_COMMENT.test(indent) ? indent.slice(0, -1) : indent;
}

const INSIDE_COMMENT = /^\t*(?: {2})* $/;

/** Returns the smallest step of indentation. */
function unitOf(text: string): string {
  const indents = [
    ...new Set(
      text
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map(codeIndentOf),
    ),
  ];
  if (indents.some((indent) => indent.includes("\t"))) return "\t";
  const widths = indents.map(({ length }) => length).sort((one, other) => one - other);
  const steps = widths.flatMap((width, index) => (index === 0 ? [] : [width - (widths[index - 1] as number)]));
  return " ".repeat(smallest([...steps, 8]));
}

/** Returns the number of the lines of a range, as in a sentence: `lines 4-7`. */
export function linesNamed(text: string, { start, end }: Span): string {
  const [first, last] = [lineAt(text, start), lineAt(text, Math.max(start, end - 1))];
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}

/** Returns whether a name stands in a text, and not as a part of another one. Nothing is no name. */
export function holdsWord(text: string, name: string): boolean {
  return placesOf(name, text).next().done !== true;
}

/** Returns where a text stands in another, and cuts no name or number. */
export function* placesOf(text: string, whole: string): Generator<number, undefined> {
  if (text === "") return;
  for (let at = whole.indexOf(text); at !== -1; at = whole.indexOf(text, at + 1))
    if (!isInWord(whole, at) && !isInWord(whole, at + text.length)) yield at;
}

/** Returns whether an index is inside a name or a number. */
function isInWord(text: string, at: number): boolean {
  const around = `${text.slice(Math.max(0, at - 2), at)}\0${text.slice(at, at + 2)}`;
  return /[\p{L}\p{N}_$]\0[\p{L}\p{N}_$]|\d\.\0\d|\d\0\.\d/u.test(around);
}
