/** Finds the end of a list, which has no order: what is added goes there. */
import { indentOf } from "./text.ts";

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

/** Returns the last line of the only elements side by side in a file that have the tag of a further one, 0-based. */
export function endOfElements(file: string, lines: readonly string[]): number | undefined {
  const tag = TAG.exec(lines[0]?.trim() ?? "")?.[1];
  if (tag === undefined || lines.at(-1)?.trim() !== `</${tag}>`) return undefined;
  const rows = file.split("\n");
  const heads = [...rows.keys()].filter((row) => TAG.exec((rows[row] ?? "").trim())?.[1] === tag);
  const indent = indentOf(rows[heads[0] ?? 0] ?? "");
  const end = rows.findLastIndex((row) => row.trimEnd() === `${indent}</${tag}>`);
  const isOther = (row: string): boolean =>
    row.trim() !== "" &&
    indentOf(row).length <= indent.length &&
    !REMARK.test(row) &&
    TAG.exec(row.trim())?.[1] !== tag;
  const isBeside = heads.every((row) => indentOf(rows[row] ?? "") === indent);
  const between = rows.slice(heads[0] ?? 0, end + 1).filter((row) => row.trim() !== `</${tag}>`);
  return heads.length > 0 && isBeside && !between.some(isOther) ? end : undefined;
}

const TAG = /^<([\w.:-]+)(?:\s[^<>]*)?(?<!\/)>$/;
const REMARK = /^\s*<!--/;

/** Returns whether a line is a tag or signs: it begins or ends something, and says nothing of it. */
export function isFrame(line: string): boolean {
  return !/\w/.test(line.trim().replace(/^<\/?[\w.:-]+>$/, ""));
}

/** Returns whether a line is a member of a list: a bullet, a row of a table. */
export function isItem(line: string): boolean {
  return ITEM.test(line);
}

const ITEM = /^\s*(?:[-*+] |\|)/;

/** Returns what a member of a list begins with. Of requirements, settings and names it is a name. */
export function markOf(line: string): string {
  return ITEM.exec(line)?.[0] ?? (/^[^\s{}();][^{}();]*$/.test(line) ? NAMED : line);
}

const NAMED = "a name";

/** `rich==13.7.0`, `PORT=80` */
function nameIn(line: string): string {
  return /^[\w.-]+/.exec(line)?.[0].toLowerCase() ?? line;
}
