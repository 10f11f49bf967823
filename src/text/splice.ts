/** Put `text` where `start` to `end` (UTF-16 offsets, end exclusive) stood. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with all splices made. They are sorted and do not overlap. */
export function splice(text: string, splices: readonly Splice[]): string {
  const joined: string[] = [];
  let parts: string[] = [];
  let from = 0;
  for (const { start, end, text: replacement } of splices) {
    parts.push(text.slice(from, start), replacement);
    from = end;
    if (parts.length < MOST_PARTS) continue;
    joined.push(parts.join(""));
    parts = [];
  }
  return joined.join("") + parts.join("") + text.slice(from);
}

/** Joined in groups, millions of short parts take a third of the time and little memory. */
const MOST_PARTS = 10_000;
