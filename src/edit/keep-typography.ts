import { diffArrays } from "diff";
import { plain } from "./typography.ts";

/**
 * The content of a new line with the typographic characters that the file has in what stays of the old one: who quoted those as plain
 * ones does so in the new text as well. Only where at least half of the old words stay; else it is another line, perhaps of code.
 *
 * @param file the content that the old line was found for, equal to it but for typography
 */
export function keepTypography(written: string, old: string, file: string): string {
  if (file === plain(file) || file.length !== old.length || file.length > LONGEST) return written;
  let [result, at, ofFile, words, isWhole] = ["", 0, 0, 0, true];
  for (const { added, removed, value } of diffArrays(tokensOf(old), tokensOf(written))) {
    const length = value.reduce((sum, token) => sum + token.length, 0);
    const isKept = !added && !removed;
    if (isKept) result += kept(written.slice(at, at + length), old.slice(ofFile, ofFile + length), file.slice(ofFile, ofFile + length));
    else if (added) result += written.slice(at, at + length);
    if (removed) isWhole = false;
    else at += length;
    if (!added) ofFile += length;
    if (isKept) words += value.filter(isWord).length;
  }
  const all = tokensOf(old).filter(isWord).length;
  return isWhole || (words > 0 && words * 2 >= all) ? result : written;
}

/** UTF-16 units of a line that is taken to pieces. */
const LONGEST = 2_000;

/** Who wrote a character in another way in the old text than in the new one means to change it. */
function kept(written: string, old: string, file: string): string {
  return written.split("").map((unit, index) => (unit === old[index] ? file[index] : unit)).join("");
}

/** Words, and everything else one by one, in plain characters: each as long as it was. */
function tokensOf(text: string): string[] {
  return plain(text).match(/[\p{L}\p{N}\p{M}_]+|[^]/gu) ?? [];
}

const isWord = (token: string): boolean => /[\p{L}\p{N}_]/u.test(token);
