/**
 * Detects placeholder lines such as `# ... rest of the file unchanged ...`. Models write them to save words. Written to
 * a file, they destroy the text they stand for.
 */
import { INLINE_CLOSED, INLINE_OPENINGS, isClosableComment, isComment, OPENINGS } from "../core/comment-styles.ts";
import { Failed } from "../core/failure.ts";
import { once } from "../core/once.ts";
import { type kindOf, kindReader, type PlaceholderKind } from "./placeholder-kind.ts";
import type { Edit } from "./splice.ts";
import { standInsAmong } from "./stand-ins.ts";

interface Placeholder {
  /** Trimmed. */
  readonly line: string;
  /** 1-based line number in its text. */
  readonly number: number;
  readonly kind: PlaceholderKind;
  /** Whether code stands before it in its line: `function f() { // ... }`. */
  readonly isInline: boolean;
  /** Whether that code continues below. */
  readonly beginsCode: boolean;
}

/**
 * Returns a check for new content, or undefined if the content has no placeholder. The check takes the file's text:
 * null if unknown, undefined if there is no file. It throws `text/placeholder` if a placeholder stands for text that
 * would be lost and is not a line of the file itself. If nothing can be lost, it refuses only plain placeholders.
 */
export function placeholderJudge(
  path: string,
  content: string,
): ((before: string | null | undefined) => void) | undefined {
  const placeholders = placeholdersIn(path, content);
  if (placeholders.length === 0) return undefined;
  return (before) => {
    refuseWrong(placeholders, before === null ? undefined : (before ?? ""), {
      newText: content,
      parameter: "content",
      of: "whole",
    });
  };
}

/** Returns the lines of a whole text for a file that stand for lines of the old one, which has no such line. */
export function placeholdersOver(path: string, before: string, text: string): readonly Placeholder[] {
  const all = placeholdersIn(path, text);
  if (all.length === 0) return all;
  const oldLines = new Set(before.split("\n").map(withoutSpace));
  const placeholders = all.filter(({ line }) => !oldLines.has(withoutSpace(line)));
  const standIns = standInsOf(placeholders, before, text);
  return placeholders.filter(({ kind, number }) => kind !== "placed" || standIns.has(number));
}

function standInsOf(placeholders: readonly Placeholder[], before: string, text: string): ReadonlySet<number> {
  const placed = placeholders.filter(({ kind }) => kind === "placed" || kind === "faint");
  return placed.length === 0 ? new Set() : standInsAmong(placed, before, text);
}

export interface Replacement {
  /** Path of the file. Its extension determines what an ellipsis may mean. */
  readonly path: string;
  readonly replaced: string;
  readonly newText: string;
  /** The parameter that contains the new text. */
  readonly parameter: string;
}

/**
 * Throws `text/placeholder` if a placeholder in the new text stands for replaced text that would be lost. Ignores lines
 * that the replaced text contains too.
 */
export function refusePlaceholder({ path, replaced, newText, parameter }: Replacement): void {
  const placeholders = placeholdersIn(path, newText);
  if (placeholders.length > 0) refuseWrong(placeholders, replaced, { newText, parameter, of: "edit" });
}

/** Checks an edit, which replaces everything from its first splice to its last. Returns the edit. */
export function withoutPlaceholder<Made extends Edit>(
  bytes: Buffer,
  edit: Made,
  replacement: Omit<Replacement, "replaced">,
): Made {
  const splices = [...edit.splices];
  refusePlaceholder({
    ...replacement,
    replaced: bytes.toString("utf8", splices[0]?.start ?? 0, splices.at(-1)?.end ?? 0),
  });
  return edit;
}

/** Number of replaced lines that the new text must lack before a line counts as a placeholder. */
const MIN_LOST = { plain: 0, likely: 1, faint: 3, placed: Infinity, edge: Infinity };

interface Refusal {
  readonly newText: string;
  readonly parameter: string;
  readonly of: "whole" | "edit";
}

/** @param replaced undefined if unknown */
function refuseWrong(
  placeholders: readonly Placeholder[],
  replaced: string | undefined,
  { newText, parameter, of }: Refusal,
): void {
  const oldLines = linesOf(replaced ?? "");
  const others = placeholders.filter(({ line }) => !oldLines.has(line));
  const standIns = standInsOf(others, replaced ?? "", newText);
  const lost = replaced === undefined ? Infinity : countMissing(oldLines, newText);
  const wrong = others.find(({ kind, number }) => lost >= MIN_LOST[kind] || standIns.has(number));
  if (wrong !== undefined)
    throw new Failed({ code: "text/placeholder", parameter, line: wrong.line, number: wrong.number, of });
}

