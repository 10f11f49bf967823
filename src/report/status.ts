import type { ExecutionResult } from "../core/outcome.ts";
import type { Entry } from "./entries.ts";

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
