/** What a run has changed, as its log tells: the files, those that run code once the project is used, and the lines. */
import { relative } from "node:path";
import type { Put, State } from "../core/change-set.ts";
import { tryOr } from "../core/errors.ts";
import type { ExecutionResult } from "../core/outcome.ts";
import { RUN_WHEN_USED } from "../guard/default-rules.ts";
import type { RunFootprint } from "../journal/journal.ts";
import { PastFiles } from "../journal/past-files.ts";
import { donePuts, type Log } from "../journal/read-log.ts";
import { compilePattern } from "../paths/path-pattern.ts";
import type { LineCounts } from "../core/progress.ts";
import { countChangedLines } from "../edit/line-counts.ts";
import { compose } from "../journal/change-set.ts";

const patterns = RUN_WHEN_USED.flatMap((pattern) => compilePattern(pattern, "/") ?? []);

/** Bytes of a package.json, to read for its scripts. */
const MAX_SIZE = 2 ** 20;

/**
 * Names the files, and among them those that run code, or instruct an agent, once the project is built, tested or
 * opened.
 */
export function namedFiles(
  log: Log | undefined,
  root: string,
  { changes, modifiedFiles }: RunFootprint,
): Pick<ExecutionResult, "modifiedFiles" | "runsCode"> {
  const changeOf = new Map(changes.map((change) => [relative(root, change.path), change]));
  const runsCode = modifiedFiles.flatMap((file) => partsThatRun(log, file, changeOf.get(file)));
  return { ...(modifiedFiles.length > 0 && { modifiedFiles }), ...(runsCode.length > 0 && { runsCode }) };
}

/** Returns the file, or the scripts that changed in a package.json: `package.json scripts.test`. */
function partsThatRun(log: Log | undefined, file: string, change: Put | undefined): string[] {
  if (change === undefined || change.after === null || change.after.kind === "directory") return [];
  if (/(^|\/)package\.json$/.test(file)) return scriptsChanged(log, change).map((name) => `${file} scripts.${name}`);
  return patterns.some((matches) => matches(file)) ? [file] : [];
}

function scriptsChanged(log: Log | undefined, put: Put): string[] {
  if (log === undefined) return [];
  const past = new PastFiles([log]);
  const [old, scripts] = [scriptsIn(put.before, () => past.before(put)), scriptsIn(put.after, () => past.after(put))];
  return Object.keys(scripts).filter((name) => JSON.stringify(scripts[name]) !== JSON.stringify(old[name]));
}

/** Returns none if the file is not there, too large or not JSON. */
function scriptsIn(state: State | null, read: () => Buffer | undefined): Record<string, unknown> {
  const text = sizeOf(state) > MAX_SIZE ? "" : (read()?.toString() ?? "");
  return tryOr(() => Object((JSON.parse(text) as { scripts?: unknown }).scripts) as Record<string, unknown>, {});
}

/** Bytes of files, before and after, to read for a count. */
const MAX_COUNTED_BYTES = 4 * 2 ** 20;

/** Never throws: the run is over, and the counts are only shown. */
export function linesOfRun(log: Log | undefined): LineCounts | undefined {
  return tryOr(() => log && countLines(log), undefined);
}

/**
 * Counts the lines that a run has just added and removed, as `loaf diff` shows them. Undefined if that would take long,
 * or if a file has changed since. Counting them for `loaf log` would read the pre-images of every run.
 */
function countLines(log: Log): LineCounts | undefined {
  const changes = compose(donePuts(log)).filter(hasOtherBytes);
  if (changes.reduce((sum, { before, after }) => sum + sizeOf(before) + sizeOf(after), 0) > MAX_COUNTED_BYTES)
    return undefined;
  const past = new PastFiles([log]);
  const versions = changes.map((put) => ({ put, before: past.before(put), after: past.after(put) }));
  const isLost = (state: State | null, bytes: Buffer | undefined) => state?.kind === "file" && bytes === undefined;
  const isPart = versions.some(({ put, before, after }) => isLost(put.before, before) || isLost(put.after, after));
  return isPart ? undefined : countChangedLines(versions);
}

function hasOtherBytes({ before, after }: Put): boolean {
  return before?.kind !== "file" || after?.kind !== "file" || before.sha256 !== after.sha256;
}

function sizeOf(state: State | null): number {
  return state?.kind === "file" ? state.size : 0;
}
