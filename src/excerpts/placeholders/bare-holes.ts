/** Writes placeholders as comments of their language, where an answer has them bare: `...`, `[snip]`, `... // unchanged`. */
import { once } from "../../core/once.ts";
import { commentText, ELLIPSIS_SOURCE } from "../../core/comment-styles.ts";
import { kindOf } from "../../edit/placeholder-kind.ts";
import { textsIn } from "../fixed-lines.ts";
import { indentOf } from "../text.ts";

/**
 * Returns a text in which each line that is no code of its language, and stands for others, is a comment that does, so
 * grammars can read what is around it. Lines that the file has are its own.
 */
export function withCommentHoles(path: string, content: string, before: string): string {
  const mark = markFor(path);
  if (mark === undefined) return content;
  const there = once(() => new Set(before.split("\n").map((line) => line.trim())));
  const lines = content.split("\n");
  const texts = once(() => textsIn(content));
  const asComment = (line: string, at: number): string => {
    const text = line.trim();
    if (!isBare(text, () => mayBeCode(path, lines, at)) && !isForeign(text, mark)) return line;
    if (there().has(text) || texts().some(({ first, last }) => at > first && at <= last)) return line;
    return `${line.slice(0, line.indexOf(text))}${mark} ... existing code ...`;
  };
  const now = lines.map(asComment).join("\n");
  const [, name = "", indent = ""] = (path.endsWith(".py") && DOCUMENTED.exec(now.trimEnd())) || [];
  // A function of Python that is shown with its documentation alone keeps its body.
  const hasBody = name !== "" && new RegExp(`^([ \\t]*)(?:async )?def ${name}\\b${TWO_LINES}`, "m").test(before);
  return hasBody ? `${now.trimEnd()}\n${indent}${mark} ... existing code ...\n` : now;
}

/** Below a head, at the margin that its group 1 is: deeper ones. */
const TWO_LINES = "(?:.*\\n(?:[ \\t]*\\n)*\\1[ \\t]+){2}\\S";
const DOCUMENTED = /^\s*(?:async )?def (\w+)\([^\n]*:\n([ \t]+)[rub]*(?:"""(?:(?!""")[^])*"""|'''(?:(?!''')[^])*''')$/;

/** Returns what begins a comment in a language of code. */
export function markFor(path: string): string | undefined {
  return MARKS.find(([, paths]) => paths.test(path))?.[0];
}

/** Returns whether dots are a statement there, or end a document. */
function mayBeCode(path: string, lines: readonly string[], at: number): boolean {
  if (/\.p[lm]$|\.ya?ml$/.test(path) || (/\.pyi?$/.test(path) && isOnlyStatement(lines, at))) return true;
  // The last parameter of a function of C, and the last member of an object type of Flow.
  return /[,(]\s*$/.test(nextLine(lines, at, -1));
}

/** Returns the nearest line above or below that is not blank. */
function nextLine(lines: readonly string[], at: number, step: -1 | 1): string {
  let row = at + step;
  while (lines[row]?.trim() === "") row += step;
  return lines[row] ?? "";
}

/** Returns whether a line of Python is all that its block holds, but for a docstring. */
function isOnlyStatement(lines: readonly string[], at: number): boolean {
  const depth = indentOf(lines[at] ?? "");
  const beside = [nextLine(lines, at, -1), nextLine(lines, at, 1)];
  return depth !== "" && !beside.some((line) => indentOf(line) === depth && !/^[rub]*["']|["']{3}$/.test(line.trim()));
}

/**
 * Returns whether a trimmed line stands for others, and is no comment.
 *
 * @param isCode whether dots may be code there
 */
function isBare(text: string, isCode: () => boolean): boolean {
  const [, code = "", comment] = COMMENTED.exec(text) ?? [];
  if (DOTS.test(code)) return (comment !== undefined && saysSame(comment)) || !isCode();
  return commentText(text) === undefined && (BRACKETED.test(text) || (LEADS.test(text) && kindOf(text) !== undefined));
}

/** Returns whether a trimmed line is a comment of another language with dots alone, or dots first. */
function isForeign(text: string, mark: string): boolean {
  const comment = commentText(text);
  const isOwn = text.startsWith(mark) || text.startsWith("/*") || text.startsWith("{/*");
  return comment !== undefined && !isOwn && FOREIGN.test(text) && (DOTS.test(comment) || LEADS.test(comment));
}

function saysSame(comment: string): boolean {
  return kindOf(`... ${comment}`) !== undefined || kindOf(`// ${comment}`) !== undefined;
}

/** What begins a comment, with the files of its languages. */
const MARKS: ReadonlyArray<readonly [mark: string, paths: RegExp]> = [
  [
    "//",
    /\.(?:[cm]?[jt]sx?|java|cs|kts?|swift|rs|go|dart|scala|php|[ch]|cc|cpp|cxx|hh|hpp|mm?|groovy|gradle|proto|prisma|scss|less)$/i,
  ],
  [
    "#",
    /\.(?:pyi?|rb|rake|sh|bash|zsh|exs?|r|pl|pm|nim|tf|hcl|gd|graphql|gql|toml|ya?ml)$|(?:^|\/)(?:Makefile|Dockerfile|Gemfile|Rakefile)$/i,
  ],
  ["--", /\.(?:lua|sql|hs|elm)$/i],
];
const DOTS = new RegExp(
  `^(?:${ELLIPSIS_SOURCE}|\\[\\s*${ELLIPSIS_SOURCE}\\s*\\]|\\(\\s*${ELLIPSIS_SOURCE}\\s*\\)|\\{\\s*${ELLIPSIS_SOURCE}\\s*\\})$`,
);
const LEADS = new RegExp(`^[[(<{]*\\s*${ELLIPSIS_SOURCE}(?!\\w|$)|^${ELLIPSIS_SOURCE}.*${ELLIPSIS_SOURCE}$`);
const COMMENTED = /^(.*?)(?:\s+(?:\/\/|#|--|\/\*)\s*(.*?)(?:\*\/)?)?$/;
const FOREIGN = /^(?:#|--|<!--|\/\/|;|%)/;
const BRACKETED =
  /^(?:[[<(](?:\.{3}|…)?\s*(?:snip(?:ped)?|(?:the )?(?:rest|remainder) of [\w ]+|(?:the )?(?:existing|previous|other|remaining) (?:code|lines?|methods?|functions?)(?: here)?|unchanged(?: code)?|(?:the )?same as before|omitted(?: for brevity)?)\s*(?:\.{3}|…)?[\])>]|-{2,}\s*snip\s*-{2,})$/i;
