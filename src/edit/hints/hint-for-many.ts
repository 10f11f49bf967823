import { countsOf } from "../../core/counted.ts";
import type { Alignment } from "../../core/failure.ts";
import type { Place } from "../splice.ts";
import { fileLinesAt, lineAround, lineStart, lineStartAway } from "./closest.ts";
import { lineNumbersAt, shortenApart } from "../lines.ts";

/** Maximum number of places to describe one by one. */
const MAX_SHOWN = 8;
const MAX_LISTED = 20;
/** How many lines away to look for a distinguishing line. */
const MAX_DISTANCE = 4;

interface Many {
  readonly bytes: Buffer;
  readonly parameter: string;
  /** The first places. */
  readonly places: readonly Place[];
  /** Number of all places. */
  readonly count: number;
}

/** Tells where an ambiguous text occurs, and which line before or after would make each place unique. */
export function alignMany(many: Many): Alignment {
  return { hint: hintForMany(many), near: fileLinesAt(many.bytes, many.places) };
}

function hintForMany({ bytes, parameter, places, count }: Many): string {
  const numbers = lineNumbersAt(
    bytes,
    places.map(({ start }) => start),
  );
  const where = whereIn({ bytes, parameter, places, count });
  // Unlisted places could have the same neighbours.
  if (count > places.length) return `${where}: quote more lines around the intended place`;
  const neighbours = new Neighbours(bytes, places);
  const advice = [...new Set(numbers)]
    .slice(0, MAX_SHOWN)
    .map((number) => ({ number, ...howToTell(neighbours, numbers.indexOf(number), number) }));
  const lines = shortenApart(advice.map(({ line }) => line));
  return [
    `${where}; to make it unique, quote one more line, or all lines up to it:`,
    ...advice.map(({ number, what }, index) => `line ${number}: ${what}${lines[index] ?? ""}`),
  ].join("\n");
}

/** Tells in which lines a text occurs. */
export function alignCounted(many: Many): Alignment {
  return { hint: whereIn(many), near: fileLinesAt(many.bytes, many.places) };
}

function whereIn({ bytes, parameter, places, count }: Many): string {
  const numbers = [
    ...new Set(
      lineNumbersAt(
        bytes,
        places.map(({ start }) => start),
      ),
    ),
  ];
  const isMore = count > places.length || numbers.length > MAX_LISTED;
  return `${parameter} occurs in ${numbers.length === 1 ? "line" : "lines"} ${numbers.slice(0, MAX_LISTED).join(", ")}${isMore ? " and more" : ""}`;
}

interface Advice {
  readonly what: string;
  /** The line of the file that it is about. */
  readonly line: string;
}

function howToTell(neighbours: Neighbours, index: number, number: number): Advice {
  if (neighbours.countOf(index, 0) > 1)
    return { what: "more than once in this line: ", line: neighbours.textOf(index, 0) ?? "" };
  for (const distance of Array.from(
    { length: MAX_DISTANCE * 2 },
    (_, step) => (step % 2 === 0 ? -1 : 1) * (Math.floor(step / 2) + 1),
  )) {
    const text = neighbours.textOf(index, distance) ?? "";
    if (text.trim() === "" || neighbours.countOf(index, distance) > 1) continue;
    const at = distance < 0 ? number + distance : number + neighbours.linesOf(index) + distance;
    return { what: `${distance < 0 ? "begin" : "end"} with line ${at}: `, line: text };
  }
  return {
    what: `nothing within ${MAX_DISTANCE} lines distinguishes it from the others; replace it by its number, or send the whole file`,
    line: "",
  };
}

/**
 * The lines around places, by distance: 0 is the line itself, negative ones precede it, positive ones follow the
 * place's end.
 */
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

  /** Returns how many places have the same line at a distance. For distance 0, the number of places in the line. */
  countOf(index: number, distance: number): number {
    let counts = this.#counts.get(distance);
    if (counts === undefined) {
      counts = countsOf(this.#places.map((_, other) => this.#key(other, distance)));
      this.#counts.set(distance, counts);
    }
    return counts.get(this.#key(index, distance)) ?? 0;
  }

  /** Returns the number of lines of a place beyond its first. */
  linesOf(index: number): number {
    const { start, end } = this.#places[index] as Place;
    return (lineNumbersAt(this.#bytes.subarray(start, end), [Math.max(0, end - start - 1)])[0] ?? 1) - 1;
  }

  #key(index: number, distance: number): string {
    return distance === 0
      ? String(lineStart(this.#bytes, (this.#places[index] as Place).start))
      : (this.textOf(index, distance) ?? "");
  }
}
