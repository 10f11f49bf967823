/** Finds what an excerpt shows and its merge would drop, and what stands between the lines that it shows. */
import { basename, extname } from "node:path";
import type { Part } from "../addresses/part.ts";
import { isComment } from "../core/comment-styles.ts";
import { once } from "../core/once.ts";
import { trimmedLines } from "../edit/lazy.ts";
import { kindOf } from "../edit/placeholder-kind.ts";
import { isProse } from "../edit/placeholder.ts";
import { importsIn, isImport } from "./declarations/imports.ts";
import { everyPart, hasBody } from "./parts.ts";
import { isHead, isNote } from "./remarks.ts";
import { holdsWord, spliced, type Splice } from "./text.ts";
import { isHole } from "./placeholders/hole.ts";
import { ownName, renamedFrom, type Told } from "./told/told.ts";

/** Returns a line of an excerpt, trimmed, that a text lacks. Imports may be on a line with others there. */
export function vanishedIn(content: string, text: string): string | undefined {
  const trimmed = new Set(text.split("\n").map((line) => line.trim()));
  const there = once(() => new Set([...trimmed].map(plain)));
  return shownIn(content).find((line) => !trimmed.has(line) && !there().has(plain(line)));
}

/** Returns a line of an excerpt, trimmed, that a text does not have below all that the excerpt shows above it. */
export function misplacedIn(path: string, content: string, text: string): string | undefined {
  const rows = text.split("\n").map(plain);
  let from = 0;
  return shownIn(content).find((line, at) => {
    // A label.
    if (at === 0 && isComment(line) && line.includes(basename(path))) return false;
    from = rows.indexOf(plain(line), from) + 1;
    return from === 0;
  });
}

/** Returns the lines of an excerpt, trimmed, that stand for themselves. */
function shownIn(content: string): readonly string[] {
  const { lines, all } = importsIn(content);
  return lines
    .filter((_, row) => !all.some(({ first, last }) => row >= first && row <= last))
    .map((line) => line.trim())
    .filter((line) => /\w/.test(line) && !STANDS_FOR_MORE.test(line) && !isOutside(line));
}

/** Returns a comment or decorator of an excerpt, trimmed, that a text does not have above the line which it is shown above. */
export function strayComment(path: string, content: string, text: string): string | undefined {
  if (isProse(extname(path).slice(1))) return undefined;
  const lines = content.split("\n").map((line) => line.trim());
  const pairs = once(() => new Set(pairsOf(trimmedLines(text))));
  return pairsOf(lines).flatMap((pair, at) => {
    const [line = "", below = ""] = lines.slice(at, at + 2);
    const isAbove = COMMENT.test(line) || isComment(line) || DECORATOR.test(line);
    const isBound =
      isAbove && below !== "" && ![line, below].some((one) => isOutside(one) || STANDS_FOR_MORE.test(one));
    return isBound && !pairs().has(pair) ? line : [];
  })[0];
}

/** Further lines of a comment. */
const COMMENT = /^\*(?:\s|\/|$)/;

const DECORATOR = /^(?:@\w|#\[)/;

/** Of a function, the name: its other signatures may stand between. */
function pairsOf(lines: readonly string[]): readonly string[] {
  return lines.map((line, at) => `${plain(line)}\n${plain(lines[at + 1] ?? "").replace(/(?<=\w)\(.*/, "")}`);
}

/**
 * Returns the name of a declaration that stands between the lines of a fragment, as those are placed, and that the
 * fragment does not show: what an answer does not show stays. A sentence may take it away, or give it another name, and
 * its body may have one.
 */
export function hiddenIn(
  before: string,
  splices: readonly Splice[],
  { content, parts, told }: { readonly content: string; readonly parts: readonly Part[]; readonly told: Told },
): string | undefined {
  const shown = trimmedLines(content).join("\n");
  const isRenamed = ({ name, start, end }: Part): boolean => {
    const [, ...body] = trimmedLines(before.slice(start, end));
    const now = [...told.names].some((other) => renamedFrom(told, other) === name);
    return now || (body.some((line) => /\w/.test(line)) && shown.includes(body.join("\n")));
  };
  return everyPart(parts).find(({ part }) => {
    const isCovered = splices.some(({ start, end }) => start <= part.start && part.end <= end);
    const isTold = told.isRemoval && told.names.has(ownName(part));
    return (
      hasBody(part) &&
      part.kind !== "key" &&
      isCovered &&
      !holdsWord(content, ownName(part)) &&
      !isTold &&
      !isRenamed(part)
    );
  })?.part.name;
}

/** Returns whether a way to place an excerpt loses a line of the file that another one keeps. Imports may go. */
export function losesMore(before: string, way: readonly Splice[], other: readonly Splice[]): boolean {
  const [text, kept] = [way, other].map((splices) => new Set(trimmedLines(spliced(before, splices) ?? before)));
  return trimmedLines(before).some((line) => !isImport(line) && kept?.has(line) === true && text?.has(line) === false);
}

function isOutside(line: string): boolean {
  const isPlaceholder = isHole(line) || /^(?:likely|plain)$/.test(kindOf(line) ?? "");
  return isPlaceholder || isImport(line) || isHead(line) || isNote(line);
}

/** Code with a placeholder behind it. */
const STANDS_FOR_MORE = /(?:\/\/|#|\/\*|--|<!--).*(?:\.{3}|…)/;

/** What divides members comes and goes. */
function plain(line: string): string {
  return line.replaceAll(/\s+/g, "").replace(/[,;]+$/, "");
}
