import { styleText } from "node:util";
import type { ExecutionResult } from "../core/outcome.ts";
import { entriesOf, type Entry } from "./entries.ts";
import { checkLines, hookLines } from "./sections.ts";
import { linesOf } from "./summary.ts";
import { visibleOnOneLine } from "../core/visible.ts";

/** Returns the report for the terminal: each block with its remarks, then counts and duration. */
export function terminalReport(result: ExecutionResult, options: { readonly color: boolean; readonly durationMs: number }): string {
  const paint: Paint = (style, text) => (options.color ? styleText(style, text, { validateStream: false }) : text);
  const hooks = [...checkLines(result), ...hookLines(result).map((line) => paint("red", line))];
  if (result.fatalError !== undefined) return [paint("red", `❌ ${visibleOnOneLine(result.fatalError)}`), ...hooks].join("\n");
  const entries = entriesOf(result);
  const interrupted = result.interrupted === undefined ? [] : [paint("red", `❌ ${visibleOnOneLine(result.interrupted)}`)];
  const findings = (result.findings ?? []).flatMap(linesOf).map((line) => paint("yellow", line));
  if (entries.length === 0) return [...(result.totalBlocks === 0 ? ["No NESL blocks found"] : []), ...interrupted, ...hooks, ...findings].join("\n");
  const failed = entries.filter(({ mark }) => mark === "❌").length;
  const counts = [
    entries.length === 1 ? "1 block" : `${entries.length} blocks`,
    ...(failed > 0 ? [paint("red", `${failed} failed`)] : []),
    durationOf(options.durationMs),
  ];
  return [...entries.map((entry) => describeEntry(entry, paint)), ...interrupted, ...hooks, ...findings, "", counts.join(", ")].join("\n");
}

type Paint = (style: "red" | "yellow" | "dim" | "bold", text: string) => string;

function describeEntry(entry: Entry, paint: Paint): string {
  const head = `${entry.mark} ${paint("dim", entry.label)} ${paint("bold", entry.action)}`;
  const problems = entry.problem === undefined ? [] : [paint(entry.mark === "❌" ? "red" : "yellow", entry.problem)];
  const remarks = entry.remarks.map((line) => paint("yellow", line));
  if ("result" in entry) return underneath(`${head} ${entry.subject}`.trimEnd() + (entry.tally === undefined ? "" : `: ${entry.tally}`), [...problems, ...remarks]);
  const details = entry.details.map((detail) => paint("red", `- ${detail}`));
  return underneath(`${head} (line ${entry.line})`, [...problems, ...details, ...remarks]);
}

function underneath(head: string, lines: readonly string[]): string {
  return [head, ...lines.map((line) => `   ${line}`)].join("\n");
}

function durationOf(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}
