import type { ExecutionResult } from "../core/outcome.ts";
import type { Entry } from "./entries.ts";

/**
 * A line for each block whose syntax has names of its own for what it does, as those who write that syntax expect it; nothing for the others.
 *
 *     [task-1] SUCCESS: WRITE - src/app.js
 *     [task-2.1] ERROR: SEARCH - src/app.js: old_text not found in file
 */
export function statusOf(entry: Entry, { fatalError }: Pick<ExecutionResult, "fatalError">): string | undefined {
  const { label, operation } = entry;
  if (operation === undefined) return undefined;
  const line = (status: string, ...details: readonly string[]): string => `[${label}] ${status}: ${operation} - ${details.filter((detail) => detail !== "").join(": ")}`;
  if (!("result" in entry)) return line(fatalError === undefined ? "ERROR" : "FATAL", entry.problem);
  const { subject, problem, result } = entry;
  if (problem !== undefined) return line(result.code?.startsWith("skip/") || result.appliedIn !== undefined ? "SKIP" : "ERROR", subject, problem);
  return line("SUCCESS", `${subject}${replacementsIn(result.data)}`);
}

/** Where it is not one that was asked for. */
function replacementsIn(data: unknown): string {
  const count = typeof data === "object" && data !== null && "replacements" in data ? data.replacements : 1;
  return count === 1 ? "" : ` (${String(count)} replacements)`;
}
