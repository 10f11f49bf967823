/** The report for the chat, and diffs as shown at a terminal. */
import type { ExecutionResult } from "../../core/outcome.ts";
import { dryRunReport, fullReport } from "../../report/chat.ts";
import { unifiedDiff } from "../../report/diff.ts";
import { programsOf } from "../../report/request.ts";
import type { Loaf } from "../../loaf.ts";
import { paint as paintOutput } from "./output.ts";

/**
 * Returns the report for pasting. For a dry run, the summary and a diff.
 *
 * @param diff set only for a dry run
 */
export function reportForChat(loaf: Loaf, result: ExecutionResult, diff: string | undefined): string {
  return diff === undefined
    ? fullReport(result, loaf)
    : dryRunReport(result, dryChanges(result, diff || "Nothing would change."));
}

/** Returns what a dry run would run and change. May be empty. */
export function dryChanges(result: ExecutionResult, diff: string): string {
  return [programsOf(result), diff].filter((text) => text !== "").join("\n\n");
}

/** Returns the changes of a dry run as a diff, or "". */
export function dryRunDiff(loaf: Loaf): string {
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
