/** Finds the end of a list, which has no order: what is added goes there. */
import { endOfStatement } from "../block.ts";
import { keptIn } from "./nearest.ts";
import { dedented, indentOf, isInRows, type PlacedLines, reindented, type Within } from "../text.ts";

/**
 * Returns the last line of the only list in a file that some lines are further members of, 0-based.
 *
 * @param hasParts whether the file is more than a list of names, settings or sentences
 */
export function endOfList(file: string, lines: readonly string[], hasParts: boolean): number | undefined {
  const rows = file.split("\n");
  const [mark, ...others] = new Set(lines.map(markOf));
  if (mark === undefined || others.length > 0) return undefined;
  const listRows = [...rows.keys()].filter((row) => markOf(rows[row] ?? "") === mark);
  if (mark !== NAMED)
    return listRows.every((row, index) => row === (listRows[0] ?? 0) + index) ? listRows.at(-1) : undefined;
  const isList = !hasParts && rows.every((row) => row.trim() === "" || row.startsWith("#") || markOf(row) === mark);
  const names = new Set(listRows.map((row) => nameIn(rows[row] ?? "")));
  return isList && !lines.some((line) => names.has(nameIn(line))) ? listRows.at(-1) : undefined;
}

/**
 * Puts a further block below the last of those that begin as it does, if all of them stand side by side: elements of a
 * tag, calls with another first argument, blocks with a word and a name, sections.
 */
