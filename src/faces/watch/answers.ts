/** Reports for saved texts that run nothing, so that every save gets a response. */
import type { ExecutionResult } from "../../core/outcome.ts";
import type { Finding } from "../../core/finding.ts";

const NOTHING_DONE = { success: true, executedActions: 0, results: [], parseErrors: [] } as const;

/** Returns the result for a text without blocks, with the findings instead. */
export function withoutBlocks(findings: readonly Finding[]): ExecutionResult {
  return { ...NOTHING_DONE, totalBlocks: 0, ...(findings.length > 0 && { findings }) };
}

/** Returns the result for a text whose blocks all ran before. */
export function ranBefore(totalBlocks: number, findings: readonly Finding[]): ExecutionResult {
  const all = totalBlocks === 1 ? "the block of this text ran before, and did" : `all ${totalBlocks} blocks of this text ran before, and did`;
  const finding: Finding = { code: "answer/ran-before", line: 1, message: `${all} not run again`, request: "To run the text again anyway, press r in loaf watch" };
  return { ...NOTHING_DONE, totalBlocks, findings: [finding, ...findings] };
}

/**
 * Returns whether a text needs no response: it is empty, has only reports, or already has this response above it. For
 * blocks that ran before, any report above them suffices, unless there are other findings.
 *
 * @param summary the response
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

/** Ignores numbers, since a report above a text shifts its lines. */
function comparable(text: string): string[] {
  return text.split(/\r?\n/).map((line) => line.replaceAll(/\d+/g, "#"));
}
