import { type Diagnostic, isBlock, type ReadBlock, type ReadText } from "../core/block.ts";
import type { Finding } from "../core/finding.ts";
import { DELIMITERS } from "./csl/marker.ts";
import { findingsIn } from "./damage/findings.ts";
import { detect, type ReadOptions, syntaxes, syntaxNamed } from "./index.ts";
import { quotingFiles, quotingFinding, withoutQuoted } from "./quoted.ts";
import { reasoningFinding, withoutReasoning } from "./reasoning.ts";
import type { ReadSettings, Repaired, Syntax } from "./syntax.ts";

/** A model's answer as a run reads it. `parse` is literal; this reads blocks as intended where that is certain. */
export interface Answer extends ReadText {
  /** The text that the blocks' spans refer to. Line numbers are those of the original. */
  readonly text: string;
  readonly totalBlocks: number;
  /** What the syntax is called, if other tools defined it. */
  readonly readAs?: string;
  /** Sorted by line. */
  readonly findings: readonly Finding[];
  readonly advise: Advise;
}

/**
 * Returns a hint for each error of a block, or of a line outside blocks.
 *
 * @param text the block, or that line
 */
export type Advise = (diagnostics: readonly Diagnostic[], text: string) => readonly string[];

/**
 * Reads an answer and finds damage in it. Never throws. Runs in linear time. A text in no known syntax is read as NESL,
 * because it may contain what was meant to run.
 *
 * @param options.allowed names of the syntaxes to detect; all of them if undefined
 */
export function readAnswer(
  written: string,
  options: ReadOptions & { readonly allowed?: readonly string[] } = {},
): Answer {
  const { text, reasoning } = withoutReasoning(written);
  const answer = readOutsideReasoning(text, options);
  if (reasoning === undefined) return answer;
  const drafts = reasoning.isOpen ? 0 : draftsIn(reasoning.text, options);
  const finding = reasoningFinding(reasoning, { drafts, hasAnswer: answer.items.length > 0 });
  // What is below a report is no report.
  const others = answer.findings.filter(({ code }) => code !== "answer/report");
  return { ...answer, findings: finding === undefined ? others : [finding, ...others] };
}

/** Returns the number of blocks in reasoning, which may show code that is no file. */
function draftsIn(text: string, { csl = DELIMITERS, format }: ReadOptions): number {
  const syntax = format === undefined ? detect(text, { csl }) : syntaxNamed(format);
  if (syntax === undefined || syntax.isUncertain === true) return 0;
  const { items, fatal } = syntax.read(text, { csl }, MAX_ERRORS);
  return fatal === undefined ? items.filter(isBlock).length : 1;
}

function readOutsideReasoning(
  written: string,
  { csl = DELIMITERS, format, allowed }: ReadOptions & { readonly allowed?: readonly string[] },
): Answer {
  const settings = { csl };
  const syntax: Syntax =
    format === undefined ? (detect(written, settings) ?? (syntaxes[0] as Syntax)) : syntaxNamed(format);
  if (format === undefined && allowed?.includes(syntax.name) === false && syntax.isUncertain !== true)
    return notAllowed(written, syntax, settings);
  const asWritten = syntax.read(written, settings, MAX_ERRORS);
  const repaired = syntax.repair?.(written, asWritten) ?? { text: written, warnings: new Map(), findings: [] };
  const { text } = repaired;
  const all = text === written ? asWritten : withWarnings(syntax.read(text, settings, MAX_ERRORS), repaired);
  const files = format === undefined ? quotingFiles(text, all.items, { syntax, settings }) : [];
  const read = withoutQuoted(all, files);
  const unrepaired = [...repaired.findings, ...files.map((file) => quotingFinding(file, syntax))];
  const findings = findingsIn(text, read, { syntax, settings, unrepaired, told: files.map(({ path }) => path) });
  return {
    ...read,
    text,
    findings,
    advise: (diagnostics, of) => syntax.advise(diagnostics, of, settings),
    totalBlocks: read.items.filter(isBlock).length,
    ...(syntax.isForeign && { readAs: syntax.called }),
  };
}

function notAllowed(text: string, { called, find }: Syntax, settings: ReadSettings): Answer {
  const line = text.slice(0, Math.max(0, find(text, settings))).split("\n").length;
  const message = `line ${line}: the answer is in ${called}, which the setting 'syntaxes' does not name: nothing was run`;
  return {
    text,
    items: [],
    totalBlocks: 0,
    advise: () => [],
    findings: [
      { code: "answer/other-syntax", line, message, request: "Send it again in a syntax that the settings name" },
    ],
  };
}

/** Maximum number of errors: more do not fit in a report, and millions of them take gigabytes. */
export const MAX_ERRORS = 10_000;

function withWarnings(read: ReadText, { warnings }: Repaired): ReadText {
  const warned = (item: ReadBlock | Diagnostic): ReadBlock | Diagnostic => {
    const warning = isBlock(item) ? warnings.get(item.block.startLine) : undefined;
    return warning === undefined ? item : { ...item, warnings: [warning] };
  };
  return { ...read, items: read.items.map(warned) };
}
