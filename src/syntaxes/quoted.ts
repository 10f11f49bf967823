/**
 * Finds edits that are text of a whole file under its path: the example in docs/howto.md, the fixture in a test. They
 * are that file's, whether or not whole files may be written. Runs in linear time.
 *
 * A fence under a path is no file but an edit if it holds an edit of that very path, with nothing around it: a
 * SEARCH/REPLACE block below `src/a.ts`.
 */
import { type Block, type Diagnostic, isBlock, type ReadBlock, type ReadText } from "../core/block.ts";
import type { Finding } from "../core/finding.ts";
import { labelAbove } from "./damage/path-label.ts";
import type { ReadSettings, Syntax } from "./syntax.ts";
import { TextLines } from "./text-lines.ts";
import { readWholeFiles } from "./whole-file/read.ts";

/** A whole file, and what was read of its text in another syntax. */
export interface QuotingFile {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly quoted: ReadText["items"];
}

/** @param items in the order of their lines, as the syntax has read them */
export function quotingFiles(
  text: string,
  items: ReadText["items"],
  { syntax, settings }: { readonly syntax: Syntax; readonly settings: ReadSettings },
): readonly QuotingFile[] {
  if (syntax.isForeign !== true || syntax.isUncertain === true || items.length === 0) return [];
  const lines = new TextLines(text);
  const found: QuotingFile[] = [];
  let next = 0;
  for (const { block, diagnostics } of readWholeFiles(text).items.filter(isBlock)) {
    const { startLine, endLine } = block;
    const path = block.properties["path"];
    if (path === undefined || endLine === null || diagnostics.length > 0) continue;
    const quoted: Array<ReadBlock | Diagnostic> = [];
    for (let item = items[next]; item !== undefined && firstLineOf(item) < endLine; item = items[++next])
      if (firstLineOf(item) > startLine && lastLineOf(item) < endLine) quoted.push(item);
    const [first] = quoted;
    if (first === undefined) continue;
    const above = Array.from({ length: firstLineOf(first) - startLine - 1 }, (_, offset) =>
      lines.at(startLine + offset),
    );
    const isEdit = mayEdit(path, quoted) && isBare(above, (line) => syntax.opens(line, settings));
    if (!isEdit) found.push({ path, line: startLine, quoted });
  }
  return found;
}

function firstLineOf(item: ReadBlock | Diagnostic): number {
  return isBlock(item) ? item.block.startLine : item.line;
}

function lastLineOf(item: ReadBlock | Diagnostic): number {
  return isBlock(item) ? (item.block.endLine ?? Infinity) : item.line;
}

/** Returns whether one of the edits is of this file, or whether all are damaged, so that none can run. */
function mayEdit(path: string, items: ReadText["items"]): boolean {
  const isOf = ({ properties }: Block): boolean =>
    [properties["path"], properties["old_path"]].some((one) => one !== undefined && isTail(one, path));
  return (
    items.some((item) => isBlock(item) && isOf(item.block)) ||
    items.every((item) => !isBlock(item) || item.diagnostics.length > 0)
  );
}

/** Returns whether one of two paths ends with the other. */
function isTail(one: string, other: string): boolean {
  const [left, right] = [one, other].map((path) => `/${path.replace(/^(?:\.?\/)+/, "")}`) as [string, string];
  return left.endsWith(right) || right.endsWith(left);
}

/** Returns whether the lines between a fence and the first edit in it are part of the edit, or hold no other fence. */
function isBare(lines: readonly string[], opens: (line: string) => boolean): boolean {
  if (!lines.some((line) => FENCE.test(line))) return true;
  const text = lines.find((line) => line.trim() !== "" && !FENCE.test(line) && labelAbove(line) === undefined);
  return text === undefined || opens(text);
}

const FENCE = /^\s*(?:`{3}|~{3})/;

/** Returns what was read outside such files. */
export function withoutQuoted(read: ReadText, files: readonly QuotingFile[]): ReadText {
  if (files.length === 0) return read;
  const quoted = new Set(files.flatMap((file) => file.quoted));
  return { ...read, items: read.items.filter((item) => !quoted.has(item)) };
}

/** @param own the syntax of the text */
export function quotingFinding({ path, line }: QuotingFile, { called, asked }: Syntax): Finding {
  return {
    code: "answer/other-syntax",
    line,
    message: `line ${line}: the whole file ${path} was not written, and the edits shown in it were not run: a text is read in one syntax, and this one is in ${called}`,
    request: `Send the file again as ${asked.as}: ${asked.write}`,
  };
}
