/** The two reports of a run, of one that changed files as of one that did not. */
import type { ExecutionResult } from "../core/outcome.ts";
import { fullReport } from "../report/full.ts";
import { summaryReport } from "../report/summary.ts";
import { terminalReport } from "../report/terminal.ts";
import type { Loaf } from "../run/open.ts";
import { paint, usesColor } from "./output.ts";

interface Reports {
  /** Made to be pasted; of a dry run, what each block would do and a diff that `git apply` takes. */
  readonly forChat: string;
  /** Made to be read at a glance. */
  readonly forTerminal: string;
}

export async function reportsOf(loaf: Loaf, result: ExecutionResult, options: { readonly dryRun?: boolean; readonly durationMs: number }): Promise<Reports> {
  const forTerminal = terminalReport(result, { color: usesColor(), durationMs: options.durationMs });
  if (options.dryRun !== true) {
    return { forChat: fullReport(result, { peek: (path) => loaf.peek(path), maxTokens: loaf.settings.report.max_tokens }), forTerminal };
  }
  const { unifiedDiff } = await import("../report/diff.ts");
  const diff = unifiedDiff(loaf.changes(), loaf.root) || "Nothing would change.";
  return { forChat: `${summaryReport(result)}\n\n${diff}`, forTerminal: `${forTerminal}\n\n${paintDiff(diff)}` };
}

export function paintDiff(diff: string): string {
  return diff.split("\n").map(paintLine).join("\n");
}

function paintLine(line: string): string {
  if (/^(diff|index|---|\+\+\+) /.test(line)) return paint("bold", line);
  if (line.startsWith("+")) return paint("green", line);
  if (line.startsWith("-")) return paint("red", line);
  return line.startsWith("@@") ? paint("cyan", line) : line;
}
