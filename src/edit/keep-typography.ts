import { diffArrays } from "diff";
import { plain } from "./typography.ts";

/**
 * Restores the file's typographic characters in the parts of a new line that come from the old one: if the model quoted
 * them as plain characters, it does so in the new text too. Applies only if at least half of the old words remain.
 * Otherwise it is a different line, perhaps of code.
 *
 * @param file the content that matched the old line, equal except for typography
 */
export function keepTypography(written: string, old: string, file: string): string {
  if (file === plain(file) || file.length !== old.length || file.length > MAX_LENGTH) return written;
  let [result, at, ofFile, words, isWhole] = ["", 0, 0, 0, true];
  for (const { added, removed, value } of diffArrays(tokensOf(old), tokensOf(written))) {
    const length = value.reduce((sum, token) => sum + token.length, 0);
    const isKept = !added && !removed;
    if (isKept) result += restored(written.slice(at, at + length), old.slice(ofFile, ofFile + length), file.slice(ofFile, ofFile + length));
    else if (added) result += written.slice(at, at + length);
    if (removed) isWhole = false;
    else at += length;
    if (!added) ofFile += length;
    if (isKept) words += value.filter(isWord).length;
  }
  const all = tokensOf(old).filter(isWord).length;
  return isWhole || (words > 0 && words * 2 >= all) ? result : written;
}

/** Maximum length of a line to compare, in UTF-16 units. */
const MAX_LENGTH = 2_000;

/** Keeps a character that the new text writes differently from the old text, because that change is intended. */
function restored(written: string, old: string, file: string): string {
  return written.split("").map((unit, index) => (unit === old[index] ? file[index] : unit)).join("");
}

/** Splits into words and single other characters, in plain form. Keeps lengths. */
function tokensOf(text: string): string[] {
  return plain(text).match(/[\p{L}\p{N}\p{M}_]+|[^]/gu) ?? [];
}

const isWord = (token: string): boolean => /[\p{L}\p{N}_]/u.test(token);
