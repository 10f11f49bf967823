import type { Change, Content } from "../core/change-set.ts";
import { counted, countsOf } from "../core/counted.ts";
import type { ExecutionResult, LineCounts } from "../core/outcome.ts";
import { countChangedLines } from "../edit/changed-lines.ts";
import { cellsOf, type Paint } from "./cells.ts";
import { rowsOf } from "./rows.ts";

export interface Ending {
  /** What the run has changed, or a dry run would. Absent if unknown. */
  readonly changes?: readonly Change[] | undefined;
  /** The command or key that undoes it. Absent where a button does. */
  readonly undo?: string;
}

/**
 * Returns one line that says how a run ended.
 *
 *     3 files, +14 −3 · 1 refused · committed 6676f05 · loaf undo takes it back
 */
export function outcomeLine(
  result: ExecutionResult,
  { changes, undo }: Ending,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string {
  const parts = partsOf(result, changes, paint);
  const ends = result.dryRun
    ? ["nothing was written"]
    : result.run === undefined || undo === undefined
      ? [""]
      : [`${undo} takes it back`, undo];
  const lines = ends.map((end) => [...parts, end].filter((part) => part !== "").join(paint("dim", " · ")));
  return lines.find((line) => cellsOf(line) <= width) ?? lines.at(-1) ?? "";
}

function partsOf(result: ExecutionResult, changes: Ending["changes"], paint: Paint): string[] {
  const { commit } = result;
  const { blocks, checks, hooks } = rowsOf(result);
  const failures = countsOf(blocks.map(({ end }) => end));
  const unsuccessful = countsOf(checks.map(({ end }) => end));
  const checked = (["failed", "not run"] as const).map((end) => ({ end, count: unsuccessful.get(end) ?? 0 }));
  return [
    changesOf(result, changes, paint),
    ...(["failed", "refused", "not run", "rolled back"] as const)
      .flatMap((end) => unlessNone(failures.get(end) ?? 0, end))
      .map((failure) => paint("red", failure)),
    ...unlessNone(result.results.filter(({ appliedIn }) => appliedIn !== undefined).length, "applied before"),
    ...checked.flatMap(({ end, count }) => (count === 0 ? [] : [paint("yellow", `${counted(count, "check")} ${end}`)])),
    ...(hooks.length === 0
      ? []
      : [paint("red", hooks.length === 1 ? "a hook failed" : `${hooks.length} hooks failed`)]),
    ...(commit === undefined ? [] : [`committed ${commit.slice(0, 7)}`]),
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

function unlessNone(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}
