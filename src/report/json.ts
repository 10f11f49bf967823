import type { ExecutionResult } from "../core/outcome.ts";

/** Returns the raw result for programs, with each failure as its sentence and code. The only report without escapes. */
export function jsonReport(result: ExecutionResult): string {
  const results = result.results.map((one) => ({ ...one, failure: undefined }));
  return JSON.stringify({ ...result, results }, undefined, 2);
}
