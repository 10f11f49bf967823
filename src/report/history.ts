/** Formats past runs and results of undo for the terminal. */
import { counted } from "../core/counted.ts";
import type { History, MovedHead, PastRun, Restored, Reversal, ReversedRun } from "../core/history.ts";
import { largest } from "../core/lists.ts";
import { visibleOnOneLine } from "../core/visible.ts";
import { cellsOf, cutToCells, type Paint, painter } from "./cells.ts";
import { nameWithin } from "./diff.ts";
import { countsText } from "./outcome.ts";

interface Options {
  /** Paths below it are shown relative to it. */
  readonly root: string;
  readonly color: boolean;
}

/**
 * Returns a line for each run: what was taken back or brought back. Below it, lines for paths that were merged, kept or
 * refused, and advice. Empty without runs.
 */
export function reversalReport({ kind, runs, next }: Reversal, { root, color }: Options): string {
  const last = runs.findLast(({ isReversed }) => !isReversed);
  const further = (run: ReversedRun): string =>
    next !== undefined && run === last
      ? `To undo ${next < run.run ? "an earlier" : "another"} run: loaf undo ${next}`
      : "";
  return runs.map((run) => describeReversed(run, kind, further(run), { root, color })).join("\n");
}

/** @param further advice on earlier runs, or "" */
function describeReversed(
  reversed: ReversedRun,
  kind: Reversal["kind"],
  further: string,
  { root, color }: Options,
): string {
  const paint = painter(color);
  const { run, summary, isReversed, refused, head, commit } = reversed;
  const restored = reversed.restored.filter(({ how }) => how !== "unchanged");
  const next = refused.length === 0 ? further : advice(reversed, kind, further);
  const [done, verb] = kind === "undo" ? ["Undone", "undone"] : ["Redone", "redone"];
  const title = !isReversed ? `Not ${verb}` : refused.length > 0 ? `${done} in part` : done;
  const facts = [
    ...(isReversed ? [effectOf(restored, root)] : refused.length === 0 ? [NOTHING_THERE[kind]] : []),
    ...(head === undefined ? [] : [headIs(head, kind)]),
    ...(commit === undefined ? [] : [`committed ${commit.slice(0, 7)}`]),
  ];
  return [
    `${paint("bold", `${title}: run ${run}`)}${summary === "" ? "" : ` (${visibleOnOneLine(summary)})`}${facts.length === 0 ? "" : `: ${facts.join("; ")}`}`,
    ...(restored.length <= MAX_NAMED ? [] : restored.filter(isNotable)).map(
      (file) => `  ${describeRestored(file, root)}`,
    ),
    ...refused.map(({ path, reason }) => `  ${paint("red", `❌ ${nameOf(root, path)}`)}: ${visibleOnOneLine(reason)}`),
    ...(next === "" ? [] : [paint("yellow", next)]),
  ].join("\n");
}

const NOTHING_THERE = {
  undo: "nothing to take back, its files are as they were before it",
  redo: "nothing to bring back, its files are as the run left them",
};

/** Returns whether a path needs a line of its own where the others are only counted. */
function isNotable({ how }: Restored): boolean {
  return how === "merged" || how === "kept";
}

/** Maximum number of paths to name. More are counted. */
const MAX_NAMED = 3;

function effectOf(restored: readonly Restored[], root: string): string {
  if (restored.length === 0) return "its files are that way already";
  if (restored.length <= MAX_NAMED) return restored.map((file) => describeRestored(file, root)).join(", ");
  const counts = (["restored", "removed", "moved"] as const).map((how) => ({
    how,
    count: restored.filter((file) => file.how === how || (how === "restored" && file.how === "merged")).length,
  }));
  return (
    counts
      .filter(({ count }) => count > 0)
      .map(({ how, count }) => `${how} ${counted(count, "path")}`)
      .join(", ") || "see below"
  );
}

function headIs({ branch = "HEAD", commit }: MovedHead, kind: Reversal["kind"]): string {
  const name = visibleOnOneLine(branch);
  if (commit === undefined) return `${name} has no commit again`;
  return kind === "undo" ? `${name} is back at ${commit.slice(0, 10)}` : `${name} is at ${commit.slice(0, 10)} again`;
}

function describeRestored({ path, how, from }: Restored, root: string): string {
  const name = nameOf(root, path);
  if (how === "merged") return `restored ${name} (your changes since are kept)`;
  if (how === "kept") return `kept ${name} (not empty)`;
  return how === "moved" && from !== undefined ? `moved ${nameOf(root, from)} to ${name}` : `${how} ${name}`;
}

