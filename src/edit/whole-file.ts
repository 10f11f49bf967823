import { diffArrays } from "diff";
import { Failed } from "../core/failure.ts";
import { refuseExcerpt } from "./excerpt.ts";
import { holesIn, mayHaveEllipses } from "./holes.ts";
import { type BlocksIn, fillHoles } from "./lazy.ts";
import { splitLines } from "./line-ending.ts";
import { mayHavePlaceholders, placeholdersOver } from "./placeholder.ts";

export interface WholeText {
  readonly path: string;
  readonly content: string;
  /** First line of the content, if it only names the file. It is the file's own where it was there before. */
  readonly label: string | undefined;
  /** Finds the blocks beside holes. */
  readonly blocksIn?: BlocksIn | undefined;
}

/**
 * Returns the text that is meant by a text for a whole file: its holes filled with lines of the file, with the file's
 * line endings and end. Throws `file/excerpt`, `file/unlike` or `text/placeholder`.
 *
 * @param before undefined or empty if there is no file
 */
export function meantText({ path, content: written, label, blocksIn }: WholeText, before: string | undefined): string {
  const isLabel = label !== undefined && /^[^\r\n]*/.exec(before ?? "")?.[0] !== label;
  const content = isLabel ? written.slice(label.length).replace(/^\r?\n/, "") : written;
  return before === undefined || before === ""
    ? newText(path, content)
    : likeBefore(before, mergedText({ path, content, blocksIn }, before.replaceAll("\r\n", "\n")));
}

/** Returns whether a text for a whole file only repeats a text, but for line endings and blank lines at its end. */
export function repeats({ content, label }: Pick<WholeText, "content" | "label">, text: string): boolean {
  const normal = (one: string) => one.replaceAll("\r\n", "\n").trimEnd();
  const isLabelled = label !== undefined && normal(content.slice(label.length)).trimStart() === normal(text);
  return isLabelled || normal(content) === normal(text);
}

function newText(path: string, content: string): string {
  const [hole] = placeholdersOver(path, "", content);
  if (hole !== undefined)
    throw placeholder(
      content,
      hole.number,
      "there is no file yet, so it stands for no lines: send the whole text",
    );
  return content;
}

/** Returns whether some lines of a text may stand for lines of the file. */
export function mayHaveHoles(path: string, content: string): boolean {
  return mayHavePlaceholders(path, content) || mayHaveEllipses(path, content);
}

function mergedText({ path, content, blocksIn }: Omit<WholeText, "label">, before: string): string {
  const holes = holesIn(path, before, content);
  if (holes.inline !== undefined)
    throw placeholder(
      content,
      holes.inline,
      "it stands for lines of the file: send them, or put it on a line of its own between lines of the file",
    );
  if (holes.lines.size === 0) {
    refuseExcerpt(path, before, content);
    return content;
  }
  const filled = fillHoles(before, content, (line) => holes.lines.has(line), blocksIn);
  if ("text" in filled) return filled.text;
  throw placeholder(
    content,
    filled.hole,
    `it is unclear which lines it stands for: ${filled.reason}; keep a line of the file before and after it as it is`,
  );
}

function placeholder(content: string, number: number, hint: string): Failed {
  return new Failed(
    { code: "text/placeholder", parameter: "content", line: content.split("\n")[number - 1]?.trim() ?? "", number },
    hint,
  );
}

/** Returns a new text with the line endings and the end of the file. */
function likeBefore(before: string, text: string): string {
  const ends = before.endsWith("\n") ? Math.max(1, Math.min(newlinesAtEnd(before), newlinesAtEnd(text))) : 0;
  const ended = text.replace(/\n*$/, "\n".repeat(ends));
  if (!before.includes("\r\n")) return ended;
  const hasOnlyCrlf = !/(?<!\r)\n/.test(before);
  return hasOnlyCrlf ? ended.replaceAll(/\r?\n/g, "\r\n") : withMixedEndings(before, ended);
}

function newlinesAtEnd(text: string): number {
  return /(?:\r?\n)*$/.exec(text)?.[0].replaceAll("\r", "").length ?? 0;
}

/** Gives each line the ending that it has in the file, and a new one that of the line before it. */
function withMixedEndings(before: string, text: string): string {
  const [old, lines] = [splitLines(before), splitLines(text)];
  const comparator = (one: string, other: string): boolean => withoutEnding(one) === withoutEnding(other);
  const parts = diffArrays(old, lines, { comparator, maxEditLength: MAX_DIFFERENCES }) ?? [
    { value: lines, added: true, removed: false },
  ];
  let at = 0;
  let ending = endingOf(old[0]) ?? "\n";
  return parts
    .flatMap(({ value, added, removed }) => {
      if (removed) {
        at += value.length;
        ending = endingOf(old[at - 1]) ?? ending;
        return [];
      }
      return value.map((line) => {
        if (!added) ending = endingOf(old[at++]) ?? ending;
        return withoutEnding(line) + (line.endsWith("\n") ? ending : "");
      });
    })
    .join("");
}

/** Between texts that differ in more lines, all lines get the ending of the first one. */
const MAX_DIFFERENCES = 10_000;

function withoutEnding(line: string): string {
  return line.replace(/\r?\n$/, "");
}

function endingOf(line = ""): string | undefined {
  return /\r?\n$/.exec(line)?.[0];
}
