/**
 * Damage in an answer, an edit not written for Loaf, or another part of it that was not read, and that no error of a
 * block reports. Nothing that a finding names was run, but for `answer/ran-early` and `answer/taken-back`.
 */
export interface Finding {
  readonly code: FindingCode;
  /** 1-based. The first one if there are several. */
  readonly line: number;
  /** 1-based lines of code fences that were not read because their file is not known. */
  readonly fences?: readonly number[];
  /** The block concerned, if any. */
  readonly blockId?: string;
  /** The observation, as a sentence without its full stop. */
  readonly message: string;
  /** What to ask the model next: one sentence, ready to paste. Absent if there is nothing to ask. */
  readonly request?: string;
}

/** Codes of findings whose message begins with their lines. */
export const NAMES_ITS_LINES: ReadonlySet<FindingCode> = new Set<FindingCode>([
  "answer/near-header",
  "answer/near-marker",
  "answer/other-syntax",
  "answer/foreign-edit",
  "answer/reasoning",
  "answer/not-read",
]);

/** Codes of findings about parts that look like edits. Other ones are only told. */
export const IS_EDIT: ReadonlySet<FindingCode> = new Set<FindingCode>([
  "answer/cut-off",
  "answer/uneven-indentation",
  "answer/near-header",
  "answer/near-marker",
  "answer/other-syntax",
  "answer/foreign-edit",
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
  /** A block in a syntax that was not to be read, or that may be text of a file. */
  | "answer/other-syntax"
  /** A line close to a marker of CSL or the replacer. */
  | "answer/near-marker"
  /** All blocks of the text ran before, and none runs again. */
  | "answer/ran-before"
  /** The model's reasoning, which is no part of its answer. */
  | "answer/reasoning"
  /** Blocks in reasoning that ran, because the text arrived in pieces. */
  | "answer/ran-early"
  /** A block that the text beside it takes back, in a syntax whose blocks run whatever prose says. */
  | "answer/taken-back"
  /** Code that names no file, and commands for the user's shell. */
  | "answer/not-read"
  /** An edit in another tool's format. */
  | "answer/foreign-edit"
  /** The text is a report of Loaf. */
  | "answer/report";
