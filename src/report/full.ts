import { actionByName } from "../actions/index.ts";
import type { Finding } from "../core/finding.ts";
import type { ExecutionResult } from "../core/outcome.ts";
import type { Delimiters } from "../syntaxes/csl/marker.ts";
import { estimateTokens } from "../edit/tokens.ts";
import { entriesOf, type Entry } from "./entries.ts";
import { hookSections } from "./hooks.ts";
import { inert } from "./inert.ts";
import { masked, renderSection, sectionsOf, type Peek, type Section, type Show } from "./sections.ts";
import { statusOf } from "./status.ts";
import { frameSummary, linesOf, summaryOf } from "./summary.ts";
import { visibleOnOneLine } from "../core/visible.ts";

/** What a report asks of the project that was worked in. A `Loaf` is one. */
export interface ReportedProject {
  readonly peek: Peek;
  readonly settings: { readonly report: { readonly max_tokens: number }; readonly csl?: Delimiters };
}

/**
 * The whole report, made to be pasted into the chat: the summary, then what was read, and the files that edits missed, as `peek`
 * finds them now. One action shows at most 50 KB (the first and the last half), the report keeps to `report.max_tokens` tokens, as
 * `estimateTokens` counts them: failures are kept first, and what was cut is named. Secrets whose format is known are masked. Where the
 * answer was cut off, the last line asks the model to go on.
 */
export function fullReport(result: ExecutionResult, project: ReportedProject): string {
  const { max_tokens: limit } = project.settings.report;
  const entries = entriesOf(result);
  const sections = [...hookSections(result), ...sectionsOf(entries, (path) => project.peek(path))].map(masked);
  const show: Show = (text, isFramed) => inert(text, { csl: project.settings.csl, isFramed });
  let bytes = limit * MOST_BYTES_PER_TOKEN;
  for (let round = 1; ; round++) {
    const text = reportOf(result, { entries, sections, show, bytes });
    // No token is shorter than a byte.
    if (Buffer.byteLength(text) <= limit || round === ROUNDS) return text;
    const tokens = estimateTokens(text);
    if (tokens <= limit) return text;
    bytes = Math.floor(Math.min(bytes, Buffer.byteLength(text)) * Math.min(0.95, limit / tokens));
  }
}

/** What it is made of, and the bytes that it may have. */
interface Parts {
  readonly entries: readonly Entry[];
  readonly sections: readonly Section[];
  readonly show: Show;
  readonly bytes: number;
}

function reportOf(result: ExecutionResult, { entries, sections, show, bytes }: Parts): string {
  const findings = fitFindings(result.findings ?? [], bytes / 4);
  const summary = fitSummary({ ...result, findings }, entries, bytes / 2 - sizeOf(findings));
  const head = `${summary}\n\n=== OUTPUTS ===${noteOnApplied(entries, result)}`;
  const outputs = fitSections(sections, bytes - Buffer.byteLength(head) - TAIL, show);
  return [head, ...outputs, "\n=== END ===", ...goingOn(result, show)].join("");
}

/** A report is pasted whole: what stands last in it is what the model does. The sentence is Loaf's own, the name in it is not. */
function goingOn({ findings = [] }: ExecutionResult, show: Show): string[] {
  return findings.filter(({ code }) => code === "answer/cut-off").map(({ request }) => `\n${show(visibleOnOneLine(request), true)}`);
}

/** Prose and source code have about four; where a text has less, it is fitted anew by what it has. */
const MOST_BYTES_PER_TOKEN = 4;

/** What is cut is hardly of another kind than what stays, so the second is nearly always the last. */
const ROUNDS = 10;

/** Of one action's output, in bytes. */
const OUTPUT_LIMIT = 50 * 1024;

/** Bytes kept free for what follows the sections: the names of those that are left out, and the end. */
const TAIL = 1_200;

/** What was found that fits, from the last on, which is where the answer was cut off. */
function fitFindings(findings: readonly Finding[], limit: number): Finding[] {
  let left = limit;
  return findings.toReversed().filter((finding) => (left -= sizeOf([finding])) >= 0).toReversed();
}

function sizeOf(findings: readonly Finding[]): number {
  return findings.flatMap(linesOf).reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

/** The summary, with the entries whose lines fit. */
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

/** The sections that fit, each after what separates it from the one before, and a note that names the others. */
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
  // Remarks that have no section of their own stand together at the head.
  const heads = sections.filter(({ title }) => title === undefined);
  const bodies = sections.filter(({ title }) => title !== undefined);
  const omitted = sections.filter((section) => !kept.has(section)).map(({ title, label }) => title ?? `hints and warnings of ${label}`);
  const note = `\n\nnote: left out to keep the report short: ${visibleOnOneLine(omitted.join(", "), 300)}; ask for them again, fewer at a time`;
  return [...[...heads, ...bodies].map((section) => kept.get(section) ?? ""), omitted.length === 0 ? "" : note];
}

