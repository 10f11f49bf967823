/** Holds a change to the place that describes it: change the call at the end. */
import type { Part } from "../addresses/part.ts";
import { holdsWord, rowAt, Unplaced } from "./text.ts";
import type { Placed, Shown } from "./shown.ts";
import { FUNCTIONS } from "./parts.ts";
import { linesOfPart, NO_PLACE, placeTold, tellsEdgeOf, type ToldPlace } from "./told/places.ts";
import { ownName, partsIn } from "./told/told.ts";

/** Returns why a change is none at the place by which sentences describe what it changes. */
export function notDescribed(
  { splices }: Placed,
  { file: { text, parts }, told, lines, there, read }: Shown,
): Unplaced | undefined {
  if (!told.isDescribed || splices.length === 0) return undefined;
  const isNew = splices.every(({ start, end }) => start === end) && !lines.some((line) => there.has(line.trim()));
  if (isNew) return new Unplaced("has nothing there that is like the new lines: show the lines that they replace");
  const place = placeTold({ ...told, isDescribed: false }, { text, parts });
  if (place === undefined) return undefined;
  const { start, end } = { start: splices[0]?.start ?? 0, end: splices.at(-1)?.end ?? 0 };
  const [first, last] = [rowAt(text, start), rowAt(text, Math.max(start, end - 1))];
  // After the check in `load`: that is inside it.
  const within = IN_PART.test(told.text) && place.part !== undefined ? linesOfPart(text, place.part) : undefined;
  const isInside = within !== undefined && first >= within.first && last <= within.last;
  const isHere = isInside || isAt(place, { text, first, last, isDeclared: read() !== undefined });
  return isHere
    ? undefined
    : new Unplaced("has the only line like these elsewhere than the sentence says: show the line that they replace");
}

/**
 * Returns why lines are not put at an end of the file or of a function: the sentence names another function, or this
 * one may be what they call.
 */
export function mayBeElsewhere({ excerpt: { content }, file: { parts }, told, at }: Shown): Unplaced | undefined {
  const place = at();
  const isEdge = place?.line === undefined && (place?.side === "top" || place?.side === "end");
  if (!isEdge || tellsEdgeOf(told)) return undefined;
  const isNamed = (name: string): boolean => [`\`${name}\``, `\`${name}(`].some((span) => told.text.includes(span));
  const functions = partsIn(parts).filter((part) => FUNCTIONS.has(part.kind) && isNamed(ownName(part)));
  const isUsed = (part: Part): boolean => holdsWord(content, ownName(part));
  const isElsewhere =
    place.part === undefined ? !functions.every(isUsed) : functions.includes(place.part) && isUsed(place.part);
  return isElsewhere ? new Unplaced(NO_PLACE) : undefined;
}

const IN_PART = /\b(?:above|after|before|below)\s+(?:the\s+)?\w+(?:\s\w+)?\s+(?:in|inside|of)\s+`/i;

/** Lines of a file, and whether they declare something. */
interface Changed {
  readonly text: string;
  readonly first: number;
  readonly last: number;
  readonly isDeclared: boolean;
}

/** Returns whether lines are where a place is. Of several that begin alike, the first one stands at the top of a file. */
function isAt({ part, line, side }: ToldPlace, { text, first, last, isDeclared }: Changed): boolean {
  const [from, to] = part === undefined ? [line, line] : [rowAt(text, part.start), rowAt(text, part.end)];
  if (from !== undefined && to !== undefined) {
    if (side === "above") return first <= from;
    return side === "below" ? last >= to : first >= from && (part === undefined || first <= to);
  }
  const rows = text.trimEnd().split("\n");
  const word = wordOf(rows[first]);
  const others = side === "top" ? rows.slice(0, first) : rows.slice(last + 1);
  const isOther = !isDeclared && word !== "" && others.some((row) => wordOf(row) === word);
  return !isOther && (side === "top" ? first < rows.length / 2 : last >= Math.floor(rows.length / 2));
}

function wordOf(line = ""): string {
  return /^\s*(\w*)/.exec(line)?.[1] ?? "";
}
