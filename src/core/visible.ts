/**
 * Escapes invisible characters and those that move the cursor, so that text cannot act on a terminal or deceive
 * readers.
 */
import { once } from "./once.ts";

/** Texts, or parts of a line, without hidden characters. */
const PLAIN = /^[\t\n -~]*$/;
const PLAIN_LINE = /^[\t -~]*$/;

/**
 * Control characters except tab, LF and CRLF (escape sequences begin with one), bidirectional controls, lone
 * surrogates.
 */
const hidden = once(() => /(?!\t|\n|\r\n)[\p{Cc}\p{Bidi_Control}\p{Surrogate}\u2028\u2029]/gu);

/**
 * Shows hidden characters as escapes: `\u001b`. Keeps zero-width characters such as joiners: text that a model copies
 * from a file must be found in the file again. Idempotent.
 */
export function visible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(hidden(), escapeOf);
}

/**
 * Shows a text as part of one line, for names and messages. Also escapes line breaks and zero-width characters, so that
 * no two names look alike. Truncates the text after `longest` UTF-16 units.
 */
export function visibleOnOneLine(text: string, longest = 1_000): string {
  const short = text.length > longest ? `${text.slice(0, longest).replace(HALF_PAIR, "")}…` : text;
  return PLAIN_LINE.test(short) ? short : visible(short.replace(unseen(), escapeOf));
}

/** Like `visible`, but also escapes zero-width characters, for text that somebody has to agree to. */
export function visibleInLines(text: string): string {
  const escaped = (match: string): string => (match === "\n" ? match : escapeOf(match));
  return PLAIN.test(text) ? text : visible(text.replace(unseen(), escaped));
}

const HALF_PAIR = /[\ud800-\udbff]$/;

const EMOJI = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}]`;
/** Selectors and joiners of emoji have a visible effect. */
const EMOJI_PART = String.raw`(?<=${EMOJI})\ufe0f|(?<=${EMOJI}\ufe0f?)\u200d(?=${EMOJI})`;
const unseen = once(() => new RegExp(String.raw`\n|(?!${EMOJI_PART})\p{Default_Ignorable_Code_Point}`, "gu"));

/** Escapes each UTF-16 unit, as JSON and NESL do. */
export function escapeOf(character: string): string {
  return character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Returns output as a terminal leaves it: a carriage return starts its line anew, as in progress bars. Keeps returns at
 * the end of a line.
 */
export function afterReturns(output: string): string {
  if (!output.includes("\r")) return output;
  return output
    .split("\n")
    .map((line) => {
      let end = line.length;
      while (line[end - 1] === "\r") end -= 1;
      return end === 0 ? line : line.slice(line.lastIndexOf("\r", end - 1) + 1);
    })
    .join("\n");
}

/** Lists the first `most` paths and counts the rest: `a, b and 3 more`. */
export function namedFew(paths: readonly string[], most: number): string {
  const named = paths.slice(0, most).join(", ");
  return paths.length > most ? `${named} and ${paths.length - most} more` : named;
}
