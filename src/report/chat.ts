/** The reports for the chat: a line for each block, and the whole report with outputs, files and what to do next. */
import type { Finding } from "../core/finding.ts";
import { maskSecrets } from "../core/mask-secrets.ts";
import type { ExecutionResult } from "../core/outcome.ts";
import { namedFew, visibleOnOneLine } from "../core/visible.ts";
import { estimateTokens } from "../edit/tokens.ts";
import type { Delimiters } from "../syntaxes/csl/marker.ts";
import { inert } from "./inert.ts";
import { reviewSections } from "./review.ts";
import { codeSentence, labelled, remarkLine, type ReportRows, type Row, rowsOf } from "./rows.ts";
import { type OnMiss, type Peek, renderSection, type Section, sectionsOf, type Show } from "./sections.ts";

/** What a report needs of the project. A `Loaf` is one. */
export interface ReportedProject {
  readonly peek: Peek;
  readonly settings: {
    readonly report: { readonly max_tokens: number; readonly on_miss?: OnMiss };
    readonly csl?: Delimiters;
  };
}

/** Returns the raw result for programs, with each failure as its sentence and code. The only report without escapes. */
export function jsonReport(result: ExecutionResult): string {
  const results = result.results.map((row) => ({ ...row, failure: undefined, near: undefined }));
  return JSON.stringify({ ...result, results }, undefined, 2);
}

/**
 * Returns the short report: a line for each block, to be placed above the answer.
 *
 *     === LOAF RESULTS ===
 *     c8i ✅ file_write /path/to/file.md
 *     qb2 ❌ file_write /path/to/other.rs - Permission denied
 *     === END ===
 *
 * Blocks of a syntax with its own names for operations also have a status line above it.
 */
export function summaryReport(result: ExecutionResult): string {
  return frameSummary(result, rowsOf(result));
}

/**
 * Returns the report of a dry run for the chat: the summary, and in the frame of outputs, so that no part runs when it
 * is pasted, the remarks and the diff with secrets masked.
 */
export function dryRunReport(result: ExecutionResult, diff: string): string {
  const rows = rowsOf(result);
  const remarks = rows.blocks.flatMap(labelled).map(remarkLine).join("\n");
  const parts = [remarks, maskSecrets(diff).trimEnd()].filter((part) => part !== "");
  return [frameSummary(result, rows), "=== OUTPUTS ===", ...parts, "=== END ==="].join("\n\n");
}

/**
 * Returns the whole report, to be pasted into the chat: the summary, then outputs, and the current content of files in
 * which edits failed, or of long ones the closest places. If the answer was truncated, the last line asks the model to
 * continue.
 *
 * Shows at most 50 KB for one action, and at most `report.max_tokens` tokens by `estimateTokens`. Keeps failures first,
 * and names what is omitted. Masks secrets in known formats.
 */
export function fullReport(result: ExecutionResult, project: ReportedProject): string {
  const { max_tokens: limit, on_miss: onMiss } = project.settings.report;
  const rows = rowsOf(result);
  const peek: Peek = (path) => project.peek(path);
  const sections = [...reviewSections(rows, result.comments ?? [], peek), ...sectionsOf(rows, peek, onMiss)];
  const show: Show = (text, isFramed) => inert(text, { csl: project.settings.csl, isFramed });
  const facts = [
    noteOnApplied(rows.blocks, result),
    result.commit && `committed ${result.commit.slice(0, 7)}`,
    codeSentence(result),
  ].flatMap((note) => (note === undefined ? [] : `\nnote: ${note}`));
  const { findings = [] } = result;
  // Comes last, since models follow the last line. The sentence is Loaf's own, but contains foreign names.
  const next = findings
    .filter(({ code }) => code === "answer/cut-off")
    .map(({ request = "" }) => `\n${show(visibleOnOneLine(request), true)}`);
  const noteOn = (finding: Finding): string => linesOfFinding(finding).join("\n");
  return withinTokens(limit, (bytes) => {
    // A truncation of the answer is the last finding.
    const kept = fitting(findings.toReversed(), bytes / 4, noteOn).toReversed();
    const room = bytes / 2 - Buffer.byteLength(kept.map(noteOn).join("\n"));
    const head = `${fitSummary({ ...result, findings: kept }, rows, room)}\n\n=== OUTPUTS ===${facts.join("")}`;
    const outputs = fitSections(sections, bytes - Buffer.byteLength(head) - TAIL_BYTES, show);
    return [head, ...outputs, "\n=== END ===", ...next].join("");
  });
}

/** @param render returns a text of at most about so many bytes */
export function withinTokens(limit: number, render: (bytes: number) => string): string {
  let bytes = limit * MAX_BYTES_PER_TOKEN;
  for (let round = 1; ; round++) {
    const text = render(bytes);
    // A token has at least one byte.
    if (Buffer.byteLength(text) <= limit || round === MAX_ROUNDS) return text;
    const tokens = estimateTokens(text);
    if (tokens <= limit) return text;
    bytes = Math.floor(Math.min(bytes, Buffer.byteLength(text)) * Math.min(0.95, limit / tokens));
  }
}

