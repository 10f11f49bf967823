/** Replaces a part of a line: what a sentence shows as a code span. */
import { linesNamed, type PlacedLines, placesOf, Unplaced } from "./text.ts";

/** Replaces a text at all its places where it cuts no name or number. Each is one that the sentence speaks of. */
export function replaceSpan(
  file: string,
  { old, now, times = "1" }: { readonly old: string; readonly now: string; readonly times?: string | undefined },
): PlacedLines | Unplaced {
  const starts: number[] = [];
  // Places may lie over each other.
  for (const start of placesOf(old, file)) if (start >= (starts.at(-1) ?? -old.length) + old.length) starts.push(start);
  const [first, last] = [starts[0], starts.at(-1)];
  if (first === undefined || last === undefined) return new Unplaced(`has ${old} not at all: show the whole line`);
  if (times !== "all" && starts.length !== Number(times)) {
    const often = starts.length === 1 ? "once" : times === "1" ? "several times" : `${starts.length} times`;
    return new Unplaced(`has ${old} ${often}: show the whole line`);
  }
  const named = linesNamed(file, { start: first, end: last + old.length });
  const done = starts.length === 1 ? `${named} replaced` : `${starts.length} places replaced (${named})`;
  return { splices: starts.map((start) => ({ start, end: start + old.length, text: now })), done: [done] };
}