/** What hints and warnings say is worth more than the file that another block missed in: those that fit, without any content. */
function leastOf(sections: readonly Section[], limit: number, show: Show): Map<Section, string> {
  const least = new Map<Section, string>();
  let left = limit;
  const telling = sections.filter(({ failed, title, remarks }) => remarks.length > 0 && (failed || title === undefined));
  for (const section of failuresFirst(telling, ({ failed }) => failed)) {
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

/** The section whole, else with its content cut so that it fits, else nothing. */
function fitSection(section: Section, limit: number, show: Show): string | undefined {
  const render = (outputLimit: number) => separatorOf(section) + renderSection(section, outputLimit, show);
  // With no more than there is room for, so that it costs nothing where nothing is left.
  const whole = render(Math.min(OUTPUT_LIMIT, limit));
  if (Buffer.byteLength(whole) <= limit) return whole;
  const room = limit - Buffer.byteLength(render(0));
  const part = room > 1_000 ? render(room - 100) : undefined;
  return part !== undefined && Buffer.byteLength(part) <= limit ? part : undefined;
}

/** Where some blocks failed, the others must not be sent again with them. */
function noteOnApplied(entries: readonly Entry[], { hookErrors, modifiedFiles = [] }: ExecutionResult): string {
  const failed = entries.filter(isFailed);
  if (hookErrors?.before !== undefined) return "\nnote: nothing is applied; the same text can be run again once the hook is mended";
  if (failed.length === 0) return hookErrors === undefined ? "" : "\nnote: all blocks are applied, do not send them again; a hook that ran after them failed";
  const done = entries.filter(isApplied);
  // Of a run that was taken back nothing is left, whatever its actions did.
  const partly = modifiedFiles.length === 0 ? [] : failed.filter((entry) => changedBy(entry).length > 0);
  const not = failed.filter((entry) => !partly.includes(entry));
  const notes = [
    ...(done.length > 0 ? [`applied, do not send again: ${labels(done, "✅ or ⚠️")}`] : partly.length > 0 ? [] : ["nothing is applied"]),
    ...(partly.length > 0 ? [`failed, but has changed files, so do not send again as it is: ${partly.slice(0, MOST_LABELS).map(namedChanges).join(", ")}${partly.length > MOST_LABELS ? " and more" : ""}`] : []),
    ...(not.length > 0 ? [`not applied: ${labels(not, "❌")}`] : []),
  ];
  return `\nnote: ${notes.join("; ")}`;
}

/** What only reads, or found nothing to change, can be sent again. */
function isApplied(entry: Entry): boolean {
  if (isFailed(entry) || !("result" in entry)) return false;
  const definition = actionByName.get(entry.result.action);
  if (definition?.effect === undefined) return definition?.changed !== undefined;
  return definition.changed === undefined || changedBy(entry).length > 0;
}

function changedBy(entry: Entry): readonly string[] {
  if (!("result" in entry) || entry.result.data === undefined) return [];
  return actionByName.get(entry.result.action)?.changed?.(entry.result.data as never) ?? [];
}

function namedChanges(entry: Entry): string {
  const paths = changedBy(entry);
  const more = paths.length - MOST_PATHS;
  return `${entry.label} (${paths.slice(0, MOST_PATHS).map((path) => visibleOnOneLine(path, 100)).join(", ")}${more > 0 ? ` and ${more} more` : ""})`;
}

const MOST_PATHS = 3;

/** So many labels can be read, and fit beside the other notes. */
const MOST_LABELS = 20;

/** @param mark where the others are found in the list above */
function labels(entries: readonly Entry[], mark: string): string {
  const more = entries.length - MOST_LABELS;
  const named = entries.slice(0, MOST_LABELS).map(({ label, line }) => (label === "unknown" ? `unknown (line ${line})` : label));
  return named.join(", ") + (more > 0 ? ` and ${more} more, marked ${mark} above` : "");
}

function isFailed({ mark }: Entry): boolean {
  return mark === "❌";
}

function failuresFirst<Item>(items: readonly Item[], failed: (item: Item) => boolean): Item[] {
  return [...items.filter(failed), ...items.filter((item) => !failed(item))];
}
