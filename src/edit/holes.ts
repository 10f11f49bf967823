/** Finds the lines of a new text for a whole file that stand for lines of the old one. */
import { commentText, ELLIPSIS_SOURCE, isComment } from "../core/comment-styles.ts";
import { kindOf } from "./placeholder-kind.ts";
import { isProse, placeholdersOver } from "./placeholder.ts";
import { type StandIn, standInsAmong } from "./stand-ins.ts";

export interface Holes {
  /** Trimmed lines. */
  readonly lines: ReadonlySet<string>;
  /** 1-based number of a line with code that no lines can be filled into. */
  readonly inline: number | undefined;
}

/**
 * Returns the holes in a text. A comment that may be one, and a line of nothing but an ellipsis, is a hole where lines
 * of the old file are gone. Elsewhere it is text like other lines.
 */
export function holesIn(path: string, before: string, content: string): Holes {
  const known = recent.find((one) => one.content === content && one.path === path && one.before === before);
  const holes = known?.holes ?? findHoles(path, before, content);
  if (known === undefined) recent = [{ path, before, content, holes }, ...recent.slice(0, MOST_RECENT - 1)];
  return holes;
}

/** The last ones, because merging a text and judging what came of it ask for the same. */
let recent: ReadonlyArray<Record<"path" | "before" | "content", string> & { readonly holes: Holes }> = [];
const MOST_RECENT = 3;

function findHoles(path: string, before: string, content: string): Holes {
  const placeholders = placeholdersOver(path, before, content);
  const certain = placeholders.filter(({ kind, line }) => kind !== "faint" || !isComment(line));
  const faint = placeholders.filter(({ kind }) => kind === "faint").map(({ line }) => line);
  const shown = ellipsesIn(path, content, new Set(faint));
  const oldLines = new Set(shown.length === 0 ? [] : before.split("\n").map((line) => line.trim()));
  const ellipses = shown.filter(({ line }) => !oldLines.has(line));
  const standIns = ellipses.length === 0 ? new Set() : standInsAmong(ellipses, before, content, isText);
  return {
    lines: new Set([
      ...certain.map(({ line }) => line),
      ...ellipses.flatMap(({ line, number }) => (standIns.has(number) ? [line] : [])),
    ]),
    inline: placeholders.find(({ isInline }) => isInline)?.number,
  };
}

interface Ellipsis extends StandIn {
  /** Trimmed. */
  readonly line: string;
}

/** @param faint trimmed lines that may be placeholders too, whatever they look like */
function ellipsesIn(path: string, content: string, faint: ReadonlySet<string>): readonly Ellipsis[] {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const hasFences = isProse(extension);
  let [isInFence, last] = [false, ""];
  return content.split("\n").flatMap((written, index) => {
    const line = written.trim();
    const before = last;
    if (line !== "") last = line.slice(-1);
    if (hasFences && /^(?:```|~~~)/.test(line)) isInFence = !isInFence;
    if (line.length > MAX_LENGTH || !(faint.has(line) || isEllipsis(line))) return [];
    const isSyntax = isPartOf(extension, written, before);
    return [{ line, number: index + 1, beginsCode: isSyntax, isSure: !isInFence && !isSyntax && !/^["'`]/.test(line) }];
  });
}

/** Maximum length of a line with an ellipsis in UTF-16 units. */
const MAX_LENGTH = 200;

function isText(line: string): boolean {
  return /[^\s()[\]{}<>;,]/.test(line);
}

/** Returns whether a trimmed line says nothing but an ellipsis: alone, in a comment with whatever words, or in quotes. */
export function isEllipsis(line: string): boolean {
  if (!ELLIPSIS.test(line)) return false;
  if (NO_WORDS.test(line)) return true;
  const comment = commentText(line);
  if (comment !== undefined) return LEADING.test(comment);
  return /^["'`]/.test(line) && kindOf(line.replaceAll(/["'`,:;]+/g, " ").trim()) !== undefined;
}

const ELLIPSIS = new RegExp(`(?<!\\.)${ELLIPSIS_SOURCE}(?!\\.)`);
const LEADING = new RegExp(`^[[(<{]*${ELLIPSIS_SOURCE}`);
/** A number of a list may stand before it. */
const NO_WORDS = /^(?:\d{1,3}[.)]\s)?[^\p{L}\p{N}_$]*$/u;

/** Returns whether an ellipsis may be syntax in that language: a statement, the end of a document, a parameter. */
function isPartOf(extension: string, written: string, before: string): boolean {
  if (isComment(written.trim())) return false;
  if (/^pyi?$/.test(extension)) return /^\s/.test(written);
  if (/^(?:p[lm]|pod)$/.test(extension)) return true;
  if (/^ya?ml$/.test(extension)) return written.trimEnd() === "...";
  return SPREADING.test(extension) ? false : before !== "" && ",(".includes(before);
}

/** Languages and formats in which an ellipsis never stands alone. */
const SPREADING =
  /^(?:[cm]?[jt]sx?|jsonc?|json5|s?css|less|vue|svelte|html?|xml|svg|md|mdx|markdown|rst|txt|adoc|org)$/;
