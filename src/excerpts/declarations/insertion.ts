/** Where a declaration that the file does not have goes, and how many blank lines go with it. */
import type { Part } from "../../addresses/part.ts";
import { smallest } from "../../core/lists.ts";
import { countLines } from "../../edit/lines.ts";
import type { ReadExcerpt } from "../contexts.ts";
import { kindOf, LEAVES, linesOf } from "../parts.ts";
import { headOf, isRemark } from "../remarks.ts";
import { firstIndent, firstLine, indentOf, lineWith, rowAt, wholeLines } from "../text.ts";
import { topFor } from "./top-of-file.ts";
import { isHole } from "../placeholders/hole.ts";

/** Returns how many blank lines divide declarations side by side in a text: lines are as close as those there. */
export function blankLinesBetween(
  text: string,
  siblings: readonly Part[],
  { isTop, kind, line }: { readonly isTop: boolean; readonly kind: Part["kind"]; readonly line: Part | undefined },
): number {
  if (!LEAVES.has(kind) && siblings.length > 0 && siblings.every(({ kind }) => LEAVES.has(kind))) return 1;
  // A method stands apart as others do, however close fields are.
  const isOfValues = (index: number): boolean =>
    kindOf(kind) !== "value" && siblings.slice(index, index + 2).every((one) => kindOf(one.kind) === "value");
  const all = siblings.slice(1).map((part, index) => {
    const between = text.slice(wholeLines(text, siblings[index] as Part).end, wholeLines(text, part).start);
    return between.trim() === "" ? countLines(between) : 1;
  });
  const gaps = all.filter((_, index) => !isOfValues(index));
  const at = line === undefined ? -1 : siblings.indexOf(line);
  const isLine = (part: Part | undefined): boolean =>
    part !== undefined && part.kind === line?.kind && isLineOf(text, part);
  const beside = [at - 1, at].flatMap((index) =>
    at !== -1 && isLine(siblings[index]) && isLine(siblings[index + 1]) ? (all[index] as number) : [],
  );
  if (beside.length > 0) return smallest(beside);
  const [only] = siblings;
  const isClose =
    only !== undefined && (LEAVES.has(only.kind) || only.kind === "declaration" || (!isTop && isLine(only)));
  if (gaps.length === 0 && isClose) return 0;
  return gaps.length === 0
    ? isTop && (/\n\n\n/.test(text) || PYTHON.test(text))
      ? 2
      : Number(isTop || !/^\s*\{/.test(text))
    : Math.max(0, gaps.sort((one, other) => one - other)[gaps.length >> 1] as number);
}

/** The head of what stands below two blank lines by its style guide, PEP 8. */
const PYTHON = /^(?:async def|class|def) .*:$/m;

/** Returns whether a declaration has only one line. */
export function isLineOf(text: string, { start, end }: Part): boolean {
  return !text.slice(start, end).trim().includes("\n");
}

/** Returns the place of a further field: below the last one, or above all other members. */
export function besideFields(siblings: readonly Part[]): readonly [Part | undefined, "above" | "below"] {
  const last = siblings.findLast(({ kind }) => LEAVES.has(kind));
  return last === undefined ? [siblings[0], "above"] : [last, "below"];
}

/** Returns the declaration above which a text goes at the top of a file, or of what is in another one. */
export function firstFree(
  siblings: readonly Part[],
  code: string,
  { text, path, parts }: { readonly text: string; readonly path: string; readonly parts: readonly Part[] },
): Part | undefined {
  const row = siblings === parts ? (topFor(code, text, path)?.row ?? 0) : 0;
  return siblings.find(({ start }) => rowAt(text, start) >= row) ?? siblings[0];
}

/**
 * Returns the declaration below which a new one goes: the last of its name, or the last that others may use. Those
 * below a line `private` of Ruby or C++ are none, nor those inside a statement, which stand deeper than the others, nor
 * the tests of Rust at the end, unless a sentence tells the place.
 */
export function lastBeside(
  name: string,
  all: readonly Part[],
  { text, isPlaced }: { readonly text: string; readonly isPlaced: boolean },
): Part | undefined {
  const depths = all.map(({ start }) => indentOf(lineWith(text, start)).length);
  const least = smallest(depths);
  const siblings = all.filter((_, index) => depths[index] === least);
  const last = siblings.findLast((sibling) => sibling.name === name);
  const hidden = siblings.findIndex(({ start }, index) => {
    const above = siblings[index - 1];
    return above !== undefined && HIDES.test(text.slice(above.end, Math.max(above.end, start)));
  });
  const open = siblings.slice(0, hidden === -1 ? undefined : hidden);
  const isTests = ({ kind, name: its }: Part): boolean => kind === "module" && TESTS.test(its);
  return last ?? open.findLast((sibling) => isPlaced || !isTests(sibling)) ?? open.at(-1);
}

const TESTS = /^(?:mod )?tests?$/;

const HIDES = /^\s*(?:private|protected)\s*:?\s*$/m;

/** Returns the sections beside which a new one goes: of a document with a single title, those below it. */
export function sectionsBeside(part: Part, parts: readonly Part[]): readonly Part[] {
  const levelOf = ({ name }: Part): number => name.search(/[^#]/);
  const [only, other] = parts;
  const isBelow = part.kind === "section" && only?.kind === "section" && levelOf(only) < levelOf(part);
  return isBelow && other === undefined && only.children.length > 0 ? sectionsBeside(part, only.children) : parts;
}

/** Returns the first section of those whose versions or dates run downwards, if a new one has a later version or date. */
export function lastVersion({ name }: Part, siblings: readonly Part[]): Part | undefined {
  const versions = siblings.map((one) => versionIn(one.name));
  const known = versions.filter((version) => version !== undefined);
  const [first, own] = [known[0], versionIn(name)];
  if (first === undefined || own === undefined || !isLater(own, first)) return undefined;
  const latest = siblings[versions.indexOf(first)];
  // A number may be that of a chapter.
  const isSure = known.length > 1 || !/\p{L}{2}/u.test(latest?.name ?? "");
  return isSure && known.every((version, at) => at === 0 || !isLater(version, known[at - 1] ?? []))
    ? latest
    : undefined;
}

/** Returns the numbers of a version or a date. */
function versionIn(title: string): readonly number[] | undefined {
  return /\d+(?:[.-]\d+)+/.exec(title)?.[0].split(/[.-]/).map(Number);
}

function isLater(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((number, index) => number !== (other[index] ?? 0));
  return at !== -1 && (one[at] as number) > (other[at] ?? 0);
}

/** Returns the end of the lines of a text, from an offset on, that are some others, or the offset. Blank ones do not count. */
export function skipSharedLines(text: string, start: number, others: readonly string[]): number {
  let at = start;
  for (const other of others.map((line) => line.trim()).filter((line) => line !== "")) {
    const [line] = /^(?:[ \t]*\n)*[^\n]*(?:\n|$)/.exec(text.slice(at)) ?? [""];
    if (line.trim() !== other || isRemark(other)) return start;
    at += line.length;
  }
  return at;
}

/** Counts the blank lines above the comments that end some lines. */
export function blankLinesAtEnd(lines: readonly string[]): number {
  const below = lines.slice(lines.findLastIndex((line) => line.trim() !== "" && !isRemark(line)) + 1);
  const comment = below.findIndex((line) => line.trim() !== "");
  return comment === -1 ? below.length : comment;
}

/** Returns the lines of a text above a declaration, up to the one above it. */
export function linesAbove(text: string, parts: readonly Part[], index: number): readonly string[] {
  const [from, to] = [parts[index - 1], parts[index]];
  if (from === undefined || to === undefined) return [];
  return text.slice(wholeLines(text, from).end, Math.max(from.end, to.start)).split("\n").slice(0, -1);
}

/** Returns whether the line below a declaration is a placeholder that stands inside it, where a grammar sees a comment. */
export function hasHoleInside(text: string, part: Part): boolean {
  const below = firstLine(text.slice(part.end));
  return isHole(below) && indentOf(below).length > firstIndent(linesOf(text, part)).length;
}

/** Returns whether a placeholder stands above one of several declarations. */
export function hasHoleAbove(text: string, parts: readonly Part[], index: number): boolean {
  const [above, part] = [parts[index - 1], parts[index]];
  if (above === undefined || part === undefined) return false;
  const between = text.slice(above.end, part.end).split("\n");
  const head = headOf(text.slice(part.start, part.end));
  return between
    .slice(
      0,
      between.findIndex((line) => line.trim() === head),
    )
    .some(isHole);
}

/** Returns whether a placeholder stands above the first of several declarations, in what is around them. */
function hasHoleBefore(text: string, part: Part | undefined): boolean {
  if (part === undefined) return false;
  const above = text.slice(0, wholeLines(text, part).start).trimEnd();
  const [first = ""] = text.slice(part.start, part.end).split("\n");
  return isHole(first) || isHole(above.slice(above.lastIndexOf("\n") + 1));
}

/** Returns whether a placeholder stands below the last of several declarations, in what is around them. */
function hasHoleBelow(text: string, part: Part | undefined): boolean {
  const lines = part === undefined ? [] : text.slice(part.end).split("\n").slice(1);
  return part !== undefined && isHole(lines.find((line) => line.trim() !== "") ?? "") && !hasHoleInside(text, part);
}

/**
 * Returns whether a new declaration stands first, above all placeholders, with nothing but other new ones above it, or
 * between two. Undefined if it stands last, or an excerpt shows new ones alone.
 */
export function endOfShown(
  { text, goesOn, isCut }: ReadExcerpt,
  parts: readonly Part[],
  { targets, index }: { readonly targets: readonly unknown[]; readonly index: number },
): "first" | "between" | undefined {
  const isTogether = (from: number, to: number): boolean =>
    !parts.slice(from, to).some((_, at) => hasHoleAbove(text, parts, from + at));
  const areNew = (from: number, to: number): boolean => targets.slice(from, to).every((target) => target === undefined);
  const isLast =
    !(goesOn || hasHoleBelow(text, parts.at(-1))) && areNew(index, parts.length) && isTogether(index + 1, parts.length);
  if (isLast || areNew(0, parts.length)) return undefined;
  const isCutAbove = isCut || hasHoleBefore(text, parts[0]);
  return !isCutAbove && areNew(0, index + 1) && isTogether(1, index + 1) ? "first" : "between";
}

/** Returns whether a line stands below one that begins a statement of Python: `except ImportError:`. */
export function isInStatement(text: string, start: number): boolean {
  const depth = indentOf(text.slice(start)).length;
  const above = text
    .slice(0, start)
    .split("\n")
    .filter((line) => line.trim() !== "");
  return /^[^#]*:\s*(?:#.*)?$/.test(above.findLast((line) => indentOf(line).length < depth) ?? "");
}

/** Returns whether statements stand below the last declaration of a file that are to stay above a further one. */
export function hasStatementsBelow(text: string, last: Part | undefined): boolean {
  const rows = text
    .slice(last?.end ?? 0)
    .split("\n")
    .slice(1)
    .filter((line) => line.trim() !== "");
  const [opened, closed] = [/[{([]/g, /[})\]]/g].map((bracket) => rows.join("\n").match(bracket)?.length ?? 0) as [
    number,
    number,
  ];
  return rows.length > 0 && opened >= closed && !rows.some((line) => ENDS_FILE.test(line));
}

/** What stays last: the end of a condition or a document, the call of the main function, a note to a tool. */
const ENDS_FILE =
  /^(?:\/\/# source|.*\bvim?:|#\s*endif\b|\?>|<\/|end\b|if __name__|if \(require\.main|(?:module\.)?exports?\b)/;
