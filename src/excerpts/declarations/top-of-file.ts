/** Finds the first free place in a file for what is to stand at its top. */
import { isHead } from "../remarks.ts";
import { indentOf } from "../text.ts";
import { elementAt, extensionOf, placeOfFirst } from "./first-import.ts";
import { importsIn } from "./imports.ts";

/** The row above which a text goes, and how deep it stands. */
export interface Top {
  readonly row: number;
  readonly indent: string;
}

/**
 * Returns where a text goes at the top of a file: comments, and what has to stand first, below the lines that nothing
 * may stand above; imports, with what they need to run first, above the others; code below the imports. Undefined where
 * it may not stand.
 */
export function topFor(content: string, file: string, path: string): Top | undefined {
  const [lines, shown, extension] = [file.split("\n"), content.trim().split("\n"), extensionOf(path)];
  const [head = ""] = shown;
  const [, mark] = VERY_FIRST.exec(head) ?? [];
  if (mark !== undefined && !head.startsWith("<?php")) {
    const isThere = lines[0]?.startsWith(mark) === true;
    return isThere && lines[0] !== head ? undefined : { row: Number(isThere), indent: "" };
  }
  const start = belowFixed(lines, extension);
  // The members of an object.
  if (/^json[c5]?$/.test(extension) && lines[start]?.trim() === "{")
    return { row: start + 1, indent: indentOf(lines[start + 1] ?? "") };
  const isMarkup = /^<(?!\?php)/.test(head);
  if (MARKUP.test(extension))
    return /^<[!?]/.test(head) || (/^html?$/.test(extension) && !WHOLE.test(file))
      ? { row: start, indent: "" }
      : undefined;
  if (MIXED.test(extension) && isMarkup)
    return BLOCK.test(head) || !CODE.test(file) ? { row: start, indent: "" } : undefined;
  if (/^mdx?$/.test(extension)) return { row: start, indent: "" };
  if (/^[ct]sv$/.test(extension)) {
    const [isHeader, isAnother] = [lines[0], head].map((line = "") => /^[^\d]+$/.test(line));
    return isHeader && isAnother ? undefined : { row: Number(isHeader), indent: "" };
  }
  const code = firstCode(shown, extension);
  const isCode = extension === "php" ? /^\s*<\?php\b/.test(file) : !MIXED.test(extension);
  if (isCode && (code === undefined || OUTERMOST.test(code))) return { row: start, indent: "" };
  const isAbove = isDirective(code ?? "", extension) || importsIn(content).all.length > 0 || RUNS.test(content);
  // Scripts of components are often indented.
  const { all } = importsIn(MIXED.test(extension) ? lines.map((line) => line.trimStart()).join("\n") : file);
  const passed = all.filter((one) => !isAbove || /^from __future__\b/.test(one.lines[0] ?? ""));
  const rows = passed.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, at) => first + at));
  const place = placeOfFirst(lines, path, new Set(rows));
  return place && { row: Math.max(place.at, isCode ? start : 0), indent: place.indent ?? "" };
}

/**
 * Returns where a text goes at the end of a file that a line closes: in its script, in its root element, above its last
 * line. The end itself where no line does; undefined where it may not stand.
 */
export function endFor(content: string, file: string, path: string): Top | "end" | undefined {
  const [lines, extension] = [file.trimEnd().split("\n"), extensionOf(path)];
  const above = (row: number, indent = ""): Top => {
    while (isBlankIn(lines, row - 1)) row -= 1;
    return { row, indent };
  };
  const last = lines.length - 1;
  const isMarkup = /^\s*<(?!\?php)/.test(content);
  if (extension === "tex") {
    const row = lines.findIndex((line) => /^\s*\\end\{document\}/.test(line));
    return row === -1 ? "end" : above(row);
  }
  if (/^(?:vue|svelte)$/.test(extension)) {
    if (isMarkup) return BLOCK.test(content.trim()) || !CODE.test(file) ? "end" : undefined;
    if (RULE.test(content.trim())) {
      const [row, other] = [...lines.keys()].filter((at) => /^\s*<\/style>/.test(lines[at] ?? ""));
      const last = lines.slice(0, row).findLast((line) => line.trim() !== "") ?? "";
      return row === undefined || other !== undefined ? undefined : above(row, /\}\s*$/.test(last) ? indentOf(last) : "");
    }
    const place = placeOfFirst(lines, path, new Set());
    const row = place === undefined ? -1 : lines.findIndex((line, at) => at >= place.at && /^\s*<\/script>/.test(line));
    const code = lines.slice(place?.at, Math.max(0, row)).find((line) => line.trim() !== "");
    return row === -1 ? undefined : above(row, indentOf(code ?? ""));
  }
  if (isMarkup && MARKUP.test(extension) && !/^html?$/.test(extension) && !/^\s*<[!?]/.test(content)) {
    const inner = lines.find((line) => /^\s+</.test(line));
    return lines[last]?.startsWith("</") === true ? above(last, indentOf(inner ?? "")) : undefined;
  }
  return /^(?:ba|z)?sh$/.test(extension) && /^exit\b/.test(lines[last] ?? "") ? undefined : "end";
}

