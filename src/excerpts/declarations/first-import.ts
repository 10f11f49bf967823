/** Finds the place of an import in a file that has none: below what begins the file, and what has to stand above it. */
import { isHead } from "../remarks.ts";
import { indentOf } from "../text.ts";

/** What stands at the head of a file: `first` has to stand above all imports, `above` goes with what is below it. */
interface Element {
  readonly kind: "comment" | "above" | "first";
  /** The index of its last line. */
  readonly last: number;
}

export interface FirstPlace {
  readonly at: number;
  readonly blank?: "above";
  /** Undefined at the margin. */
  readonly indent?: string;
}

/**
 * Returns the place of a file's first import. Undefined where it may have none.
 *
 * @param passed lines that it stands below in any case
 */
export function placeOfFirst(
  lines: readonly string[],
  path: string,
  passed: ReadonlySet<number>,
): FirstPlace | undefined {
  const extension = extensionOf(path);
  const start = startIn(lines, extension);
  if (start === undefined) return undefined;
  let [at, isInside, isDivided] = [start, start > 0 && lines[start - 1]?.trim() !== "---", false];
  /** The first of the lines right above the next one that go with it. */
  let attached: number | undefined;
  let row = start;
  for (; row < lines.length; row++) {
    if ((lines[row] ?? "").trim() === "") {
      attached = undefined;
      continue;
    }
    const element = passed.has(row) ? ({ kind: "first", last: row } as const) : elementAt(lines, row, extension);
    if (element === undefined) break;
    const text = lines.slice(row, element.last + 1).join("\n");
    attached = element.kind === "first" || ABOUT_FILE.test(text) ? undefined : (attached ?? row);
    isInside ||= element.kind === "first" && OPENS.test(text);
    isDivided = !passed.has(row) && !(element.kind === "first" && OPENS.test(text));
    row = element.last;
    at = row + 1;
  }
  at = attached ?? at;
  const isBlank = lines[at]?.trim() === "" && isDivided && at > start;
  return { at, ...(isBlank && { blank: "above" }), ...(isInside && { indent: indentOf(lines[row] ?? "") }) };
}

/** Returns the ending of a file's name, or a name that has none. */
export function extensionOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("."), path.lastIndexOf("/")) + 1).toLowerCase();
}

