/** Tells old code that an answer shows below its edit from a further edit. */
import { trimmedLines } from "../edit/lazy.ts";

interface Again {
  /** The text of the file before the answer. */
  readonly original: string;
  /** Its text now. */
  readonly before: string;
  readonly content: string;
  /** Its first line, if that only names the file. */
  readonly label?: string | undefined;
  /** Its text with what is shown. */
  readonly text: string;
}

/**
 * Returns whether shown lines are in the original, and what they change becomes what it was there, between the same
 * lines. Code that moves to another place does not.
 */
export function takesBack({ original, before, content, label = "", text }: Again): boolean {
  if (before === original || text === before) return false;
  const [was, now, then] = [original, before, text].map(linesOf) as [string[], string[], string[]];
  const least = Math.min(now.length, then.length);
  let above = 0;
  while (above < least && now[above] === then[above]) above += 1;
  let below = 0;
  while (below < least - above && now.at(-1 - below) === then.at(-1 - below)) below += 1;
  const [gone, come] = [now, then].map((lines) =>
    lines.slice(Math.max(0, above - 1), lines.length - Math.max(0, below - 1)),
  ) as [string[], string[]];
  // What the file had before is no text of the answer's.
  return isIn(was, linesOf(content.slice(label.length)).slice(1, -1)) && isIn(was, come) && !isIn(was, gone);
}

/** The lines between two that stand for the ends of the file. */
function linesOf(text: string): string[] {
  return ["\0", ...trimmedLines(text), "\0"];
}

function isIn(lines: readonly string[], part: readonly string[]): boolean {
  return part.length > 0 && `\n${lines.join("\n")}\n`.includes(`\n${part.join("\n")}\n`);
}
