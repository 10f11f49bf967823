import type { ExecutionResult } from "../core/outcome.ts";

/** The result as it is, for programs: the only report that shows bytes raw. */
export function jsonReport(result: ExecutionResult): string {
  return JSON.stringify(result, undefined, 2);
}
