/** The two reports of a run or dry run, created on demand. */
import type { ExecutionResult } from "../../core/outcome.ts";
import { fullReport } from "../../report/full.ts";
import { programsOf } from "../../report/request.ts";
import { dryRunReport } from "../../report/summary.ts";
import { terminalReport } from "../../report/terminal.ts";
import type { Loaf } from "../../loaf.ts";
import { paint as paintOutput, usesColor } from "./output.ts";

interface Reports {
  /** For pasting. For a dry run, the summary and a diff. */
  forChat(): string;
  /** For reading at a glance. */
  forTerminal(): string;
}

/** @param diff set only for a dry run */
export function reportsOf(loaf: Loaf, result: ExecutionResult, { diff, durationMs }: { readonly diff: string | undefined; readonly durationMs: number }): Reports {
  const forTerminal = (): string => terminalReport(result, { color: usesColor(), durationMs });
  if (diff === undefined) return { forChat: () => fullReport(result, loaf), forTerminal };
  const programs = programsOf(result);
  const changes = `${programs === "" ? "" : `${programs}\n\n`}${diff === "" ? "Nothing would change." : diff}`;
  return { forChat: () => dryRunReport(result, changes), forTerminal: () => `${forTerminal()}\n\n${paintDiff(changes)}` };
}

/** Returns the changes of a dry run as a diff, or "". */
export async function diffOf(loaf: Loaf): Promise<string> {
  const { unifiedDiff } = await import("../../report/diff.ts");
  return unifiedDiff(loaf.changes(), loaf.root);
}

/** @param paint by default, colours if standard output supports it */
export function paintDiff(diff: string, paint: typeof paintOutput = paintOutput): string {
  return diff.split("\n").map((line) => paintLine(line, paint)).join("\n");
}

function paintLine(line: string, paint: typeof paintOutput): string {
  if (/^(diff|index|---|\+\+\+) /.test(line)) return paint("bold", line);
  if (line.startsWith("+")) return paint("green", line);
  if (line.startsWith("-")) return paint("red", line);
  return line.startsWith("@@") ? paint("cyan", line) : line;
}
