/** The list of syntaxes, and what is asked of all of them. To add one, add its folder and its line here. */
import { type Block, type Diagnostic, isBlock, type ParseResult, type ReadText } from "../core/block.ts";
import { csl } from "./csl/index.ts";
import { type Delimiters, DELIMITERS } from "./csl/marker.ts";
import { nesl } from "./nesl/index.ts";
import { patch } from "./patch/index.ts";
import { quotingFiles, withoutQuoted } from "./quoted.ts";
import { replacer } from "./replacer/index.ts";
import { searchReplace } from "./search-replace/index.ts";
import { toolCalls } from "./tool-calls/index.ts";
import { unifiedDiff } from "./unified-diff/index.ts";
import { isHeading } from "./headings.ts";
import { lazy, wholeFile } from "./whole-file/index.ts";
import type { ArrivingSyntax, ReadSettings, Syntax } from "./syntax.ts";

/** A text is read in the first of them that it is in. */
const LIST = [nesl, csl, replacer, patch, searchReplace, toolCalls, unifiedDiff, wholeFile, lazy] as const;

export type Format = (typeof LIST)[number]["name"];

/** The syntaxes that a model can be taught. */
export type TaughtFormat = Extract<(typeof LIST)[number], { readonly teach: unknown }>["name"];

export const TAUGHT_FORMATS = LIST.filter((syntax) => "teach" in syntax).map(
  ({ name }) => name,
) as readonly TaughtFormat[];

export const syntaxes: readonly Syntax[] = LIST;

export const FORMATS: readonly Format[] = LIST.map(({ name }) => name);

/** The syntaxes whose blocks run without a question, unless the settings name others. */
export const CERTAIN_FORMATS: readonly Format[] = LIST.filter((syntax) => !("isUncertain" in syntax)).map(
  ({ name }) => name,
);

export interface ReadOptions {
  /** The syntax to read; detected if omitted. */
  readonly format?: Format | undefined;
  readonly csl?: Delimiters | undefined;
}

/**
 * Returns the syntax that a text is in: the first of the list that it holds a block of. Blocks within a complete block
 * of another syntax are that one's text, and so are edits in the text of a whole file. A report is in no syntax of
 * other tools, whatever it shows. Runs in linear time.
 */
export function detect(text: string, settings: ReadSettings): Syntax | undefined {
  const isReport = REPORT.test(text);
  return syntaxes.find((syntax) => {
    const at = isReport && syntax.isForeign ? -1 : syntax.find(text, settings);
    return at !== -1 && !isQuoted(text, settings, { syntax, at });
  });
}

/** What follows the results in a report: what blocks have shown, or the diff of a dry run. */
const REPORT = /^=== OUTPUTS ===\r?$|^=== END ===\r?\n\s*(?:(?:hint|note): .*\s+)*diff --git /m;

/**
 * Returns whether all blocks of a syntax are within complete blocks of others.
 *
 * @param of the offset of the first one
 */
function isQuoted(
  text: string,
  settings: ReadSettings,
  { syntax, at }: { readonly syntax: Syntax; readonly at: number },
): boolean {
  // A block around the first one begins before it.
  const before = text.slice(0, at);
  const around = syntaxes.filter(
    (other) => other !== syntax && other.isUncertain !== true && other.find(before, settings) !== -1,
  );
  const complete = around.flatMap((other) =>
    other
      .read(text, settings, MAX_QUOTED)
      .items.filter(isBlock)
      .flatMap(({ block, diagnostics }) => (diagnostics.length === 0 ? [block] : [])),
  );
  const isInFile = syntax.isUncertain !== true && wholeFile.find(before) !== -1;
  if (complete.length === 0 && !isInFile) return false;
  const { items, fatal } = syntax.read(text, settings, MAX_QUOTED);
  const files = isInFile ? quotingFiles(text, items, { syntax, settings }) : [];
  const inFiles = new Set(files.flatMap(({ quoted }) => quoted));
  return (
    fatal === undefined &&
    items.every((item) => {
      // A heading beside the edits shows no more than that the text has one.
      if (inFiles.has(item) || (isBlock(item) && !syntax.isUncertain && isHeading(text, item))) return true;
      const [start, end] = isBlock(item)
        ? [item.block.startLine, item.block.endLine ?? Infinity]
        : [item.line, item.line];
      return complete.some(({ startLine, endLine }) => startLine < start && endLine !== null && end < endLine);
    })
  );
}

/** Maximum number of errors to read of a text that may be quoted. */
const MAX_QUOTED = 100;

export function syntaxNamed(format: Format): Syntax {
  return LIST.find(({ name }) => name === format) as Syntax;
}

/** Like `parse`, but returns blocks and the errors outside them as they follow each other. */
export function read(text: string, { csl: delimiters = DELIMITERS, format }: ReadOptions = {}): ReadText {
  const settings = { csl: delimiters };
  const syntax = format === undefined ? detect(text, settings) : syntaxNamed(format);
  const all = syntax?.read(text, settings) ?? { items: [] };
  if (syntax === undefined || format !== undefined) return all;
  return withoutQuoted(all, quotingFiles(text, all.items, { syntax, settings }));
}

/**
 * Reads a whole text literally. Returns blocks and errors, each in order, and only the error if it is fatal. Never
 * throws. Runs in linear time.
 */
export function parse(text: string, options?: ReadOptions): ParseResult {
  const { items, fatal } = read(text, options);
  const blocks: Block[] = [];
  const errors: Diagnostic[] = fatal === undefined ? [] : [fatal.diagnostic];
  for (const item of items) {
    if (!isBlock(item)) errors.push(item);
    else {
      blocks.push(item.block);
      for (const diagnostic of item.diagnostics) errors.push(diagnostic);
    }
  }
  return { blocks, errors };
}

/**
 * Returns whether a line opens a block, or claims to, in any syntax. Reports must not repeat such a line as it is. A
 * marker that counts only in the first column counts anywhere here, because a pasted report may lose its indentation.
 *
 * @param delimiters those of CSL in use; the default ones always count too
 * @param isInDiff whether it is a line of a diff, where heads of diffs are no more than text
 */
export function opensBlock(line: string, delimiters: Delimiters = DELIMITERS, isInDiff = false): boolean {
  const rest = line.trimStart();
  return syntaxes.some(
    (syntax) =>
      !(isInDiff && syntax === unifiedDiff) &&
      (syntax.opens(rest, { csl: delimiters }) || syntax.opens(rest, { csl: DELIMITERS })),
  );
}

/**
 * Returns the syntax whose blocks can be read before a text has ended. Undefined if its syntax, or every syntax, must
 * wait.
 */
export function arrivingSyntax(
  format: Format | undefined,
): (Syntax & { readonly arriving: ArrivingSyntax }) | undefined {
  // What the first syntax of the list has begun to read, no later line makes a text of another one.
  const syntax = format === undefined ? syntaxes[0] : syntaxNamed(format);
  const arriving = syntax?.arriving;
  return syntax && arriving && { ...syntax, arriving };
}

/**
 * Returns whether a block of the arriving syntax may be quoted: in a block of another syntax, or in a whole file.
 *
 * @param above the text since the block before it; since the beginning for the first one
 * @param isFirst whether no block is before it, so that the syntax of the text is not certain
 */
export function mayBeQuoted(above: string, settings: ReadSettings, isFirst: boolean): boolean {
  // The text may begin in a fence.
  const isInFile = [above, `\`\`\`\n${above}`].some((one) => wholeFile.find(one) !== -1);
  return isInFile || (isFirst && syntaxes.slice(1).some((syntax) => syntax.find(above, settings) !== -1));
}
