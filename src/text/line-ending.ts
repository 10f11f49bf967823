/**
 * Fits new texts to the places of one file, asked for in ascending order: bare LFs become CRLF where the file's lines there end so.
 * A text that writes CR itself, in what it replaces or in the replacement, means what it says and is left alone.
 *
 * @returns the new text for the place that starts at an offset
 */
export function fitLineEndings(file: string, oldText: string, newText: string): (start: number) => string {
  const verbatim = !newText.includes("\n") || newText.includes("\r") || oldText.includes("\r") || !file.includes("\r\n");
  if (verbatim) return () => newText;
  const withCrlf = newText.replaceAll("\n", "\r\n");
  const lineEndingAt = lineEndingsOf(file);
  return (start) => (lineEndingAt(start) === "\r\n" ? withCrlf : newText);
}

/** The line ending in use at an offset: the first at or after it, else the last before it. Linear over all ascending offsets. */
function lineEndingsOf(file: string): (start: number) => "\n" | "\r\n" {
  let next = file.indexOf("\n");
  let last: number | undefined;
  return (start) => {
    if (next !== -1 && next < start) next = file.indexOf("\n", start);
    if (next === -1) last ??= file.lastIndexOf("\n", start);
    return file[(last ?? next) - 1] === "\r" ? "\r\n" : "\n";
  };
}