/** Typical for prose and source code. If a text has fewer, another round fits it by its actual ratio. */
const MAX_BYTES_PER_TOKEN = 4;

/** Maximum attempts to fit. Nearly always two suffice, since the text removed is like the text kept. */
const MAX_ROUNDS = 10;

/** Maximum output of one action, in bytes. */
export const MAX_OUTPUT_BYTES = 50 * 1024;

/** Bytes reserved after the sections: the names of omitted ones, and the end. */
const TAIL_BYTES = 1_200;

/** Returns the items that fit together, each with a line end, in their order. The first ones go first. */
function fitting<Item>(items: readonly Item[], limit: number, textOf: (item: Item) => string): Item[] {
  let left = limit;
  return items.filter((item) => {
    const size = Buffer.byteLength(textOf(item)) + 1;
    if (size > left) return false;
    left -= size;
    return true;
  });
}

/** Returns the summary with the rows that fit, failures first. */
function fitSummary(result: ExecutionResult, rows: ReportRows, limit: number): string {
  const { blocks } = rows;
  const textOf = (row: Row): string => `${summaryOf(row)}\n${statusOf(row) ?? ""}`;
  const kept = new Set(fitting(failuresFirst(blocks, isFailed), limit, textOf));
  const omitted = blocks.filter((row) => !kept.has(row));
  if (omitted.length === 0) return frameSummary(result, rows);
  const are = omitted.length === 1 ? "1 more block is" : `${omitted.length} more blocks are`;
  const note = `note: ${are} not listed, ${omitted.filter(isFailed).length} failed; a higher report.max_tokens in loaf.yml or loaf run --json lists all`;
  return frameSummary(result, { ...rows, blocks: blocks.filter((row) => kept.has(row)) }, note);
}

/** Returns the rows in their frame, with notes about the whole run, and status lines above. */
function frameSummary(result: ExecutionResult, { blocks, checks, hooks }: ReportRows, ...notes: string[]): string {
  const { fatalError, interrupted, totalBlocks, findings = [], readAs } = result;
  const isEmpty = totalBlocks === 0 && blocks.length === 0 && fatalError === undefined;
  const failed = (sentence: string | undefined): string[] =>
    sentence === undefined ? [] : [`❌ ${visibleOnOneLine(sentence)}`];
  return [
    ...blocks.flatMap((row) => statusOf(row) ?? []),
    "=== LOAF RESULTS ===",
    ...failed(fatalError),
    ...(isEmpty ? ["Nothing to run found"] : blocks.map(summaryOf)),
    ...failed(interrupted),
    ...[...checks, ...hooks].map(summaryOf),
    ...notes,
    ...(readAs === undefined ? [] : [`note: the answer was read in ${readAs}`]),
    ...findings.flatMap(linesOfFinding),
    "=== END ===",
  ].join("\n");
}

function linesOfFinding({ message, request }: Finding): string[] {
  const hint = request === undefined ? [] : [`hint: ${visibleOnOneLine(request)}`];
  return [`note: ${visibleOnOneLine(message)}`, ...hint];
}

/** Returns one line, or several for a block with several errors. */
function summaryOf({ label, mark, action, subject, tally, problem, details, line, result }: Row): string {
  if (action !== "" && result === undefined)
    return [
      `${label} ${mark} ${action.padEnd(10)} ERROR: ${problem} (line ${line})`,
      ...details.map((detail) => `${" ".repeat(20)}- ${detail}`),
    ].join("\n");
  const named = [label, mark, action, subject].filter((part) => part !== "").join(" ");
  return `${named}${tally === undefined ? "" : `: ${tally}`}${problem === undefined ? "" : ` - ${problem}`}`;
}

/**
 * Returns a status line for a block whose syntax has its own names for operations, in the format of that syntax.
 *
 *     [task-1] SUCCESS: WRITE - src/app.js
 *     [task-2.1] ERROR: SEARCH - src/app.js: old_text not found in file
 */
function statusOf({ label, operation, isFatal, subject, problem, result }: Row): string | undefined {
  if (operation === undefined) return undefined;
  const isSkipped = result?.code?.startsWith("skip/") || result?.appliedIn !== undefined;
  const error = isFatal ? "FATAL" : isSkipped ? "SKIP" : "ERROR";
  // One replacement is the usual.
  const { replacements = 1 } = Object(result?.data) as { readonly replacements?: number };
  const done = `${subject}${replacements === 1 ? "" : ` (${replacements} replacements)`}`;
  const details = problem === undefined ? done : [subject, problem].filter((detail) => detail !== "").join(": ");
  return `[${label}] ${problem === undefined ? "SUCCESS" : error}: ${operation} - ${details}`;
}

