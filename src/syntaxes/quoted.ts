/**
 * Finds blocks that are text of a whole file under its path: the example in docs/howto.md, the fixture in a test. They
 * are that file's, whether or not whole files may be written. Runs in linear time.
 *
 * A fence under a path is no file if it holds an edit of that very path, with nothing around it: a SEARCH/REPLACE block
 * below `src/a.ts`. Nor is it one if Loaf's own blocks begin in its first line. Models write a path above an edit and
 * above a file alike, so the paths decide.
 */
import { type Block, type Diagnostic, isBlock, type ReadBlock, type ReadText } from "../core/block.ts";
import type { Finding } from "../core/finding.ts";
import { labelAbove } from "./path-label.ts";
import type { ReadSettings, Syntax } from "./syntax.ts";
import { TextLines, withoutBlocks } from "./text-lines.ts";
import { readWholeFiles } from "./whole-file/read.ts";

/** A whole file, and what was read of its text in another syntax. */
export interface QuotingFile {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** Whether it is clear where its text ends. */
  readonly isClear: boolean;
  readonly quoted: ReadText["items"];
}

/** @param items in the order of their lines, as the syntax has read them */
export function quotingFiles(
  text: string,
  items: ReadText["items"],
  { syntax, settings }: { readonly syntax: Syntax; readonly settings: ReadSettings },
): readonly QuotingFile[] {
  if (syntax.isUncertain === true || items.length === 0) return [];
  const lines = new TextLines(text);
  const outside = syntax.isForeign === true ? text : withoutBlocks(text, items);
  const files = readWholeFiles(outside).items.filter(isBlock);
  const found: QuotingFile[] = [];
  let next = 0;
  for (const [index, { block, diagnostics }] of files.entries()) {
    const { startLine, endLine } = block;
    const path = block.properties["path"];
    if (path === undefined) continue;
    const isClear = diagnostics.length === 0;
    // Where a fence that is never closed, or unclear, ends, nobody knows: at the latest with the next file.
    const end = (isClear ? endLine : files[index + 1]?.block.startLine) ?? Infinity;
    const quoted: Array<ReadBlock | Diagnostic> = [];
    for (let item = items[next]; item !== undefined && firstLineOf(item) < end; item = items[++next])
      if (firstLineOf(item) > startLine && (!isClear || lastLineOf(item) < end)) quoted.push(item);
    const [first] = quoted;
    if (first === undefined) continue;
    const above = Array.from({ length: firstLineOf(first) - startLine - 1 }, (_, offset) =>
      lines.at(startLine + offset),
    );
    const opens = (line: string): boolean => syntax.opens(line, settings);
    const isEdit =
      syntax.isForeign === true ? mayEdit(path, quoted) && isBare(above, opens) : beginsWithBlock(above, opens);
    if (!isEdit) found.push({ path, line: startLine, isClear, quoted });
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
  return !lines.some((line) => FENCE.test(line)) || beginsWithBlock(lines, opens);
}

function beginsWithBlock(lines: readonly string[], opens: (line: string) => boolean): boolean {
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
export function quotingFinding({ path, line, isClear }: QuotingFile, { called, asked }: Syntax): Finding {
  const message = isClear
    ? `the whole file ${path} was not written, and the edits shown in it were not run: a text is read in one syntax, and this one is in ${called}`
    : `it is unclear where the code fence of ${path} ends: it was not written, and the edits below, which may be text of it, were not run`;
  return {
    code: "answer/other-syntax",
    line,
    message: `line ${line}: ${message}`,
    request: `Send ${isClear ? "the file" : "each of them"} again as ${asked.as}: ${asked.write}`,
  };
}
