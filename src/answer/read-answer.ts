import { type Block, type Diagnostic, type FatalError, isBlock, type Item, type ParseResult } from "../core/block.ts";
import type { Finding } from "../core/finding.ts";
import { append } from "../core/lists.ts";
import { DELIMITERS, type Delimiters } from "../syntaxes/csl/marker.ts";
import { findingsIn } from "./findings/findings.ts";
import { FenceTracker } from "../syntaxes/fence.ts";
import { type Format, syntaxes, syntaxNamed } from "../syntaxes/index.ts";
import { quotingFinding } from "./quoted.ts";
import {
  loneClosingIn,
  lonePairsIn,
  type Reasoning,
  reasoningFinding,
  withoutFirstLines,
  withoutReasoning,
  withoutReasoningIn,
} from "./reasoning.ts";
import { readSeveral, type Several } from "./several.ts";
import type { FileWith, Part, Syntax } from "../syntaxes/syntax.ts";
import { linesOfBlocks } from "../syntaxes/line-blocks.ts";

/** A model's answer as a run reads it. `parse` is literal; `readAnswer` reads blocks as intended where that is certain. */
interface Answer {
  /** The text that the blocks' spans refer to. Line numbers are those of the original. */
  readonly text: string;
  /** In the order of the text. */
  readonly items: readonly Item[];
  readonly syntaxOf: ReadonlyMap<Item, Syntax>;
  /** An error for which the blocks of its syntax do not run. */
  readonly fatal?: FatalError;
  readonly totalBlocks: number;
  /** What the syntaxes that other tools defined are called, if blocks are in any. */
  readonly readAs?: string;
  /** Sorted by line. */
  readonly findings: readonly Finding[];
  readonly advise: Advise;
  readonly reasoning?: Reasoning;
}

/**
 * Returns a hint for each error of a block, or of a line outside blocks.
 *
 * @param text the block, or that line
 */
export type Advise = (diagnostics: readonly Diagnostic[], text: string) => readonly string[];

interface AnswerOptions extends ReadOptions {
  /** Names of the syntaxes whose blocks may run without a question; all of them if undefined. */
  readonly allowed?: readonly string[];
}

/** Reads an answer and finds damage in it. Never throws. Runs in linear time. */
export function readAnswer(written: string, options: AnswerOptions = {}): Answer {
  const reset = resetIn(written);
  const unvoided = reset === undefined ? unwrapped(written) : withoutFirstLines(written, reset);
  const { text: below, reasoning: opened } = withoutReasoning(unvoided);
  const reasoning = opened ?? reasoningAbove(below, options);
  const unread = reset === undefined ? [] : [voidFinding(reset)];
  const isAbove = reasoning !== undefined && opened === undefined;
  const text = isAbove ? withoutFirstLines(below, reasoning.lastLine) : below;
  const within = reasoningWithin(text, options);
  const answer = readOutsideReasoning(withoutReasoningIn(text, within), options);
  append(unread, within.map(reasoningFinding));
  if (reasoning === undefined) return { ...answer, findings: [...unread, ...answer.findings] };
  // What is below a report is no report.
  const others = answer.findings.filter(({ code }) => code !== "answer/report");
  return { ...answer, reasoning, findings: [...unread, reasoningFinding(reasoning), ...others] };
}

/** Returns the 1-based line of kopipasta's mark that makes void what stands above it. */
function resetIn(text: string): number | undefined {
  const at = text.split("\n").findLastIndex((line) => line.trimEnd() === "<<<RESET>>>");
  return at === -1 ? undefined : at + 1;
}

function voidFinding(line: number): Finding {
  return { code: "answer/not-read", line: 1, message: `not read: what stands above <<<RESET>>> (lines 1-${line})` };
}

/** Returns a text without the longer fence around all of it, so that lines stay. */
function unwrapped(text: string): string {
  const [opening = "", indent = "", marks = ""] = WRAPPER.exec(text) ?? [];
  if (marks === "" || !text.trimEnd().endsWith(`\n${indent}${marks}`)) return text;
  const end = text.trimEnd().length;
  const inside = text.slice(opening.length, end - marks.length);
  if (new RegExp(`^\\s*${marks}`, "m").test(inside)) return text;
  return " ".repeat(opening.length) + inside + " ".repeat(marks.length) + text.slice(end);
}

