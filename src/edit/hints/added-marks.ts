import { findWith, type Search } from "../passes.ts";
import type { Place } from "../place-list.ts";

/** A text that fits but for what its writer has put into it. */
export interface Added {
  /** As the end of `old_text …`. */
  readonly what: string;
  /** Where it fits without; where lines are left out, with these. */
  readonly place: Place;
}

/** What is put before the lines of a quotation, or around them: from a numbered view, from a diff, for a chat. */
const MARKS: ReadonlyArray<{ readonly what: string; readonly without: (lines: readonly string[]) => readonly string[] | undefined }> = [
  { what: "has line numbers before its lines", without: withoutEach(/^ *\d+(?:: ?|\t| ?[|│→] ?)/) },
  { what: "has the signs of a diff before its lines", without: (lines) => (lines.some((line) => /^[-+]/.test(line)) ? withoutEach(/^[-+ ]/)(lines) : undefined) },
  { what: "has a code fence around it", without: (lines) => (/^\s*```/.test(lines[0] ?? "") && /^\s*```\s*$/.test(lines.at(-1) ?? "") ? lines.slice(1, -1) : undefined) },
];

/** Finds a text that was not found without such marks, or with the lines that `...` stands for in it. Undefined where it still fits no place, or several. */
export function findAdded(search: Search): Added | undefined {
  const lines = search.wanted.trimEnd().split(/\r?\n/);
  if (lines.length > MOST_LINES) return undefined;
  for (const { what, without } of MARKS) {
    const place = onlyPlace(search, without(lines) ?? [], search.from);
    if (place !== undefined) return { what, place };
  }
  return leavingOut(search, lines);
}

/** More than these nobody types, or numbers, by hand; the search is to stay short. */
const MOST_LINES = 500;
const ELLIPSIS = /^\s*(?:\/\/|#|--|\/\*|<!--)?\s*(?:\.\.\.|…)\s*(?:\*\/|-->)?\s*$/;

function leavingOut(search: Search, lines: readonly string[]): Added | undefined {
  const at = lines.findIndex((line) => ELLIPSIS.test(line));
  if (at === -1) return undefined;
  const before = onlyPlace(search, lines.slice(0, at), search.from);
  const behind = before && firstPlace(search, lines.slice(at + 1), before.end);
  return behind && { what: `leaves lines out: its line ${at + 1}, '${lines[at]?.trim()}', is not in the file`, place: { start: before.start, end: behind.end } };
}

function onlyPlace({ bytes }: Search, lines: readonly string[], from: number): Place | undefined {
  const text = lines.join("\n");
  const { places } = text.trim() === "" ? { places: [] } : findWith("tolerant", bytes, text, from, 2);
  return places.length === 1 ? places[0] : undefined;
}

function firstPlace({ bytes }: Search, lines: readonly string[], from: number): Place | undefined {
  const text = lines.join("\n");
  return text.trim() === "" ? undefined : findWith("tolerant", bytes, text, from, 1).places[0];
}

/** Every line that is not blank has to begin so. */
function withoutEach(mark: RegExp): (lines: readonly string[]) => readonly string[] | undefined {
  return (lines) => (lines.every((line) => line.trim() === "" || mark.test(line)) ? lines.map((line) => line.replace(mark, "")) : undefined);
}
