import type { ExecutionResult } from "../../core/outcome.ts";

/**
 * Returns what hooks may know about a finished run.
 *
 * @param modifiedFiles relative to the root
 */
export function hookContext(
  { success, executedActions, totalBlocks, results, parseErrors, fatalError }: ExecutionResult,
  modifiedFiles: readonly string[],
): Record<string, string> {
  const errors = [
    ...(fatalError === undefined ? [] : [fatalError]),
    ...parseErrors.map(({ message }) => message),
    ...results.flatMap(({ error }) => (error === undefined ? [] : [error])),
  ];
  return {
    success: String(success),
    executedActions: String(executedActions),
    totalBlocks: String(totalBlocks),
    modifiedFiles: modifiedFiles.join(","),
    operations: results
      .filter(({ appliedIn }) => appliedIn === undefined)
      .map((result) => (result.success ? result.action : `${result.action} (failed)`))
      .join(","),
    // An error may quote a NUL, which no environment variable can hold.
    errors: errors.join("; ").replaceAll("\0", "\uFFFD"),
    errorCount: String(errors.length),
  };
}
