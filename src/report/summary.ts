import type { Finding } from "../core/finding.ts";
import type { ExecutionResult } from "../core/outcome.ts";
import { maskSecrets } from "../core/mask-secrets.ts";
import { entriesOf, type Entry, labelledRemarks } from "./entries.ts";
import { checkLines, hookFailures } from "./sections.ts";
import { visibleOnOneLine } from "../core/visible.ts";

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
  return frameSummary(result, entriesOf(result));
}

/**
 * Returns the report of a dry run for the chat: the summary, and in the frame of outputs, so that no part runs when it
 * is pasted, the remarks and the diff with secrets masked.
 */
export function dryRunReport(result: ExecutionResult, diff: string): string {
  const remarks = entriesOf(result).flatMap(labelledRemarks).join("\n");
  const parts = [remarks, maskSecrets(diff).trimEnd()].filter((part) => part !== "");
  return [summaryReport(result), "=== OUTPUTS ===", ...parts, "=== END ==="].join("\n\n");
}

/** Returns the entries in their frame, with notes about the whole run, and status lines above. */
export function frameSummary(result: ExecutionResult, entries: readonly Entry[], ...notes: readonly string[]): string {
  const { fatalError, interrupted, totalBlocks, findings = [], readAs } = result;
  const none = totalBlocks === 0 && entries.length === 0 && fatalError === undefined;
  const statuses = entries.map((entry) => statusOf(entry, result)).filter((line) => line !== undefined);
  return [
    ...statuses,
    "=== LOAF RESULTS ===",
    ...(fatalError === undefined ? [] : [`❌ ${visibleOnOneLine(fatalError)}`]),
    ...(none ? ["Nothing to run found"] : entries.map(summaryOf)),
    ...(interrupted === undefined ? [] : [`❌ ${visibleOnOneLine(interrupted)}`]),
    ...checkLines(result),
    ...hookFailures(result).map((failure) => `hook ❌ ${failure}`),
    ...notes,
    ...(readAs === undefined ? [] : [`note: the answer was read in ${readAs}`]),
    ...findings.flatMap(linesOf),
    "=== END ===",
  ].join("\n");
}

export function linesOf({ message, request }: Finding): string[] {
  const hint = request === undefined ? [] : [`hint: ${visibleOnOneLine(request)}`];
  return [`note: ${visibleOnOneLine(message)}`, ...hint];
}

/** Returns one line, or several for a block with several errors. */
export function summaryOf(entry: Entry): string {
  const { label, mark, action, problem } = entry;
  if ("result" in entry) {
    const subject = entry.subject === "" ? "" : ` ${entry.subject}`;
    const tally = entry.tally === undefined ? "" : `: ${entry.tally}`;
    return `${label} ${mark} ${action}${subject}${tally}${problem === undefined ? "" : ` - ${problem}`}`;
  }
  const details = entry.details.map((detail) => `\n${" ".repeat(20)}- ${detail}`);
  return `${label} ${mark} ${action.padEnd(10)} ERROR: ${problem} (line ${entry.line})${details.join("")}`;
}

/**
 * Returns a status line for a block whose syntax has its own names for operations, in the format of that syntax.
 *
 *     [task-1] SUCCESS: WRITE - src/app.js
 *     [task-2.1] ERROR: SEARCH - src/app.js: old_text not found in file
 */
export function statusOf(entry: Entry, { fatalError }: Pick<ExecutionResult, "fatalError">): string | undefined {
  const { label, operation } = entry;
  if (operation === undefined) return undefined;
  const line = (status: string, ...details: readonly string[]): string =>
    `[${label}] ${status}: ${operation} - ${details.filter((detail) => detail !== "").join(": ")}`;
  if (!("result" in entry)) return line(fatalError === undefined ? "ERROR" : "FATAL", entry.problem);
  const { subject, problem, result } = entry;
  if (problem !== undefined)
    return line(
      result.code?.startsWith("skip/") || result.appliedIn !== undefined ? "SKIP" : "ERROR",
      subject,
      problem,
    );
  return line("SUCCESS", `${subject}${replacementsIn(result.data)}`);
}

/** Empty for one replacement. */
function replacementsIn(data: unknown): string {
  const count = typeof data === "object" && data !== null && "replacements" in data ? data.replacements : 1;
  return count === 1 ? "" : ` (${String(count)} replacements)`;
}
