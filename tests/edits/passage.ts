/** Places in a source file that an edit can be made at, and edits to make there. */
import type { Random } from "./random.ts";
import type { Source } from "./sources.ts";

/** Some lines of a file that stand there once, even to an eye that sees neither indentation nor the end of a line nor the kind of a quote. */
export interface Passage {
  readonly source: Source;
  /** 0-based, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** What a line is to such an eye. */
export function skeleton(line: string): string {
  return line.trim().replace(/[\u2018\u2019]/g, "'").replace(/[\u201c\u201d]/g, '"').replace(/[\u2010-\u2015]/g, "-").replace(/[\u00a0\u202f]/g, " ");
}

/** Undefined where luck fails. */
export function choosePassage(source: Source, random: Random, isFit: (lines: readonly string[]) => boolean = () => true): Passage | undefined {
  for (let tries = 0; tries < 12; tries++) {
    const length = 3 + random.below(8);
    const start = random.below(source.lines.length - length);
    const lines = source.lines.slice(start, start + length);
    const isFramed = [lines[0], lines.at(-1)].every((line = "") => skeleton(line).length >= 8);
    if (isFramed && singleLines(lines).length > 0 && isFit(lines) && isSingle(source.lines, lines)) return { source, start, end: start + length, lines };
  }
  return undefined;
}

/** Whether lines like these stand once in the file, their first and last as part of a longer one counted, too. */
function isSingle(file: readonly string[], lines: readonly string[]): boolean {
  return `\n${file.map(skeleton).join("\n")}`.split(lines.map(skeleton).join("\n")).length === 2;
}

export function placesOf(file: readonly string[], lines: readonly string[]): number[] {
  const [first = ""] = lines;
  const places: number[] = [];
  for (let at = file.indexOf(first); at !== -1; at = file.indexOf(first, at + 1)) if (lines.every((line, index) => file[at + index] === line)) places.push(at);
  return places;
}

/** Whether the file has lines like these, where the first and the last may be part of a longer one. */
export function hasAnywhere(file: readonly string[], lines: readonly string[]): boolean {
  return file.map(skeleton).join("\n").includes(lines.map(skeleton).join("\n"));
}

/** A line of a new text. */
export interface NewLine {
  readonly text: string;
  /** The line of the passage that it is, unchanged. */
  readonly same?: number;
  /** The line of the passage that it is made of, which stays but for the white space behind it, and what is new at its end. */
  readonly longer?: { readonly line: number; readonly by: string };
}

/** New lines for a passage: one is changed, and perhaps one is added after it or one taken away. What is new is ASCII, with quotes of both kinds. */
export function rewrite(lines: readonly string[], random: Random, { sameLength = false } = {}): NewLine[] {
  const single = singleLines(lines);
  const at = single.length === 0 ? 0 : random.one(single);
  const line = lines[at] ?? "";
  const kept = lines.map((text, same) => ({ text, same }));
  const by = ` "new" + 'text'`;
  const changed = { text: line.trimEnd() + by, longer: { line: at, by } };
  const added = { text: `${/^\s*/.exec(line)?.[0] ?? ""}added(${random.below(1000)}, "x")` };
  const [before, after] = [kept.slice(0, at), kept.slice(at + 1)];
  if (sameLength || random.once(3)) return [...before, changed, ...after];
  // Of two lines that are the same it could be either that is gone.
  const isTold = after.length > 1 && after[0]?.text !== after[1]?.text;
  if (random.once(2) && isTold) return [...before, changed, ...after.slice(1)];
  return [...before, changed, added, ...after];
}

/** Lines that are not blank, and like no other: of two that are the same nobody could tell which one was changed. */
function singleLines(lines: readonly string[]): number[] {
  const shapes = lines.map(skeleton);
  return shapes.flatMap((shape, index) => (shape !== "" && shapes.indexOf(shape) === shapes.lastIndexOf(shape) ? [index] : []));
}

/** White space that begins every line that is not blank. */
export function commonIndentation(lines: readonly string[]): string {
  const indentations = lines.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
  const [first = "", ...others] = indentations;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

export function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}
