/** Finds a line that the sentences take away, and that an excerpt leaves where it is. */
import type { Part } from "../../addresses/part.ts";
import { trimmedLines } from "../../edit/lazy.ts";
import { everyPart } from "../parts.ts";
import { headOf } from "../remarks.ts";
import { holdsWord } from "../text.ts";

interface Changed {
  readonly before: string;
  /** What is shown of it. */
  readonly content: string;
  readonly text: string;
  readonly parts: readonly Part[];
}

/** Only a line that the file has once counts, inside of what is shown: another excerpt may take away others. */
export function keptAgainst(told: string, { before, content, text, parts }: Changed): string | undefined {
  const spans = [...told.matchAll(REMOVED)].map(([, span = ""]) => span.trim());
  if (spans.length === 0) return undefined;
  const [old, now, shown] = [before, text, content].map((code) => trimmedLines(code)) as [string[], string[], string[]];
  const isOnce = (lines: readonly string[], line: string): boolean => lines.filter((one) => one === line).length === 1;
  const isInside = (line: string): boolean =>
    everyPart(parts).some(({ part: { start, end } }) => {
      const code = before.slice(start, end);
      return holdsWord(code, line) && shown.includes(headOf(code).trim());
    });
  return spans.find((line) => isOnce(old, line) && now.includes(line) && !shown.includes(line) && isInside(line));
}

const REMOVED =
  /(?<!(?:\b(?:not|never|of|without|longer|before|after|to)|n['’]t) )\b(?:remov(?:es?|ed|ing)|delet(?:es?|ed|ing)|drop(?:s|ped|ping)?|no longer needs?|do(?: not|n['’]t) need|rid of)\s+(?:the\s+)?(?:(?:old|unused|redundant)\s+)*(?:(?:line|call|statement)\s+)?`([^`\n]+)`/giu;