/** Returns how to retry. */
function advice({ run, isReversed: isPartial, refused }: ReversedRun, kind: Reversal["kind"], further: string): string {
  // A partial reversal counts as done, so that it must be reversed before a retry.
  const reversing = isPartial ? `loaf ${kind === "undo" ? "redo" : "undo"} ${run} and ` : "";
  const retry = `${reversing}loaf ${kind} ${run}`;
  if (refused.every(({ mayPass }) => mayPass === true)) return `The system refused that. Fix the cause, then: ${retry}`;
  const shown = `loaf diff ${run} shows what run ${run} did there.`;
  if (kind === "redo") return shown;
  if (refused.every(({ isUnknown }) => isUnknown === true)) return further;
  if (refused.every(({ isLost }) => isLost === true)) return [shown, further].join(" ").trimEnd();
  return `${shown} To undo that too, restore what the run left there, then: ${retry}${further === "" ? "" : `. ${further}`}`;
}

interface LogOptions {
  readonly color: boolean;
  /** Cells of a line, beyond which the answer's words are cut. */
  readonly width: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Returns a line for each run: number, time, commit, lines, summary, state, and the first words of the answer. Leaves
 * out a column that is empty for all of them.
 *
 *     12  just now    6676f05  +14 −3  write 3 files, edit src/app.ts · The total was rounded twice, so I…
 *     11  1 hour ago           +2      edit notes.md (undone)
 */
export function historyReport({ runs, droppedUpTo, olderUpTo }: History, { color, width, now }: LogOptions): string {
  const paint = painter(color);
  const rows = runs.map((run) => ({ run, columns: columnsOf(run, now, paint) }));
  const widths = [0, 1, 2, 3].map((column) => largest(rows.map(({ columns }) => cellsOf(columns[column] ?? ""))));
  const lines = rows.map(({ run, columns }) => {
    const padded = widths.flatMap((most, column) => {
      const text = columns[column] ?? "";
      const space = " ".repeat(most - cellsOf(text));
      return most === 0 ? [] : [column === 0 ? space + text : text + space];
    });
    const head = [...padded, describeRun(run, paint)].join("  ");
    return head + paint("dim", wordsOf(run, width - cellsOf(head)));
  });
  return [
    ...lines,
    ...(olderUpTo === undefined
      ? []
      : [paint("dim", `Runs up to ${olderUpTo} were written by an older version of Loaf and cannot be undone`)]),
    ...(droppedUpTo === undefined
      ? []
      : [
          paint(
            "dim",
            `Older runs, up to ${droppedUpTo}, are no longer kept (history.max_age and history.max_size in loaf.yml)`,
          ),
        ]),
  ].join("\n");
}

function columnsOf({ run, started, commit = "", lines }: PastRun, now: number, paint: Paint): string[] {
  const when = ago(now - Date.parse(started), started);
  return [String(run), paint("dim", when), commit.slice(0, 7), countsText(lines, paint)];
}

function describeRun(run: PastRun, paint: Paint): string {
  const state = stateOf(run);
  return `${visibleOnOneLine(run.summary)}${state === "" ? "" : paint("yellow", ` (${state})`)}`;
}

/** @param room cells that are left in the line */
function wordsOf({ answer }: PastRun, room: number): string {
  const separator = " · ";
  return answer === undefined || room < MIN_WORDS
    ? ""
    : separator + cutToCells(visibleOnOneLine(answer), room - separator.length);
}

/** Cells below which words say nothing. */
const MIN_WORDS = 15;

function stateOf({ state, commit, kept = [] }: PastRun): string {
  if (state === "done") return "";
  if (state === "running") return "still running";
  if (state === "unfinished") return "in the middle of a change: loaf recover finishes it";
  if (state === "interrupted")
    return `${commit === undefined ? "not committed; " : ""}what it changed stays, unless loaf undo takes it back`;
  return kept.length === 0 ? state : `${state} except ${counted(kept.length, "path")}`;
}

/** Returns `5 minutes ago`, or the time itself if it is in the future because the clock was set back. */
export function ago(milliseconds: number, iso: string): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (Number.isNaN(minutes) || minutes < 0) return iso;
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${counted(minutes, "minute")} ago`;
  const hours = Math.floor(minutes / 60);
  return `${hours < 48 ? counted(hours, "hour") : counted(Math.floor(hours / 24), "day")} ago`;
}

function nameOf(root: string, path: string): string {
  return visibleOnOneLine(nameWithin(root, path));
}
