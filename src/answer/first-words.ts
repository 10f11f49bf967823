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
  const shown = text.slice(blank.length, blank.length + MAX_SEARCHED).split("\n", Math.max(0, lines));
  return firstOf(proseIn(shown));
}

/** Returns the sentence that introduces a block: the beginning of the last line of prose above it. */
export function sentenceAbove(lines: readonly string[]): string | undefined {
  // The fence around the block before ends there.
  const start = CLOSING.test(lines[0] ?? "") ? 1 : 0;
  return firstOf(proseIn(lines.slice(start)).slice(-MAX_LINES).toReversed());
}

/** Returns the lines outside code and reports. */
function proseIn(lines: readonly string[]): string[] {
  let isCode = false;
  let isReport = false;
  return lines.filter((line) => {
    const isMark = line.startsWith("=== ") || isFence(line);
    // In a watched file the results of the text before stand above it.
    if (line.startsWith("=== ")) isReport = !line.startsWith("=== END ===");
    else if (isMark) isCode = !isCode;
    return !isMark && !isCode && !isReport;
  });
}

function firstOf(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const plain = maskSecrets(line.slice(0, MAX_SEARCHED)).replace(MARKS, "").replaceAll(EMPHASIS, "");
    const words = plain.replaceAll(/\s+/g, " ").trim();
    if (PROSE.test(words)) return cut(SENTENCE.exec(words)?.[0] ?? words, MAX_SENTENCE);
  }
  return undefined;
}

/** UTF-16 units. */
const MAX_SEARCHED = 10_000;
/** Lines of prose above a block that may introduce it. */
const MAX_LINES = 20;
const CLOSING = /^ {0,3}(?:`{3,}|~{3,})\s*$/;
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