function isBlankIn(lines: readonly string[], row: number): boolean {
  return row >= 0 && lines[row]?.trim() === "";
}

/** Returns the first line of a text that is no comment. */
function firstCode(shown: readonly string[], extension: string): string | undefined {
  for (let row = 0; row < shown.length; row++) {
    const line = (shown[row] ?? "").trim();
    const element = line === "" ? undefined : elementAt(shown, row, extension);
    if (line !== "" && element?.kind !== "comment") return line;
    row = element?.last ?? row;
  }
  return undefined;
}

function isDirective(line: string, extension: string): boolean {
  return isHead(line) || ABOVE_IMPORTS.test(line) || (extension === "py" && /^[rRuU]?["']{1,3}/.test(line));
}

/** Returns the row below the lines at the beginning of a file that nothing may stand above. */
function belowFixed(lines: readonly string[], extension: string): number {
  const isFront = lines[0]?.trim() === "---" && !/^ya?ml$/.test(extension);
  const front = isFront ? lines.findIndex((line, row) => row > 0 && line.trim() === "---") + 1 : 0;
  let start = front;
  for (let row = front; row < lines.length; row++) {
    const line = (lines[row] ?? "").trim();
    const [, guard] = /^#\s*ifndef\s+(\w+)$/.exec(line) ?? [];
    const isGuard = guard !== undefined && /^#\s*define\s+(\w+)\s*$/.exec((lines[row + 1] ?? "").trim())?.[1] === guard;
    if (line !== "" && !isGuard && !FIXED.test(line)) return start;
    if (line !== "") start = row + (isGuard ? 2 : 1);
    if (isGuard) row += 1;
  }
  return start;
}

/** What has to be in the first line of a file. */
const VERY_FIRST = /^(#!(?!\[)|<\?\w+|---$|@charset\b)/;
/** What stands above all else in a file. */
const FIXED =
  /^(?:#!(?!\[)|<\?(?:php|xml)\b|<!doctype\b|---$|%YAML\b|@charset\b|@file:|declare\s*\(|#\s*pragma once\b|#.*\bcoding[:=]|#\s*(?:syntax|escape|check|frozen_string_literal|yaml-language-server)\s*[:=])/i;
/** What stands above all but these, and what stands above imports: macros that have no value are for them. */
const OUTERMOST = /^(?:declare\s*\(|@file:|#!\[|extern\s+crate\b|(?:syntax|edition)\s*=)/;
const ABOVE_IMPORTS =
  /^(?:@layer\b[^{]*;|#\s*(?:pragma|nullable|undef|define\s+(?:_\w*|\w+\s*$))|library\b|pragma\s|package\s|namespace\s[\w\\]+;)/;
/** What may have to run before the modules that imports load. */
const RUNS = /\brequire\s*\(/;
const MARKUP = /^(?:html?|xhtml|xml|svg|xsd|xslt?|plist|csproj|props|targets|axml|fxml)$/;
const WHOLE = /<\?xml\b|<!doctype\b|<html\b/i;
/** Files of markup and code. */
const MIXED = /^(?:vue|svelte|astro|php)$/;
/** Of CSS. */
const RULE =
  /^(?!(?:abstract|async|class|do|enum|export|for|function|if|interface|switch|try|type|while)\b)[.#@:*&a-z][^;=(){}]*\{/;
/** What stands at the top of a component. */
const BLOCK = /^<(?:!--|script\b|style\b|template\b)/;
const CODE = /^\s*(?:<(?:script|template|style|\?php)\b|---)/;
