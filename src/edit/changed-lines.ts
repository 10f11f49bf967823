/** Tracks which lines of a file a series of edits has changed, and how that moved the others; counts changed lines. */
import { diffArrays } from "diff";
import { countLineFeeds, countLines, LF, type LineRange, splitLines } from "./lines.ts";
import type { Splice, Splices } from "./splice.ts";
import type { LineCounts } from "../core/outcome.ts";

/** Changed lines as offsets in the current file, line-aligned. Empty if lines were deleted. */
interface ChangedZone {
  readonly start: number;
  readonly end: number;
  /** Current number of lines minus the previous number. */
  readonly lines: number;
}

/** In ascending order, without overlaps. */
export type ChangedZones = readonly ChangedZone[];

/** Why a line number from before the edits no longer refers to the same line. */
type MovedLines =
  /** `now` is where the lines are now. */
  | { readonly change: "moved"; readonly now: string }
  /** Some of the lines were changed. `now` is their replacement, absent if they were deleted. */
  | { readonly change: "replaced"; readonly now?: string }
  /** The file had only `count` lines before the edits. */
  | { readonly change: "added"; readonly count: number };

/** Maximum number of zones per file. Beyond it neighbours are merged, and the lines between them count as changed. */
const MAX_ZONES = 1_000;

/** Returns the zones after another edit, whose splices turned `before` into `after`. */
export function addEdit(zones: ChangedZones, before: Buffer, after: Buffer, splices: Splices): ChangedZones {
  const changes: Change[] = [];
  for (const splice of splices) add(changes, wholeLines(before, splice));
  return merge(zones, before, after, changes);
}

/** Like `addEdit`, for a program's changes: a line diff finds them. */
export function addRewrite(zones: ChangedZones, before: Buffer, after: Buffer): ChangedZones {
  // Latin-1 has one character per byte.
  const [old, now] = [splitLines(before.toString("latin1")), splitLines(after.toString("latin1"))];
  const parts = diffArrays(old, now, { maxEditLength: MAX_ZONES }) ?? [
    { value: old, added: false, removed: true },
    { value: now, added: true, removed: false },
  ];
  const changes: Change[] = [];
  let at = 0;
  for (const { value, added, removed } of parts) {
    const length = value.reduce((sum, line) => sum + line.length, 0);
    const change = added
      ? { start: at, end: at, grown: length, lines: 0 }
      : { start: at, end: at + length, grown: -length, lines: 0 };
    // Lines added next to removed ones replace them.
    if (added || removed) add(changes, change, changes.at(-1)?.end === at);
    if (!added) at += length;
  }
  return merge(zones, before, after, changes);
}

/** Lists the lines of a text that differ from an earlier one: `12-14, 40`. Removed lines count as the next one. */
export function linesChangedSince(before: string, after: string): string {
  const bytes = Buffer.from(after);
  const count = Math.max(1, countLines(bytes));
  let [line, at] = [1, 0];
  const ranges = addRewrite([], Buffer.from(before), bytes).map(({ start, end }) => {
    line += countLineFeeds(bytes, at, start);
    at = start;
    const first = Math.min(count, line);
    const last = Math.min(count, line + countLineFeeds(bytes, start, Math.max(start, end - 1)));
    return first === last ? `${first}` : `${first}-${last}`;
  });
  const more = ranges.length > MAX_LISTED ? ` and ${ranges.length - MAX_LISTED} more places` : "";
  return ranges.slice(0, MAX_LISTED).join(", ") + more;
}

/** Ranges beyond which the rest is only counted. */
const MAX_LISTED = 12;

