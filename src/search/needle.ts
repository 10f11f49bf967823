import { findFirst } from "../edit/match.ts";
import type { Needle } from "./line-finder.ts";
import { Automaton } from "./regex/automaton.ts";
import { parseRegex } from "./regex/parse.ts";
import { printForRipgrep } from "./regex/print.ts";
import { compileRegex } from "./regex/program.ts";

/** What to search for. */
export interface Sought {
  /** Makes what finds it. One that was interrupted cannot be used again. */
  needle(): Needle;
  readonly isRegex: boolean;
  /** For ripgrep, which may find more of a regular expression. */
  readonly ripgrepPattern: string;
}

/** @param pattern not empty, without a newline */
export function soughtText(pattern: string): Sought {
  const bytes = Buffer.from(pattern);
  // `indexOf` is quadratic for a long pattern on uniform bytes.
  const find = (block: Buffer, from: number): number =>
    bytes.length <= 256 ? block.indexOf(bytes, from) : (findFirst(block, bytes, from)?.start ?? -1);
  const needle: Needle = { width: bytes.length, find, isAtEnd: () => false, reset: () => {} };
  return { needle: () => needle, isRegex: false, ripgrepPattern: pattern };
}

/** Throws `Failed` for a pattern that is no regular expression, or one that cannot be searched for in linear time. */
export function soughtRegex(pattern: string): Sought {
  const regex = parseRegex(pattern);
  const program = compileRegex(regex);
  return { needle: () => new Automaton(program), isRegex: true, ripgrepPattern: printForRipgrep(regex) };
}