/** Returns the sections that fit, each with its separator, and a note that names the others. */
function fitSections(sections: readonly Section[], limit: number, show: Show): string[] {
  const kept = new Map<Section, string>();
  const least = leastOf(sections, limit, show);
  let reserved = [...least.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  let left = limit;
  for (const section of failuresFirst(sections, ({ failed }) => failed)) {
    reserved -= Buffer.byteLength(least.get(section) ?? "");
    const text = fitSection(section, left - reserved, show) ?? least.get(section);
    if (text === undefined) continue;
    left -= Buffer.byteLength(text);
    kept.set(section, text);
  }
  // Remarks without a section come first.
  const ordered = failuresFirst(sections, ({ title }) => title === undefined);
  const omitted = sections
    .filter((section) => !kept.has(section))
    .map(({ title, label }) => visibleOnOneLine(title ?? `hints and warnings of ${label}`, 100));
  const note = `\n\nnote: left out to keep the report short: ${namedFew(omitted, 10)}; ask for them again, fewer at a time`;
  return [...ordered.map((section) => kept.get(section) ?? ""), omitted.length === 0 ? "" : note];
}

/**
 * Reserves room for sections with hints and warnings, without content: these matter more than files in which edits
 * failed.
 */
function leastOf(sections: readonly Section[], limit: number, show: Show): Map<Section, string> {
  const least = new Map<Section, string>();
  let left = limit;
  const important = sections.filter(
    ({ failed, title, remarks }) => remarks.length > 0 && (failed || title === undefined),
  );
  for (const section of failuresFirst(important, ({ failed }) => failed)) {
    const text = separated(section, 0, show);
    if (Buffer.byteLength(text) > left) continue;
    left -= Buffer.byteLength(text);
    least.set(section, text);
  }
  return least;
}

function separated(section: Section, outputLimit: number, show: Show): string {
  return (section.title === undefined ? "\n" : "\n\n") + renderSection(section, outputLimit, show);
}

/** Returns the section, if necessary with truncated content, or undefined if that does not fit either. */
function fitSection(section: Section, limit: number, show: Show): string | undefined {
  // The limit avoids rendering content for which there is no room.
  const whole = separated(section, Math.min(MAX_OUTPUT_BYTES, limit), show);
  if (Buffer.byteLength(whole) <= limit) return whole;
  const room = limit - Buffer.byteLength(separated(section, 0, show));
  const part = room > 1_000 ? separated(section, room - 100, show) : undefined;
  return part !== undefined && Buffer.byteLength(part) <= limit ? part : undefined;
}

/** Tells which blocks not to send again, if some failed. */
function noteOnApplied(blocks: readonly Row[], { hookErrors, rolledBack }: ExecutionResult): string | undefined {
  const failed = blocks.filter(isFailed);
  if (hookErrors?.before !== undefined)
    return "nothing is applied; the same text can be run again once the hook is fixed";
  if (failed.length === 0)
    return hookErrors && "all blocks are applied, do not send them again; a hook that ran after them failed";
  const done = blocks.filter(isApplied);
  // A run that was rolled back has no changes, whatever its actions report. Nobody knows which changes of a torn action
  // are on the disk.
  const partly = failed.filter(
    (row) => row.result?.code === "run/torn" || (rolledBack !== true && changedBy(row).length > 0),
  );
  const not = failed.filter((row) => !partly.includes(row));
  const named = `${partly.slice(0, MAX_LABELS).map(namedChanges).join(", ")}${partly.length > MAX_LABELS ? " and more" : ""}`;
  return [
    ...(done.length > 0 ? [`applied, do not send again: ${labels(done, "✅ or ⚠️")}`] : []),
    ...(done.length + partly.length > 0 ? [] : ["nothing is applied"]),
    ...(partly.length > 0 ? [`failed after changing files, do not send again unchanged: ${named}`] : []),
    ...(not.length > 0 ? [`not applied: ${labels(not, "❌")}`] : []),
  ].join("; ");
}

/** False for blocks that only read, or changed nothing: these can be sent again. */
function isApplied(row: Row): boolean {
  const { effect, changed } = row.definition ?? {};
  if (isFailed(row)) return false;
  return effect === undefined ? changed !== undefined : changed === undefined || changedBy(row).length > 0;
}

function changedBy({ definition, result }: Row): readonly string[] {
  return result?.data === undefined ? [] : (definition?.changed?.(result.data as never) ?? []);
}

function namedChanges(row: Row): string {
  const paths = changedBy(row);
  const more = paths.length > MAX_PATHS ? ` and ${paths.length - MAX_PATHS} more` : "";
  const named = paths
    .slice(0, MAX_PATHS)
    .map((path) => visibleOnOneLine(path, 100))
    .join(", ");
  return paths.length === 0 ? row.label : `${row.label} (${named}${more})`;
}

const MAX_PATHS = 3;

/** Enough labels to read, which fit beside the other notes. */
const MAX_LABELS = 20;

/** @param mark identifies the omitted labels in the list above */
function labels(rows: readonly Row[], mark: string): string {
  const more = rows.length - MAX_LABELS;
  const named = rows
    .slice(0, MAX_LABELS)
    .map(({ label, line }) => (label === "unknown" ? `unknown (line ${line})` : label));
  return named.join(", ") + (more > 0 ? ` and ${more} more, marked ${mark} above` : "");
}

function isFailed({ mark }: Row): boolean {
  return mark === "❌";
}

function failuresFirst<Item>(items: readonly Item[], failed: (item: Item) => boolean): Item[] {
  return [...items.filter(failed), ...items.filter((item) => !failed(item))];
}