/** What holds all of a file's code. */
const OPENS = /^(?:defmodule\b|namespace\b[^;]*$|\{$)/;
/** What a comment says of its file, not of the declaration below it. */
const ABOUT_FILE =
  /copyright|\(c\)|©|licen[cs]e|spdx|all rights|@(?:file|flow|generated|jest-|jsx|module|overview|package|ts-)|eslint|prettier|biome|jshint|stylelint|<reference|-\*-|coding[:=]|frozen_string|rubocop|pylint|mypy|noqa|go:build|\+build|vim:|generated|swift-tools|this (?:file|module|script|package)/i;

/** Returns the line below the one that begins the code, in a file that holds more than code. */
function startIn(lines: readonly string[], extension: string): number | undefined {
  const [head] = lines;
  if (/^(?:mdx?|astro)$/.test(extension)) {
    const end = head?.trim() === "---" ? lines.findIndex((line, row) => row > 0 && line.trim() === "---") : -1;
    return extension === "astro" ? (end === -1 ? undefined : 1) : end + 1;
  }
  if (/^php$/.test(extension)) {
    const first = lines.findIndex((line) => !/^(?:#!.*)?$/.test(line.trim()));
    return /^<\?php\b/.test(lines[first] ?? "") && !/\?>/.test(lines[first] ?? "") ? first : undefined;
  }
  if (!/^(?:vue|svelte|html?)$/.test(extension)) return 0;
  const tags = lines.flatMap((line, row) => (SCRIPT.test(line) ? endOfTag(lines, row) : []));
  return (tags.find(({ text }) => /\ssetup\b/.test(text)) ?? tags.find(({ text }) => !IN_MODULE.test(text)) ?? tags[0])
    ?.start;
}

const SCRIPT = /^\s*<script(?:\s|>|$)/;
/** What runs once for all instances of a component. */
const IN_MODULE = /\s(?:context="module"|module)\b/;

/** Returns a tag that nothing follows in its line. */
function endOfTag(lines: readonly string[], row: number): Array<{ readonly text: string; readonly start: number }> {
  const end = lines.findIndex((line, at) => at >= row && line.includes(">"));
  const text = lines.slice(row, end + 1).join(" ");
  return end === -1 || !/^[^>]*>\s*$/.test(text) || /\ssrc=/.test(text) ? [] : [{ text, start: end + 1 }];
}

/** Returns what begins at a line. Undefined for code. */
export function elementAt(lines: readonly string[], row: number, extension: string): Element | undefined {
  const line = (lines[row] ?? "").trim();
  const text = extension === "php" ? line.replace(/^<\?php\b\s*/, "") : line;
  if (text === "") return { kind: "first", last: row };
  const block = BLOCKS.find(({ opens, of }) => opens.test(text) && of?.test(extension) !== false);
  if (block !== undefined) {
    const { opens, end, kind } = block;
    const opened = opens.exec(text)?.[0].length ?? 0;
    const last = text.includes(end, opened) ? row : lines.findIndex((other, at) => at > row && other.includes(end));
    const closing = last === row ? text.slice(opened) : (lines[last] ?? "");
    const beyond = closing.slice(closing.indexOf(end) + end.length).trim();
    if (last === -1) return undefined;
    return beyond === "" ? { kind, last } : isFirst(beyond, extension) ? { kind: "first", last } : undefined;
  }
  const isNote = (other: string): boolean =>
    /^(?:\/\/|--)/.test(other) || (HASHED.test(extension) && /^#(?![[!])/.test(other));
  if (isNote(text) && !isFirst(text, extension)) {
    let last = row;
    while (isNote((lines[last + 1] ?? "").trim())) last += 1;
    return { kind: "comment", last };
  }
  if (isFirst(text, extension)) return { kind: "first", last: endOf(lines, row, extension) };
  return ANNOTATED.test(extension) && /^@\w/.test(text)
    ? { kind: "above", last: endOf(lines, row, extension) }
    : undefined;
}

interface Block {
  readonly opens: RegExp;
  readonly end: string;
  readonly kind: Element["kind"];
  readonly of?: RegExp;
}

/** Comments of several lines, and texts that document a module. */
const BLOCKS: readonly Block[] = [
  { opens: /^\/\*!/, end: "*/", kind: "first", of: /^rs$/ },
  { opens: /^\/\*/, end: "*/", kind: "comment" },
  { opens: /^<!--/, end: "-->", kind: "comment" },
  { opens: /^\{-/, end: "-}", kind: "comment", of: /^hs$/ },
  { opens: /^--\[\[/, end: "]]", kind: "comment", of: /^lua$/ },
  { opens: /^=begin\b/, end: "=end", kind: "comment", of: /^(?:rb|rake|gemspec)$/ },
  { opens: /^[rRuU]{0,2}"""/, end: '"""', kind: "first", of: /^pyi?$/ },
  { opens: /^[rRuU]{0,2}'''/, end: "'''", kind: "first", of: /^pyi?$/ },
  { opens: /^@(?:module|short)doc\s+~?[sS]?"""/, end: '"""', kind: "first", of: /^exs?$/ },
];

/** Languages whose comments begin with #, and those whose annotations stand above a declaration or a file's name. */
const HASHED =
  /^(?:dockerfile|makefile|mk|ya?ml|toml|ini|conf|cfg|env|properties|pyi?|rb|rake|gemspec|sh|bash|zsh|p[lm]|php|exs?|r|jl|nim|cr|gd|tcl|coffee|graphql|gql)$/;
const ANNOTATED = /^(?:dart|java|kts?|scala|groovy)$/;

/** What has to stand above all imports, by the file's extension. */
const FIRST: ReadonlyArray<readonly [extension: RegExp, line: RegExp]> = [
  [/./, /^package\s+(?!object\b)[\w.:`]+\s*;?\s*(?:\/[/*].*)?$/],
  [/^php$/, /^(?:declare\s*\(|namespace\b[\s\w\\]*(?:[;{].*)?$|\{$)/],
  [/^kts?$/, /^@file:/],
  [/^rs$/, /^(?:#!\[|\/\/!|extern\s+crate\b)/],
  [/^dart$/, /^library\b[^(=]*;/],
  [/^(?:css|scss|sass|less)$/, /^@(?:charset\b|layer\b[^{]*;)/],
  [/^cs$/, /^(?:#\s*(?:nullable|pragma|define|undef|region|endregion)\b|extern\s+alias\b)/],
  [/^(?:[cm]|mm|cc|cpp|cxx|cu|h|hh|hpp|hxx|ipp|tpp)$/, /^#\s*(?:pragma|define|undef|ifndef)\b/],
  [/^pyi?$/, /^[rRuU]?(?:"(?:[^"\\]|\\.)+"|'(?:[^'\\]|\\.)+');?$/],
  [/^exs?$/, /^(?:defmodule\s.*\bdo$|@(?:module|short)doc\b|(?:alias|import|require|use)\s)/],
  [/^hs$/, /^module\s/],
  [/^proto$/, /^(?:syntax|edition)\s*=/],
  [/^sol$/, /^pragma\s/],
];

function isFirst(text: string, extension: string): boolean {
  return isHead(text) || FIRST.some(([of, line]) => of.test(extension) && line.test(text));
}

/** Returns the last line of a statement: where its brackets are closed. */
function endOf(lines: readonly string[], row: number, extension: string): number {
  let depth = 0;
  for (let last = row; last < lines.length; last++) {
    const line = lines[last] ?? "";
    depth += (line.match(/[([]/g)?.length ?? 0) - (line.match(/[)\]]/g)?.length ?? 0);
    const goesOn = line.endsWith("\\") || (extension === "hs" && !/\bwhere\b/.test(line));
    if (depth <= 0 && !goesOn) return last;
  }
  return row;
}
