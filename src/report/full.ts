import { actionByName } from "../actions/index.ts";
import type { Finding } from "../core/finding.ts";
import type { ExecutionResult } from "../core/outcome.ts";
import type { Delimiters } from "../syntaxes/csl/marker.ts";
import { estimateTokens } from "../edit/tokens.ts";
import { entriesOf, type Entry } from "./entries.ts";
import { codeSentence } from "./outcome.ts";
import {
  checkSections,
  hookSections,
  masked,
  type OnMiss,
  type Peek,
  renderSection,
  type Section,
  sectionsOf,
  type Show,
} from "./sections.ts";
import { inert } from "./inert.ts";
import { frameSummary, linesOf, statusOf, summaryOf } from "./summary.ts";
import { visibleOnOneLine } from "../core/visible.ts";

/** What a report needs of the project. A `Loaf` is one. */
export interface ReportedProject {
  readonly peek: Peek;
  readonly settings: {
    readonly report: { readonly max_tokens: number; readonly on_miss?: OnMiss };
    readonly csl?: Delimiters;
  };
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
  const entries = entriesOf(result);
  const sections = [
    ...checkSections(result),
    ...hookSections(result),
    ...sectionsOf(entries, (path) => project.peek(path), onMiss),
  ].map(masked);
  const show: Show = (text, isFramed) => inert(text, { csl: project.settings.csl, isFramed });
  let bytes = limit * MAX_BYTES_PER_TOKEN;
  for (let round = 1; ; round++) {
    const text = reportOf(result, { entries, sections, show, bytes });
    // A token has at least one byte.
    if (Buffer.byteLength(text) <= limit || round === MAX_ROUNDS) return text;
    const tokens = estimateTokens(text);
    if (tokens <= limit) return text;
    bytes = Math.floor(Math.min(bytes, Buffer.byteLength(text)) * Math.min(0.95, limit / tokens));
  }
}

interface Parts {
  readonly entries: readonly Entry[];
  readonly sections: readonly Section[];
  readonly show: Show;
  /** Maximum size of the report. */
  readonly bytes: number;
}

function reportOf(result: ExecutionResult, { entries, sections, show, bytes }: Parts): string {
  const findings = fitFindings(result.findings ?? [], bytes / 4);
  const summary = fitSummary({ ...result, findings }, entries, bytes / 2 - sizeOf(findings));
  const head = `${summary}\n\n=== OUTPUTS ===${noteOnApplied(entries, result)}${noteOnCommit(result)}${noteOnCode(result)}`;
  const outputs = fitSections(sections, bytes - Buffer.byteLength(head) - TAIL_BYTES, show);
  return [head, ...outputs, "\n=== END ===", ...continuation(result, show)].join("");
}

/** Comes last, since models follow the last line. The sentence is Loaf's own, but contains foreign names. */
function continuation({ findings = [] }: ExecutionResult, show: Show): string[] {
  return findings
    .filter(({ code }) => code === "answer/cut-off")
    .map(({ request = "" }) => `\n${show(visibleOnOneLine(request), true)}`);
}

/** Typical for prose and source code. If a text has fewer, another round fits it by its actual ratio. */
const MAX_BYTES_PER_TOKEN = 4;

/** Maximum attempts to fit. Nearly always two suffice, since the text removed is like the text kept. */
const MAX_ROUNDS = 10;

/** Maximum output of one action, in bytes. */
const MAX_OUTPUT_BYTES = 50 * 1024;

/** Bytes reserved after the sections: the names of omitted ones, and the end. */
const TAIL_BYTES = 1_200;

/** Keeps the last findings that fit, because a truncation of the answer is the last one. */
function fitFindings(findings: readonly Finding[], limit: number): Finding[] {
  let left = limit;
  return findings.toReversed().filter((finding) => (left -= sizeOf([finding])) >= 0).toReversed();
}

function sizeOf(findings: readonly Finding[]): number {
  return findings.flatMap(linesOf).reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

/** Returns the summary with the entries that fit, failures first. */
function fitSummary(result: ExecutionResult, entries: readonly Entry[], limit: number): string {
  const kept = new Set<Entry>();
  let left = limit;
  for (const entry of failuresFirst(entries, isFailed)) {
    const size = Buffer.byteLength(summaryOf(entry)) + 1 + Buffer.byteLength(statusOf(entry, result) ?? "") + 1;
    if (size > left) continue;
    left -= size;
    kept.add(entry);
  }
  const omitted = entries.filter((entry) => !kept.has(entry));
  if (omitted.length === 0) return frameSummary(result, entries);
  const blocks = omitted.length === 1 ? "1 more block is" : `${omitted.length} more blocks are`;
  const note = `note: ${blocks} not listed, ${omitted.filter(isFailed).length} failed; a higher report.max_tokens in loaf.yml or loaf run --json lists all`;
  return frameSummary(result, entries.filter((entry) => kept.has(entry)), note);
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
  const heads = sections.filter(({ title }) => title === undefined);
  const bodies = sections.filter(({ title }) => title !== undefined);
  const omitted = sections
    .filter((section) => !kept.has(section))
    .map(({ title, label }) => title ?? `hints and warnings of ${label}`);
  const note = `\n\nnote: left out to keep the report short: ${visibleOnOneLine(omitted.join(", "), 300)}; ask for them again, fewer at a time`;
  return [...[...heads, ...bodies].map((section) => kept.get(section) ?? ""), omitted.length === 0 ? "" : note];
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
    const text = separatorOf(section) + renderSection(section, 0, show);
    if (Buffer.byteLength(text) > left) continue;
    left -= Buffer.byteLength(text);
    least.set(section, text);
  }
  return least;
}

