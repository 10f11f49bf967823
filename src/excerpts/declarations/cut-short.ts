/** Tells a function that is shown whole from the first lines of one, which in Python look alike. */
import type { Part } from "../../addresses/part.ts";
import { trimmedLines } from "../../edit/lazy.ts";
import { endsWithReturn } from "./find-part.ts";
import { isSubsequence } from "../lines/nearest.ts";
import { everyPart, FUNCTIONS } from "../parts.ts";
import { isAlike } from "../text.ts";
import { isHole } from "../placeholders/hole.ts";
import type { Told } from "../told/told.ts";

interface Declared {
  readonly text: string;
  readonly parts: readonly Part[];
}

/**
 * Returns whether what is shown of a function of the file lacks its last lines: sentences call it a part or only add to
 * it, or it would give nothing back any more.
 */
export function isCutShort(file: Declared, shown: Declared, { text, isAddition, isRemoval, isLess }: Told): boolean {
  const isPart = PART.test(text);
  const old = everyPart(file.parts).filter(({ part }) => FUNCTIONS.has(part.kind));
  const linesOf = ({ text: all }: Declared, { start, end }: Part): readonly string[] =>
    trimmedLines(all.slice(start, end));
  return everyPart(shown.parts).some(({ part }) => {
    const [only, other] = old.filter(({ part: { name } }) => name === part.name);
    if (only === undefined || other !== undefined) return false;
    const [lines, now] = [linesOf(file, only.part), linesOf(shown, part)];
    // A placeholder shows that more follows.
    if (isHole(now.at(-1) ?? "")) return false;
    const isWithoutReturn =
      !isLess &&
      endsWithReturn(file.text.slice(only.part.start, only.part.end)) &&
      !endsWithReturn(shown.text.slice(part.start, part.end));
    // What another line follows ends where that says.
    const isEnd = shown.text.slice(part.end).trim() === "";
    if (isEnd && !isRemoval && (isPart || isAddition || isWithoutReturn) && areFirst(lines, now)) return true;
    const [last, end] = [now.at(-1) ?? "", lines.at(-1) ?? ""];
    return isPart && lines.length > now.length && last !== end && !isAlike(last, end);
  });
}

/** Returns whether lines end with one of some old ones, and have all lines above that, and none below it. */
function areFirst(old: readonly string[], lines: readonly string[]): boolean {
  const at = old.indexOf(lines.at(-1) ?? "");
  const hidden = old.slice(at + 1);
  return (
    at > 0 &&
    hidden.length > 0 &&
    isSubsequence(old.slice(1, at + 1), lines) &&
    !hidden.some((line) => lines.includes(line))
  );
}

/** This part of `main`, the first lines, the beginning of it. */
const PART =
  /\b(?:parts?|portion|bits?|chunk|snippet|lines?|section|beginning|start|top|opening|head|signature|guards?|early returns?)\b|\b(?:teil|anfang|zeilen?|abschnitt|début|lignes?|partie|parte|principio|inicio|líneas?)\b|开头|部分|这几行/iu;
