/** Text that cannot act on a terminal or deceive an eye: what is invisible or moves the cursor is shown as an escape. */

/** All but tab, LF and CRLF: control characters (escape sequences begin with one), marks of writing direction, lone surrogates. */
const HIDDEN = /(?!\t|\n|\r\n)[\p{Cc}\p{Bidi_Control}\p{Surrogate}\u2028\u2029]/gu;

/** The text with hidden characters as `\u001b`. Doing it twice changes nothing more. */
export function visible(text: string): string {
  return text.replace(HIDDEN, escapeOf);
}

/** The text as part of one line: line breaks too are shown as an escape, and from `longest` UTF-16 units on it is cut off. */
export function visibleOnOneLine(text: string, longest = 1_000): string {
  const short = text.length > longest ? `${text.slice(0, longest).replace(HALF_PAIR, "")}…` : text;
  return visible(short.replaceAll("\n", escapeOf));
}

const HALF_PAIR = /[\ud800-\udbff]$/;

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
