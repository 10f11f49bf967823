/** Gives placeholders the file's lines, where the lines beside them say which ones these are. */
import { diffArrays } from "diff";
import { countsOf } from "../core/counted.ts";
import { append, smallest } from "../core/lists.ts";
import { belongsAround } from "./lazy.ts";

/** Lines that stay, and those that are new or gone below them. */
type Run = Readonly<Record<"kept" | "gone" | "come", string[]>>;

/** More lines than new ones that may go, beside as many that stay on both sides: more may only be left out. */
const MOST_LESS = 2;
/** The work grows with their square. */
const MAX_DIFFERENCES = 400;

/**
 * Returns the text that is meant by an excerpt with placeholders. Lines that are not shown stay above and below it.
 * Undefined if that is not proven: a line beside a placeholder, or at an end, is neither in the file exactly once nor
 * joined to one that is by the same lines; known lines change their order; or lines go that may stay.
 */
export function alignedText(before: string, content: string, isHole: (line: string) => boolean): string | undefined {
  const [written, shown] = [before.split("\n"), content.split(/\r?\n/)];
  const old = written.map((line) => line.trimEnd());
  const counts = countsOf(old);
  const places = new Map(old.flatMap((line, at) => (/\w/.test(line) && counts.get(line) === 1 ? [[line, at]] : [])));
  const [start, end] = [old.findIndex(isText), old.findLastIndex(isText)];
  // Each with the line of the placeholder above it.
  const groups: Array<{ readonly hole?: number; readonly lines: string[] }> = [{ lines: [] }];
  for (const [at, line] of shown.entries())
    if (isHole(line.trim())) groups.push({ hole: at, lines: [] });
    else groups.at(-1)?.lines.push(line);
  const standsFor = (hole: number | undefined, from: number, end?: number): boolean => {
    const first = old.slice(from, end).find(isText);
    return first !== undefined && hole !== undefined && !belongsAround(shown, hole, first);
  };
  const result: string[] = [];
  let next = 0;
  for (const [index, { hole, lines: group }] of groups.entries()) {
    const lines = group.slice(group.findIndex(isText), group.findLastIndex(isText) + 1);
    if (lines.length === 0) continue;
    const trimmed = lines.map((line) => line.trimEnd()).filter(isText);
    const from = placeOf(trimmed, -1) ?? (index === 0 && trimmed[0] === old[start] ? start : undefined);
    const isLast = index === groups.length - 1;
    const to = placeOf(trimmed.toReversed(), 1) ?? (isLast && trimmed.at(-1) === old[end] ? end : undefined);
    if (from === undefined || to === undefined || from < next || to < from) return undefined;
    // A placeholder stands for something.
    if (index > 0 && !standsFor(hole, next, from)) return undefined;
    if (!isLikely(trimmed, from, to)) return undefined;
    append(result, [...written.slice(next, from), ...lines]);
    next = to + 1;
  }
  const last = groups.at(-1);
  if (last?.lines.some(isText) !== true && !standsFor(last?.hole, next)) return undefined;
  return [...result, ...written.slice(next)].join("\n");

  /**
   * Returns where the first line is: beside the first one that the file has once, with the same lines between the two.
   *
   * @param outward the way from that line to the first: -1 is up
   */
  function placeOf(lines: readonly string[], outward: -1 | 1): number | undefined {
    const count = lines.findIndex((line) => places.has(line));
    let place = places.get(lines[count] ?? "");
    for (const line of lines.slice(0, Math.max(count, 0)).toReversed()) {
      do place = place === undefined ? undefined : place + outward;
      while (old[place ?? -1] === "");
      if (old[place ?? -1] !== line) return undefined;
    }
    return place;
  }

  /** Returns whether shown lines keep the order of those that they replace, and lose none that may stay. */
  function isLikely(now: readonly string[], from: number, to: number): boolean {
    const known = now.flatMap((line) => places.get(line) ?? []);
    if (known.some((at, index) => at < from || at > to || at <= (known[index - 1] ?? -1))) return false;
    let last: Run = { kept: [], gone: [], come: [] };
    const runs = [last];
    const was = old.slice(from, to + 1).filter(isText);
    const changes = diffArrays(was, [...now], { maxEditLength: MAX_DIFFERENCES });
    if (changes === undefined) return false;
    for (const { added, removed, value } of changes)
      if (added || removed) append(last[added ? "come" : "gone"], value);
      else runs.push((last = { kept: value, gone: [], come: [] }));
    return runs.every(({ kept, gone, come }, index) => {
      const below = runs[index + 1]?.kept ?? [];
      if (come.some((line) => /^\W*(?:\.{3}|…)(?:\s|$)/.test(line))) return false;
      // What stands less deep belongs to another block.
      const least = smallest([...kept.slice(-1), ...below.slice(0, 1), ...come].map(indentOf));
      if (gone.some((line) => indentOf(line) < least)) return false;
      return gone.length <= come.length + Math.min(kept.length, below.length, MOST_LESS);
    });
  }
}

function isText(line: string): boolean {
  return line.trim() !== "";
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
