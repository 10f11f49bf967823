/** Places that sentences tell in words, without code: after the form, before the error handler. */
import { literalPattern } from "../../core/literal.ts";
import { endOfBlock } from "../block.ts";
import { isImport } from "../declarations/imports.ts";
import { indentOf, mayBeAlike } from "../text.ts";
import { rowsWith } from "./named-part.ts";

/** A line, and whether something goes beside it or into what it opens. */
interface SpokenPlace {
  readonly line: number;
  readonly side: "above" | "below" | "top" | "end";
}

/**
 * Returns the place at the only element of a tag, or at the only line with a name of several words.
 *
 * @param text the sentence that gives the order
 * @param shown the first line of what goes there: an element stands beside others, a line is as deep as that beside it
 */
export function placeSpoken(
  text: string,
  {
    rows,
    shown,
    isAddition,
  }: { readonly rows: readonly string[]; readonly shown: string; readonly isAddition: boolean },
): SpokenPlace | undefined {
  const [told, other] = [...text.matchAll(SPOKEN)];
  // Of two places nobody knows which is meant.
  if (told === undefined || other !== undefined || UNSURE.test(text)) return undefined;
  const { where = "", edge = "", end, code, noun = "" } = told.groups ?? {};
  const words = (code ?? noun).toLowerCase().split(/[ -]/);
  const isAbove = /^(?:above|before)/i.test(where);
  const isInside = /^(?:in|into|to|within)/i.test(where) || edge !== "";
  if (isInside && edge === "" && !isAddition) return undefined;
  const isElement = /^\s*(?:<|\{[{%#]|@\w+\s*\()/.test(shown) && words.length === 1;
  const [element] = isElement ? elementRows(rows, words[0] ?? "") : [];
  if (element !== undefined) {
    // The element itself, with something more.
    if (new RegExp(`^\\s*<${literalPattern(words[0] ?? "")}(?![\\w-])`, "i").test(shown)) return undefined;
    const isTag = end !== undefined && (end.toLowerCase() === "closing") === isAbove;
    const isTop = isTag ? !isAbove : /^(?:beginning|start|top)/i.test(edge);
    if (isInside && !isTag && edge === "" && !isMember(shown, element, rows)) return undefined;
    if (isTag || isInside) return { line: element, side: isTop ? "top" : "end" };
    return { line: element, side: isAbove ? "above" : "below" };
  }
  if (isInside || code !== undefined || words.length === 1 || EDGE.test(text)) return undefined;
  const name = new RegExp(
    `(?<![\\p{L}\\p{N}_$-])${words.map(literalPattern).join("[_-]?")}(?![\\p{L}\\p{N}_$-])`,
    "iu",
  );
  const isRow = (row: string): boolean => name.test(row) && !isImport(row) && !/^\s*(?:\/\/|#|\*|--)/.test(row);
  const [line, another] = rowsWith(rows, isRow);
  if (line === undefined || another !== undefined || endOfBlock(rows, line) === undefined) return undefined;
  if (indentOf(rows[line] ?? "") !== indentOf(shown)) return undefined;
  return { line, side: isAbove ? "above" : "below" };
}

/**
 * Returns whether an element goes right into another one: that has none of its tag, beside which it would go, and no
 * old form of it. What belongs to a list or a table goes deeper, and nothing goes right into the root.
 */
function isMember(shown: string, first: number, rows: readonly string[]): boolean {
  const [, tag = ""] = /^\s*<([\w.:-]+)/.exec(shown) ?? [];
  const end = endOfBlock(rows, first) ?? first;
  const isRoot = rows.slice(end + 1).every((row) => row.trim() === "");
  const sameTag = new RegExp(`<${literalPattern(tag)}(?![\\w-])`, "i");
  const isOld = (row: string): boolean => sameTag.test(row) || mayBeAlike(row.trim(), shown.trim());
  return !isRoot && !/^(?:d[dt]|li|option|t[dhr])$/i.test(tag) && !rows.slice(first + 1, end).some(isOld);
}

/** Tells an end of the file or of something else. */
const EDGE = /\bat the (?:very )?(?:beginning|bottom|end|start|top)\b/i;

/** Returns the row of the only element of a tag, if it begins and ends in rows of its own or is closed in its row. */
function elementRows(rows: readonly string[], tag: string): readonly number[] {
  const name = literalPattern(tag);
  const [opening, closing] = [new RegExp(`<${name}(?![\\w-])`, "i"), new RegExp(`</${name}>`, "i")];
  const opened = rowsWith(rows, (row) => opening.test(row));
  const closed = rowsWith(rows, (row) => closing.test(row));
  const isOnly = opened.length === 1 && closed.length === 1;
  return isOnly ? opened.filter((row) => rows[row]?.trim().startsWith("<") === true) : [];
}

/** Right after the form; to the `<head>`; at the end of the body; before the error handler. */
const SPOKEN =
  /(?:\bat the (?:very )?(?<edge>beginning|bottom|end|start|top) of|\b(?<where>above|after|before|below|in|inside|into|to|within))\s+(?:(?:the|your)\s+(?:(?<end>closing|opening)\s+|existing\s+)?(?=[`a-z])|(?=`<))(?:`<\/?(?<code>[a-z][\w-]*)\b[^`\n]*>`|(?<noun>[a-z]+(?:[ -][a-z]+){0,2}?))(?:\s+(?:element|tag))?(?=\s*(?:[:.,]|$|(?:in|of|and)\b))/gi;
/** What may take a place back, or gives another one or a reason. */
const UNSURE =
  /\b(?:because|between|both|either|first|front|instead|last|move|never|next to|not|outside|rather|since|so that|top of (?!the (?:body|form|head|main|nav|page)\b))\b/i;
