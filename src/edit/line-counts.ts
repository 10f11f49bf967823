import { diffArrays } from "diff";
import type { LineCounts } from "../core/progress.ts";
import { splitLines } from "./line-ending.ts";

/** Bytes of a file before and after. Undefined where there is none. */
interface Versions {
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/** Milliseconds. Comparing hundreds of files that a formatter has rewritten takes longer. */
const MAX_COUNTING_MS = 500;

/**
 * Counts the lines that a diff of each file would add and remove. Skips binary files. Undefined if that takes longer
 * than anybody would wait for it.
 */
export function countChangedLines(files: Iterable<Versions>, now = () => performance.now()): LineCounts | undefined {
  const end = now() + MAX_COUNTING_MS;
  let [added, removed] = [0, 0];
  for (const { before, after } of files) {
    if (now() > end) return undefined;
    if (before?.includes(0) || after?.includes(0)) continue;
    const counts = countInFile(linesOf(before), linesOf(after));
    added += counts.added;
    removed += counts.removed;
  }
  return { added, removed };
}

/** Edits beyond which the shortest diff takes long. Then all lines between the first and the last edit count. */
const MAX_EDITS = 1_000;

function countInFile(before: readonly string[], after: readonly string[]): LineCounts {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let [oldEnd, newEnd] = [before.length, after.length];
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1])
    [oldEnd, newEnd] = [oldEnd - 1, newEnd - 1];
  const [old, now] = [before.slice(start, oldEnd), after.slice(start, newEnd)];
  const whole = { added: now.length, removed: old.length };
  if (old.length === 0 || now.length === 0) return whole;
  const parts = diffArrays(old, now, { maxEditLength: MAX_EDITS });
  if (parts === undefined) return whole;
  const count = (kind: "added" | "removed") =>
    parts.reduce((sum, part) => sum + (part[kind] ? part.value.length : 0), 0);
  return { added: count("added"), removed: count("removed") };
}

/** Latin-1 has one character per byte, whatever the encoding. */
function linesOf(bytes: Uint8Array | undefined): string[] {
  return bytes === undefined
    ? []
    : splitLines(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"));
}
