/** The list of syntaxes, and what is asked of all of them. To add one, add its folder and its line here. */
import { type Block, type Diagnostic, isBlock, type ParseResult } from "../core/block.ts";
import { csl } from "./csl/index.ts";
import { type Delimiters, DELIMITERS } from "./csl/marker.ts";
import { nesl } from "./nesl/index.ts";
import { patch } from "./patch/index.ts";
import { plain } from "./plain/index.ts";
import { replacer } from "./replacer/index.ts";
import { searchReplace } from "./search-replace/index.ts";
import { readSeveral, type Several } from "./several.ts";
import { toolCalls } from "./tool-calls/index.ts";
import { unifiedDiff } from "./unified-diff/index.ts";
import { lazy, wholeFile } from "./whole-file/index.ts";
import type { ArrivingSyntax, FileWith, ReadSettings, Syntax } from "./syntax.ts";

/** Where two readings of one stretch of a text are possible, the first of them counts. */
const LIST = [nesl, csl, replacer, patch, searchReplace, toolCalls, unifiedDiff, wholeFile, lazy, plain] as const;

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
  readonly fileWith?: FileWith | undefined;
}

/** What follows the results in a report: what blocks have shown, or would change. */
const REPORT = /^=== OUTPUTS ===\r?$/m;

export function syntaxNamed(format: Format): Syntax {
  return LIST.find(({ name }) => name === format) as Syntax;
}

/**
 * Reads a whole text. A report is in no syntax of other tools, whatever it shows.
 *
 * @param more.repairs whether to read damaged blocks as they are meant, where that is certain
 */
export function read(
  text: string,
  { csl: delimiters = DELIMITERS, format, fileWith }: ReadOptions = {},
  more: { readonly repairs?: boolean; readonly maxErrors?: number } = {},
): Several {
  const all = REPORT.test(text) ? syntaxes.filter(({ isForeign }) => isForeign !== true) : syntaxes;
  const wanted = format === undefined ? all : [syntaxNamed(format)];
  return readSeveral(text, { syntaxes: wanted, settings: { csl: delimiters, fileWith }, ...more });
}

/**
 * Reads a whole text literally. Returns blocks and errors, each in order, and of a syntax with a fatal error only that.
 * Never throws. Runs in linear time.
 */
export function parse(text: string, options?: ReadOptions): ParseResult {
  const { items, parts } = read(text, options);
  const blocks: Block[] = [];
  const errors: Diagnostic[] = parts.flatMap(({ read: { fatal } }) => (fatal === undefined ? [] : [fatal.diagnostic]));
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
 */
export function mayBeQuoted(above: string, settings: ReadSettings): boolean {
  // The text may begin in a fence.
  const isInFile = [above, `\`\`\`\n${above}`].some((one) => wholeFile.find(one) !== -1);
  return isInFile || syntaxes.slice(1).some((syntax) => syntax.find(above, settings) !== -1);
}
