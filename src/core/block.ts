/** A block of a text, not yet validated against its action. */
export interface Block {
  /** ID from the header. Several blocks of one text may share it. */
  readonly id: string;
  /** In the order written. Has no prototype: `toString` is an ordinary key. */
  readonly properties: Readonly<Record<string, string>>;
  /** 1-based line of the header. */
  readonly startLine: number;
  /** 1-based line of the end marker, or null if the block was never closed. */
  readonly endLine: number | null;
}

/** A syntax error and its place. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  /** 1-based. One past the last line if something is missing at the end of the text. */
  readonly line: number;
  /** 1-based, in UTF-16 units, as `length` is. */
  readonly column: number;
  readonly length: number;
  /** The enclosing block, or null. */
  readonly blockId: string | null;
  /** The whole line. */
  readonly content: string;
  /** The attribute that is wrong, if the error is about one of a CSL marker. */
  readonly attribute?: string;
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
  // CSL. All but the last end the parse.
  | "MALFORMED_MARKER"
  | "UNKNOWN_OPERATION"
  | "MISPLACED_MARKER"
  | "INVALID_ATTRIBUTE"
  | "DUPLICATE_ATTRIBUTE"
  | "MISSING_REPLACE"
  | "UNTERMINATED_OPERATION"
  | "INVALID_OPERATION"
  // The replacer, which also uses some of the above.
  | "INVALID_PATH"
  | "EMPTY_SECTION"
  | "EMPTY_SEARCH"
  // Formats of other tools.
  | "WITHDRAWN"
  | "SEVERAL_TEXTS";

/** A block with its errors and its place, as a syntax reads it. */
export interface ReadBlock extends Block {
  /** Never those of another block with the same ID. Their `context` is complete once the text has ended. */
  readonly diagnostics: readonly Diagnostic[];
  /** UTF-16 offsets of the block, from its header up to, but not including, the newline after its last line. */
  readonly span: { readonly start: number; readonly end: number };
  /** Tolerated deviations, as sentences. */
  readonly warnings?: readonly string[];
  /** Set if the block was written in another syntax than NESL, from which its properties were made. */
  readonly meant?: Meant;
}

/** A block of a parsed text, or an error outside blocks. */
export type Item = ReadBlock | Diagnostic;

/** Tells a block of a parsed text from an error outside blocks. */
export function isBlock(item: Item): item is ReadBlock {
  return "properties" in item;
}

/** Tells an error outside blocks of a parsed text from a block. */
export function isStray(item: Item): item is Diagnostic {
  return !isBlock(item);
}

/** What a block of another syntax than NESL means, beside its properties. */
export interface Meant {
  /**
   * Base of its paths: the root, or, if nothing exists there, the only file whose path ends with it, without or with a
   * warning.
   */
  readonly paths: "from-root" | "by-tail" | "by-tail-with-warning";
  /** The name in the text, for reports: `WRITE`. */
  readonly operation?: string;
  /** Set if it may not be meant as an edit: the syntax that the settings must name, or else somebody must agree. */
  readonly uncertain?: string;
  /** Set if its path is found by what it shows, so that somebody must agree whatever the settings name. */
  readonly isUnnamed?: boolean;
  /** The file in whose folder a new one goes, if its path has none. */
  readonly beside?: string;
  /** Consecutive blocks with the same group run all, or not at all. */
  readonly group?: string;
  /** Where the lines stand that it replaces. */
  readonly place?: HunkPlace;
  /** What the text calls parameters of its action: `old_string` for `old_text`. */
  readonly words?: Readonly<Record<string, string>>;
  /** Other values of its properties, to take if neither its old nor its new text is in the file. */
  readonly otherwise?: Readonly<Record<string, string>>;
}

/** Returns what a result or an error says of the syntax that a block is in. */
export function syntaxFacts(meant: Meant | undefined): { readonly operation?: string; readonly namesNoAction?: true } {
  return {
    ...(meant?.operation !== undefined && { operation: meant.operation }),
    ...(meant !== undefined && meant.operation === undefined && { namesNoAction: true }),
  };
}

/** Lines of a file and what replaces them. Every line ends with LF. */
export interface HunkText {
  /** Empty for lines that are only added: to the end of the file, if nothing else tells where. */
  readonly oldLines: string;
  readonly newLines: string;
}

/** All hunks of a file, from its top to its end, and the index of one of them. */
export class HunksOfFile {
  readonly hunks: readonly HunkText[];
  readonly index: number;

  constructor(hunks: readonly HunkText[], index: number) {
    this.hunks = hunks;
    this.index = index;
  }

  /** The others are blocks of their own: a hunk is the same one among others too. */
  toJSON(): undefined {
    return undefined;
  }
}

/** Where lines to replace stand, as far as their author knows, and what the file must be. */
export interface HunkPlace {
  /** Lines of which each stands after the one before it, and the old lines after the last. */
  readonly scopes?: readonly string[] | undefined;
  /** 1-based line of the first one. It only chooses between equal places. */
  readonly line?: number | undefined;
  /** Lines that stand in the file now, and the line that the author takes them to be at: both may be off alike. */
  readonly anchor?: { readonly lines: string; readonly line: number } | undefined;
  /** All hunks of the file. Their order only chooses between equal places. */
  readonly among?: HunksOfFile | undefined;
  /** Whether they are the last ones of the file. It only chooses between equal places. */
  readonly isAtEnd?: boolean | undefined;
  /** Whether the file ends with a newline afterwards, of which they are the end; as before if undefined. */
  readonly finalNewline?: boolean | undefined;
  /** Whether nothing may be left of the file. */
  readonly isAll?: boolean | undefined;
  /** A line that the file must not have. */
  readonly absentLine?: string | undefined;
}

/** A parsed text: its blocks, and the errors outside them, in order. */
export interface ReadText {
  readonly items: readonly Item[];
  /** An error that prevents all blocks of the syntax from running. There are no items then. */
  readonly fatal?: FatalError;
}

export interface FatalError {
  readonly diagnostic: Diagnostic;
  /** The operation at the error, as the text calls it. */
  readonly operation: string;
  /** The lines of all operations, of which none runs. What they quote is no answer either. */
  readonly ranges: readonly Lines[];
}

/** Lines of a text, 1-based and inclusive. */
export interface Lines {
  readonly first: number;
  /** Infinity if they reach the end of the text. */
  readonly last: number;
}

/** All blocks and all diagnostics of a text, each in order. */
export interface ParseResult {
  readonly blocks: Block[];
  readonly errors: Diagnostic[];
}
