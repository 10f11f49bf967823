/** Comments and decorators above a declaration, as lines. */
import { startOfRow } from "./text.ts";
import type { Told } from "./told/told.ts";

/** Returns the first line that is neither a comment nor a decorator, without white space around it. */
export function headOf(text: string): string {
  const [head = ""] = /\S.*/.exec(text.slice(prefixOf(text).length)) ?? [];
  return head.trim();
}

/** Returns the head of a type with all its lines, up to its bracket. */
export function wholeHeadOf(text: string): string {
  const lines = text.split("\n");
  const [first, end] = rowsOfHead(lines);
  return lines.slice(first, end).join("\n").trim();
}

/** Returns the lines below the head of a type. */
export function belowHead(lines: readonly string[]): readonly string[] {
  return lines.slice(rowsOfHead(lines)[1]);
}

function rowsOfHead(lines: readonly string[]): readonly [first: number, end: number] {
  const above = prefixOf(lines.join("\n")).length;
  const first = Math.min(lines.length - 1, lines.join("\n").slice(0, above).split("\n").length - 1);
  const opening = lines.findIndex((line, at) => at >= first && /\{\s*$/.test(line));
  const isValue = /=\s*\{\s*$/.test(lines[opening] ?? "");
  // The first line leaves a bracket open, or the next one continues the head.
  const [head = "", next = ""] = lines.slice(first);
  const opened = (head.match(/[([]|\w</g) ?? []).length - (head.match(/[)\]]|(?<![-=])>/g) ?? []).length;
  const mayBeLong = opened > 0 || /^\s*(?:\{|:|where\b|extends\b|implements\b|for\b|with\b)/.test(next);
  const isLong =
    mayBeLong && !isValue && !lines.slice(first, Math.max(first, opening)).some((line) => /[;{}]\s*$/.test(line));
  return [first, (isLong ? Math.max(first, opening) : first) + 1];
}

/** Returns the head of a declaration with all its parameters, which may stand on several lines. */
export function signatureOf(text: string): string {
  const head = headOf(text);
  const from = text.slice(text.indexOf(head));
  const parameters = /^[^({;=\n]*\([^(){}]*(?:\([^(){}]*\)[^(){}]*)*\)[^{;\n]*/.exec(from)?.[0] ?? head;
  return parameters
    .trim()
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\( | (?=\))|,(?= ?\))/g, (found) => found.trim().replace(",", ""));
}

/** @param below the next line: above a key with its value, a name in brackets is a section of settings */
export function isRemark(line: string, below = ""): boolean {
  if (/^\[[^\]]*\]\s*$/.test(line) && /^[\w."'-]+\s*=/.test(below)) return false;
  return REMARK.test(line.trim()) || SPECIFIER.test(line.trim());
}

/** A comment, a decorator. A custom property of CSS is none. */
const REMARK = /^(?:\/\/|#(?!!|include\b|define\b)|\/\*|\*|--(?!-|[a-z][\w-]*\s*:.*;\s*$)|;|<!--|@\w|\[\w[^\]]*\]$)/;

/** Returns whether a new text lacks a decorator of an old one that no sentence takes away. */
export function losesDecorator(before: string, now: string, { gone }: Pick<Told, "gone">): boolean {
  const isTold = (line: string): boolean => (line.match(/\w+/g) ?? []).some((word) => gone.has(word));
  return before.split("\n").some((line) => isDecorator(line.trim()) && !now.includes(line.trim()) && !isTold(line));
}

function isDecorator(line: string): boolean {
  return DECORATOR.test(line) || SPECIFIER.test(line);
}

const DECORATOR = /^(?:@\w|\[\w|#\[)/;
/** What stands above a function of C++ on a line of its own. */
const SPECIFIER = /^(?:\[\[.*\]\]|(?:__attribute__|__declspec|alignas)\s*\(.*\)|template\s*<.*>)$/;

/** Keeps the comments and decorators above a declaration, where the new text of it has none of their kind. */
export function withKeptPrefix(before: string, now: string): string {
  const oldPrefix = prefixOf(before);
  const written = prefixOf(now);
  const below = commentsBelow(oldPrefix.comments, written.comments);
  const newPrefix = below === undefined ? written : { ...written, comments: "" };
  // The last lines of a comment stand for all of it.
  const keepsComments = oldPrefix.comments !== newPrefix.comments && oldPrefix.comments.endsWith(newPrefix.comments);
  const keepsDecorators = oldPrefix.decorators !== "" && newPrefix.decorators === "";
  const comments = keepsComments ? oldPrefix.comments : withLinesAbove(oldPrefix.comments, newPrefix.comments);
  if (comments === newPrefix.comments && !keepsDecorators) return now;
  const declaration = (below ?? "") + now.slice(newPrefix.length);
  // Comments may stand among the decorators.
  const hasNewOf = (kind: "comments" | "decorators"): boolean => newPrefix[kind] !== oldPrefix[kind];
  if ((keepsComments || !hasNewOf("comments")) && (keepsDecorators || !hasNewOf("decorators")))
    return before.slice(0, oldPrefix.length) + declaration;
  return comments + (keepsDecorators ? oldPrefix.decorators : newPrefix.decorators) + declaration;
}

/** Returns comments with the lines of the old ones above the one that they begin with: they show what is below those. */
function withLinesAbove(old: string, now: string): string {
  const before = old.split(/(?<=\n)/);
  const [first = "", ...others] = now.split("\n").map((line) => line.trim());
  const at = /\w/.test(first) ? before.findIndex((line) => line.trim() === first) : -1;
  const above = before.slice(0, Math.max(0, at));
  return above.some((line) => others.includes(line.trim())) ? now : above.join("") + now;
}

/** Returns what stays of new comments below the old ones. Undefined if they take the place of those. */
function commentsBelow(old: string, now: string): string | undefined {
  const [before, after] = [old, now].map((text) => text.split("\n").flatMap((line) => line.trim() || [])) as [
    string[],
    string[],
  ];
  if (before.length === 0 || after.length === 0) return undefined;
  if (after.every(isNote) && !before.some(isNote)) return after.some((line) => STEP.test(line)) ? now : "";
  // A remark on the code is no documentation of it.
  const isDocumented = /^(?:\/\*\*|\/\/[/!])/.test(before[0] ?? "");
  return isDocumented && after.every((line) => /^\/\/(?![/!])/.test(line)) ? now : undefined;
}

/** Returns whether a comment only says what the answer did to what is below it: updated version. */
export function isNote(line: string): boolean {
  return NOTE.test(line) || STEP.test(line);
}

/** A number of the answer's list. */
const STEP = /^(?:\/\/|#)\s*(?:step )?\d+[.:)] /i;
const NOTE =
  /^(?:\/\/|#)\s*(?:(?:updated|fixed|changed|improved|modified|refactored|simplified)\b|(?:better|fix|new|simpler)\b(?=[: ]|$))/i;

/** Returns the comments and decorators above a declaration. */
export function remarksAbove(text: string): string {
  return text.slice(0, prefixOf(text).length);
}

/** Reads the comments and decorators above a declaration. */
function prefixOf(text: string): { readonly comments: string; readonly decorators: string; readonly length: number } {
  let [comments, decorators, length, isOpen] = ["", "", 0, false];
  const lines = text.split(/(?<=\n)/);
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const trimmed = line.trim();
    if (!isOpen && trimmed !== "" && !isRemark(trimmed)) break;
    if (!isOpen && isDecorator(trimmed)) {
      const end = endOfDecorator(lines, at);
      const all = lines.slice(at, end).join("");
      [decorators, length, at] = [decorators + all, length + all.length, end - 1];
      continue;
    }
    comments += line;
    isOpen = trimmed.startsWith("/*") ? !trimmed.includes("*/") : isOpen && !trimmed.includes("*/");
    length += line.length;
  }
  return comments.trim() === "" ? { comments: "", decorators, length } : { comments, decorators, length };
}

/** Returns the index below a decorator, whose arguments may stand on several lines: below its first one if none ends it. */
function endOfDecorator(lines: readonly string[], first: number): number {
  let depth = 0;
  for (let at = first; at < Math.min(lines.length, first + MAX_ARGUMENTS); at += 1) {
    for (const [sign] of (lines[at] ?? "")
      .replace(TEXTS, "")
      .replace(REST, "")
      .matchAll(/[()[\]{}]/g))
      depth += "([{".includes(sign) ? 1 : -1;
    if (depth <= 0) return at + 1;
  }
  return first + 1;
}

const TEXTS = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;
/** A comment behind code. */
const REST = /(?:\/\/|#(?!!?\[)).*/;
/** Lines of the longest decorator. */
const MAX_ARGUMENTS = 100;

/** Returns where the comments above a declaration begin that an excerpt shows too: a new one stands above those. */
export function aboveRemarks(text: string, start: number, shown: readonly string[]): number {
  const lines = text.slice(0, start).split("\n").slice(0, -1);
  let first = lines.length;
  for (let at = first - 1; at >= 0; at--) {
    const line = (lines[at] ?? "").trim();
    if (isRemark(line) && shown.includes(line)) first = at;
    else if (line !== "") break;
  }
  return startOfRow(lines, first);
}

/** A line that begins a file and is no declaration: it stays as it is. */
export const isHead = (line: string): boolean =>
  /^(?:package\s[\w.]+;?|namespace\s[\w.\\]+;|<\?php|"use \w+";?|'use \w+';?|#!(?!\[).*)$/.test(line.trim());

/** Returns whether a line of a file is a comment, by its first sign. */
export function isCommentIn(path: string, line: string): boolean {
  return /^(?:\/\/|#|\/\*|\*|--|<!--|"""|''')/.test(line) && !(HAS_DIRECTIVES.test(path) && line.startsWith("#"));
}

/** Names of files in which a line with # is no comment: C and its kin, C#, Swift. */
const HAS_DIRECTIVES = /\.(?:[ch]|cc|cpp|cxx|cu|hh|hpp|hxx|cs|mm?|swift)$/;
