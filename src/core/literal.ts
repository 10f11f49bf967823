/** Returns the source of a regular expression that matches a text as it is, with or without the flag `u`. */
export function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
