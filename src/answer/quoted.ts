/**
 * Finds blocks that are text of a whole file under its path: the example in docs/howto.md, the fixture in a test. They
 * are that file's, whether or not whole files may be written. Runs in linear time.
 *
 * A fence under a path is no file if it holds an edit of that very path, with nothing around it: a SEARCH/REPLACE block
 * below `src/a.ts`. Nor is it one if Loaf's own blocks begin in its first line. Models write a path above an edit and
 * above a file alike, so the paths decide.
 */
import { type Block, isBlock, type Item, type ReadText } from "../core/block.ts";
import type { Finding } from "../core/finding.ts";
import { isFence } from "../syntaxes/fence.ts";
import { labelAbove } from "../syntaxes/path-label.ts";
import type { ReadSettings, Syntax } from "../syntaxes/syntax.ts";
import { linesOf, withoutBlocks } from "../syntaxes/line-blocks.ts";
import type { Source } from "../syntaxes/source.ts";
import { readWholeFiles } from "../syntaxes/whole-file/read.ts";

/** A whole file, and what was read of its text in another syntax. */
export interface QuotingFile {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** Whether it is clear where its text ends. */
  readonly isClear: boolean;
  readonly quoted: readonly Item[];
  /** That of the first one. */
  readonly syntax: Syntax;
}

export function quotingFiles(
  source: Source,
  items: ReadText["items"],
  { syntaxOf, settings }: { readonly syntaxOf: ReadonlyMap<Item, Syntax>; readonly settings: ReadSettings },
): readonly QuotingFile[] {
  if (items.length === 0) return [];
  const isForeign = (item: Item): boolean => syntaxOf.get(item)?.isForeign === true;
  const outside = withoutBlocks(
    source,
    items.filter((item) => !isForeign(item)),
  );
  const files = readWholeFiles(outside).items.filter(isBlock);
  // Those of a group stand together.
  const sorted = items.toSorted((left, right) => firstLineOf(left) - firstLineOf(right));
  const found: QuotingFile[] = [];
  let next = 0;
  for (const [index, { startLine, endLine, properties, diagnostics, span }] of files.entries()) {
    const { path } = properties;
    if (path === undefined) continue;
    const isClear = diagnostics.length === 0;
    // Where the end of a fence is unclear, it comes at the latest with the next file.
    const latest = endLine === null ? outside.lineAt(span.end) + 2 : (files[index + 1]?.startLine ?? Infinity);
    const end = isClear ? (endLine ?? Infinity) : latest;
    const quoted: Item[] = [];
    for (let item = sorted[next]; item !== undefined && firstLineOf(item) < end; item = sorted[++next])
      if (firstLineOf(item) > startLine && (!isClear || lastLineOf(item) < end)) quoted.push(item);
    const [first] = quoted;
    const syntax = first && syntaxOf.get(first);
    if (first === undefined || syntax === undefined) continue;
    const above = Array.from({ length: firstLineOf(first) - startLine - 1 }, (_, offset) =>
      source.at(startLine + offset),
    );
    const opens = (line: string): boolean => syntax.opens(line, settings);
    const isEdit = isForeign(first) ? mayEdit(path, quoted) && isBare(above, opens) : beginsWithBlock(above, opens);
    if (!isEdit) found.push({ path, line: startLine, isClear, quoted, syntax });
  }
  return found;
}

const firstLineOf = (item: Item): number => linesOf(item).first;

function lastLineOf(item: Item): number {
  return isBlock(item) ? (item.endLine ?? Infinity) : item.line;
}

/** Returns whether one of the edits is of this file, or whether all are damaged, so that none can run. */
function mayEdit(path: string, items: ReadText["items"]): boolean {
  const isOf = ({ properties }: Block): boolean =>
    [properties["path"], properties["old_path"]].some((named) => named !== undefined && isTail(named, path));
  return (
    items.some((item) => isBlock(item) && isOf(item)) ||
    items.every((item) => !isBlock(item) || item.diagnostics.length > 0)
  );
}

/** Returns whether one of two paths ends with the other. */
function isTail(first: string, second: string): boolean {
  const [left, right] = [first, second].map((path) => `/${path.replace(/^(?:\.?\/)+/, "")}`) as [string, string];
  return left.endsWith(right) || right.endsWith(left);
}

/** Returns whether the lines between a fence and the first edit in it are part of the edit, or hold no other fence. */
function isBare(lines: readonly string[], opens: (line: string) => boolean): boolean {
  return !lines.some((line) => isFence(line)) || beginsWithBlock(lines, opens);
}

function beginsWithBlock(lines: readonly string[], opens: (line: string) => boolean): boolean {
  const text = lines.find((line) => line.trim() !== "" && !isFence(line) && labelAbove(line) === undefined);
  return text === undefined || opens(text);
}

/** Says that blocks were taken for text of a file. */
export function quotingFinding({ path, line, isClear, syntax: { asked } }: QuotingFile): Finding {
  const message = isClear
    ? `the edits shown in the file ${path} were not run`
    : `it is unclear where the code fence of ${path} ends: the edits below, which may be text of it, were not run`;
  return {
    code: "answer/other-syntax",
    line,
    message: `line ${line}: ${message}`,
    request: `Send each of them again as ${asked.as}, outside of the file`,
  };
}
