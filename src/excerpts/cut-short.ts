/** Tells a function that is shown whole from the first lines of one, which in Python look alike. */
import type { Part } from "../addresses/part.ts";
import { trimmedLines } from "../edit/lazy.ts";
import { everyPart, FUNCTIONS } from "./parts.ts";
import { isAlike } from "./text.ts";
import type { Told } from "./told.ts";

interface Declared {
  readonly text: string;
  readonly parts: readonly Part[];
}

/** Returns whether sentences call what is shown a part, and it has a function of the file without its last lines. */
export function isCutShort(file: Declared, shown: Declared, { text }: Told): boolean {
  if (!PART.test(text)) return false;
  const old = everyPart(file.parts).filter(({ part }) => FUNCTIONS.has(part.kind));
  const linesOf = ({ text: all }: Declared, { start, end }: Part): readonly string[] =>
    trimmedLines(all.slice(start, end));
  return everyPart(shown.parts).some(({ part }) => {
    const [only, other] = old.filter(({ part: { name } }) => name === part.name);
    if (only === undefined || other !== undefined) return false;
    const [lines, last = ""] = [linesOf(file, only.part), linesOf(shown, part).at(-1)];
    const end = lines.at(-1) ?? "";
    return lines.length > linesOf(shown, part).length && last !== end && !isAlike(last, end);
  });
}

/** This part of `main`, the first lines, the beginning of it. */
const PART =
  /\b(?:parts?|portion|bits?|chunk|snippet|lines?|section|beginning|start|top|opening|head)\b|\b(?:teil|anfang|zeilen?|abschnitt|début|lignes?|partie|parte|principio|inicio|líneas?)\b|开头|部分|这几行/iu;
