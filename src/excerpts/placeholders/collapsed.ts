/** Puts the file's own lines where an answer shows something of it collapsed: `drop(id) { ... }`, `<ul>...</ul>`. */
import { once } from "../../core/once.ts";
import { endOfBlock, endOfStatement } from "../block.ts";
import { indentOf, reindented } from "../text.ts";
import { isHole } from "./hole.ts";
import { toldIn } from "../told/told.ts";

/** Something that is shown without what is in it, in lines that are 0-based. */
interface Collapsed {
  readonly first: number;
  readonly last: number;
  /** What it begins with: the head of a function without its bracket, else all up to the placeholder. */
  readonly head: string;
  /** What stands behind the placeholder, on its line. */
  readonly foot: string;
  /** Whether something stands for what is left out: dots, or a word such as "unchanged". */
  readonly isMarked: boolean;
}

/**
 * Returns an excerpt with what its functions, elements and values hold in the file, where it shows them collapsed. A
 * body that is empty, and not marked, may be meant so: that of a function that the sentences name, or of one in a text
 * that changes nothing else.
 */
export function expanded(path: string, content: string, before: string, told: string): string {
  const [lines, shown] = [before.split("\n"), content.split("\n")];
  const there = new Set(lines.map((line) => line.trim()));
  const heads = once(() => rowsByHead(lines));
  const { names } = toldIn(told.replaceAll(path, " "));
  const isMeant = ({ isMarked, head, first, last }: Collapsed): boolean =>
    isMarked || !(EMPTIES.test(told) || names.has(nameIn(head)) || (DECLARES_ALONE.test(path) && first === last));
  const bodies = [...shown.keys()].flatMap((at) => {
    const collapsed = collapsedAt(shown, at);
    // The file may declare it alone too.
    const isThere = collapsed?.last === at && there.has(shown[at]?.trim() ?? "");
    const body =
      collapsed !== undefined && !isThere && isMeant(collapsed)
        ? linesOf(collapsed, shown, { lines, heads: heads() })
        : undefined;
    return collapsed === undefined || body === undefined ? [] : [{ ...collapsed, body }];
  });
  const hidden = new Set(
    bodies.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, row) => first + row)),
  );
  const isNew = (line: string): boolean => line.trim() !== "" && !isHole(line) && !there.has(line.trim());
  const isChanged = shown.some((line, at) => !hidden.has(at) && isNew(line));
  const filled = bodies.filter(({ isMarked }) => isMarked || isChanged);
  const pieces = filled.map(({ first, body }, index) => [
    ...shown.slice((filled[index - 1]?.last ?? -1) + 1, first),
    body,
  ]);
  return [...pieces.flat(), ...shown.slice((filled.at(-1)?.last ?? -1) + 1)].join("\n");
}

/** Returns the lines of a file by what they begin with, without what opens a body. */
function rowsByHead(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const heads = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const rows = heads.get(headOf(line));
    if (rows === undefined) heads.set(headOf(line), [at]);
    else rows.push(at);
  }
  return heads;
}

/** Returns a line of a text, trimmed, with something collapsed that another text does not have so. */
export function collapsedIn(text: string, before: string): string | undefined {
  const there = new Set(before.split("\n").map((line) => line.trim()));
  return text
    .split("\n")
    .map((line) => line.trim())
    .find((line) => COLLAPSED.test(line) && collapsedLine([line], 0)?.isMarked === true && !there.has(line));
}

function collapsedAt(lines: readonly string[], first: number): Collapsed | undefined {
  return collapsedLine(lines, first) ?? collapsedFunction(lines, first);
}

