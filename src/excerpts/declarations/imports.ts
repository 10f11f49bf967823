/** The imports of a source. */
import { wordsOfRemovals } from "../../core/removal-words.ts";
import {
  ATTRIBUTE,
  type Import,
  type ImportPlace,
  type Imports,
  isForemost,
  placeForImport,
  placeInOrder,
} from "./import-place.ts";
import { isRemark } from "../remarks.ts";
import { holdsWord, indentOf, Unplaced } from "../text.ts";

/** Returns whether a line imports something. */
export function isImport(line: string): boolean {
  return IMPORT.test(line.trim());
}

const IMPORT =
  /^(?:import\b(?!\()|from\s+\S+\s+import\b|#\s*include\b|(?:pub\s+)?(?:use\s+[\w\\:{][^;]*;?|mod\s+\w+;)$|using\s+[\w.= ]+;|require(?:_relative)?\s+["']|@(?:import|use|forward)\b|(?:const|let|var)\s[^=\n]*=\s*require\()/;

export function importsIn(text: string): Imports {
  const lines = text.split("\n");
  const all: Import[] = [];
  const hidden = /"""|'''|\/\*/.test(text) ? rowsInTexts(lines) : undefined;
  for (let first = 0; first < lines.length; first++) {
    if (hidden?.has(first) === true) continue;
    const line = lines[first] ?? "";
    if ((/^\s/.test(line) && !INSIDE.test(line)) || !(isImport(line) || REQUIRED.test(line))) continue;
    let last = first;
    for (let depth = 0; last < Math.min(lines.length, first + MAX_LINES); last++) {
      depth += balanceOf(lines[last] ?? "");
      if (depth <= 0) break;
    }
    if (!isImport(joined(lines.slice(first, last + 1)))) continue;
    let head = first;
    while (ATTRIBUTE.test(lines[head - 1] ?? "")) head -= 1;
    const statement = lines.slice(head, last + 1);
    all.push({ first: head, last, lines: statement, names: namesOf(statement) });
    first = last;
  }
  return { lines, all };
}

/** Returns the rows inside comments and texts of several lines: what imports something there is an example. */
function rowsInTexts(lines: readonly string[]): ReadonlySet<number> {
  const rows = new Set<number>();
  for (let row = 0; row < lines.length; row++) {
    const [opening = "", mark] = TEXT_BEGINS.exec(lines[row] ?? "") ?? [];
    const end = mark === "/*" ? "*/" : mark;
    if (end === undefined || (lines[row] ?? "").includes(end, opening.length)) continue;
    const last = lines.findIndex((line, at) => at > row && line.includes(end));
    for (let at = row + 1; at <= last; at++) rows.add(at);
    if (last !== -1) row = last;
  }
  return rows;
}

const TEXT_BEGINS = /^(?:\s*|.*[=(,]\s*)[rRuUbBfF]{0,2}("""|'''|\/\*)/;

/** Returns the lines of a text, blank where an import was. */
export function linesWithoutImports({ lines, all }: Imports): readonly string[] {
  const rows = new Set(all.flatMap(({ first, lines: imported }) => imported.map((_, at) => first + at)));
  return lines.map((line, row) => (rows.has(row) ? "" : line));
}

/** What C# may import inside of a namespace. */
const INSIDE = /^\s+using\s+[\w.]+;\s*$/;
/** `const {`, above the names that a module gives. */
const REQUIRED = /^(?:const|let|var)\s*\{\s*$/;
const MAX_LINES = 200;

function balanceOf(line: string): number {
  const count = (pattern: RegExp): number => line.replace(COMMENT_BEHIND, "").match(pattern)?.length ?? 0;
  return count(/[({[]/g) - count(/[)}\]]/g);
}

const COMMENT_BEHIND = /\s*(?:\/\/|#\s).*$/;

function joined(lines: readonly string[]): string {
  return lines
    .filter((line) => !ATTRIBUTE.test(line))
    .map((line) => line.replace(COMMENT_BEHIND, ""))
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** An import of which nothing is known is its own name. */
function namesOf(lines: readonly string[]): ReadonlyMap<string, string> {
  const text = joined(lines);
  const [, specs] = /^import \((.*)\)$/.exec(text) ?? [];
  const [, spec] = /^import ((?:[\w.]+ )?"[^"]+");?$/.exec(text) ?? [];
  if (spec !== undefined) return new Map([[spec, ""]]);
  if (specs !== undefined) return new Map(specs.match(/(?:[\w.]+ )?"[^"]+"/g)?.map((one) => [one, ""]));
  const [, used] = /^(?:pub )?use ([\w:{}*, ]+);$/.exec(text) ?? [];
  if (used?.includes("::") === true) return new Map(pathsIn(used).map((path) => [path, ""]));
  const [, modules] = /^import ([\w.]+(?: as \w+)?(?:, [\w.]+(?: as \w+)?)*)$/.exec(text) ?? [];
  if (modules !== undefined) return new Map(modules.split(", ").map((one) => [`import ${one}`, ""]));
  const [, isType = "", whole = "", named = "", source = "", from, names = ""] = BOUND.exec(text) ?? [];
  const last = (name: string): string =>
    name
      .trim()
      .replace(/^type\s+/, "")
      .replace(/^.*(?:\s+as\s+|:\s*)/, "");
  const bound = [last(whole.replace(/^\*\s+as\s+/, "")), ...`${named},${names}`.split(",").map(last)];
  const all = bound.filter((name) => /^[\w$*]+$/.test(name));
  return all.length === 0
    ? new Map([[text.replace(/;$/, "").replace(/^#\s+/, "#"), ""]])
    : new Map(all.map((name) => [name, from ?? isType + source]));
}

/** `import a, { b as c } from "x"`, `import * as a from "x"`, `const { a } = require("x")`, `from x import a, b` */
const BOUND =
  /^(?:(?:import\s+(type\s+)?|(?:const|let|var)\s+)(?:(\*\s+as\s+\w+|[\w$]+)\s*,?\s*)?(?:\{([^}]*)\})?\s*(?:from\s*|=\s*require\()["']([^"']*)|from\s+(\S+)\s+import\s+\(?([^(#)]+))/;

/** Returns the paths of `a::{b, c::{d, e}}`. */
function pathsIn(tree: string): readonly string[] {
  const [, before = "", inner] = /^([^{}]*)\{(.*)\}$/.exec(tree.trim()) ?? [];
  if (inner === undefined) return [tree.trim()];
  let depth = 0;
  const parts = [""];
  for (const sign of inner) {
    depth += Number(sign === "{") - Number(sign === "}");
    if (sign === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += sign;
  }
  return parts.filter((part) => part.trim() !== "").flatMap((part) => pathsIn(part).map((path) => before + path));
}

/**
 * Returns a text with further imports, each once: in place of all of them where all are shown, beside its neighbour
 * among those that are shown, below the last one that is written alike, or at the head of the file.
 */
export function withImports(
  text: string,
  shown: Imports,
  { path, removed = "" }: { readonly path: string; readonly removed?: string | undefined },
): string | Unplaced {
  const whole = withShownImports(text, shown);
  if (whole !== undefined) return whole;
  const code = linesWithoutImports(importsIn(text)).join("\n");
  const gone = new Set([...wordsOfRemovals(removed)].filter((word) => word !== "" && !holdsWord(code, word)));
  let now = text;
  const fresh = new Set<Import>();
  for (const wanted of shown.all) {
    const next = withImport(now, wanted, { shown, path, gone, fresh });
    if (next instanceof Unplaced) return next;
    if (next !== now) fresh.add(wanted);
    now = next;
  }
  return now;
}

/**
 * Puts the stretch of imports that is shown in place of one of the file, where it has all that this one has: the lines
 * between the first and the last import that is shown, where the file has both, and else all at its head.
 */
function withShownImports(text: string, shown: Imports): string | undefined {
  const { lines, all } = importsIn(text);
  const bound = new Map(shown.all.flatMap(({ names }) => [...names]));
  const same = (one: Import | undefined): number =>
    all.findIndex((old) => one !== undefined && joined(old.lines) === joined(one.lines));
  const [first, last] = [same(shown.all[0]), same(shown.all.at(-1))];
  const isOutside = ({ names }: Import, at: number): boolean =>
    (at < first || at > last) && [...names.keys()].some((name) => bound.has(name));
  const isFramed = first !== -1 && last > first && !all.some(isOutside);
  const old = isFramed ? all.slice(first, last + 1) : all;
  const rowsOf = (imports: readonly Import[]): readonly [number, number] => [
    imports[0]?.first ?? 0,
    (imports.at(-1)?.last ?? -1) + 1,
  ];
  const [from, to] = rowsOf(old);
  const now = shown.lines.slice(...rowsOf(shown.all));
  const isBetween = (line: string, row: number, imports: readonly Import[]): boolean =>
    !imports.some((one) => row >= one.first && row <= one.last) && line.trim() !== "";
  // Between unchanged lines, an import from one place is the new form of the one from there.
  const sources = new Set(isFramed ? bound.values() : []);
  const isKept = ({ names }: Import): boolean =>
    [...names].every(([name, source]) => bound.has(name) || (source !== "" && sources.has(source)));
  const isAll =
    old.length > 0 &&
    old.every(isKept) &&
    lines.slice(from, to).every((line, at) => !isBetween(line, from + at, old) || now.includes(line)) &&
    now.every((line, at) => !isBetween(line, at + rowsOf(shown.all)[0], shown.all) || isRemark(line));
  if (!isAll) return undefined;
  const significant = (some: readonly string[]): string => some.filter((line) => line.trim() !== "").join("\n");
  if (significant(lines.slice(from, to)) === significant(now)) return text;
  return lines.toSpliced(from, to - from, ...now).join("\n");
}

interface Surroundings {
  readonly shown: Imports;
  readonly path: string;
  /** Names that the answer takes away, and that nothing else uses. */
  readonly gone: ReadonlySet<string>;
  /** The imports that were put into the text before this one. */
  readonly fresh: ReadonlySet<Import>;
}

function withImport(text: string, one: Import, { shown, path, gone, fresh }: Surroundings): string | Unplaced {
  const { lines, all } = importsIn(text);
  const bound = [...one.names];
  const hasGone = all.some((old) => isFromSameSource(old, one) && [...old.names.keys()].some((name) => gone.has(name)));
  const attributes = one.lines.filter((line) => ATTRIBUTE.test(line));
  const isThere = ({ names, lines: old }: Import, [name, from]: readonly [string, string]): boolean =>
    names.get(name) === from && attributes.every((line) => old.includes(line));
  if (!hasGone && bound.every((binding) => all.some((old) => isThere(old, binding)))) return text;
  // What gives no other names, or from the same source only such as go, it takes the place of.
  const covered = all.filter((old) =>
    [...old.names.keys()].every((name) => one.names.has(name) || (gone.has(name) && isFromSameSource(old, one))),
  );
  const [first] = covered;
  if (first !== undefined)
    return lines
      .flatMap((line, row) => {
        if (row === first.first) return one.lines;
        return covered.some((old) => row >= old.first && row <= old.last) ? [] : [line];
      })
      .join("\n");
  const isGroup = ({ lines: [head = ""] }: Import): boolean =>
    /^import \($/.test(head) && head[0] === one.lines[0]?.[0];
  const group = all.find(({ names }) => bound.some(([name]) => names.has(name))) ?? all.find(isGroup);
  if (group !== undefined)
    return (
      withNames(lines, group, one) ??
      new Unplaced(
        `imports ${bound.find(([name]) => group.names.has(name))?.[0] ?? ""} otherwise: show all its imports`,
      )
    );
  // Several imports of one source are each to have a name.
  const [sameSource, another] = all.filter((other) => isFromSameSource(other, one));
  const joinedWith = another === undefined ? sameSource && withNames(lines, sameSource, one) : undefined;
  if (joinedWith !== undefined) return joinedWith;
  const placeOf = ({ names }: Import): Import | undefined =>
    all.find((old) => [...names].every(([name, from]) => old.names.get(name) === from));
  // Those that no blank line divides from it tell more than others, and those that are new with it tell nothing.
  const isClose = ({ first, last }: Import): boolean =>
    shown.lines.slice(Math.min(last, one.last) + 1, Math.max(first, one.first)).every((line) => line.trim() !== "");
  const close = shown.all.filter((other) => isClose(other) && other !== one && placeOf(other) !== undefined);
  const known = close.length > 0 ? close : shown.all.filter((other) => !fresh.has(other));
  const above = known
    .filter(({ first }) => first < one.first)
    .map(placeOf)
    .findLast((place) => place !== undefined);
  const below = known
    .filter(({ first }) => first > one.first)
    .map(placeOf)
    .find((place) => place !== undefined);
  const beside: ImportPlace | undefined = above === undefined ? below && { at: below.first } : { at: above.last + 1 };
  const place = (isForemost(one) ? undefined : beside) ?? placeForImport({ lines, all }, one, path);
  if (place === undefined) return new Unplaced("has no place for its first import: show where it goes");
  const { at, blank } = place;
  const isApart = shown.lines[one.last + 1]?.trim() === "" || one.last === shown.lines.length - 1;
  const isAlone = all.length === 0 && isApart && lines[at]?.trim() !== "";
  const indent =
    place.indent ?? indentOf(all.length === 0 ? "" : (lines[(above ?? below ?? all.at(-1))?.first ?? at] ?? ""));
  const added = one.lines.map((line) => indent + line);
  const blanksAbove = blank === "above" ? [""] : [];
  const blanks = isAlone ? blanksBelow(shown.lines.slice(one.last + 1), lines, at) : blank === "below" ? [""] : [];
  return lines.toSpliced(at, 0, ...blanksAbove, ...added, ...blanks).join("\n");
}

/** Returns the blank lines below the first import of a file: as many as are shown, or as the file has above such a line. */
function blanksBelow(shown: readonly string[], lines: readonly string[], at: number): readonly string[] {
  const next = shown.findIndex((line) => line.trim() !== "");
  const isWide =
    DEFINES.test(lines[at] ?? "") &&
    lines.some((line, row) => DEFINES.test(line) && row > at && lines[row - 1] === "" && lines[row - 2] === "");
  return Array.from({ length: Math.min(2, next === -1 ? (isWide ? 2 : 1) : next) }, () => "");
}

/** What Python writes below two blank lines. */
const DEFINES = /^(?:async def|class|def|@\w)/;

/** Returns whether two imports name what they take from one source, so that they may be a single one. */
function isFromSameSource(old: Import, further: Import): boolean {
  const [source, ...others] = new Set([...old.names.values(), ...further.names.values()]);
  const isNamed = ({ lines }: Import): boolean => /^(?:import (?:type )?\{|from .* import (?!\*))/.test(joined(lines));
  return source !== undefined && source !== "" && others.length === 0 && isNamed(old) && isNamed(further);
}

/** Adds the names that an import shows to one of the same source. Undefined if another source gives one of them. */
function withNames(lines: readonly string[], group: Import, one: Import): string | undefined {
  const [old, shown] = [namesShown(group), namesShown(one)];
  if (old === undefined || shown === undefined) return undefined;
  const now = [...group.lines];
  for (const [index, name] of shown.entries()) {
    if (old.includes(name)) continue;
    const above = shown.slice(0, index).findLast((other) => old.includes(other));
    const below = shown.slice(index + 1).find((other) => old.includes(other));
    const block = blockFor(name, group, old);
    const order = placeInOrder(block, name);
    const free = old.indexOf(block[0] ?? "") + order;
    const at = above !== undefined ? old.indexOf(above) + 1 : below !== undefined ? old.indexOf(below) : free;
    const isAfter = at > 0 && (at !== free || order > 0);
    const beside = old[isAfter ? at - 1 : at] ?? "";
    const row = now.findIndex((line) => line.replace(/,?\s*$/, "").trim() === beside);
    if (row === -1) {
      const line = now.findIndex((text) => text.includes(beside));
      const text = now[line] ?? "";
      const place = text.lastIndexOf(beside) + (isAfter ? beside.length : 0);
      now[line] = `${text.slice(0, place)}${isAfter ? `, ${name}` : `${name}, `}${text.slice(place)}`;
    } else {
      const [text = "", isDivided] = [now[row], group.lines.some((line) => /,\s*$/.test(line))];
      const ended = isDivided ? text.replace(/,?\s*$/, ",") : text;
      const added = `${/^\s*/.exec(text)?.[0] ?? ""}${name}${isAfter ? text.slice(text.trimEnd().replace(/,$/, "").length) : isDivided ? "," : ""}`;
      now.splice(row, 1, ...(isAfter ? [ended, added] : [added, text]));
    }
    old.splice(at, 0, name);
  }
  const names = namesOf(now);
  const isAll = [...group.names, ...one.names].every(([name, from]) => names.get(name) === from);
  return isAll ? lines.toSpliced(group.first, group.lines.length, ...now).join("\n") : undefined;
}

/** Returns the names in the stretch of an import's lines, between blank ones, that a further name belongs in. */
function blockFor(name: string, { lines }: Import, old: readonly string[]): readonly string[] {
  const isForeign = (one: string): boolean => /^(?:\w+ )?"[^"/]*\./.test(one);
  const rows = lines.map((line) =>
    line
      .replace(COMMENT_BEHIND, "")
      .replace(/,?\s*$/, "")
      .trim(),
  );
  const blocks = rows
    .join("\n")
    .split(/\n{2,}/)
    .map((block) => block.split("\n").filter((row) => old.includes(row)));
  return blocks.find((block) => block.some((row) => isForeign(row) === isForeign(name))) ?? old;
}

/** Returns what stands in the brackets of an import, or behind the word of Python, as written. */
function namesShown({ lines }: Import): string[] | undefined {
  const text = lines.map((line) => line.replace(COMMENT_BEHIND, "")).join("\n");
  const [, inner] = /[({]([^]*)[)}]/.exec(text) ?? /\bimport\s+([^{('"]+|(?:[\w.]+ )?"[^"]+");?$/.exec(text) ?? [];
  const names = inner
    ?.split(/[,\n]/)
    .map((name) => name.trim())
    .filter(Boolean);
  return /\{[^]*\{|^#\[/.test(text) ? undefined : names;
}
