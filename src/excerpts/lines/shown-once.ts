/** Keeps a fragment from leaving lines twice: at its place, and where the file has them beside it. */
import { smallest } from "../../core/lists.ts";
import { endOfStatement } from "../block.ts";
import { countsOf } from "../../core/counted.ts";
import { HAS_WORD } from "./nearest.ts";
import { isAlike, isInRows, type Line, Unplaced, type Within } from "../text.ts";
import { isHole } from "../placeholders/hole.ts";

interface Shown {
  /** The lines of the file. */
  readonly lines: readonly string[];
  /** Those that are not blank. */
  readonly all: readonly Line[];
  /** The lines of the fragment that are not blank. */
  readonly shown: readonly Line[];
}

/**
 * Returns the place of a fragment with those lines below it that the fragment shows too, and the file has once: a block
 * that nothing closes ends with another line than before, and the last one of its place is a former one. Of the lines
 * there, none may go that the fragment does not show.
 */
export function withShownBelow({ lines, all, shown }: Shown, place: Within): Within | Unplaced {
  const inside = all.filter(({ at }) => isInRows(at, place));
  const [begin, last] = [inside[0], inside.at(-1)];
  const [first, end] = [shown[0], shown.at(-1)];
  if (begin === undefined || last === undefined || first === undefined || end === undefined) return place;
  const [counts, countsShown] = [countsOf(all.map(({ text }) => text)), countsOf(shown.map(({ text }) => text))];
  const known = new Set(inside.map(({ text }) => text));
  const isOwn = (text: string): boolean => HAS_WORD.test(text) && !isHole(text) && !COMMON.test(text);
  const fresh = shown.filter(
    ({ text }) => !known.has(text) && counts.get(text) === 1 && countsShown.get(text) === 1 && isOwn(text),
  );
  const least = smallest(inside.map(({ indent }) => indent));
  const below = besideOf(
    last,
    all.filter(({ at }) => at > place.last),
    { least, shown: countsShown },
  );
  const isMoved = (line: Line): boolean =>
    fresh.some(({ text, indent }) => text === line.text && indent - first.indent === line.indent - begin.indent);
  const moved = below.findLast(isMoved);
  if (moved === undefined) return place;
  const to = endOfStatement(lines, moved.at);
  const isKept = ({ text }: Line): boolean =>
    !HAS_WORD.test(text) || countsShown.has(text) || fresh.some((line) => isAlike(line.text, text));
  const lost = all.find((line) => line.at > place.last && line.at <= to && !isKept(line));
  // A block that is shown from its head on would have other last lines.
  const left = end.indent > first.indent && below.find(({ at, indent }) => at > to && indent > begin.indent);
  if (lost === undefined && !left) return { first: place.first, last: to };
  return new Unplaced(`has the line "${moved.text.slice(0, 60)}" below these, and would have it twice`);
}

interface Beside {
  readonly least: number;
  readonly shown: ReadonlyMap<string, number>;
}

/**
 * Returns the lines that stand beside a line or beside what holds it, and not inside one of these, up to one that is
 * less deep than all of a place, or that begins a section which is not shown.
 */
function besideOf({ indent }: Line, lines: readonly Line[], { least, shown }: Beside): readonly Line[] {
  const end = lines.findIndex((line) => line.indent < least || (SECTION.test(line.text) && !shown.has(line.text)));
  let depth = indent;
  return (end === -1 ? lines : lines.slice(0, end)).filter((line) => {
    const isBeside = line.indent <= depth;
    depth = Math.min(depth, line.indent);
    return isBeside;
  });
}

/** What many statements have: the head of a branch, or a word that leaves one. */
const COMMON =
  /^(?:[)}\]]|<\/|(?:end|else|elif|elsif|except|finally|catch|rescue|ensure)\b|(?:begin|break|continue|default|do|loop|pass|return|try)\b\W*$)/;
/** The head of a section: `[server]`, `## Install`. */
const SECTION = /^(?:\[.*\]|#{2,6} .*)$/;