/** Returns what a line shows collapsed: `{ ... }`, `[...]`, `<ul>...</ul>`, `def f(): ...`, `def f; ...; end`. */
function collapsedLine(lines: readonly string[], first: number): Collapsed | undefined {
  const [code, comment] = divided(lines[first] ?? "");
  const match = BRACES.exec(code) ?? BRACKETS.exec(code) ?? ELEMENT.exec(code) ?? PYTHON.exec(code) ?? RUBY.exec(code);
  const { head = "", inner = "", foot = "" } = match?.groups ?? {};
  const isMarked = inner !== "pass" && inner !== "" && MARKS.test(inner);
  if (match === null || (inner !== "" && inner !== "pass" && !isMarked)) return undefined;
  const [whole, isFunction] = [headOf(head), isFunctionHead(headOf(head))];
  if (!isMarked && !(isFunction && /^[{:;]?$/.test(head.trim().slice(whole.length).trim()))) return undefined;
  return {
    first,
    last: first,
    head: isFunction ? whole : head.trim(),
    foot,
    isMarked: isMarked || MARKS.test(comment),
  };
}

/** Returns a function that is shown as its head, with nothing below it but placeholders and what closes it. */
function collapsedFunction(lines: readonly string[], first: number): Collapsed | undefined {
  const [code, comment] = divided(lines[first] ?? "");
  // A comma divides the selectors of a rule, and what is in a list.
  if (!isFunctionHead(code) || code.endsWith(",")) return undefined;
  const depth = indentOf(code).length;
  let [at, isMarked, hasBracket] = [first + 1, MARKS.test(comment), /\{\s*$/.test(code)];
  let isOpen = hasBracket || /:\s*$|^\s*(?:def|function)\b[^;]*$/.test(code);
  for (; at < lines.length; at++) {
    const line = lines[at]?.trim() ?? "";
    // A placeholder that is not deeper stands for what follows a function without a bracket.
    const isOutside = !hasBracket && indentOf(lines[at] ?? "").length <= depth;
    if (line === "{" && !isOpen) [isOpen, hasBracket] = [true, true];
    else if (line !== "" && (isOutside || (!isHole(line) && !NOTHING.test(line)))) break;
    else if (line !== "" && line !== "pass") isMarked = true;
  }
  const [next = "", isBlank] = [lines[at], lines[at - 1]?.trim() === ""];
  const isClosed = /^\s*(?:\}[;,]?|end)\s*$/.test(next) && indentOf(next).length === depth;
  if (!isClosed && isOpen && (hasBracket || indentOf(next).length > depth)) return undefined;
  if (!isOpen && (at > first + 1 + Number(isBlank) || indentOf(next).length > depth)) return undefined;
  const last = isOpen ? (isClosed ? at : lines.findLastIndex((line, row) => row < at && line.trim() !== "")) : first;
  return { first, last, head: headOf(code), foot: "", isMarked };
}

/** Returns the only lines of a file that something collapsed stands for, indented as that is. */
function linesOf(
  { first, head, foot, isMarked }: Collapsed,
  shown: readonly string[],
  { lines, heads }: { readonly lines: readonly string[]; readonly heads: ReadonlyMap<string, readonly number[]> },
): string | undefined {
  const blocks = (heads.get(headOf(head)) ?? []).filter(
    (at) => headWith(lines[at] ?? "", head) && lastOf(lines, at) !== undefined,
  );
  const isWhole = (line: string): boolean =>
    line.startsWith(head) && line.endsWith(foot) && line.length > (head + foot).length;
  const isInline = blocks.length === 0 && isMarked && foot !== "";
  const all = isInline ? [...lines.keys()].filter((at) => isWhole((lines[at] ?? "").trim())) : blocks;
  const around = lineAround(shown, first);
  const inside = all.filter((at) => around === undefined || lineAround(lines, at) === around);
  const [only, other] = inside.length === 0 && isMarked ? all : inside;
  if (only === undefined || other !== undefined) return undefined;
  const body = lines.slice(only, (isInline ? only : (lastOf(lines, only) ?? only)) + 1).join("\n");
  const indent = indentOf(shown[first] ?? "");
  return indent === indentOf(lines[only] ?? "") ? body : reindented(body, indent, shown.join("\n"));
}

/** Returns whether a line is a head: of a function without regard to its bracket. */
function headWith(line: string, head: string): boolean {
  return isFunctionHead(head) || line.trim() === head;
}

/** Returns the last line of what begins in a line and holds something. Its bracket may stand on the next line. */
function lastOf(lines: readonly string[], at: number): number | undefined {
  const open = lines[at + 1]?.trim() === "{" ? at + 1 : at;
  let last = endOfStatement(lines, open);
  const [end, depth] = [lines[last + 1] ?? "", indentOf(lines[at] ?? "")];
  const isClosed = last > open && indentOf(lines[last] ?? "") === depth;
  if (!isClosed && /^\s*(?:end\b|[)}\]]|<\/)/.test(end) && indentOf(end) === depth) last += 1;
  // Lines at the margin, such as those of a preprocessor, end no block.
  const isWhole = endOfBlock(lines.slice(open, last + 1), 0) !== undefined;
  const body = lines.slice(open + 1, last + 1).filter((line) => /\w/.test(line) && !isHole(line));
  return isWhole && body.some((line) => !/^\s*(?:pass|end|<\/[\w.-]+>)\s*$/.test(line)) ? last : undefined;
}

