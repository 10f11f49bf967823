/**
 * Damage in an answer, or an edit not written for Loaf, that no error of a block reports. Nothing that a finding names
 * was run.
 */
export interface Finding {
  readonly code: FindingCode;
  /** 1-based. The first one if there are several. */
  readonly line: number;
  /** The block concerned, if any. */
  readonly blockId?: string;
  /** The observation, as a sentence without its full stop. */
  readonly message: string;
  /** What to ask the model next: one sentence, ready to paste. */
  readonly request: string;
}

/** Codes of findings whose message begins with their lines. */
export const NAMES_ITS_LINES: ReadonlySet<FindingCode> = new Set<FindingCode>([
  "answer/near-header",
  "answer/near-marker",
  "answer/other-syntax",
  "answer/foreign-edit",
  "answer/reasoning",
]);

export type FindingCode =
  /** The text ends inside a block, or inside a header. */
  | "answer/cut-off"
  /** A code fence is never closed. */
  | "answer/open-fence"
  /** Lines of a block are indented differently. */
  | "answer/uneven-indentation"
  /** Typographic quotes or dashes replace the plain ones of the syntax. */
  | "answer/typography"
  /** A line close to a header, which the syntax treats as prose. */
  | "answer/near-header"
  /** A block in another of Loaf's syntaxes than the rest of the text. */
  | "answer/other-syntax"
  /** A line close to a marker of CSL or the replacer. */
  | "answer/near-marker"
  /** All blocks of the text ran before, and none runs again. */
  | "answer/ran-before"
  /** Blocks in the model's reasoning, above its answer. */
  | "answer/reasoning"
  /** An edit in another tool's format. */
  | "answer/foreign-edit"
  /** The text is a report of Loaf. */
  | "answer/report";
