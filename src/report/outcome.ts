import type { styleText } from "node:util";
import { actionByName } from "../actions/index.ts";
import type { Change, Content } from "../core/change.ts";
import { counted } from "../core/counted.ts";
import type { ExecutionResult } from "../core/outcome.ts";
import type { LineCounts } from "../core/progress.ts";
import { countChangedLines } from "../edit/line-counts.ts";
import { namedFew, visibleOnOneLine } from "../core/visible.ts";
import { cellsOf } from "./cells.ts";
import { entriesOf } from "./entries.ts";

export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

export interface Ending {
  /** What the run has changed, or a dry run would. Absent if unknown. */
  readonly changes?: readonly Change[] | undefined;
  /** The command or key that undoes it. */
  readonly undo: string;
}

/**
 * Returns one line that says how a run ended.
 *
 *     3 files, +14 −3 · 1 refused · committed 6676f05 · loaf undo takes it back
 */
export function outcomeOf(
  result: ExecutionResult,
  { changes, undo }: Ending,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string {
  const line = (undoing: string, dress: Paint): string =>
    partsOf(result, { changes, undo: undoing }, dress).join(dress("dim", " · "));
  const whole = `${undo} takes it back`;
  return line(cellsOf(line(whole, (_, text) => text)) > width ? undo : whole, paint);
}

/** Returns `runs code: Makefile, package.json scripts.test`. Undefined if no such file changed. */
export function codeSentence({ runsCode = [] }: ExecutionResult): string | undefined {
  return runsCode.length === 0 ? undefined : visibleOnOneLine(`runs code: ${namedFew(runsCode, MAX_NAMED)}`);
}

const MAX_NAMED = 10;

function partsOf(result: ExecutionResult, { changes, undo }: Ending, paint: Paint): string[] {
  const { checks = [], failedHooks = [], commit, run, dryRun } = result;
  const checksNotRun = checks.filter(({ notRun }) => notRun).length;
  const failedChecks = checks.filter(({ success }) => !success).length - checksNotRun;
  const hooks = failedHooks.length === 1 ? "a hook failed" : `${failedHooks.length} hooks failed`;
  return [
    changesOf(result, changes, paint),
    ...failuresOf(result).map((failure) => paint("red", failure)),
    ...unlessNone(result.results.filter(({ appliedIn }) => appliedIn !== undefined).length, "applied before"),
    ...(failedChecks === 0 ? [] : [paint("yellow", `${counted(failedChecks, "check")} failed`)]),
    ...(checksNotRun === 0 ? [] : [paint("yellow", `${counted(checksNotRun, "check")} not run`)]),
    ...(failedHooks.length === 0 ? [] : [paint("red", hooks)]),
    ...(commit === undefined ? [] : [`committed ${commit.slice(0, 7)}`]),
    ...(dryRun === true ? ["nothing was written"] : run === undefined ? [] : [undo]),
  ];
}

function changesOf(
  { dryRun, modifiedFiles = [], totalBlocks, parseErrors }: ExecutionResult,
  changes: readonly Change[] | undefined,
  paint: Paint,
): string {
  if (totalBlocks === 0 && parseErrors.length === 0) return "nothing to run";
  const files = changes?.filter(({ before, after }) => isFile(before) || isFile(after)) ?? [];
  const count = changes === undefined ? modifiedFiles.length : files.length;
  if (count === 0 && (changes ?? []).length === 0) return dryRun === true ? "nothing would change" : "nothing changed";
  const what = count > 0 ? counted(count, "file") : counted((changes ?? []).length, "folder");
  const counts = countsText(
    countChangedLines(files.map(({ before, after }) => ({ before: bytesOf(before), after: bytesOf(after) }))),
    paint,
  );
  return `${dryRun === true ? "would change " : ""}${paint("bold", what)}${counts === "" ? "" : `, ${counts}`}`;
}

const NO_LINES: LineCounts = { added: 0, removed: 0 };

/** `+12 −3`. Empty if no line has changed, or nobody knows how many. */
export function countsText({ added, removed }: LineCounts = NO_LINES, paint: Paint): string {
  return [
    ...(added > 0 ? [paint("green", `+${added}`)] : []),
    ...(removed > 0 ? [paint("red", `−${removed}`)] : []),
  ].join(" ");
}

function isFile(content: Content | undefined): boolean {
  return content?.kind === "file" || content?.kind === "link";
}

/** A file whose bytes are unknown counts no lines. */
function bytesOf(content: Content | undefined): Uint8Array | undefined {
  return content?.kind === "file" ? content.bytes : undefined;
}

/** A command or a read fails, and an edit is refused. */
function failuresOf(result: ExecutionResult): string[] {
  const tally = { failed: 0, refused: 0, "not run": 0, "rolled back": 0 };
  for (const entry of entriesOf(result)) {
    if (entry.mark !== "❌") continue;
    if (!("result" in entry)) tally.refused += 1;
    else if (entry.result.code === "skip/stopped") tally["not run"] += 1;
    else if (entry.result.code === "run/not-whole") tally["rolled back"] += 1;
    else tally[hasRun(entry.result) ? "failed" : "refused"] += 1;
  }
  return Object.entries(tally).flatMap(([what, count]) => unlessNone(count, what));
}

function hasRun({ action, code }: ExecutionResult["results"][number]): boolean {
  const definition = actionByName.get(action);
  return definition?.effect === undefined && code?.startsWith("skip/") !== true;
}

function unlessNone(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}