/** Returns the line that something stands in, trimmed. */
function lineAround(lines: readonly string[], at: number): string | undefined {
  const depth = indentOf(lines[at] ?? "").length;
  for (let row = depth === 0 ? -1 : at - 1; row >= 0; row--) {
    const line = lines[row] ?? "";
    if (line.trim() !== "" && indentOf(line).length < depth) return line.trim();
  }
  return undefined;
}

/** Returns a line without the comment at its end, and that. */
function divided(line: string): readonly [code: string, comment: string] {
  const at = line.search(/(?<=\S)\s+(?:\/\/|#|--)\s/);
  return at === -1 ? [line.trimEnd(), ""] : [line.slice(0, at), line.slice(at)];
}

/** Returns a line without its comment, and without what opens a body. */
function headOf(line: string): string {
  return divided(line)[0]
    .trim()
    .replace(/\s*[{:;,]$/, "");
}

function isFunctionHead(code: string): boolean {
  return FUNCTION.test(code.trim()) && !CONTROLS.test(code.trim());
}

function nameIn(head: string): string {
  return /([\p{L}_$][\w$]*)\s*(?:<[^<>]*>)?\s*\(/u.exec(head)?.[1] ?? /([\w?!]+)$/.exec(head)?.[1] ?? "";
}

/** A function, or one of Ruby and its like without parameters. */
const FUNCTION = /^[^=]*\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*[;:{=]?$|^def\s+[\w.?!]+(?: do)?$|\(.*\)[^()]*$/;
const CONTROLS =
  /^(?:\}\s*)?(?:if|else|elif|for|foreach|while|switch|catch|match|with|return|await|new|case|until|unless|try|do|throw|assert|import|from)\b/;
const BRACES = /^(?<head>.*\{)\s*(?<inner>(?:\.{3}|…|\/[/*][^{}]*)?)\s*(?<foot>\}[;,)\]]*)$/;
const BRACKETS = /^(?<head>.*[=:(,[]\s*\[)\s*(?<inner>\.{3}|…|\/\*[^*]*\*\/)\s*(?<foot>\][;,)}]*)$/;
const ELEMENT =
  /^(?<head>\s*<(?<tag>[\w.-]+)(?:\s[^<>]*)?>)\s*(?<inner>\.{3}|…|\{\.{3}\}|\{?\/\*[^*]*\*\/\}?|<!--[^<>]*-->|\([^()]*\))\s*(?<foot><\/\k<tag>>)$/;
const PYTHON = /^(?<head>\s*(?:async )?def .*\)[^()]*:)\s*(?<inner>\.{3}|…|pass)$/;
const RUBY = /^(?<head>\s*(?:def|(?:local )?function) [^;]*);\s*(?<inner>(?:\.{3}|…)?);?\s*end$/;
const MARKS = /\.{3}|…|\b(?:unchanged|existing|omitted|rest)\b|\b(?:same|as) (?:as )?(?:before|above)\b|\bstays?\b/i;
/** A line inside a function that does nothing. */
const NOTHING = /^(?:pass(?:\s*#.*)?|(["'])\1\1[^"']*\b(?:unchanged|same as before|omitted)\b[^"']*\1{3})$/i;
/** A line with a placeholder between brackets or tags. */
const COLLAPSED = /[{[>]\s*(?:\.{3}|…)\s*[}\]]|>\s*(?:\{?\/\*.*|<!--.*|\{?\.{3}\}?|…)\s*<\//;
/** Sentences that take bodies away. */
const EMPTIES =
  /\b(?:stubs?|empty|empties|no-?ops?|abstract|skeletons?|placeholders?|signatures?|headers?|interface|overloads?)\b/i;
/** Languages that declare a function apart from its body. */
const DECLARES_ALONE = /\.(?:[chm]|cc|cpp|cxx|hh|hpp|hxx|mm)$/i;
