/** Tells whether a change may be meant for another function than it is made in: the answer shows the head of neither. */
import { diffArrays } from "diff";
import type { Part } from "../../addresses/part.ts";
import { countsOf } from "../../core/counted.ts";
import type { Grammar } from "../contexts.ts";
import { ascendingLines } from "../../edit/lines.ts";
import { HAS_WORD } from "../lines/nearest.ts";
import { everyPart, FUNCTIONS } from "../parts.ts";
import { headOf } from "../remarks.ts";
import { holdsWord } from "../text.ts";
import { ownName } from "../told/told.ts";

interface Changed {
  readonly before: string;
  /** What is shown of it. */
  readonly content: string;
  readonly text: string;
  readonly source: Grammar;
  /** The sentences about it, without its path. */
  readonly told: string;
}

interface Body {
  readonly name: string;
  /** Its first line up to its name. */
  readonly head: string;
  /** 0-based and inclusive. */
  readonly first: number;
  readonly last: number;
  readonly lines: ReadonlySet<string>;
}

/**
 * Returns the names of two functions that both have all lines which the answer shows of the first one, which it changes
 * and neither shows nor names. Lines that the file and the answer have once tell on which side of them it is.
 */
export function confusedIn({ before, content, text, source, told }: Changed): readonly [string, string] | undefined {
  const [old, shown, now] = [trimmed(before), trimmed(content), trimmed(text)];
  const [oldCounts, shownCounts] = [countsOf(old), countsOf(shown)];
  const isKept = (line: string): boolean => HAS_WORD.test(line) && shownCounts.has(line);
  const names = new Set(everyPart(source.parts(content)).map(({ part }) => ownName(part)));
  const bodies = bodiesIn(before, source.parts(before));
  const hidden = bodies.filter(
    ({ name, head, lines }) =>
      !names.has(name) && [...lines].some(isKept) && !shown.some((line) => line.startsWith(head)),
  );
  if (hidden.length < 2) return undefined;
  const isAnchor = (line: string): boolean => isKept(line) && oldCounts.get(line) === 1 && shownCounts.get(line) === 1;
  const anchors = old.flatMap((line, at) => (isAnchor(line) ? [at] : []));
  const bodyAt = (at: number): Body | undefined => bodies.findLast(({ first, last }) => at > first && at <= last);
  for (const body of new Set(changedLines(old, now, (at) => bodyAt(at) !== undefined).map(bodyAt))) {
    if (body === undefined || !hidden.includes(body) || holdsWord(told, body.name)) continue;
    const kept = [...body.lines].filter(isKept);
    const above = anchors.findLast((place) => place < body.first) ?? -1;
    const below = anchors.find((place) => place > body.last) ?? Infinity;
    const other = hidden.find(({ first, last, lines }) => {
      const isApart = (first > above && last < body.first) || (first > body.last && last < below);
      return isApart && kept.every((line) => lines.has(line));
    });
    if (other !== undefined) return [body.name, other.name];
  }
  return undefined;
}

function trimmed(text: string): readonly string[] {
  return text.split("\n").map((line) => line.trim());
}

/** Returns the functions of a text, outer before inner. Without a grammar, a line at the margin begins one. */
function bodiesIn(text: string, parts: readonly Part[]): readonly Body[] {
  const lineOf = ascendingLines(text);
  if (parts.length > 0)
    return everyPart(parts).flatMap(({ part }) => {
      const first = lineOf(part.start) - 1;
      return FUNCTIONS.has(part.kind) ? [bodyOf(text.slice(part.start, part.end), first, ownName(part))] : [];
    });
  const lines = text.split("\n");
  const heads = [...lines.keys()].filter((at) => /^\w/.test(lines[at] ?? "") && /^\s+\S/.test(lines[at + 1] ?? ""));
  return heads.map((at, index) => {
    const name = /\w+(?=\s*(?:\(|$))|\w+/.exec(lines[at] ?? "")?.[0] ?? "";
    return bodyOf(lines.slice(at, heads[index + 1]).join("\n"), at, name);
  });
}

function bodyOf(text: string, first: number, name: string): Body {
  const [lines, head] = [trimmed(text.trimEnd()), headOf(text)];
  const end = head.indexOf(name);
  return {
    name,
    head: end === -1 ? head : head.slice(0, end + name.length),
    first,
    last: first + lines.length - 1,
    lines: new Set(lines),
  };
}

/**
 * Returns the lines of the old text that are gone, or above which there are new ones, 0-based. The same lines come a
 * little higher too, if the last of them is the one above: then one that is in no function.
 */
function changedLines(
  old: readonly string[],
  now: readonly string[],
  isInside: (line: number) => boolean,
): readonly number[] {
  let next = 0;
  const parts = diffArrays([...old], [...now], { maxEditLength: MAX_DIFFERENCES }) ?? [];
  return parts.flatMap(({ value, added, removed }, index) => {
    if (added) {
      const higher = value.length - 1 - value.findLastIndex((line, at) => old[next - value.length + at] !== line);
      const isReplaced = parts[index - 1]?.removed === true;
      return [range(isReplaced ? next : next - higher, next).find((at) => !isInside(at)) ?? next];
    }
    const at = next;
    next += value.length;
    return removed ? value.map((_, index) => at + index) : [];
  });
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

const MAX_DIFFERENCES = 2_000;