export function placeBelowLike(file: string, content: string, within: Within | undefined): PlacedLines | undefined {
  const block = dedented(content).trim().split("\n");
  const kind = kindOfBlock(block[0] ?? "");
  const next = (row: number): number => {
    const end = endOfStatement(block, row) + 1;
    return block[end]?.trim() === "" ? end + 1 : end;
  };
  let at = next(0);
  while (at < block.length && kindOfBlock(block[at] ?? "") === kind) at = next(at);
  const hasRecipe = block.some((row) => row.startsWith("\t"));
  if (kind === undefined || at < block.length || (kind === TARGET_KIND && !hasRecipe)) return undefined;
  const rows = file.split("\n");
  const sheet = kind === RULE_KIND ? sheetIn(rows) : undefined;
  if (kind === RULE_KIND && sheet === undefined) return undefined;
  // Without a word, elements are of one list only in what the sentences name.
  const isIn = (row: number): boolean =>
    isInRows(row, sheet) && (!(ELEMENT.test(kind) || NAMED_ITEM.test(kind)) || isInRows(row, within));
  const isHead = (row: string): boolean =>
    sheet === undefined
      ? kindOfBlock(row.trim()) === kind
      : indentOf(row) === sheet.indent && /^[^\s/*}].*\{$/.test(row.trim());
  // The object that is all of a file is no element.
  const isAll = (row: number): boolean => row === 0 && ELEMENT.test(kind) && indentOf(rows[row + 1] ?? "") !== "";
  const heads = [...rows.keys()].filter((row) => isIn(row) && isHead(rows[row] ?? "") && !isAll(row));
  const [first, last] = [heads[0], heads.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const indent = indentOf(rows[first] ?? "");
  const end = endOfStatement(rows, last);
  const isBeside = heads.every((row) => indentOf(rows[row] ?? "") === indent);
  const isLessDeep = (row: string): boolean => row.trim() !== "" && !row.startsWith(indent);
  if (!isBeside || rows.slice(first, end + 1).some(isLessDeep)) return undefined;
  if (NAMED_ITEM.test(kind) && !shareKeys(block, rows.slice(first, end + 1))) return undefined;
  if (heads.some((row) => isFormOf(block, rows.slice(row, endOfStatement(rows, row) + 1)))) return undefined;
  const isBelowBlank = rows[last - 1]?.trim() === "";
  const isApart = isBelowBlank || (heads.length === 1 && indent === "" && !NAMED_ITEM.test(kind));
  const text = `${isApart ? "\n" : ""}${indent}${reindented(block.join("\n"), indent, file).trim()}\n`;
  const above = rows.slice(0, end + 1).join("\n");
  const start = Math.min(file.length, above.length + 1);
  const isOpen = start === above.length;
  const splice = { start, end: start, text: isOpen ? `\n${text.trimEnd()}` : text };
  return { splices: [splice], done: [`lines added below line ${end + 1}`] };
}

/** Returns the rows of a file that hold rules of CSS, and how deep those stand: its style element, or all of it. */
function sheetIn(rows: readonly string[]): (Within & { readonly indent: string }) | undefined {
  const [begins, ends] = [/^\s*<style\b/, /^\s*<\/style>/].map((tag) =>
    [...rows.keys()].filter((row) => tag.test(rows[row] ?? "")),
  ) as [number[], number[]];
  const [begin, end] = [begins[0], ends[0]];
  if (begin === undefined || end === undefined)
    return rows.some((row) => CODE_HEAD.test(row) || /^<\w/.test(row))
      ? undefined
      : { first: 0, last: rows.length - 1, indent: "" };
  const inner = rows.slice(begin + 1, end).find((row) => row.trim() !== "");
  return begins.length === 1 && ends.length === 1 && inner !== undefined
    ? { first: begin + 1, last: end - 1, indent: indentOf(inner) }
    : undefined;
}

/** Begins a block of a program at the margin. */
const CODE_HEAD =
  /^(?:(?:abstract|async|class|const|def|do|enum|export|for|func|function|if|impl|import|interface|let|pub|struct|switch|try|type|var|while)\b[^:;]*\{|\$: \{)\s*$/;

/** Returns whether an element has a further key of the others, unless either has only one. */
function shareKeys(block: readonly string[], others: readonly string[]): boolean {
  const [keys, known] = [block, dedented(others.join("\n")).split("\n")].map(
    (lines) => new Set(lines.flatMap((line) => /^(?: {2})?([\w"'-]+)(?::| =)/.exec(line)?.[1] ?? [])),
  ) as [Set<string>, Set<string>];
  return keys.size === 0 || known.size === 0 || [...keys].some((key) => known.has(key));
}

/** Returns whether a block has the name of another one, or without names all its lines, and perhaps more. */
function isFormOf(block: readonly string[], other: readonly string[]): boolean {
  const head = other[0]?.trim() ?? "";
  if (TARGET.test(head)) return head.split(":")[0] === block[0]?.split(":")[0];
  if (!isFrame(head) && !/^\w+ [{(]$/.test(head)) return head === block[0];
  const lines = other.slice(1).filter((line) => !isFrame(line));
  const kept = lines.filter(keptIn(block, other));
  return kept.length * 2 > lines.length;
}

/** Returns what blocks of a kind begin with. What the flow of a program passes has its place. */
function kindOfBlock(head: string): string | undefined {
  if (head.length > MAX_HEAD) return undefined;
  if (SECTION.test(head)) return "[";
  const [item] = NAMED_ITEM.exec(head) ?? [];
  if (item !== undefined) return item;
  if (ELEMENT.test(head)) return head;
  if (TARGET.test(head) && !FLOW.test(head.replace(":", ""))) return TARGET_KIND;
  if (RULE.test(head)) return RULE_KIND;
  const tag = TAG.exec(head)?.[1];
  if (tag !== undefined) return `<${tag}>`;
  const [, call] = CALLED.exec(head) ?? [];
  if (call !== undefined) return call.replace(/(?<=\.)\w+\W*$/, "");
  const [, word] = NAMED_BLOCK.exec(head) ?? [];
  return word === undefined || FLOW.test(word) ? undefined : word;
}

/** What an element of a list begins with, on a line of its own. */
export const ELEMENT = /^[{(]$/;
/** UTF-16 units. */
const MAX_HEAD = 200;
export const SECTION = /^\[[^[\]]+\]$/;
/** An element of a list that begins with a key, as in YAML, or a table of a list, as in TOML. */
const NAMED_ITEM = /^- [\w"'-]+:(?= |$)|^\[\[[^[\]]+\]\]$/;
/** A call that opens, with a text as its first argument: `app.get("/a", (request) => {` */
const CALLED = /^([\w.$]+\s?\(?\s*)["'`][^"'`]*["'`].*(?:[{([]|\bdo|\b(?:function|fn)\s*\(.*\))$/;
/** A word, perhaps what it is about, and what it opens: `location /a {`, `server {`, `namespace :a do`. */
const NAMED_BLOCK = /^(\w+(?: "[^"]*")?) (?:\S.*)?(?:[{(]|\bdo)$/;
const FLOW =
  /^(?:await|const|do|else|finally|for|foreach|if|let|loop|match|return|switch|throw|try|unless|until|var|when|while|with|yield)$/;
/** A target of a Makefile: `build: test`. */
const TARGET = /^[\w.%/-]+ ?:(?: [^=]*)?$/;
const TARGET_KIND = ":";
/** A rule of a style sheet, or what is made of several. */
const RULE = /^(?:[.#&%:][\w-]|@(?:mixin|media|function|supports) )(?!.*=>).*\{$/;
const RULE_KIND = "rule";
const TAG = /^<([\w.:-]+)(?:\s[^<>]*)?(?<!\/)>$/;

/** Returns whether a line is a tag or signs: it begins or ends something, and does not say which. */
export function isFrame(line: string): boolean {
  const text = line.trim();
  return !/\w/.test(text) || /^<(?:\/[\w.:-]+>|[\w.:-]+)$/.test(text) || (TAG.test(text) && !/\sid=/.test(text));
}

/** Returns whether a line is a member of a list: a bullet, a row of a table. */
export function isItem(line: string): boolean {
  return ITEM.test(line);
}

const ITEM = /^\s*(?:[-*+] |\|)/;

/** Returns what a member of a list begins with. Of requirements, settings and names it is a name. */
function markOf(line: string): string {
  return ITEM.exec(line)?.[0] ?? (/^[^\s{}();][^{}();]*$/.test(line) ? NAMED : line);
}

const NAMED = "a name";

/** `rich==13.7.0`, `PORT=80` */
function nameIn(line: string): string {
  return /^[\w.-]+/.exec(line)?.[0].toLowerCase() ?? line;
}
