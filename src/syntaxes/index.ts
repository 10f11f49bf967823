/** The list of syntaxes, and what is asked of all of them. To add one, add its folder and its line here. */
import type { ReadText } from "../core/block.ts";
import { csl } from "./csl/index.ts";
import { type Delimiters, DELIMITERS } from "./csl/marker.ts";
import { nesl } from "./nesl/index.ts";
import { patch } from "./patch/index.ts";
import { plain } from "./plain/index.ts";
import { replacer } from "./replacer/index.ts";
import { searchReplace } from "./search-replace/index.ts";
import { toolCalls } from "./tool-calls/index.ts";
import { unifiedDiff } from "./unified-diff/index.ts";
import { lazy, wholeFile } from "./whole-file/index.ts";
import { Source } from "./source.ts";
import type { ArrivingSyntax, ReadSettings, Syntax } from "./syntax.ts";

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

export function syntaxNamed(format: Format): Syntax {
  return LIST.find(({ name }) => name === format) as Syntax;
}

/**
 * Returns whether a line opens a block, or claims to, in any syntax. Reports must not repeat such a line as it is. A
 * marker that counts only in the first column counts anywhere here, because a pasted report may lose its indentation.
 *
 * @param delimiters those of CSL in use; the default ones always count too
 * @param isInDiff whether it is a line of a diff, where heads of diffs are no more than text
 */
export function opensBlock(line: string, delimiters: Delimiters = DELIMITERS, isInDiff = false): boolean {
  const trimmed = line.trimStart();
  return syntaxes.some(
    (syntax) =>
      !(isInDiff && syntax === unifiedDiff) &&
      (syntax.opens(trimmed, { csl: delimiters }) || syntax.opens(trimmed, { csl: DELIMITERS })),
  );
}

/** Returns false for a text that is surely not in a syntax. */
export function isIn(source: Source, syntax: Syntax, settings: ReadSettings): boolean {
  return syntax.isIn?.(source, settings) ?? true;
}

/** Returns whether something was read of a text. */
export function holds({ items, fatal }: ReadText): boolean {
  return items.length > 0 || fatal !== undefined;
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
  const isFile = wholeFile.read(new Source(`\`\`\`\n${above}`)).items.length > 0;
  const source = new Source(above);
  return (
    isFile || syntaxes.slice(1).some((syntax) => isIn(source, syntax, settings) && holds(syntax.read(source, settings)))
  );
}
