/**
 * Tells a comment such as `// same as before` that stands for lines from one that describes its neighbours. People
 * write both, so the words cannot tell them apart, only the place.
 */
import { isComment } from "../core/comment-styles.ts";
import { longestIncreasing, uniqueLines } from "./merge.ts";

/** A line of a new text that may stand for lines of the old one. */
export interface StandIn {
  /** 1-based line number in the new text. */
  readonly number: number;
  /** Whether it also begins code that continues below: `if (a) { // same as before`. */
  readonly beginsCode: boolean;
  /** Whether it stands for lines wherever some are gone, also beside new ones. */
  readonly isSure?: boolean;
}

/**
 * Returns the numbers of the lines that stand for others: the old text has more lines of code in their place than the
 * new text, before them and directly below them. Runs in the time of sorting the lines.
 *
 * @param counts whether a trimmed line is one that may be lost
 */
export function standInsAmong(
  candidates: readonly StandIn[],
  oldText: string,
  newText: string,
  counts: (line: string) => boolean = isCode,
): ReadonlySet<number> {
  const byNumber = new Map(candidates.map((candidate) => [candidate.number, candidate]));
  const old = linesIn(oldText, counts);
  const fresh = linesIn(newText, (line, number) => byNumber.has(number) || counts(line));
  const standIns = new Set<number>();
  let [nextOld, nextNew] = [0, 0];
  for (const [oldIndex, newIndex] of [...matchesOf(old, fresh), [old.length, fresh.length] as const]) {
    findIn(fresh.slice(nextNew, newIndex), oldIndex - nextOld);
    [nextOld, nextNew] = [oldIndex + 1, newIndex + 1];
  }
  return standIns;

  function findIn(added: readonly Line[], lost: number): void {
    let before = 0;
    for (const [index, { number }] of added.entries()) {
      const candidate = byNumber.get(number);
      if (candidate?.beginsCode !== false) before += 1;
      if (candidate === undefined) continue;
      if (lost > (candidate.isSure === true ? 0 : before + linesBelow(added, index))) standIns.add(number);
    }
  }

  /** Counts the new lines directly below one, up to the next candidate. */
  function linesBelow(added: readonly Line[], index: number): number {
    const first = added[index]?.number ?? 0;
    let count = 0;
    for (let next = added[index + 1]; next?.number === first + count + 1; next = added[index + count + 1]) {
      if (byNumber.has(next.number)) break;
      count += 1;
    }
    return count;
  }
}

interface Line {
  /** Trimmed. */
  readonly line: string;
  readonly number: number;
}

function linesIn(text: string, isCounted: (line: string, number: number) => boolean): readonly Line[] {
  return text.split("\n").flatMap((written, index) => {
    const line = written.trim();
    return isCounted(line, index + 1) ? [{ line, number: index + 1 }] : [];
  });
}

/** Returns whether a line has more than a bracket and is no comment. */
function isCode(line: string): boolean {
  return line.length > 1 && !isComment(line) && !/^\*(?:\s|\/)/.test(line);
}

type Match = readonly [oldIndex: number, newIndex: number];

/** Pairs equal lines in order: those that both texts have once, their equal neighbours, and equal ends. */
function matchesOf(old: readonly Line[], fresh: readonly Line[]): readonly Match[] {
  const matches: Match[] = [];
  const isEqual = (o: number, n: number) => old[o] !== undefined && old[o].line === fresh[n]?.line;
  let [lastOld, lastNew] = [-1, -1];
  for (const [o, n] of [[-1, -1] as const, ...uniquePairs(old, fresh), [old.length, fresh.length] as const]) {
    // The equal lines below the last pair include this one.
    if (o !== -1 && o <= lastOld) continue;
    let above = 1;
    while (o - above > lastOld && n - above > lastNew && isEqual(o - above, n - above)) above += 1;
    for (let by = above - 1; by > 0; by--) matches.push([o - by, n - by]);
    let below = o === -1 ? 1 : 0;
    for (; isEqual(o + below, n + below); below++) matches.push([o + below, n + below]);
    [lastOld, lastNew] = [o + below - 1, n + below - 1];
  }
  return matches;
}

function uniquePairs(old: readonly Line[], fresh: readonly Line[]): readonly Match[] {
  const [inOld, inNew] = [old, fresh].map((lines) => uniqueLines(lines.map(({ line }) => line)));
  const common = [...(inNew ?? [])].flatMap(([line, n]) => {
    const o = inOld?.get(line);
    return o === undefined ? [] : [[o, n] as const];
  });
  return longestIncreasing(common, ([o]) => o);
}
