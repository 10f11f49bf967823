/** Places in the bytes of a file, and what replaces them. */

/** Replaces the bytes from `start` up to `end` by `text`. Offsets exclude a byte order mark. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Sorted and without overlaps. An array qualifies; millions of splices use a more compact form. */
export interface Splices extends Iterable<Splice> {
  readonly length: number;
}

/** A change of one file. Subtypes add what else is known about it. */
export interface Edit {
  readonly splices: Splices;
}

/** Offsets in the bytes of a file, `end` exclusive. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** Places in ascending order, stored in eight bytes each because there may be millions. */
export class PlaceList {
  length = 0;
  #offsets = new Uint32Array(16);

  add(start: number, end: number): void {
    if (this.length * 2 === this.#offsets.length) {
      const larger = new Uint32Array(this.#offsets.length * 2);
      larger.set(this.#offsets);
      this.#offsets = larger;
    }
    this.#offsets[this.length * 2] = start;
    this.#offsets[this.length * 2 + 1] = end;
    this.length += 1;
  }

  first(count: number): Place[] {
    return Array.from({ length: Math.min(count, this.length) }, (_, index) => this.#at(index));
  }

  /**
   * @param textAt creates a function that returns the text for a place by its start; it is called in ascending order
   */
  replacedBy(textAt: () => (start: number) => string): Splices {
    const splices = function* (this: PlaceList): Generator<Splice> {
      const text = textAt();
      for (let index = 0; index < this.length; index++) {
        const { start, end } = this.#at(index);
        yield { start, end, text: text(start) };
      }
    };
    return { length: this.length, [Symbol.iterator]: splices.bind(this) };
  }

  #at(index: number): Place {
    return { start: this.#offsets[index * 2] as number, end: this.#offsets[index * 2 + 1] as number };
  }
}
