import { lineNumbersAt } from "../line-numbers.ts";
import type { Place } from "../place-list.ts";
import { lineAround, lineStart, lineStartAway } from "./nearby-lines.ts";
import { shorten } from "./shorten.ts";

/** So many places are told one by one. */
const MOST_SHOWN = 8;
const MOST_LISTED = 20;
/** So many lines away another line is looked for. */
const FARTHEST = 4;

interface Many {
  readonly bytes: Buffer;
  readonly parameter: string;
  /** The first ones. */
  readonly places: readonly Place[];
  /** All of them. */
  readonly count: number;
}

/** Where a text stands that should stand once, and by which line before or after it each place could be told from the others. */
export function hintForMany({ bytes, parameter, places, count }: Many): string {
  const numbers = lineNumbersAt(bytes, places.map(({ start }) => start));
  const where = whereIn({ bytes, parameter, places, count });
  // Of places that are not known it cannot be said what tells them from others.
  if (count > places.length) return `${where}: quote more of what is around the place that is meant`;
  const neighbours = new Neighbours(bytes, places);
  const advice = [...new Set(numbers)].slice(0, MOST_SHOWN).map((number) => `line ${number}: ${howToTell(neighbours, numbers.indexOf(number), number)}`);
  return [`${where}; to make it unique, quote one more line, or all lines up to it:`, ...advice].join("\n");
}

/** The lines in which a text stands. */
export function whereIn({ bytes, parameter, places, count }: Many): string {
  const numbers = [...new Set(lineNumbersAt(bytes, places.map(({ start }) => start)))];
  const isMore = count > places.length || numbers.length > MOST_LISTED;
  return `${parameter} stands in ${numbers.length === 1 ? "line" : "lines"} ${numbers.slice(0, MOST_LISTED).join(", ")}${isMore ? " and more" : ""}`;
}

function howToTell(neighbours: Neighbours, index: number, number: number): string {
  if (neighbours.countOf(index, 0) > 1) return `more than once in this line: ${shorten(neighbours.textOf(index, 0) ?? "")}`;
  for (const distance of Array.from({ length: FARTHEST * 2 }, (_, step) => (step % 2 === 0 ? -1 : 1) * (Math.floor(step / 2) + 1))) {
    const text = neighbours.textOf(index, distance) ?? "";
    if (text.trim() === "" || neighbours.countOf(index, distance) > 1) continue;
    const at = distance < 0 ? number + distance : number + neighbours.linesOf(index) + distance;
    return `${distance < 0 ? "begin" : "end"} with line ${at}: ${shorten(text)}`;
  }
  return `nothing within ${FARTHEST} lines tells it from the others; take file_replace_lines`;
}

/** The lines around places, by distance: the line itself is 0, negative ones stand before it, positive ones after the place's end. */
class Neighbours {
  readonly #bytes: Buffer;
  readonly #places: readonly Place[];
  readonly #counts = new Map<number, Map<string, number>>();

  constructor(bytes: Buffer, places: readonly Place[]) {
    this.#bytes = bytes;
    this.#places = places;
  }

  textOf(index: number, distance: number): string | undefined {
    const { start, end } = this.#places[index] as Place;
    const line = lineStartAway(this.#bytes, distance > 0 ? Math.max(start, end - 1) : start, distance);
    return line === undefined ? undefined : lineAround(this.#bytes, line);
  }

  /** How many places have the same there. Of the line itself: how many stand in it. */
  countOf(index: number, distance: number): number {
    let counts = this.#counts.get(distance);
    if (counts === undefined) {
      counts = new Map();
      for (const other of this.#places.keys()) counts.set(this.#key(other, distance), (counts.get(this.#key(other, distance)) ?? 0) + 1);
      this.#counts.set(distance, counts);
    }
    return counts.get(this.#key(index, distance)) ?? 0;
  }

  /** Lines that a place takes beyond its first. */
  linesOf(index: number): number {
    const { start, end } = this.#places[index] as Place;
    return (lineNumbersAt(this.#bytes.subarray(start, end), [Math.max(0, end - start - 1)])[0] ?? 1) - 1;
  }

  #key(index: number, distance: number): string {
    return distance === 0 ? String(lineStart(this.#bytes, (this.#places[index] as Place).start)) : (this.textOf(index, distance) ?? "");
  }
}
