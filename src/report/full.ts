import type { ExecutionResult } from "../core/outcome.ts";
import { entriesOf, type Entry } from "./entries.ts";
import { renderSection, sectionsOf, type Peek, type Section } from "./sections.ts";
import { frameSummary, summaryOf } from "./summary.ts";
import { visibleOnOneLine } from "./visible.ts";

/**
 * The whole report, made to be pasted into the chat: the summary, then what was read, and the files that edits missed, as `peek`
 * finds them now. One action shows at most 50 KB (the first and the last half), the report keeps to about `maxTokens` tokens:
 * failures are kept first, and what was cut is named.
 */
export function fullReport(result: ExecutionResult, options: { readonly peek: Peek; readonly maxTokens: number }): string {
  const entries = entriesOf(result);
  const bytes = options.maxTokens * BYTES_PER_TOKEN;
  const summary = frameSummary(result, fitLines(entries, bytes / 2));
  const outputs = fitSections(sectionsOf(entries, options.peek), bytes - Buffer.byteLength(summary) - NOTES);
  return [summary, "\n\n=== OUTPUTS ===", noteOnApplied(entries), ...outputs, "\n=== END ==="].join("");
}

/** An estimate on the safe side: most text has about four. */
const BYTES_PER_TOKEN = 3;

/** Of one action's output, in bytes. */
const OUTPUT_LIMIT = 50 * 1024;

/** Bytes kept free for the frame and the report's own notes. */
const NOTES = 2_000;

/** The lines of the summary that fit. */
function fitLines(entries: readonly Entry[], limit: number): string[] {
  const kept = new Set<Entry>();
  let left = limit;
  for (const entry of failuresFirst(entries, isFailed)) {
    left -= Buffer.byteLength(summaryOf(entry)) + 1;
    if (left < 0) break;
    kept.add(entry);
  }
  const lines = entries.filter((entry) => kept.has(entry)).map(summaryOf);
  const omitted = entries.filter((entry) => !kept.has(entry));
  if (omitted.length === 0) return lines;
  return [...lines, `note: ${omitted.length} more blocks are not listed, ${omitted.filter(isFailed).length} of them failed`];
}

/** The sections that fit, each after what separates it from the one before, and a note that names the others. */
function fitSections(sections: readonly Section[], limit: number): string[] {
  const kept = new Map<Section, string>();
  let left = limit;
  for (const section of failuresFirst(sections, ({ failed }) => failed)) {
    const text = fitSection(section, left);
    if (text === undefined) continue;
    left -= Buffer.byteLength(text);
    kept.set(section, text);
  }
  // Remarks that have no section of their own stand together at the head.
  const heads = sections.filter(({ title }) => title === undefined);
  const bodies = sections.filter(({ title }) => title !== undefined);
  const omitted = sections.filter((section) => !kept.has(section)).map(({ title = "hints and warnings" }) => title);
  const note = `\n\nnote: left out to keep the report short: ${visibleOnOneLine(omitted.join(", "), 600)}; ask for them again, fewer at a time`;
  return [...[...heads, ...bodies].map((section) => kept.get(section) ?? ""), omitted.length === 0 ? "" : note];
}

/** The section whole, else with its content cut so that it fits, else nothing. */
function fitSection(section: Section, limit: number): string | undefined {
  const separator = section.title === undefined ? "\n" : "\n\n";
  const render = (outputLimit: number) => separator + renderSection(section, outputLimit);
  const whole = render(OUTPUT_LIMIT);
  if (Buffer.byteLength(whole) <= limit) return whole;
  const room = limit - Buffer.byteLength(render(0));
  const part = room > 1_000 ? render(room - 100) : undefined;
  return part !== undefined && Buffer.byteLength(part) <= limit ? part : undefined;
}

/** Where some blocks failed, the others must not be sent again with them. */
function noteOnApplied(entries: readonly Entry[]): string {
  const failed = entries.filter(isFailed);
  if (failed.length === 0) return "";
  const done = entries.filter((entry) => !isFailed(entry));
  const applied = done.length === 0 ? "nothing is applied" : `applied, do not send again: ${labels(done)}`;
  return `\nnote: ${applied}; not applied: ${labels(failed)}`;
}

function labels(entries: readonly Entry[]): string {
  return visibleOnOneLine(entries.map(({ label }) => label).join(", "), 500);
}

function isFailed({ mark }: Entry): boolean {
  return mark === "❌";
}

function failuresFirst<Item>(items: readonly Item[], failed: (item: Item) => boolean): Item[] {
  return [...items.filter(failed), ...items.filter((item) => !failed(item))];
}
