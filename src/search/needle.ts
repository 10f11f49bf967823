import { findFirst } from "../edit/match.ts";
import type { Needle } from "./line-finder.ts";

/** What to search for. */
export interface Sought {
  /** Makes what finds it. */
  needle(): Needle;
  readonly isRegex: boolean;
  /**
   * For ripgrep, which may find more of a regular expression; undefined if it would understand it otherwise, or find
   * less.
   */
  readonly ripgrepPattern: string | undefined;
}

/** @param pattern not empty, without a newline */
export function soughtText(pattern: string): Sought {
  const bytes = Buffer.from(pattern);
  // `indexOf` is quadratic for a long pattern on uniform bytes.
  const find = (lines: Buffer, from: number): number =>
    bytes.length <= 256 ? lines.indexOf(bytes, from) : (findFirst(lines, bytes, from)?.start ?? -1);
  const needle: Needle = { width: bytes.length, find };
  return { needle: () => needle, isRegex: false, ripgrepPattern: pattern };
}