function separatorOf({ title }: Section): string {
  return title === undefined ? "\n" : "\n\n";
}

/** Returns the section, if necessary with truncated content, or undefined if that does not fit either. */
function fitSection(section: Section, limit: number, show: Show): string | undefined {
  const render = (outputLimit: number) => separatorOf(section) + renderSection(section, outputLimit, show);
  // The limit avoids rendering content for which there is no room.
  const whole = render(Math.min(MAX_OUTPUT_BYTES, limit));
  if (Buffer.byteLength(whole) <= limit) return whole;
  const room = limit - Buffer.byteLength(render(0));
  const part = room > 1_000 ? render(room - 100) : undefined;
  return part !== undefined && Buffer.byteLength(part) <= limit ? part : undefined;
}

/** Tells which blocks not to send again, if some failed. */
function noteOnApplied(entries: readonly Entry[], { hookErrors, modifiedFiles = [] }: ExecutionResult): string {
  const failed = entries.filter(isFailed);
  if (hookErrors?.before !== undefined)
    return "\nnote: nothing is applied; the same text can be run again once the hook is fixed";
  if (failed.length === 0)
    return hookErrors === undefined
      ? ""
      : "\nnote: all blocks are applied, do not send them again; a hook that ran after them failed";
  const done = entries.filter(isApplied);
  // A run that was rolled back has no changes, whatever its actions report.
  const partly = failed.filter(
    (entry) => isTorn(entry) || (modifiedFiles.length > 0 && changedBy(entry).length > 0),
  );
  const not = failed.filter((entry) => !partly.includes(entry));
  const notes = [
    ...(done.length > 0
      ? [`applied, do not send again: ${labels(done, "✅ or ⚠️")}`]
      : partly.length > 0
        ? []
        : ["nothing is applied"]),
    ...(partly.length > 0
      ? [
          `failed after changing files, do not send again unchanged: ${partly.slice(0, MAX_LABELS).map(namedChanges).join(", ")}${partly.length > MAX_LABELS ? " and more" : ""}`,
        ]
      : []),
    ...(not.length > 0 ? [`not applied: ${labels(not, "❌")}`] : []),
  ];
  return `\nnote: ${notes.join("; ")}`;
}

function noteOnCommit({ commit }: ExecutionResult): string {
  return commit === undefined ? "" : `\nnote: committed ${commit.slice(0, 7)}`;
}

function noteOnCode(result: ExecutionResult): string {
  const sentence = codeSentence(result);
  return sentence === undefined ? "" : `\nnote: ${sentence}`;
}

/** False for blocks that only read, or changed nothing: these can be sent again. */
function isApplied(entry: Entry): boolean {
  if (isFailed(entry) || !("result" in entry)) return false;
  const definition = actionByName.get(entry.result.action);
  if (definition?.effect === undefined) return definition?.changed !== undefined;
  return definition.changed === undefined || changedBy(entry).length > 0;
}

/** Nobody knows which of its changes are on the disk. */
function isTorn(entry: Entry): boolean {
  return "result" in entry && entry.result.code === "run/torn";
}

function changedBy(entry: Entry): readonly string[] {
  if (!("result" in entry) || entry.result.data === undefined) return [];
  return actionByName.get(entry.result.action)?.changed?.(entry.result.data as never) ?? [];
}

function namedChanges(entry: Entry): string {
  const paths = changedBy(entry);
  if (paths.length === 0) return entry.label;
  const more = paths.length - MAX_PATHS;
  return `${entry.label} (${paths
    .slice(0, MAX_PATHS)
    .map((path) => visibleOnOneLine(path, 100))
    .join(", ")}${more > 0 ? ` and ${more} more` : ""})`;
}

const MAX_PATHS = 3;

/** Enough labels to read, which fit beside the other notes. */
const MAX_LABELS = 20;

/** @param mark identifies the omitted labels in the list above */
function labels(entries: readonly Entry[], mark: string): string {
  const more = entries.length - MAX_LABELS;
  const named = entries
    .slice(0, MAX_LABELS)
    .map(({ label, line }) => (label === "unknown" ? `unknown (line ${line})` : label));
  return named.join(", ") + (more > 0 ? ` and ${more} more, marked ${mark} above` : "");
}

function isFailed({ mark }: Entry): boolean {
  return mark === "❌";
}

function failuresFirst<Item>(items: readonly Item[], failed: (item: Item) => boolean): Item[] {
  return [...items.filter(failed), ...items.filter((item) => !failed(item))];
}
