/** Tells a line of an excerpt that stands for others of the file. */
import { kindOf } from "../../edit/placeholder-kind.ts";
import { firstIndent, indentOf } from "../text.ts";

/** Returns whether a line between declarations, or at an end, says no more than that others are there. */
export function isHole(line: string): boolean {
  const text = line.trim();
  return ELLIPSIS.test(text) || EXISTING.test(text) || (KEEPS.test(text) && kindOf(text) !== undefined);
}

/** A comment with a word of what stays. What is to stand here may be left to the reader. */
const KEEPS =
  /^(?:\/[/*]|#|--|<!--)(?:.*\bno changes?\b|(?=.*\b(?:as is|etc|existing|keep|other|previous|same|snip))(?!.*\bhere\b))/i;
const ELLIPSIS = /^(?:\/\/|#|--|;|\/\*|<!--|\{\/\*)?\s*(?:\.{3}|…)/;
const EXISTING =
  /^(?:\/\/|#|--|;|\/\*|<!--)\s*(?:the )?(?:(?:existing|other|remaining|previous|rest)\b[^.]{0,40}|.{0,30}\b(?:unchanged|(?:stays?|remains?) (?:the same|as (?:is|it (?:is|was)|they (?:are|were)))|as before|omitted)\b.{0,20})$/i;

/**
 * Returns a text without the lines at its ends that stand for others.
 *
 * @param isWhole whether deeper ones stand for lines inside what is shown, so that they stay
 */
export function withoutEdgeHoles(text: string, isWhole = false): string {
  const lines = text.split("\n");
  const depth = isWhole ? firstIndent(text).length : Infinity;
  const isOwn = (line: string): boolean => line.trim() !== "" && !(isHole(line) && indentOf(line).length <= depth);
  const [first, last] = [lines.findIndex(isOwn), lines.findLastIndex(isOwn)];
  return first === -1 ? text : `${lines.slice(first, last + 1).join("\n")}\n`;
}