/** A formatter may have moved the words of a comment. */
function withoutSpace(line: string): string {
  return line.replaceAll(/\s+/g, "");
}

/** Returns the lines that contain more than a bracket. */
function linesOf(text: string): Set<string> {
  return new Set(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.length > 1),
  );
}

function countMissing(lines: ReadonlySet<string>, newText: string): number {
  const kept = linesOf(newText);
  let missing = 0;
  for (const line of lines) if (!kept.has(line)) missing += 1;
  return missing;
}

/**
 * Returns the placeholders in a text for a file, each distinct line once if its place does not matter. Skips fenced
 * code in Markdown and the like, because it shows examples.
 */
function placeholdersIn(path: string, text: string): Placeholder[] {
  const placeholders = new Map<string | number, Placeholder>();
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const hasProse = isProse(extension);
  const read = kindReader();
  const lines = once(() => text.split("\n"));
  TELLTALES.forEach(scan);
  return [...placeholders.values()];

  function scan(telltale: RegExp): void {
    telltale.lastIndex = 0;
    let [passed, number, isInFence] = [0, 1, false];
    for (let match = telltale.exec(text); match !== null; match = telltale.exec(text)) {
      const start = text.lastIndexOf("\n", match.index) + 1;
      const end = endOfLine(text, match.index);
      telltale.lastIndex = end;
      if (end - start > MAX_LENGTH) continue;
      const between = text.slice(passed, start);
      [passed, number] = [start, number + count(between, /\n/g)];
      if (hasProse && count(between, FENCE) % 2 === 1) isInFence = !isInFence;
      if (isInFence) continue;
      const written = text.slice(start, end);
      const line = written.trim();
      const isSyntax = () =>
        isEllipsisSyntax(
          extension,
          /^\s/.test(written),
          text
            .slice(Math.max(0, start - MAX_LENGTH), start)
            .trimEnd()
            .at(-1),
        );
      const any = hasProse ? proseKind(line, read) : codeKind(line, read, isSyntax);
      const kind = any !== "edge" ? any : isAtEdge(lines(), number - 1, read) ? "placed" : undefined;
      const candidate =
        kind === undefined && !hasProse ? inlineIn(line, read) : { kind, isInline: false, beginsCode: false };
      if (candidate?.kind === undefined) continue;
      const key = candidate.kind === "placed" || candidate.kind === "faint" ? number : line;
      if (!placeholders.has(key)) placeholders.set(key, { ...candidate, kind: candidate.kind, line, number });
    }
  }
}

/**
 * Returns whether a line begins or ends the members of a type or an object, and none of those has a title too. Looks at
 * more than its neighbours only for such a line.
 */
function isAtEdge(lines: readonly string[], row: number, read: typeof kindOf): boolean {
  const depthOf = (line: string): number => line.length - line.trimStart().length;
  const isOuter = (line = ""): boolean => line.trim() !== "" && depthOf(line) < depthOf(lines[row] ?? "");
  const nextText = (from: number, step: 1 | -1): number => {
    let at = from + step;
    while (lines[at]?.trim() === "") at += step;
    return at;
  };
  const [above, below] = [nextText(row, -1), nextText(row, 1)];
  const [begins, ends] = [isOuter(lines[above]), lines[below] === undefined || isOuter(lines[below])];
  if (!begins && !ends) return false;
  let [head, foot] = [above, below];
  while (lines[head] !== undefined && !isOuter(lines[head])) head -= 1;
  // With another title below, the first one is a title too.
  for (; lines[foot] !== undefined && !isOuter(lines[foot]); foot++)
    if (read(lines[foot]?.trim() ?? "") === "edge") return false;
  // The bracket of a head may stand below it.
  const isBelow = lines[head]?.trim() === "{";
  return MEMBERS.test(isBelow ? `${lines[nextText(head, -1)] ?? ""} {` : (lines[head] ?? ""));
}

