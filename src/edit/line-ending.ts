/** The texts for places of a file, asked for in ascending order. */
export type FitEnding = (text: string, start: number) => string;

/**
 * Fits new texts to the places of one file: bare LFs become CRLF where the file's lines there end so. A text that writes CR itself, in what
 * it replaces or in the replacement, means what it says and is left alone.
 */
export function fitLineEndings(file: Buffer, oldText: string, newText: string): FitEnding {
  const verbatim = !newText.includes("\n") || newText.includes("\r") || oldText.includes("\r");
  if (verbatim) return (text) => text;
  const lineEndingAt = lineEndingsOf(file);
  // Of many places nearly all get the same text.
  let [last, withCrlf] = ["", ""];
  return (text, start) => {
    if (lineEndingAt(start) === "\n") return text;
    if (text !== last) [last, withCrlf] = [text, text.replaceAll("\n", "\r\n")];
    return withCrlf;
  };
}

/** The line ending in use at an offset: the first at or after it, else the last before it. Linear over all ascending offsets. */
function lineEndingsOf(file: Buffer): (start: number) => "\n" | "\r\n" {
  let next: number | undefined;
  let last: number | undefined;
  return (start) => {
    if (next === undefined || (next !== -1 && next < start)) next = file.indexOf(LF, start);
    if (next === -1) last ??= file.lastIndexOf(LF, start);
    return file[(last ?? next) - 1] === CR ? "\r\n" : "\n";
  };
}

const LF = 10;
const CR = 13;
