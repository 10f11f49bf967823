/** Reads an excerpt: alone, or inside what a declaration of its language stands in. */
import type { Part } from "../addresses/part.ts";
import { importsIn, linesWithoutImports } from "./declarations/imports.ts";
import type { Span } from "./text.ts";
import { dedented, firstIndent, indentOf, lineWith, wholeLines } from "./text.ts";
import { isHole, withoutEdgeHoles } from "./placeholders/hole.ts";

/** What the grammar of a file tells of its texts. */
export interface Grammar {
  /** Returns the parts of a text; none for a text that is no source of a known language. */
  parts(text: string): readonly Part[];
  /** Undefined if nobody knows. */
  isValid(text: string): boolean | undefined;
}

/** An excerpt with its declarations. */
export interface ReadExcerpt {
  /** The text that the parts' ranges refer to. */
  readonly text: string;
  readonly parts: readonly Part[];
  /** Whether its declarations are members, which stand in a type. */
  readonly isInside: boolean;
  /** The white space before its first line, as the answer has it. */
  readonly indent: string;
  /** What is outside its declarations, line by line. */
  readonly gaps: readonly string[];
  /** Whether a placeholder below its last declaration may stand for the end of that one: nothing closes it. */
  readonly isOpen: boolean;
  /** Whether a placeholder ends it, so that more of the file follows what it shows. */
  readonly goesOn: boolean;
  /** Whether a placeholder begins it. */
  readonly isCut: boolean;
}

/** What stands around a member, by the file's extension. */
const WRAPPERS: Readonly<Record<string, readonly [before: string, after: string]>> = {
  java: ["class Wrapper {\n", "\n}\n"],
  cs: ["class Wrapper {\n", "\n}\n"],
  ts: ["class Wrapper {\n", "\n}\n"],
  tsx: ["class Wrapper {\n", "\n}\n"],
  js: ["class Wrapper {\n", "\n}\n"],
  jsx: ["class Wrapper {\n", "\n}\n"],
  mjs: ["class Wrapper {\n", "\n}\n"],
  rs: ["impl Wrapper {\n", "\n}\n"],
  php: ["<?php\nclass Wrapper {\n", "\n}\n"],
  cpp: ["class Wrapper {\n", "\n};\n"],
  h: ["class Wrapper {\n", "\n};\n"],
  json: ["{\n", "\n}\n"],
};
const MEMBERS: ReadonlySet<string> = new Set(["function", "method", "constructor", "field", "property", "variable"]);
const PREFIXES: Readonly<Record<string, string>> = { php: "<?php\n", go: "package wrapper\n" };

/** Returns an excerpt as the grammar reads it, or undefined if it does not. */
export function readExcerpt(path: string, written: string, grammar: Grammar): ReadExcerpt | undefined {
  const content = withoutEdgeHoles(written, true);
  const [isCut, goesOn] = [isHole(written.trimStart().split("\n", 1)[0] ?? ""), isHole(lastLine(written))];
  const isOpen = goesOn && !isHole(lastLine(content)) && !/^\s*(?:[)}\]]|end\b|<\/)/.test(lastLine(content));
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const isJson = extension.startsWith("json");
  const shown = `${dedented(content).replace(/\s+$/, "")}\n`;
  const text = isJson ? withoutHoles(shown) : shown;
  const prefix = PREFIXES[extension];
  const isWhole = prefix === undefined || text.startsWith(prefix.split("\n", 1)[0]?.split(" ")[0] ?? "");
  const [before, after] = WRAPPERS[extension] ?? [undefined, undefined];
  const body = extension === "json" ? text.replace(/,\s*$/, "") : text.replace(/^<\?php\s*\n/, "");
  const forms = [{ code: text, body, hidden: [] }, ...withoutImports(text)].flatMap(({ code, body: inner, hidden }) => [
    { above: isWhole ? "" : prefix, code, below: "", isInside: false, hidden },
    ...(before === undefined ? [] : [{ above: before, code: inner, below: after, isInside: true, hidden }]),
  ]);
  for (const { above, code, below, isInside, hidden } of forms) {
    const wrapped = above + code + below;
    const isBare = extension === "py" && grammar.isValid(wrapped) === false;
    const whole = isBare ? withBodies(wrapped) : wrapped;
    if (grammar.isValid(whole) === false) continue;
    const span = { start: above.length, end: above.length + code.length };
    const parts = within(grammar.parts(whole), span, isInside && extension !== "json");
    if (parts.length === 0) continue;
    // Arguments of a call, which Python reads as values with one member.
    if (extension === "py" && parts.some((part) => /^\w+\s*=[^=].*,$/.test(wrapped.slice(part.start, part.end))))
      continue;
    // Grammars read methods outside of a class, where the language has none.
    if (!isInside && /^(?:java|cs)$/.test(extension) && parts.some(({ kind }) => MEMBERS.has(kind))) continue;
    // Calls and conditions, which TypeScript reads as members without a body or as methods of such a name.
    if (
      isInside &&
      /^[jt]sx?$/.test(extension) &&
      parts.some((part) => STATEMENT.test(wrapped.slice(part.start, part.end)))
    )
      continue;
    const shownParts = withoutInner(parts.map((part) => withLastHoles(wrapped, part)));
    const gaps = [...hidden, ...gapsOf(wrapped, span, shownParts)].filter((line) => !(isJson && /^[{}]$/.test(line)));
    return { text: wrapped, parts: shownParts, isInside, indent: firstIndent(content), gaps, isOpen, goesOn, isCut };
  }
  return undefined;
}

