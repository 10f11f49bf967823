/** Finds declarations of one name that an excerpt is closer to than to the one that its form alone would tell. */
import type { Part } from "../../addresses/part.ts";
import { trimmedLines } from "../../edit/lazy.ts";
import { endOfStatement } from "../block.ts";
import { HAS_WORD } from "../lines/nearest.ts";
import { everyPart, type Found, kindOf } from "../parts.ts";
import { isRemark } from "../remarks.ts";
import {
  firstIndent,
  holdsWord,
  indentOf,
  lineStartAt,
  lineWith,
  placesOf,
  sharedEnds,
  wholeLines,
  type Within,
} from "../text.ts";
import { declaredIn } from "../told/told.ts";

/** A declaration of the same name. One inside a function is in that, as the grammar does not list it. */
export interface Rival {
  /** Undefined for one inside a function. */
  readonly match: Found | undefined;
  readonly around: readonly Part[];
}

interface Compared {
  readonly file: { readonly text: string; readonly parts: readonly Part[] };
  /** The text that is shown, and the white space before its first line in the answer. */
  readonly excerpt: { readonly text: string; readonly indent: string };
  readonly isTold: (around: readonly Part[]) => boolean;
}

/**
 * Returns the other declarations of a name that have more lines of the shown one. Of those with as many, the sentences
 * tell, and then the indentation. A declaration inside a statement has to have more lines than any other.
 */
export function rivalsOf(preferred: Found, part: Part, { file, excerpt, isTold }: Compared): readonly Rival[] {
  const { text, parts } = file;
  const shown = excerpt.text.slice(part.start, part.end);
  const lines = linesIn(shown, part.name);
  const keyword = keywordOf(shown, part.name);
  const isValue = kindOf(part.kind) === "value";
  const head = headIn(shown, part.name);
  const measure = (code: string): Pick<Measured, "lines" | "likeness" | "indent"> => {
    const known = new Set(trimmedLines(code));
    const other = headIn(code, part.name);
    const [begin, end] = sharedEnds(head, other);
    const likeness = isValue ? (begin + end) / Math.max(1, head.length, other.length) : 0;
    return { lines: lines.filter((line) => known.has(line)).length, likeness, indent: firstIndent(code) };
  };
  const every = everyPart(parts);
  const codeOf = (range: Part): string => {
    const { start, end } = wholeLines(text, range);
    return text.slice(start, end);
  };
  const listed = every.flatMap((match): Measured[] => {
    const isOther = match.part !== preferred.part && match.part.name === part.name;
    const isSame = isOther && kindOf(match.part.kind) === kindOf(part.kind);
    return isSame && keywordOf(codeOf(match.part), part.name) === keyword
      ? [{ match, around: match.around, ...measure(codeOf(match.part)) }]
      : [];
  });
  const rows = rowsWith(text, part.name);
  const isListed = (row: number): boolean =>
    every.some(({ part: { name, start, end } }) => name === part.name && lineStartAt(text, start) <= row && row < end);
  const declaring = isValue
    ? rows.filter((row) => sets(lineWith(text, row), part.name))
    : declaredIn(
        rows.map((row) => lineWith(text, row)),
        part.name,
      ).map((at) => rows[at] ?? 0);
  const inFunctions = declaring.flatMap((row): Measured[] => {
    if (isListed(row)) return [];
    const below = text.slice(row).split("\n");
    const code = below.slice(0, endOfStatement(below, 0) + 1).join("\n");
    const around = every.flatMap(({ part: outer }) => (outer.start < row && row < outer.end ? [outer] : []));
    return isValue || keywordOf(code, part.name) === keyword ? [{ match: undefined, around, ...measure(code) }] : [];
  });
  const { lines: most, likeness, indent } = measure(codeOf(preferred.part));
  const isPreferredTold = isTold(preferred.around);
  const isInStatement = preferred.around.length === 0 && indent !== "";
  return [...listed, ...inFunctions].filter((rival) => {
    if (rival.lines !== most) return rival.lines > most;
    if (rival.likeness !== likeness) return rival.likeness > likeness;
    if (isTold(rival.around) !== isPreferredTold) return !isPreferredTold;
    if (rival.match === undefined) return false;
    return isInStatement || (indent !== excerpt.indent && rival.indent === excerpt.indent);
  });
}

interface Measured extends Rival {
  /** How many of the shown lines it has. */
  readonly lines: number;
  /** Of a value: the share of its first line that is the same at both ends, up to 1. */
  readonly likeness: number;
  readonly indent: string;
}

/** Returns the lines of a declaration that say something, but for the one that names it. */
function linesIn(code: string, name: string): readonly string[] {
  const lines = code.split("\n").filter((line) => HAS_WORD.test(line) && !isRemark(line) && line.trim() !== "end");
  const head = lines.findIndex((line) => line.includes(name));
  return lines.filter((line, at) => at > head && indentOf(line) !== "").map((line) => line.trim());
}

/** Returns the line that names a declaration, trimmed. */
function headIn(code: string, name: string): string {
  return (
    code
      .split("\n")
      .find((line) => !isRemark(line) && holdsWord(line, name))
      ?.trim() ?? ""
  );
}

/** Returns whether what is shown sets a name of a function's own: no declaration of the file in these lines has it. */
export function isLocal({ kind, name }: Part, { text, parts }: Compared["file"], within: Within | undefined): boolean {
  if (within === undefined || kindOf(kind) !== "value") return false;
  const lines = text.split("\n").slice(within.first, within.last + 1);
  const [start, end] = [within.first, within.last + 1].map((row) => text.split("\n", row).join("\n").length);
  const isListed = everyPart(parts).some(
    ({ part }) => part.name === name && part.start >= (start ?? 0) && part.end <= (end ?? 0),
  );
  return !isListed && lines.some((line) => sets(line, name));
}

/** Returns whether a line declares or sets a name: its type may stand before it. */
function sets(line: string, name: string): boolean {
  const [target = ""] = /^[^=("'`]*/.exec(line.trim()) ?? [];
  return line.includes("=") && !target.includes(".") && holdsWord(target, name);
}

/** Returns the word before a name where it is declared: a method of TypeScript has none, a function has one. */
function keywordOf(code: string, name: string): string | undefined {
  const at = code.indexOf(name);
  return at === -1 ? undefined : /(\w+)\s+[*&]?$/.exec(code.slice(0, at))?.[1];
}

/** Returns where the lines of a text begin that have a name. */
function rowsWith(text: string, name: string): readonly number[] {
  return [...new Set([...placesOf(name, text)].map((at) => lineStartAt(text, at)))];
}
