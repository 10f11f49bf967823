/** Replaces a part of a line: what a sentence shows as a code span. */
import { isInRows, linesNamed, type PlacedLines, placesOf, rowAt, Unplaced, type Within } from "../text.ts";

interface SpanReplaced {
  readonly old: string;
  readonly now: string;
  readonly times?: string | undefined;
  /** The lines of the declaration in which the sentence says it is. */
  readonly within?: Within | undefined;
  /** Whether it is nowhere else, also where the file has it once. */
  readonly isExact?: boolean | undefined;
}

/** Replaces a text at all its places where it cuts no name or number. Each is one that the sentence speaks of. */
export function replaceSpan(
  file: string,
  { old, now, times = "1", within, isExact = false }: SpanReplaced,
): PlacedLines | Unplaced {
  const all: number[] = [];
  // Places may lie over each other.
  for (const start of placesOf(old, file)) if (start >= (all.at(-1) ?? -old.length) + old.length) all.push(start);
  const lines = isExact || (times === "1" && all.length > 1) ? within : undefined;
  const starts = lines === undefined ? all : all.filter((start) => isInRows(rowAt(file, start), lines));
  const [first, last] = [starts[0], starts.at(-1)];
  if (first === undefined || last === undefined) {
    const often = all.length > 0 ? "several times, but not in what the sentence names" : "not at all";
    return new Unplaced(`has ${old} ${often}: show the whole line`);
  }
  if (times !== "all" && starts.length !== Number(times)) {
    const often = starts.length === 1 ? "once" : times === "1" ? "several times" : `${starts.length} times`;
    return new Unplaced(`has ${old} ${often}: show the whole line`);
  }
  const named = linesNamed(file, { start: first, end: last + old.length });
  const done = starts.length === 1 ? `${named} replaced` : `${starts.length} places replaced (${named})`;
  return { splices: starts.map((start) => ({ start, end: start + old.length, text: now })), done: [done] };
}
