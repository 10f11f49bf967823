import type { ExecutionResult } from "../core/outcome.ts";

/** Returns the raw result for programs. The only report without escapes. */
export function jsonReport(result: ExecutionResult): string {
  return JSON.stringify(result, undefined, 2);
}
