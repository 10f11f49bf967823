import { findWith, type Search } from "../passes.ts";
import type { Place } from "../place-list.ts";

/** A text that matches without what its writer added. */
export interface Added {
  /** The rest of a sentence that starts with the parameter. */
  readonly what: string;
  /** Where it matches without the addition. If lines are omitted, the place includes them. */
  readonly place: Place;
}

/** What people and tools add to the lines of a quotation: numbered views, diffs, chats. */
const MARKS: ReadonlyArray<{ readonly what: string; readonly without: (lines: readonly string[]) => readonly string[] | undefined }> = [
  { what: "has line numbers before its lines", without: withoutEach(/^ *\d+(?:: ?|\t| ?[|│→] ?)/) },
  { what: "has the signs of a diff before its lines", without: (lines) => (lines.some((line) => /^[-+]/.test(line)) ? withoutEach(/^[-+ ]/)(lines) : undefined) },
  { what: "has a code fence around it", without: (lines) => (/^\s*```/.test(lines[0] ?? "") && /^\s*```\s*$/.test(lines.at(-1) ?? "") ? lines.slice(1, -1) : undefined) },
];

/**
 * Searches again without such marks, or with any lines in place of `...`. Returns undefined unless exactly one place
 * matches.
 */
export function findAdded(search: Search): Added | undefined {
  const lines = search.wanted.trimEnd().split(/\r?\n/);
  if (lines.length > MAX_LINES) return undefined;
  for (const { what, without } of MARKS) {
    const place = onlyPlace(search, without(lines) ?? [], search.from);
    if (place !== undefined) return { what, place };
  }
  return leavingOut(search, lines);
}

/** Maximum number of lines, which keeps the search short. Nobody types or numbers more by hand. */
const MAX_LINES = 500;
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

/** Removes a mark that every non-blank line must start with. */
function withoutEach(mark: RegExp): (lines: readonly string[]) => readonly string[] | undefined {
  return (lines) => (lines.every((line) => line.trim() === "" || mark.test(line)) ? lines.map((line) => line.replace(mark, "")) : undefined);
}