/** `if (a) {`, `log(a);` */
const STATEMENT = /^(?:(?:catch|for|if|switch|while|with)\s*\(|[\w$]+\([^:{}]*\);?\s*$)/;

/** Returns a text without its imports, which stand in no type and at the margin, and these. */
function withoutImports(text: string): ReadonlyArray<{ code: string; body: string; hidden: readonly string[] }> {
  const imports = importsIn(text);
  if (imports.all.length === 0) return [];
  const code = dedented(linesWithoutImports(imports).join("\n"));
  return [{ code, body: code, hidden: imports.all.flatMap((statement) => statement.lines.map((line) => line.trim())) }];
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}

/** A placeholder may be all that a function of Python has: puts a name of its length in its place. */
function withBodies(text: string): string {
  return text.replace(/(?<=^[ \t]+)# ?(?:\.\.\.|…).*$/gm, (hole) => "_".repeat(hole.length));
}

/** JSON has no comments: members that are not shown stay without them too. */
function withoutHoles(text: string): string {
  const lines = text.split("\n");
  const kept = lines.filter((line) => !isHole(line));
  return kept.length === lines.length ? text : kept.join("\n").replace(/,(\s*[}\]])/g, "$1");
}

/** Returns the declarations of an excerpt that stands in a wrapper. */
function within(parts: readonly Part[], { start, end }: Span, isInside: boolean): readonly Part[] {
  const shownParts = isInside ? (parts[0]?.children ?? []) : parts;
  return shownParts.filter((part) => part.end > start && part.start < end && !part.isUncertain);
}

/**
 * Extends a part by the placeholders below it that are deeper than its first line: they stand for its last lines, but
 * grammars read them as comments beside it.
 */
function withLastHoles(text: string, part: Part): Part {
  const depth = indentOf(lineWith(text, part.start)).length;
  let end = endByDepth(text, part, depth);
  if (!text.slice(part.start, end).trim().includes("\n")) return part;
  let at = wholeLines(text, part).end;
  for (const line of text.slice(at).split(/(?<=\n)/)) {
    at += line.length;
    if (line.trim() === "") continue;
    if (!isHole(line) || indentOf(line).length <= depth) break;
    end = at - (line.endsWith("\n") ? 1 : 0);
  }
  const last = part.children.at(-1);
  return {
    ...part,
    end,
    children: last === undefined ? [] : [...part.children.slice(0, -1), withLastHoles(text, last)],
  };
}

/** Leaves out the parts that stand inside the one before them. */
function withoutInner(parts: readonly Part[]): readonly Part[] {
  let end = 0;
  return parts.filter((part) => {
    const isOuter = part.start >= end;
    if (isOuter) end = part.end;
    return isOuter;
  });
}

/**
 * Returns the end of a part. Where placeholders hide opening brackets, a grammar ends it too early, at a closing
 * bracket that is indented more than its first line. It ends at the first one that is not.
 */
function endByDepth(text: string, { start, end }: Part, depth: number): number {
  const lines = text.slice(start, end).split("\n");
  const isMisread = lines.length > 1 && CLOSES.test(lines.at(-1) ?? "") && indentOf(lines.at(-1) ?? "").length > depth;
  if (!isMisread || !lines.some((line) => isHole(line))) return end;
  let at = wholeLines(text, { start, end }).end;
  for (const line of text.slice(at).split(/(?<=\n)/)) {
    at += line.length;
    if (line.trim() === "" || indentOf(line).length > depth) continue;
    return CLOSES.test(line) && indentOf(line).length === depth ? at - (line.endsWith("\n") ? 1 : 0) : end;
  }
  return end;
}

const CLOSES = /^\s*(?:[)}\]]+[;,]*|end\b.*)\s*$/;

function gapsOf(text: string, { start, end }: Span, parts: readonly Part[]): readonly string[] {
  let [gaps, at] = ["", start];
  for (const part of parts) {
    gaps += text.slice(at, Math.max(at, part.start));
    at = Math.max(at, part.end);
  }
  return `${gaps}${text.slice(at, end)}`
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => !/^[,;]?$/.test(line));
}
