import type { Diagnostic, ReadBlock, ReadText } from "../core/block.ts";
import type { Finding } from "../core/finding.ts";
import type { Delimiters } from "./csl/marker.ts";
import type { Source } from "./source.ts";

/**
 * A syntax of answers: all that Loaf knows of it. It reads its blocks into those of Loaf's actions, so that nothing
 * after this folder asks how a block was written. `index.ts` lists the syntaxes.
 */
export interface Syntax {
  /** As in `--format` and `--syntax`: `csl`. */
  readonly name: string;
  /** In a sentence: `the replacer's syntax`. */
  readonly called: string;
  /** Set if other tools defined it. A report then says that it was read. */
  readonly isForeign?: true;
  /** Set if its blocks may not be meant as edits, so that somebody must agree to each, or the settings. */
  readonly isUncertain?: true;
  /** What its blocks are called there: `operation`. */
  readonly unit: "block" | "operation" | "call" | "file";
  /** How a model is asked to write an edit again. */
  readonly asked: {
    readonly as: string;
    readonly change: string;
    readonly write: string;
    /** How to delete or rename a file. Absent if it cannot. */
    readonly remove?: string;
  };
  /** Set if a block may carry one of another syntax as its argument. That one counts, unless it can be read itself. */
  readonly carries?: true;
  /** The line that ends a block, if it names the block. A copy of a part is known by it. */
  readonly endMarker?: RegExp;
  /**
   * Returns false for a text that holds none of its blocks, at little cost and in linear time. Absent if reading does
   * so itself. CSL and the replacer would take such a text for a damaged one.
   */
  isIn?(source: Source, settings: ReadSettings): boolean;
  /** Returns whether a line opens a block, or claims to. */
  opens(line: string, settings: ReadSettings): boolean;
  /** Reads a whole text. Never throws. Runs in linear time. */
  read(source: Source, settings: ReadSettings, maxErrors?: number): ReadText;
  /** Returns whether a line is no edit of its own, but what blocks of this syntax stand in: `<apply_diff>`. */
  wraps?(line: string): boolean;
  /** Set if a block can run before the text has ended. */
  readonly arriving?: ArrivingSyntax;
  /** Returns what `read` would have read from an undamaged text, where that is certain. */
  repair?(source: Source, read: ReadText): Repaired;
  /** Returns whether a line outside blocks is almost one of its own. */
  near?(line: string, settings: NearSettings): NearLine | undefined;
  /**
   * Returns a hint for each error of a block, or of the line outside blocks: what to write instead, in one sentence or
   * more lines.
   *
   * @param text the block, or that line
   */
  advise(diagnostics: readonly Diagnostic[], text: string, settings: ReadSettings): readonly string[];
  /** Finds what a text that was cut off ends in. */
  cutOff(source: Source, read: ReadText, lastLine: ProseLine | undefined): Finding | undefined;
  /** Finds further damage in what was read. */
  damage?(read: ReadText): Finding | undefined;
  /** Returns instructions for a model to write it. Undefined if none should: it writes another one better. */
  teach?(lesson: Lesson): string;
  /** Set if `teach` also has a text that is as short as possible. */
  readonly hasShortLesson?: true;
}

/** What a text holds in one syntax. */
export interface Part {
  readonly syntax: Syntax;
  readonly read: ReadText;
}

export interface ReadSettings {
  readonly csl: Delimiters;
  /** Absent where there is no project. */
  readonly fileWith?: FileWith | undefined;
  /** The files of the blocks that other syntaxes have read, by the block's last line, 0-based. */
  readonly pathsAt?: ReadonlyMap<number, string>;
}

/** Code of a fence whose path the sentences right above it do not tell. */
export interface CodeShown {
  /** As its fence calls it: `ts`, or empty. */
  readonly language: string;
  readonly content: string;
  /** The lines that it replaces, if the answer shows them. */
  readonly old?: string | undefined;
  /** The sentences above it. */
  readonly told: string;
  /** The file that the text above is about. */
  readonly near?: string | undefined;
}

export interface FileWith {
  /** Returns the path of the only file that such code can be meant for: `near`, unless that lacks what another has. */
  (code: CodeShown): string | undefined;
  /** Returns the text of a file of the project, by its path or the end of it. */
  textAt(path: string): string | undefined;
  /** Returns the only file that has most of the lines of some code, and of the names that sentences tell. */
  about(code: ReadonlyArray<Pick<CodeShown, "language" | "content">>, names: readonly string[]): string | undefined;
  /** Returns whether all that code declares stands in one file alone, which lacks some of its lines. */
  redeclares(code: Pick<CodeShown, "language" | "content">): boolean;
  /** Returns the path of the only shell script that has the functions of some lines, most of them, or all where they are old. */
  scriptWith(content: string, isOld: boolean): string | undefined;
}

/** What is known where there is no project. */
export const WITHOUT_PROJECT: FileWith = Object.assign(({ near }: CodeShown) => near, {
  textAt: () => undefined,
  about: () => undefined,
  redeclares: () => false,
  scriptWith: () => undefined,
});

export interface ArrivingSyntax {
  /** Makes a parser of a text that arrives in pieces, split anywhere. */
  parser(onItem: (item: ReadBlock | Diagnostic) => void, maxErrors: number): { write(piece: string): void };
  /** Returns whether the blocks from this error on can be read only with the whole text. */
  mustWait(stray: Diagnostic): boolean;
}

export interface Repaired {
  /** Has as many lines as before. */
  readonly text: string;
  /** What was repaired, as a sentence, by 1-based line of the block's first line. */
  readonly warnings: ReadonlyMap<number, string>;
  /** What could not be repaired. */
  readonly findings: readonly Finding[];
}

export interface NearSettings extends ReadSettings {
  /** Whether the text is in this syntax. */
  readonly isOwn: boolean;
}

/** A line that is almost one of a syntax. */
export interface NearLine {
  /** What it should be. Lines with the same name are reported together. */
  readonly name: string;
  /** Set if it belongs in a block; reported only if no block begins, or nearly begins. */
  readonly isInner?: boolean;
  /** @param lines 1-based */
  finding(lines: readonly number[]): Finding;
}

export interface ProseLine {
  readonly line: string;
  /** 1-based. */
  readonly number: number;
}

/** What instructions are made from. */
export interface Lesson {
  /** The project's absolute root. */
  readonly root: string;
  /** Whether NESL's paths may be relative to the root. In other syntaxes they always may. */
  readonly relativePaths: boolean;
  /** Whether written files always end with a newline. */
  readonly endsWithNewline: boolean;
  /** Whether to shorten the instructions as far as possible. */
  readonly isShort: boolean;
  /** Whether commands may be run without a shell. */
  readonly mayRunCommands: boolean;
  /** The allowed actions. A syntax leaves out those that it cannot express. */
  readonly actions: readonly TaughtAction[];
  readonly csl: Delimiters;
}

export interface TaughtAction {
  readonly name: string;
  readonly summary: string;
  readonly notes: readonly string[];
  readonly parameters: readonly TaughtParameter[];
  /** What its paths are for: `read`, `write`, `read,write`. */
  readonly access: string;
  /** @param root replaces the example's root; empty for relative paths */
  example(root: string): Readonly<Record<string, string>>;
}

export interface TaughtParameter {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  /** The form of its text in a block. */
  readonly form: string;
}