/** The head of a type, an object or a list, and of no function. */
const MEMBERS =
  /^(?!.*(?:=>|\b(?:def|do|else|finally|fn|func|function|loop|try)\b)).*(?:\b(?:class|enum|impl|interface|record|struct|trait|type|union)\b.*[{:]|[=:(]\s*[{[]|^\s*[{[])\s*$|^[^(]*\{\s*$/;

const OTHERS = [
  /\bhere\b/,
  /bisher|zuvor|gehabt|keine [äÄ]nder|bestehend|vorhanden|existant|avant|identique|aucun|igual|no cambia|existent|\bantes\b|现有|原有|既存|기존/,
  /unver[äa]|\brest|übrig|bleib|(?:weg|aus)gelassen|gekürzt|inchang|\bomi[st]|sans (?:change|modif)|(?:sin|sem) (?:cambi|modif|alter|mud)|inalter|invariat|senza/,
  /onverand|ongewij|overige|weggelaten|bez zmian|niezmien|reszt|pozosta|pomini|без изм|не (?:из)?мен|оста[лвёе]|опущен|пропущен|сокращен/,
  /不[变變改]|未[更修改變変]|[无無]变|[无無]需|省略|[其剩][余餘]|保持|変[更わ]|残り|以下|[中後]略|생략|나머지|변경|수정|그대로|유지|동일/,
]
  .map(({ source }) => source)
  .join("|");
/**
 * Words that every placeholder contains and few other lines do. English ones match anywhere. Other languages' match
 * only in a comment or brackets without an ellipsis, to scan fewer characters.
 */
const TELLTALES = [
  /\.\.\.|…|unchanged|unmodified|untouched|omitted|brevity|truncated|snip|elided|same|remain|stay|\brest\b|existing|previous|\bother\b|as (?:is|before|they are)|no changes?\b|\betc\b|and so (?:on|forth)/gi,
  new RegExp(`^[ \\t]*(?:${OPENINGS}|[[(])[^\\n]{0,100}?(?:${OTHERS})`, "gim"),
  // A comment at the end of a line.
  new RegExp(`[{([:>][ \\t]*${INLINE_OPENINGS}[^\\n]{0,100}?(?:${OTHERS})`, "gi"),
];
const PROSE: ReadonlySet<string> = new Set(["md", "mdx", "markdown", "rst", "txt", "adoc", "org"]);
/** Returns whether a file with an extension is text with fences for code. */
export function isProse(extension: string): boolean {
  return PROSE.has(extension);
}

const FENCE = /^[ \t]*(?:```|~~~)/gm;
/** Maximum length of a line in UTF-16 units, including its indentation. */
const MAX_LENGTH = 200;

function endOfLine(text: string, from: number): number {
  const lineFeed = text.indexOf("\n", from);
  return lineFeed === -1 ? text.length : lineFeed;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** In prose, `#` starts a heading and no comment, and an ellipsis alone means nothing. */
function proseKind(line: string, read: typeof kindOf): PlaceholderKind | undefined {
  const kind = /^(?:\[|\(|\.\.\.|…)/.test(line) || isClosableComment(line) ? read(line) : undefined;
  return kind === "faint" ? undefined : kind;
}

function codeKind(line: string, read: typeof kindOf, isSyntax: () => boolean): PlaceholderKind | undefined {
  const kind = read(line);
  return kind === "faint" && !isComment(line) && isSyntax() ? undefined : kind;
}

/** Returns the placeholder in a comment that ends a line of code, where a block, a list or a value begins. */
function inlineIn(line: string, read: typeof kindOf): Omit<Placeholder, "line" | "number"> | undefined {
  const [, closed, closing, open] = isComment(line) ? [] : (INLINE.exec(line) ?? []);
  const comment = closed ?? open;
  const kind = comment === undefined ? undefined : read(comment.trim());
  if (kind === undefined || kind === "edge") return undefined;
  // Such a line also has code, so its other forms count only in the place of lines.
  return { kind: kind === "plain" ? kind : "placed", isInline: true, beginsCode: (closing ?? "") === "" };
}

const INLINE = new RegExp(
  `(?:[{([]|=>|:(?=\\s))\\s*(?:(${INLINE_CLOSED})\\s*([)}\\];,\\s]*(?:</[\\w.]+>)?)|(${INLINE_OPENINGS}.*))$`,
);

/**
 * Returns whether an ellipsis on a line of its own is syntax in that language.
 *
 * @param before the last character before that line
 */
function isEllipsisSyntax(extension: string, isIndented: boolean, before: string | undefined): boolean {
  // A statement in Python, the end of a YAML document, text in Perl documentation and markup, the last parameter of C
  // functions.
  return (
    /^(?:ya?ml|p[lm]|pod|html?|xml|svg)$/.test(extension) ||
    (/^pyi?$/.test(extension) && isIndented) ||
    (before !== undefined && ",:([".includes(before))
  );
}
