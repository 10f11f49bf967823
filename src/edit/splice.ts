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
