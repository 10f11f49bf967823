export const LF = 10;
export const CR = 13;

/** Splits into lines with their LF. There is no empty line after a final one. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Adapts the text for a place. Must be called in ascending order of places. */
export type FitEnding = (text: string, start: number) => string;

/**
 * Adapts new texts to the line endings of a file: bare LFs become CRLF where the file uses it. A replacement with a CR
 * in its old or new text is intended verbatim and left alone.
 */
export function fitLineEndings(file: Buffer, oldText: string, newText: string): FitEnding {
  const verbatim = !newText.includes("\n") || newText.includes("\r") || oldText.includes("\r");
  if (verbatim) return (text) => text;
  const lineEndingAt = lineEndingsOf(file);
  // Nearly all places get the same text.
  let [last, withCrlf] = ["", ""];
  return (text, start) => {
    if (lineEndingAt(start) === "\n") return text;
    if (text !== last) [last, withCrlf] = [text, text.replaceAll("\n", "\r\n")];
    return withCrlf;
  };
}

/**
 * Returns the line ending in use at an offset: the first at or after it, else the last before it. Linear over all
 * ascending offsets.
 */
function lineEndingsOf(file: Buffer): (start: number) => "\n" | "\r\n" {
  let next: number | undefined;
  let last: number | undefined;
  return (start) => {
    if (next === undefined || (next !== -1 && next < start)) next = file.indexOf(LF, start);
    if (next === -1) last ??= file.lastIndexOf(LF, start);
    return file[(last ?? next) - 1] === CR ? "\r\n" : "\n";
  };
}
