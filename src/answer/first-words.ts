import { maskSecrets } from "../core/mask-secrets.ts";
import { isFence } from "../syntaxes/fence.ts";

/**
 * Returns the first sentence of an answer's prose, for the commit and `loaf log`. Undefined if there is none above its
 * first block. Masks secrets, because it is stored.
 *
 * @param firstLine 1-based line of the first block
 */
export function firstSentence(text: string, firstLine: number): string | undefined {
  // Spaces in place of reasoning can be long.
  const blank = text.slice(0, Math.max(0, text.search(/\S/)));
  const lines = firstLine - blank.split("\n").length;
  let isCode = false;
  let isReport = false;
  for (const line of text.slice(blank.length, blank.length + MAX_SEARCHED).split("\n", Math.max(0, lines))) {
    // In a watched file the results of the text before stand above it.
    if (line.startsWith("=== ")) isReport = !line.startsWith("=== END ===");
    else if (isFence(line)) isCode = !isCode;
    else if (!isCode && !isReport) {
      const words = maskSecrets(line).replace(MARKS, "").replaceAll(EMPHASIS, "").replaceAll(/\s+/g, " ").trim();
      if (PROSE.test(words)) return cut(SENTENCE.exec(words)?.[0] ?? words, MAX_SENTENCE);
    }
  }
  return undefined;
}

/** UTF-16 units. */
const MAX_SEARCHED = 10_000;
const MAX_LENGTH = 60;
const MAX_SENTENCE = 300;

/** The marks of a heading, a quotation or a list in Markdown. */
const MARKS = /^\s*(?:(?:#{1,6}|>|[*+-]|\d{1,3}[.)])\s+)*/;
const EMPHASIS = /\*\*|__|`/g;
/** At least two words: `Sure!` alone says nothing. Ends at a full stop before a space, or with the line. */
const SENTENCE = /^\S+ .*?[.!?。！？](?= |$)/u;

/** Begins like a sentence, and has more than one word: no path, tag or mark of a syntax. */
const PROSE = /^["'“„«(¿¡]?[\p{L}\p{N}].* /u;

/** Returns the first words of a sentence, as `loaf log` shows them. */
export function firstWords(sentence: string): string {
  return cut(sentence, MAX_LENGTH);
}

/** Cuts between words. */
function cut(words: string, most: number): string {
  if (words.length <= most) return words;
  const end = words.lastIndexOf(" ", most);
  return `${end > most / 2 ? words.slice(0, end) : words.slice(0, most).replace(/[\ud800-\udbff]$/, "")}…`;
}
