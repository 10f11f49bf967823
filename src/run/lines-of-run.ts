import type { Put, State } from "../core/change-set.ts";
import { tryOr } from "../core/errors.ts";
import type { LineCounts } from "../core/progress.ts";
import { countChangedLines } from "../edit/line-counts.ts";
import { compose } from "../journal/change-set.ts";
import { PastFiles } from "../journal/past-files.ts";
import { donePuts, type Log } from "../journal/read-log.ts";

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
  const own = donePuts(log);
  const changes = compose(own).filter(hasOtherBytes);
  if (changes.reduce((sum, { before, after }) => sum + sizeOf(before) + sizeOf(after), 0) > MAX_COUNTED_BYTES)
    return undefined;
  const past = new PastFiles([log]);
  let isWhole = true;
  const bytesOf = (state: State | null, path: string, start: number): Buffer | undefined => {
    if (state?.kind !== "file") return undefined;
    const bytes = past.find(path, state, start);
    isWhole &&= bytes !== undefined;
    return bytes;
  };
  function* versions() {
    for (const { path, from, before, after } of changes) {
      if (isWhole) yield { before: bytesOf(before, from ?? path, 0), after: bytesOf(after, path, own.length) };
    }
  }
  const counts = countChangedLines(versions());
  return isWhole ? counts : undefined;
}

function hasOtherBytes({ before, after }: Put): boolean {
  return before?.kind !== "file" || after?.kind !== "file" || before.sha256 !== after.sha256;
}

function sizeOf(state: State | null): number {
  return state?.kind === "file" ? state.size : 0;
}
