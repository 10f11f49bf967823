/** Tells which code of an answer is shown again further below. */

/** A block of the answer. */
export interface Added {
  readonly path: string;
  /** Of a fence that only shows a new text, trimmed, each between line feeds. */
  readonly lines: string | undefined;
  /** The new texts that the answer gives for its code span. */
  readonly texts: ReadonlySet<string> | undefined;
  add(): void;
}

/** Returns whether a fence shows all lines of an earlier one, and further ones. */
export function repeats({ lines = "" }: Added, earlier: Added): boolean {
  return earlier.lines !== undefined && lines !== earlier.lines && lines.includes(earlier.lines);
}

export function linesIn(text: string): string {
  const lines = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  return `\n${lines.join("\n")}\n`;
}

/** The last fences of a file, in which earlier ones may be shown again. */
export const MAX_REPEATED = 5;
