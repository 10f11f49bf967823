/** Put `text` where the bytes from `start` to `end` (offsets in a file without its byte order mark, `end` exclusive) stood. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Sorted, none overlapping another one. An array is one; millions of them come in a form that takes less room. */
export interface Splices extends Iterable<Splice> {
  readonly length: number;
}

/** A change of one file. What else there is to tell of it travels with it. */
export interface Edit {
  readonly splices: Splices;
}
