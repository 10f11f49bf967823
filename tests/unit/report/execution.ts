/** Results of runs, built by hand for tests of reports. */
import { explain } from "../../../src/core/failure.ts";
import type { ActionResult, ExecutionResult, ParseError } from "../../../src/core/outcome.ts";
import { fullReport } from "../../../src/report/chat.ts";

/** Returns a result of the block in line `line`, failed if it has a failure, or an error alone. */
export function ran(blockId: string, line: number, action: string, more: Partial<ActionResult> = {}): ActionResult {
  const { failure } = more;
  const told = failure && { error: explain(failure, action), code: failure.code };
  return { seq: 1, blockId, blockStartLine: line, action, params: { path: "/p/a.txt" }, success: (told ?? more).error === undefined, ...told, ...more };
}

/** Returns an edit whose text was not found, so that the report shows the file. */
export function missed(blockId: string, line: number, path: string, more: Partial<ActionResult> = {}): ActionResult {
  return ran(blockId, line, "file_replace_text", { params: { path, old_text: "zebra", new_text: "b" }, failure: { code: "text/not-found", parameter: "old_text" }, ...more });
}

export function unread(blockId: string, blockStartLine: number, message: string, action?: string): ParseError {
  return { blockId, blockStartLine, message, errorType: "syntax", neslContent: "", ...(action !== undefined && { action }) };
}

export function execution(results: readonly ActionResult[], parseErrors: readonly ParseError[] = []): ExecutionResult {
  return {
    success: parseErrors.length === 0 && results.every(({ success }) => success),
    totalBlocks: results.length + new Set(parseErrors.map(({ blockId }) => blockId)).size,
    executedActions: results.length,
    results,
    parseErrors,
  };
}

/** Returns the full report, given the files after the run. */
export function report(result: ExecutionResult, files: Readonly<Record<string, string>> = {}, maxTokens = 20_000): string {
  return fullReport(result, { peek: (path) => (Object.hasOwn(files, path) ? { path, text: files[path] ?? "" } : undefined), settings: { report: { max_tokens: maxTokens } } });
}
