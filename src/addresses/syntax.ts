/** What a language's reader tells about the syntax of a text. */
import type { FoundPart } from "./part.ts";

/** A place that the grammar does not accept. UTF-16 offsets. */
export interface Fault {
  readonly start: number;
  readonly end: number;
  /** A token without which the text is incomplete here. */
  readonly missing?: string;
  /** What is wrong, as half a sentence. */
  readonly problem?: string;
}

/** Outside strings and comments. */
export interface Bracket {
  readonly type: string;
  /** UTF-16 offset. */
  readonly start: number;
}

export interface SourceSyntax {
  /** In the order of the text. Empty if it is valid. */
  readonly faults: readonly Fault[];
  /** Empty if not asked for. */
  readonly brackets: readonly Bracket[];
}

/** Reads the syntax of a text. Throws `Unreadable`. */
export type ReadSyntax = (text: string, wantsBrackets?: "always" | "if broken") => SourceSyntax;

/** What can be read of the files of a language. */
export interface SourceReader {
  /** Finds the parts. Throws `Unreadable`. */
  read(text: string): FoundPart[];
  readonly syntax: ReadSyntax;
  /**
   * How far its errors can be relied on. `whole`: only in whole files, because a part means something else. `changes`:
   * also not in new files, because macros may hide brackets. `exact`: only in whole files, but each of them, since the
   * language has one grammar.
   */
  readonly reliable?: "whole" | "changes" | "exact" | undefined;
}
