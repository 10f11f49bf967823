/** What is put above a saved text of which nothing runs, so that every save gets an answer. */
import type { ExecutionResult } from "../../core/outcome.ts";
import type { Finding } from "../../core/finding.ts";

const NOTHING_DONE = { success: true, executedActions: 0, results: [], parseErrors: [] } as const;

/** The result for a text without blocks: what was seen instead. */
export function withoutBlocks(findings: readonly Finding[]): ExecutionResult {
  return { ...NOTHING_DONE, totalBlocks: 0, ...(findings.length > 0 && { findings }) };
}

/** The result for a text whose blocks all ran before. */
export function ranBefore(totalBlocks: number, findings: readonly Finding[]): ExecutionResult {
  const all = totalBlocks === 1 ? "the block of this text ran before, and did" : `all ${totalBlocks} blocks of this text ran before, and did`;
  const finding: Finding = { code: "answer/ran-before", line: 1, message: `${all} not run again`, request: "To run the text again all the same, press r in loaf watch" };
  return { ...NOTHING_DONE, totalBlocks, findings: [finding, ...findings] };
}

/**
 * Whether a text needs no answer: it is empty, holds nothing but reports, or has this very answer above it. Of blocks that ran before any report
 * above them is the answer, unless there is more to say.
 *
 * @param summary the answer
 */
export function isAnswered(text: string, summary: string, { totalBlocks, findings = [] }: ExecutionResult): boolean {
  const above = ABOVE.exec(text)?.[0] ?? "";
  if (text.slice(above.length).trim() === "") return true;
  if (totalBlocks > 0 && above.includes(FRAME) && findings.every(({ code }) => code === "answer/ran-before")) return true;
  const known = new Set(comparable(above));
  const wanted = comparable(summary).filter((line) => !/ (?:ran before|press r in)/.test(line));
  return above.includes(FRAME) && wanted.every((line) => known.has(line));
}

const FRAME = "=== LOAF RESULTS ===";
/** The reports at the top of a text, each with the status lines above it. */
const ABOVE = /^\ufeff?(?:(?:\[[^\n]*\n)*=== LOAF RESULTS ===\r?\n(?:(?!=== )[^\n]*\n)*=== END ===\r?(?:\n|$))*/;

/** A report above a text moves its lines down. */
function comparable(text: string): string[] {
  return text.split(/\r?\n/).map((line) => line.replaceAll(/\d+/g, "#"));
}
