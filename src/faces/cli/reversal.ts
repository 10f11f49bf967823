/** Shared output of `loaf undo` and `loaf redo`. */
import type { Reversal } from "../../core/history.ts";
import { reversalReport } from "../../report/history.ts";
import { complain, print, usesColor } from "./output.ts";
import { UsageError } from "./usage-error.ts";

/** Sets exit code 0 if everything was reverted, 1 if paths were refused or there were fewer runs than requested. */
export function showReversal(reversal: Reversal, { root, json = false }: { readonly root: string; readonly json?: boolean | undefined }): void {
  const { kind, runs, missing, notices } = reversal;
  process.exitCode = missing === 0 && runs.every(({ refused }) => refused.length === 0) ? 0 : 1;
  for (const notice of notices) complain(notice);
  if (json) print(JSON.stringify(reversal, undefined, 2));
  else if (runs.length > 0) print(reversalReport(reversal, { root, color: usesColor() }));
  if (missing > 0) complain(nothingLeft(kind, runs.length));
}

function nothingLeft(kind: Reversal["kind"], done: number): string {
  if (kind === "redo") return "There is nothing to redo: no run was undone, or a new run came after";
  return done === 0 ? "There is nothing to undo" : `There are no more runs to undo than ${done === 1 ? "this one" : `these ${done}`}`;
}

/** Parses a number of runs, or the number of a run, from the command line. */
export function positiveNumber(text: string, name: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${name} must be a whole number of at least 1, not '${text}'`);
  return Number(text);
}
