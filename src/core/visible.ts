/** Text that cannot act on a terminal or deceive an eye: what is invisible or moves the cursor is shown as an escape. */
import { once } from "./once.ts";

/** Nothing in it is hidden: as a text, and as part of a line. */
const PLAIN = /^[\t\n -~]*$/;
const PLAIN_LINE = /^[\t -~]*$/;

/** All but tab, LF and CRLF: control characters (escape sequences begin with one), marks of writing direction, lone surrogates. */
const hidden = once(() => /(?!\t|\n|\r\n)[\p{Cc}\p{Bidi_Control}\p{Surrogate}\u2028\u2029]/gu);

/**
 * The text with hidden characters as `\u001b`. Characters that only take no room, such as a joiner, stay: what a model copies
 * from a file's content has to be found in the file again. Doing it twice changes nothing more.
 */
export function visible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(hidden(), escapeOf);
}

/**
 * The text as part of one line, for names and messages: line breaks and all that takes no room are shown as an escape too, so that
 * no two names look alike by it, and from `longest` UTF-16 units on it is cut off.
 */
export function visibleOnOneLine(text: string, longest = 1_000): string {
  const short = text.length > longest ? `${text.slice(0, longest).replace(HALF_PAIR, "")}…` : text;
  return PLAIN_LINE.test(short) ? short : visible(short.replace(unseen(), escapeOf));
}

const HALF_PAIR = /[\ud800-\udbff]$/;

const EMOJI = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}]`;
/** What styles an emoji or joins two of them can be seen by what it does there. */
const EMOJI_PART = String.raw`(?<=${EMOJI})\ufe0f|(?<=${EMOJI}\ufe0f?)\u200d(?=${EMOJI})`;
const unseen = once(() => new RegExp(String.raw`\n|(?!${EMOJI_PART})\p{Default_Ignorable_Code_Point}`, "gu"));

/** By UTF-16 units, as JSON and NESL write it. */
function escapeOf(character: string): string {
  return character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
