/** Lines by number. A line ends with LF or CRLF; a final newline adds no line, so an empty text has none. */
import { Failed, type Failure } from "../core/failure.ts";
import { fitLineEndings } from "./line-ending.ts";
import type { Place } from "./match.ts";
import type { Splice } from "./splice.ts";

/** 1-based, both included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Reads `4` or `2-5`. */
export function parseLineRange(lines: string): LineRange {
  const [, from, to = from] = /^([0-9]+)(?:-([0-9]+))?$/.exec(lines) ?? [];
  const first = Number(from);
  const last = Number(to);
  if (!(first >= 1 && last >= 1)) throw new Failed({ code: "lines/invalid", lines });
  if (first > last) throw new Failed({ code: "lines/reversed", lines });
  return { first, last };
}

/** Replaces whole lines. The last one's own ending stays, so an empty new content leaves one empty line. */
export function replaceLines(text: string, lines: string, newContent: string): Splice[] {
  const { first, last } = parseLineRange(lines);
  const places = linePlaces(text);
  const start = places[first - 1]?.start;
  const end = places[last - 1]?.end;
  if (start === undefined || end === undefined) throw new Failed({ code: "lines/out-of-bounds", lines, count: places.length });
  return [{ start, end, text: fitLineEndings(text, "", newContent)(start) }];
}

/** The lines of a text, without their endings, numbered as `cat -n` does; `missing` where some of those asked for are not there. */
export function numberLines(text: string, lines: string | undefined, delimiter: string): { content: string; missing?: Failure } {
  const range = lines === undefined ? undefined : parseLineRange(lines);
  const places = linePlaces(text);
  const first = range?.first ?? 1;
  const content = places
    .slice(first - 1, range?.last)
    .map(({ start, end }, index) => `${String(first + index).padStart(6)}${delimiter}${text.slice(start, end)}`)
    .join("\n");
  if (range === undefined || lines === undefined || range.last <= places.length || places.length === 0) return { content };
  return { content, missing: { code: "lines/beyond-end", lines, count: places.length } };
}

/** Where each line stands, without its ending. */
function linePlaces(text: string): Place[] {
  const places: Place[] = [];
  let start = 0;
  while (start < text.length) {
    const lineFeed = text.indexOf("\n", start);
    const next = lineFeed === -1 ? text.length : lineFeed;
    places.push({ start, end: text[next - 1] === "\r" && lineFeed !== -1 && next > start ? next - 1 : next });
    start = next + 1;
  }
  return places;
}
