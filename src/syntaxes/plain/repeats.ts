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
function repeats({ lines = "" }: Added, earlier: Added): boolean {
  return earlier.lines !== undefined && lines !== earlier.lines && lines.includes(earlier.lines);
}

/** Returns the blocks to add: what a later fence shows again is one edit with it, and of several new texts none is meant. */
export function withoutRepeated(added: readonly Added[]): readonly Added[] {
  const last = new Map<string, readonly Added[]>();
  for (const block of added) last.set(block.path, [...(last.get(block.path) ?? []), block].slice(-MAX_REPEATED));
  return added.filter((block) => {
    const ofFile = last.get(block.path) ?? [];
    const later = ofFile.slice(ofFile.indexOf(block) + 1);
    return !later.some((other) => repeats(other, block)) && (block.texts?.size ?? 1) === 1;
  });
}

export function linesIn(text: string): string {
  const lines = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  return `\n${lines.join("\n")}\n`;
}

/** The last fences of a file, in which earlier ones may be shown again. */
const MAX_REPEATED = 5;
