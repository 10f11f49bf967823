/** When a text that was copied is meant to be run: nobody copies a block and the answer around it within two seconds by accident. */

/** Milliseconds. */
const WINDOW = 1_800;

interface Copy {
  readonly text: string;
  readonly at: number;
}

/** What was copied lately. */
export class Copies {
  #recent: readonly Copy[] = [];
  #last: string | undefined;

  /** @param initial what is on the clipboard from before, and never counts */
  constructor(initial?: string) {
    this.#last = initial;
  }

  /**
   * Takes what is on the clipboard now. The shorter one of two different copies that share the line of an end marker is to be run.
   *
   * @param at milliseconds, of any clock that goes on evenly
   */
  see(text: string, at: number): string | undefined {
    if (text === this.#last) return undefined;
    this.#last = text;
    const ids = endMarkersIn(text);
    const near = this.#recent.filter((copy) => at - copy.at <= WINDOW);
    const partner = near.findLast((copy) => copy.text !== text && [...endMarkersIn(copy.text)].some((id) => ids.has(id)));
    // A pair is one gesture: a third copy begins a new one.
    this.#recent = partner === undefined ? [...near, { text, at }] : [];
    if (partner === undefined) return undefined;
    return text.length < partner.text.length ? text : partner.text;
  }

  /** What Loaf itself puts there is no copy of anybody's. */
  ignore(text: string): void {
    this.#last = text;
  }

  /** Whether another copy could complete a pair soon. */
  isAwaiting(at: number): boolean {
    return this.#recent.some((copy) => at - copy.at <= WINDOW && endMarkersIn(copy.text).size > 0);
  }
}

/** The IDs of the end markers that stand alone on a line, from its first column on. */
function endMarkersIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/^#!end_([A-Za-z0-9]{2,8})[ \t\r]*$/gm)].map(([, id]) => id ?? ""));
}
