/** The hunks of a diff without heads, of which models leave out the margin too. */
import { marginOf } from "../source.ts";
import type { FileWith } from "../syntax.ts";

interface Hunk {
  /** The lines that go, and those around them. */
  readonly old: string;
  /** The lines that come, and those around them. */
  readonly now: string;
}

/** Splits a diff at lines that are no diff's: `@@`, `...`. None if one of several only adds lines, to no place. */
export function hunksOf(content: string): readonly Hunk[] {
  const hunks: string[][] = [[]];
  for (const line of withMargin(content.replace(/\n$/, "").split("\n"))) {
    if (line === "" || /^[ +-](?!\s*(?:\.{3}|…)\s*$)/.test(line)) hunks.at(-1)?.push(line === "" ? " " : line);
    else hunks.push([]);
  }
  const shown = hunks
    .filter((lines) => lines.some((line) => SIGNED.test(line)))
    .map((lines) => ({ old: withoutSigns(lines, " -"), now: withoutSigns(lines, " +") }));
  return shown.length > 1 && shown.some(({ old }) => old.trim() === "") ? [] : shown;
}

/** Returns the only file that has what the hunks of a diff replace, unless sentences tell whose diff it is. */
export function fileOfHunks(hunks: readonly Hunk[], words: string, fileWith: FileWith): string | undefined {
  if (OF_OTHERS.test(words.replaceAll(/`[^`\n]*`/g, "`"))) return undefined;
  const [path, other] = new Set(
    hunks.map(({ old, now }) => fileWith({ language: "", content: now, old, told: words })),
  );
  return other === undefined ? path : undefined;
}

/** Returns the lines that begin with one of some characters, without these. */
function withoutSigns(lines: readonly string[], signs: string): string {
  return lines
    .filter((line) => signs.includes(line.charAt(0)))
    .map((line) => `${line.slice(1)}\n`)
    .join("");
}

/** Puts a space before the lines of context, if they are written as they stand in the file. */
function withMargin(lines: readonly string[]): readonly string[] {
  const context = lines.filter((line) => line.trim() !== "" && !SIGNED.test(line) && !DIVIDER.test(line));
  const [atLeft, deeper] = [context.filter((line) => /^\S/.test(line)), context.filter((line) => /^\s/.test(line))];
  const signed = lines.filter((line) => SIGNED.test(line)).map((line) => line.slice(1));
  const margins = new Set(signed.filter((line) => !STARRED.test(line)).map((line) => marginOf(line)));
  // Beside lines with a sign, those of context are as deep as they are, or one more for the margin.
  const code = deeper.filter((line) => !STARRED.test(line));
  const flush =
    code.filter((line) => margins.has(marginOf(line))).length + atLeft.filter((line) => !isLabel(line)).length;
  const shifted = code.filter((line) => margins.has(marginOf(line).slice(1))).length;
  const isShifted = flush === shifted ? deeper.filter(isOdd).length * 2 > deeper.length : shifted > flush;
  if (context.length === 0 || isShifted || (deeper.length === 0 && atLeft.every(isLabel))) return lines;
  // A sign may stand in place of the first space.
  const isReplaced = flush === 0 && signed.filter(isOdd).length * 2 > signed.filter((line) => /^\s/.test(line)).length;
  const space = isReplaced ? " " : "";
  return lines.map((line) => {
    if (line.trim() === "" || DIVIDER.test(line)) return line;
    return SIGNED.test(line) ? `${line.charAt(0)}${space}${line.slice(1)}` : ` ${line}`;
  });
}

/**
 * Returns whether the first space of a line may be the margin of a diff: the line is indented by an odd number of
 * spaces, or by a space and a tab. Before the star of a block comment, by an even number.
 */
function isOdd(line: string): boolean {
  const [spaces = ""] = /^ */.exec(line) ?? [];
  const next = line.charAt(spaces.length);
  return next === "\t" ? spaces === " " : spaces.length % 2 === (next === "*" ? 0 : 1);
}

/** Returns whether a line may name the file. */
function isLabel(line: string): boolean {
  return /^(?:#|\/\/|\/\*|--|<!--|[\w./-]+$)/.test(line);
}

/** Here's the diff that broke it, from the log. */
const OF_OTHERS =
  /\b(?:between|branche?s?|colleague\w*|commit\w*|difference|from|git|history|kolleg\w*|last (?:change|edit)|log|other (?:project|repo\w*)|pr|pull request|releases?|repositor\w+|revert|roll back|test project|that|they|tried|undo|v\d\S*|war|was|which|who|you)\b|\w['’]s (?:change|diff|patch)\b/i;
const SIGNED = /^[+-]/;
/** A line inside a block comment: one space deeper than code. */
const STARRED = /^\s*\*/;
const DIVIDER = /^(?:@@|\s*(?:\.{3}|…)\s*$|(?:diff|index|similarity|rename|new file|deleted file) )/;

/** Returns whether some lines are what git leaves of a conflict. */
export function isConflict(text: string): boolean {
  return /^<{7}(?: |$)/m.test(text);
}
