/**
 * Damage in an answer, or an edit in it that was not written for Loaf: what no block's own error tells. Nothing of what a finding names was run.
 */
export interface Finding {
  readonly code: FindingCode;
  /** 1-based; of the first place where there are several. */
  readonly line: number;
  /** The block that it is about, where it is about one. */
  readonly blockId?: string;
  /** What was seen, as a sentence without its full stop. */
  readonly message: string;
  /** What to ask the model next: one sentence, made to be pasted. */
  readonly request: string;
}

export type FindingCode =
  /** The text ends inside a block, or inside a header. */
  | "answer/cut-off"
  /** A code fence is never closed. */
  | "answer/open-fence"
  /** A block is indented, and not as a whole. */
  | "answer/uneven-indentation"
  /** Typographic quotes or dashes stand where the syntax has plain ones. */
  | "answer/typography"
  /** A line that is nearly a header, and that the syntax takes for prose. */
  | "answer/near-header"
  /** A block in another of Loaf's syntaxes than the one that the text is read in. */
  | "answer/other-syntax"
  /** A line that is nearly a marker of CSL or the replacer. */
  | "answer/near-marker"
  /** All blocks of the text ran before, and none of them runs again. */
  | "answer/ran-before"
  /** An edit in another tool's format. */
  | "answer/foreign-edit"
  /** The text is a report of Loaf's own. */
  | "answer/report";