/** Returns undefined if a range refers to the same unchanged lines as before the edits, or never existed. */
export function movedLines(zones: ChangedZones, bytes: Buffer, { first, last }: LineRange): MovedLines | undefined {
  const count = countLines(bytes);
  const countBefore = count - zones.reduce((sum, { lines }) => sum + lines, 0);
  if (last > countBefore) return last > count ? undefined : { change: "added", count: countBefore };
  let [moved, nowFirst, nowLast] = [0, first, last];
  let isChanged = false;
  for (const { was, removed, now, added } of hunksOf(zones, bytes)) {
    if (was > last) break;
    const end = was + removed;
    if (end <= first) nowFirst += added - removed;
    else {
      isChanged = true;
      if (was <= first) nowFirst = now;
    }
    moved += added - removed;
    nowLast = end > last ? now + added - 1 : last + moved;
  }
  if (!isChanged && nowFirst === first) return undefined;
  const now = nowFirst === nowLast ? `${nowFirst}` : `${nowFirst}-${nowLast}`;
  if (!isChanged) return { change: "moved", now };
  return { change: "replaced", ...(nowLast >= nowFirst && { now }) };
}

/** Whole lines that an edit changes, as offsets in the file before it. */
interface Change {
  start: number;
  end: number;
  /** Growth in bytes and in lines. */
  grown: number;
  lines: number;
}

/** A run of lines: `removed` old ones, starting at line `was`, became `added` new ones, starting at line `now`. */
interface Hunk {
  readonly was: number;
  readonly removed: number;
  readonly now: number;
  readonly added: number;
}

function merge(zones: ChangedZones, before: Buffer, after: Buffer, changes: readonly Change[]): ChangedZones {
  const [first, last] = [changes[0], changes.at(-1)];
  if (first === undefined || last === undefined) return zones;
  let grown = 0;
  for (const change of changes) {
    const now = after.subarray(change.start + grown, change.end + grown + change.grown);
    change.lines = countLines(now) - countLines(before.subarray(change.start, change.end));
    grown += change.grown;
  }
  // A run may edit one file thousands of times, so merge only the zones at the changes.
  const above = zones.filter(({ end }) => end < first.start);
  const below = zones.filter(({ start }) => start > last.end);
  const at = zones.slice(above.length, zones.length - below.length).map((zone) => ({ ...zone, grown: 0 }));
  const merged: Change[] = [];
  for (const change of [...at, ...changes].sort((left, right) => left.start - right.start || left.end - right.end))
    add(merged, change);
  let shift = 0;
  const shifted = ({ start, end, lines }: ChangedZone, growth = 0): ChangedZone => ({
    start: start + shift,
    end: end + shift + growth,
    lines,
  });
  const now = merged.map((change) => {
    const zone = shifted(change, change.grown);
    shift += change.grown;
    return zone;
  });
  return withinMost([...above, ...now, ...below.map((zone) => shifted(zone))]);
}

function withinMost(zones: ChangedZone[]): ChangedZones {
  const excess = zones.splice(MAX_ZONES - 1);
  const [first, last] = [excess[0], excess.at(-1)];
  if (first === undefined || last === undefined) return zones;
  return [...zones, { start: first.start, end: last.end, lines: excess.reduce((sum, { lines }) => sum + lines, 0) }];
}

function add(changes: Change[], change: Change, isJoined = false): void {
  const last = changes.at(-1);
  if (last === undefined || (!isJoined && change.start >= last.end && changes.length < MAX_ZONES)) changes.push(change);
  else {
    last.end = Math.max(last.end, change.end);
    last.grown += change.grown;
    last.lines += change.lines;
  }
}

function wholeLines(before: Buffer, { start, end, text }: Splice): Change {
  const lineStart = start === 0 ? 0 : before.lastIndexOf(LF, start - 1) + 1;
  const endsLine = text === "" ? start === lineStart : text.endsWith("\n");
  const isWhole = endsLine && (end === 0 || before[end - 1] === LF);
  const next = isWhole ? end - 1 : before.indexOf(LF, end);
  return {
    start: lineStart,
    end: next === -1 && !isWhole ? before.length : next + 1,
    grown: Buffer.byteLength(text) - (end - start),
    lines: 0,
  };
}

function* hunksOf(zones: ChangedZones, bytes: Buffer): Generator<Hunk> {
  let [line, at, moved] = [1, 0, 0];
  for (const { start, end, lines } of zones) {
    line += countLineFeeds(bytes, at, start);
    at = start;
    const added = countLines(bytes.subarray(start, end));
    yield { was: line - moved, removed: added - lines, now: line, added };
    moved += lines;
  }
}

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
