/** Tells where an excerpt with placeholders may mean another place, or a removal, as well as what was read from it. */
import { diffArrays } from "diff";
import { HAS_WORD } from "../lines/nearest.ts";
import { indentOf } from "../text.ts";

/** Lines that are shown between two placeholders, and the old ones whose place they take. */
export interface Segment {
  readonly shown: readonly string[];
  /** The first old line that no segment above covers, 0-based. */
  readonly from: number;
  /** The old lines that it replaces, the end exclusive. */
  readonly begin: number;
  readonly end: number;
}

/**
 * Returns whether a segment may mean something else. It does if it loses lines beside one that does not stand alone in
 * the old text. It also does if it adds a line that a placeholder beside it stands for too: then the lines between may
 * be what goes.
 */
export function isUnproven(old: readonly string[], segments: readonly Segment[]): boolean {
  return segments.some((segment, index) => {
    const { shown, from, begin, end } = segment;
    const texts = shown.filter(isText);
    const region = old.slice(begin, end).filter(isText);
    const [fresh, lost] = differences(region, texts);
    const isFirst = index === 0;
    const isLast = index === segments.length - 1;
    if (lost > fresh.size) {
      const isAlone = (line = "", start: number): boolean =>
        texts.some((text) => isSame(text, line)) && old.slice(start).filter((one) => isSame(one, line)).length === 1;
      // An alike line is the only one of its kind.
      const isRepeated = isSame(region[0] ?? "", texts[0] ?? "") && !isAlone(region[0], from);
      if (!isFirst && isRepeated) return true;
      if (!isLast && !isAlone(region.at(-1), begin)) return true;
    }
    const below = isLast ? [] : old.slice(end, segments[index + 1]?.begin).filter(isText);
    const above = isFirst ? [] : old.slice(from, begin).filter(isText).toReversed();
    return [...fresh].some((at) => isIn(below, texts, at, fresh) || isIn(above, texts, at, fresh));
  });
}

/** Returns the indexes of the shown lines that the old ones lack, and how many of those are gone. */
function differences(region: readonly string[], texts: readonly string[]): readonly [Set<number>, number] {
  const fresh = new Set<number>();
  let [at, lost] = [0, 0];
  for (const { added, removed, value } of diffArrays([...region], [...texts], { comparator: isSame })) {
    if (added) for (let offset = 0; offset < value.length; offset++) fresh.add(at + offset);
    if (removed) lost += value.length;
    else at += value.length;
  }
  return [fresh, lost];
}

/** Returns whether a new line stands among hidden ones too, in the block that begins or ends beside it. */
function isIn(hidden: readonly string[], texts: readonly string[], at: number, fresh: ReadonlySet<number>): boolean {
  const line = texts[at] ?? "";
  const depth = indentOf(line).length;
  // What a new block closes with is new too.
  if (CONTINUES.test(line)) {
    const opener = texts.findLastIndex((text, index) => index < at && indentOf(text).length <= depth);
    if (fresh.has(opener)) return false;
  } else if (!HAS_WORD.test(line)) return false;
  for (const other of hidden) {
    if (indentOf(other).length < depth) return false;
    if (other.trimEnd() === line.trimEnd()) return true;
  }
  return false;
}

function isText(line: string): boolean {
  return line.trim() !== "";
}

function isSame(line: string, other: string): boolean {
  return line.trim() === other.trim();
}

/** A line that closes a block or begins its next branch: `}`, `end`, `} else {`, `else:`. */
const CONTINUES = /^\s*(?:[)}\]]|<\/|(?:end|else|elif|elsif|except|finally|catch|rescue)\b|ensure\s*$)/;
