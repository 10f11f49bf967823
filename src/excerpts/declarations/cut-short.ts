/** Tells a function that is shown whole from the first lines of one, which in Python look alike. */
import type { Part } from "../../addresses/part.ts";
import { trimmedLines } from "../../edit/lazy.ts";
import { endsWithReturn } from "./find-part.ts";
import { isSubsequence } from "../lines/nearest.ts";
import { everyPart, FUNCTIONS } from "../parts.ts";
import { indentOf, isAlike, lineWith } from "../text.ts";
import { isHole } from "../placeholders/hole.ts";
import type { Told } from "../told/told.ts";

interface Declared {
  readonly text: string;
  readonly parts: readonly Part[];
}

/**
 * Returns whether what is shown of a function of the file lacks its last lines: sentences call it a part or only add to
 * it, or it would give nothing back any more.
 *
 * @param shown with `isMarked` set if placeholders are shown too
 */
export function isCutShort(
  file: Declared,
  shown: Declared & { readonly isMarked: boolean },
  { text, names, isAddition, isRemoval, isLess }: Told,
): boolean {
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
    // A sentence that does not name it may hand over some lines of it, but a placeholder below it shows its end.
    const isUnnamed = !shown.isMarked && !names.has(part.name);
    const lastShown = now.at(-1) ?? "";
    const isAsDeep = depthOf(file, only.part, lastShown) === depthOf(shown, part, lastShown);
    if (isEnd && !isRemoval && !isLess && isUnnamed && isAsDeep && areFirst(lines, now)) return true;
    const end = lines.at(-1) ?? "";
    return isPart && lines.length > now.length && lastShown !== end && !isAlike(lastShown, end);
  });
}

/** Returns by how many characters a line of a declaration is deeper than its first one. */
function depthOf({ text }: Declared, { start, end }: Part, line: string): number {
  const row = text
    .slice(start, end)
    .split("\n")
    .find((one) => one.trim() === line);
  return indentOf(row ?? "").length - indentOf(lineWith(text, start)).length;
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

/**
 * Returns a method that the sentence names, and that is shown with its indentation below a function of Python, where a
 * grammar reads it as a part of that.
 */
export function joinedTo(
  { name: shownName, kind }: Part,
  parts: readonly Part[],
  { was, shown, told }: { readonly was: string; readonly shown: string; readonly told: Told },
): string | undefined {
  if (!FUNCTIONS.has(kind)) return undefined;
  const [old, now] = [was, shown].map((text) => new Set(Array.from(text.matchAll(DEFINED), ([, name]) => name)));
  const methods = everyPart(parts).filter(({ part, around }) => around.length > 0 && FUNCTIONS.has(part.kind));
  return methods.find(
    ({ part: { name } }) => name !== shownName && told.names.has(name) && now?.has(name) === true && !old?.has(name),
  )?.part.name;
}

const DEFINED = /^[ \t]+(?:async )?def (\w+)\(/gm;

/** This part of `main`, the first lines, the beginning of it. */
const PART =
  /\b(?:parts?|portion|bits?|chunk|snippet|lines?|section|beginning|start|top|opening|head|signature|guards?|early returns?)\b|\b(?:teil|anfang|zeilen?|abschnitt|début|lignes?|partie|parte|principio|inicio|líneas?)\b|开头|部分|这几行/iu;
