/** A block of action text as it was read: its syntax is known, its meaning is not. */
export interface Block {
  /** The ID its header carries. Several blocks of one text may share it. */
  readonly id: string;
  /** Key to value, in the order written. It inherits nothing: `toString` is a key like any other. */
  readonly properties: Readonly<Record<string, string>>;
  /** 1-based line of the header. */
  readonly startLine: number;
  /** 1-based line of the end marker, or null where the block was never closed. */
  readonly endLine: number | null;
}

/** Something a parser could not read, and where. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  /** 1-based; one past the last line for what is missing at the end of the text. */
  readonly line: number;
  /** 1-based, in UTF-16 units, as `length` is. */
  readonly column: number;
  readonly length: number;
  /** The block it stands in, or null where there is none. */
  readonly blockId: string | null;
  /** The whole line. */
  readonly content: string;
  /** Up to five lines centred on `line`, shifted at the ends of the text. */
  readonly context: string;
  readonly message: string;
}

export type DiagnosticCode =
  | "MALFORMED_HEADER"
  | "INVALID_BLOCK_ID"
  | "MISMATCHED_END"
  | "UNCLOSED_BLOCK"
  | "UNCLOSED_HEREDOC"
  | "INVALID_KEY"
  | "EMPTY_KEY"
  | "DUPLICATE_KEY"
  | "INVALID_HEREDOC_DELIMITER"
  | "INVALID_ASSIGNMENT_OPERATOR"
  | "UNCLOSED_QUOTE"
  | "INVALID_VALUE"
  | "TRAILING_CONTENT"
  | "MALFORMED_ASSIGNMENT"
  // Of CSL: all but the last end the reading.
  | "MALFORMED_MARKER"
  | "UNKNOWN_OPERATION"
  | "MISPLACED_MARKER"
  | "INVALID_ATTRIBUTE"
  | "DUPLICATE_ATTRIBUTE"
  | "MISSING_REPLACE"
  | "UNTERMINATED_OPERATION"
  | "INVALID_OPERATION"
  // Of the replacer, which shares two with the others.
  | "INVALID_PATH"
  | "EMPTY_SECTION"
  | "EMPTY_SEARCH";

/** A block together with what was wrong in it and where it stands, as a parser yields it. */
export interface ReadBlock {
  readonly block: Block;
  /** Of this very block, never of another one that shares its ID. Their `context` is complete once the text has ended. */
  readonly diagnostics: readonly Diagnostic[];
  /** UTF-16 offsets of the block's own text, from its header up to (not including) the newline after its last line. */
  readonly span: { readonly start: number; readonly end: number };
  /** What was tolerated in reading it, as sentences. */
  readonly warnings?: readonly string[];
  /** Where the text did not write the properties as such, but in another syntax, of which they were made. */
  readonly translation?: Translation;
}

/** What the properties of a block do not tell that was made of another syntax. */
export interface Translation {
  /** How its paths are meant: from the root, or, where nothing is there, as the end of one file's path. */
  readonly paths: "from-root" | "by-tail";
  /** What the text itself calls it, where reports are to call it so too: `WRITE`. */
  readonly operation?: string;
  /** The blocks that follow one another and share it run all, or, where one of them cannot, not at all. */
  readonly group?: string;
}

/** A text as it was read: blocks, and what was wrong outside them, as they follow in it. */
export interface ReadText {
  readonly items: ReadonlyArray<ReadBlock | Diagnostic>;
  /** An error after which nothing of the text may run; there are no items then. */
  readonly fatal?: FatalError;
}

export interface FatalError {
  readonly diagnostic: Diagnostic;
  /** The operation that it stands in or at, as the text calls it. */
  readonly operation: string;
}

/** All blocks and all diagnostics of a text, in the order they were met. */
export interface ParseResult {
  readonly blocks: Block[];
  readonly errors: Diagnostic[];
}
