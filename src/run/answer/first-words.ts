import { maskSecrets } from "../../core/mask-secrets.ts";

/**
 * Returns the first words of an answer's prose, for `loaf log`. Undefined if there is none above its first block. Masks
 * secrets, because the words are stored.
 *
 * @param firstLine 1-based line of the first block
 */
export function firstWords(text: string, firstLine: number): string | undefined {
  // Spaces in place of reasoning can be long.
  const blank = text.slice(0, Math.max(0, text.search(/\S/)));
  const lines = firstLine - blank.split("\n").length;
  let isCode = false;
  for (const line of text.slice(blank.length, blank.length + MAX_SEARCHED).split("\n", Math.max(0, lines))) {
    if (FENCE.test(line)) isCode = !isCode;
    else if (!isCode) {
      const words = maskSecrets(line).replace(MARKS, "").replaceAll(EMPHASIS, "").replaceAll(/\s+/g, " ").trim();
      if (PROSE.test(words)) return cut(words);
    }
  }
  return undefined;
}

/** UTF-16 units. */
const MAX_SEARCHED = 10_000;
const MAX_LENGTH = 60;

const FENCE = /^\s*(?:`{3}|~{3})/;
/** The marks of a heading, a quotation or a list in Markdown. */
const MARKS = /^\s*(?:(?:#{1,6}|>|[*+-]|\d{1,3}[.)])\s+)*/;
const EMPHASIS = /\*\*|__|`/g;
/** Begins like a sentence, and has more than one word: no path, tag or mark of a syntax. */
const PROSE = /^["'“„«(¿¡]?[\p{L}\p{N}].* /u;

/** Cuts between words. */
function cut(words: string): string {
  if (words.length <= MAX_LENGTH) return words;
  const end = words.lastIndexOf(" ", MAX_LENGTH);
  return `${end > MAX_LENGTH / 2 ? words.slice(0, end) : words.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, "")}…`;
}
