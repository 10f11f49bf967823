/** The two reports of a run, made when they are asked for: of one that changed files as of one that did not. */
import type { ExecutionResult } from "../../core/outcome.ts";
import { fullReport } from "../../report/full.ts";
import { programsOf } from "../../report/request.ts";
import { dryRunReport } from "../../report/summary.ts";
import { terminalReport } from "../../report/terminal.ts";
import type { Loaf } from "../../loaf.ts";
import { paint as paintOutput, usesColor } from "./output.ts";

interface Reports {
  /** Made to be pasted; of a dry run, what each block would do and a diff. */
  forChat(): string;
  /** Made to be read at a glance. */
  forTerminal(): string;
}

/** @param diff of a dry run, and only of one */
export function reportsOf(loaf: Loaf, result: ExecutionResult, { diff, durationMs }: { readonly diff: string | undefined; readonly durationMs: number }): Reports {
  const forTerminal = (): string => terminalReport(result, { color: usesColor(), durationMs });
  if (diff === undefined) return { forChat: () => fullReport(result, loaf), forTerminal };
  const programs = programsOf(result);
  const changes = `${programs === "" ? "" : `${programs}\n\n`}${diff === "" ? "Nothing would change." : diff}`;
  return { forChat: () => dryRunReport(result, changes), forTerminal: () => `${forTerminal()}\n\n${paintDiff(changes)}` };
}

/** What a dry run would change; empty where that is nothing. */
export async function diffOf(loaf: Loaf): Promise<string> {
  const { unifiedDiff } = await import("../../report/diff.ts");
  return unifiedDiff(loaf.changes(), loaf.root);
}

/** @param paint colours or does not; without it, as standard output takes it */
export function paintDiff(diff: string, paint: typeof paintOutput = paintOutput): string {
  return diff.split("\n").map((line) => paintLine(line, paint)).join("\n");
}

function paintLine(line: string, paint: typeof paintOutput): string {
  if (/^(diff|index|---|\+\+\+) /.test(line)) return paint("bold", line);
  if (line.startsWith("+")) return paint("green", line);
  if (line.startsWith("-")) return paint("red", line);
  return line.startsWith("@@") ? paint("cyan", line) : line;
}