const WRAPPER = /^(?:\ufeff|\s)*?([ \t]*)(`{4,}|~{4,})(?:markdown|md|text|txt)?[ \t]*(?=\r?\n)/i;

/** Finds reasoning whose opening tag is missing: what is above a closing tag outside blocks and code fences. */
function reasoningAbove(text: string, options: AnswerOptions): Reasoning | undefined {
  const lastLine = loneClosingIn(text);
  if (lastLine === undefined) return undefined;
  return linesOfProse(text, options).has(lastLine) ? { isOpen: false, firstLine: 1, lastLine } : undefined;
}

/** Finds reasoning between tags that are alone on their lines, the first one outside blocks and code fences. */
function reasoningWithin(text: string, options: AnswerOptions): readonly Reasoning[] {
  const pairs = lonePairsIn(text);
  if (pairs.length === 0) return pairs;
  const prose = linesOfProse(text, options);
  return pairs.filter(({ firstLine }) => prose.has(firstLine));
}

/** Returns the 1-based lines outside blocks and code fences. */
function linesOfProse(text: string, options: AnswerOptions): ReadonlySet<number> {
  const { source, items } = read(text, options);
  const fences = new FenceTracker(source.fenceEnds);
  const lines = new Set<number>();
  source.visitOutside(linesOfBlocks(source, items), (line, number) => {
    fences.read(line, number);
    if (fences.open === undefined) lines.add(number);
  });
  return lines;
}

function readOutsideReasoning(written: string, options: AnswerOptions): Answer {
  const settings = { csl: options.csl ?? DELIMITERS, fileWith: options.fileWith };
  const several = read(written, options, { repairs: true, maxErrors: MAX_ERRORS });
  const { allowed, barred } = split(several, options);
  const { source, parts, items } = allowed;
  const files = several.quoting.filter((file) => !isRead(file, items));
  const findings = findingsIn(allowed, {
    settings,
    barred,
    unread: options.format === undefined ? [] : syntaxes.filter(({ name }) => name !== options.format),
    unrepaired: [...several.findings, ...files.map(quotingFinding)],
  });
  const ofDiagnostic = new Map<Diagnostic, Syntax>();
  for (const { syntax, read: part } of parts) {
    if (part.fatal !== undefined) ofDiagnostic.set(part.fatal.diagnostic, syntax);
    for (const item of part.items)
      for (const diagnostic of isBlock(item) ? item.diagnostics : [item]) ofDiagnostic.set(diagnostic, syntax);
  }
  const fatal = parts.map((part) => part.read.fatal).find((error) => error !== undefined);
  const foreign = parts.filter(({ syntax, read: part }) => syntax.isForeign === true && part.items.length > 0);
  return {
    text: source.text,
    items,
    syntaxOf: allowed.syntaxOf,
    ...(fatal !== undefined && { fatal }),
    findings,
    advise: (diagnostics, of) => {
      const syntax = diagnostics[0] && ofDiagnostic.get(diagnostics[0]);
      return syntax?.advise(diagnostics, of, settings) ?? [];
    },
    totalBlocks: items.filter(isBlock).length,
    ...(foreign.length > 0 && { readAs: foreign.map(({ syntax }) => syntax.called).join(" and ") }),
  };
}

/** Takes out what is in syntaxes that the settings do not name. What nobody is sure of is asked about instead. */
function split(several: Several, { format, allowed }: AnswerOptions): Split {
  const isBarred = ({ name, isUncertain }: Syntax): boolean =>
    format === undefined && allowed?.includes(name) === false && isUncertain !== true;
  const isFull = ({ read: { items, fatal } }: Part): boolean => items.length > 0 || fatal !== undefined;
  const barred = several.parts.filter((part) => isBarred(part.syntax) && isFull(part));
  if (barred.length === 0) return { allowed: several, barred };
  const parts = several.parts.filter(({ syntax }) => !isBarred(syntax));
  const items = several.items.filter((item) => !isBarred(several.syntaxOf.get(item) as Syntax));
  return { allowed: { ...several, parts, items }, barred };
}

interface Split {
  readonly allowed: Several;
  readonly barred: readonly Part[];
}

/** Returns whether a file that holds blocks was read as a file. */
function isRead({ path, line, isClear }: Several["quoting"][number], items: readonly Item[]): boolean {
  const files = items.filter(isBlock).filter(({ startLine }) => startLine === line);
  return isClear && files.some(({ properties }) => properties["path"] === path);
}

/** Maximum number of errors: more do not fit in a report, and millions of them take gigabytes. */
export const MAX_ERRORS = 10_000;

export interface ReadOptions {
  /** The syntax to read; detected if omitted. */
  readonly format?: Format | undefined;
  readonly csl?: Delimiters | undefined;
  readonly fileWith?: FileWith | undefined;
}

/** What follows the results in a report: what blocks have shown, or would change. */
const REPORT = /^=== OUTPUTS ===\r?$/m;

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
      const { id, properties, startLine, endLine } = item;
      blocks.push({ id, properties, startLine, endLine });
      for (const diagnostic of item.diagnostics) errors.push(diagnostic);
    }
  }
  return { blocks, errors };
}
