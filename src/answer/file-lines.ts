/** Finds where lines may stand in a file, whatever their indentation is. Lines without a letter or a digit do not count. */
import type { LineRange } from "../syntaxes/line-blocks.ts";

/** Undefined if nobody knows. */
export type Places = readonly LineRange[] | undefined;

/** Returns whether lines cannot be those of others. */
export function isApart(places: Places, others: Places): boolean {
  if (places === undefined || others === undefined) return false;
  return places.every(({ first, next }) => others.every((other) => next <= other.first || other.next <= first));
}

/** Returns the lines that hold a letter or a digit, without their indentation. */
export function wordyLines(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => (WORDY.test(line) ? [line.trim()] : []));
}

const WORDY = /[\p{L}\p{N}]/u;

export class FileLines {
  readonly #lines: readonly string[];
  readonly #indents: readonly number[];
  /** The only line with a text, or -1 if there are several. */
  readonly #only = new Map<string, number>();

  constructor(text: string) {
    const lines = text.split("\n").filter((line) => WORDY.test(line));
    this.#lines = lines.map((line) => line.trim());
    this.#indents = lines.map((line) => line.length - line.trimStart().length);
    for (const [at, line] of this.#lines.entries()) this.#only.set(line, this.#only.has(line) ? -1 : at);
  }

  /**
   * @param text whole lines, or a part of one
   * @param told the sentence about it, which may name what it stands in
   */
  placesOf(text: string, told: string): Places {
    const lines = wordyLines(text);
    const places = text.endsWith("\n") || lines.length > 1 ? this.#equal(lines) : this.#holding(text.trim());
    if (places.length > MAX_PLACES) return undefined;
    const named = [...told.matchAll(NAMED)].map(([, name = ""]) => name);
    const inside = places.filter(({ first }) => named.some((name) => this.#isInside(first, name)));
    if (inside.length > 0) return inside;
    return places.length > 0 ? places : this.#around(lines);
  }

  #equal(lines: readonly string[]): readonly LineRange[] {
    const [head = ""] = lines;
    const only = this.#only.get(head) ?? 0;
    const starts = only === -1 ? [...this.#lines.keys()] : [only];
    return starts
      .filter((at) => lines.every((line, index) => this.#lines[at + index] === line))
      .map((first) => ({ first, next: first + lines.length }));
  }

  #holding(part: string): readonly LineRange[] {
    return this.#lines.flatMap((line, first) => (line.includes(part) ? [{ first, next: first + 1 }] : []));
  }

  /** Returns whether a line with a name, indented less, stands around a line. */
  #isInside(at: number, name: string): boolean {
    let indent = this.#indents[at] ?? 0;
    for (let above = at - 1; above >= 0 && indent > 0; above--) {
      const depth = this.#indents[above] ?? 0;
      if (depth >= indent) continue;
      if (this.#lines[above]?.split(/[^\p{L}\p{N}_$]+/u).includes(name) === true) return true;
      indent = depth;
    }
    return false;
  }

  /** Returns the range that changed lines take up, by those of them that the file has once. */
  #around(lines: readonly string[]): Places {
    const anchors = lines.flatMap((line, index) => {
      const at = this.#only.get(line) ?? -1;
      return at === -1 ? [] : [{ above: at - index, below: at + lines.length - index }];
    });
    if (anchors.length === 0) return undefined;
    const first = Math.min(...anchors.map(({ above }) => above));
    return [{ first, next: Math.max(...anchors.map(({ below }) => below)) }];
  }
}

/** Occurrences of a text. More are nobody's place. */
const MAX_PLACES = 100;
/** A name in backticks: `load`, `load()`, `Cart.load`. */
const NAMED = /`(?:[\p{L}\p{N}_$]+[.#:]+)?([\p{L}_$][\p{L}\p{N}_$]*)(?:\(\))?`/gu;
