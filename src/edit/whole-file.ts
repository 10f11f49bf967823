import { diffArrays } from "diff";
import { isComment } from "../core/comment-styles.ts";
import { Failed, type Failure } from "../core/failure.ts";
import { namesRemoved, wordsOfRemovals } from "../core/removal-words.ts";
import { lacksImports, lostEnd, refuseExcerpt, refuseStretch, wordsIn } from "./excerpt.ts";
import { holesIn } from "./holes.ts";
import type { BlocksIn } from "./blocks.ts";
import { flawOf } from "./flaw.ts";
import { fillHoles, type Merged, withComments } from "./lazy.ts";
import { splitLines } from "./lines.ts";
import { placeholdersOver } from "./placeholder.ts";

export interface WholeText {
  readonly path: string;
  readonly content: string;
  /** First line of the content, if it only names the file. It is the file's own where it was there before. */
  readonly label?: string | undefined;
  /** Words of the answer's sentences that remove something. */
  readonly removed?: string | undefined;
  readonly source?: Source | undefined;
  /** The text before the answer, if that has replaced it already. What came with the answer may go again. */
  readonly original?: string | undefined;
  /** Whether somebody agreed to lose what it lacks. */
  readonly mayLose?: boolean;
  /** Whether only its marks stand for lines of the file, and nothing else that it lacks. */
  readonly isMarked?: boolean;
  /** Whether a sentence adds something, so that no member gives way to a new one. */
  readonly isAddition?: boolean;
}

/** What the grammar of a file tells of its versions. Knows nothing of a text that is no source of a known language. */
export interface Source {
  readonly blocksIn: BlocksIn;
  /**
   * Returns the names of the declarations of one version that another one lacks.
   *
   * @param isWhole whether one that stands there under a new name counts as kept
   * @param mayReplace whether a member counts as kept that a new one has the place of, otherwise
   */
  lostIn(before: string, after: string, isWhole?: boolean, mayReplace?: boolean): readonly string[];
}

/**
 * Returns the text that is meant by a text for a whole file: its holes filled with lines of the file, with the file's
 * line endings and end. Throws `file/excerpt`, `file/loses`, `file/unlike` or `text/placeholder`.
 *
 * @param before undefined or empty if there is no file
 */
export function meantText({ content: written, label, ...rest }: WholeText, before: string | undefined): string {
  const [first = ""] = /^[^\r\n]*/.exec(before ?? "") ?? [];
  const name = rest.path.slice(rest.path.lastIndexOf("/") + 1);
  const isLabel = label !== undefined && first !== label && !(isComment(first) && first.includes(name));
  const content = isLabel ? written.slice(label.length).replace(/^(?:[ \t]*\r?\n)+/, "") : written;
  return before === undefined || before === ""
    ? newText(rest.path, content)
    : likeBefore(before, mergedText({ ...rest, content }, before.replaceAll("\r\n", "\n")));
}

/** Returns whether a text for a whole file only repeats a text, but for line endings and blank lines at its end. */
export function repeats({ content, label }: Pick<WholeText, "content" | "label">, text: string): boolean {
  const normal = (one: string) => one.replaceAll("\r\n", "\n").trimEnd();
  const isLabelled = label !== undefined && normal(content.slice(label.length)).trimStart() === normal(text);
  return isLabelled || normal(content) === normal(text);
}

function newText(path: string, content: string): string {
  const [hole] = placeholdersOver(path, "", content);
  if (hole !== undefined) throw placeholder(content, hole.number, "newFile");
  return content;
}

function mergedText(
  {
    path,
    content,
    removed,
    source,
    original,
    mayLose = false,
    isMarked = false,
    isAddition = false,
  }: Omit<WholeText, "label">,
  before: string,
): string {
  const [names, words] = [namesRemoved(removed ?? "", content), wordsOfRemovals(removed)];
  const isTold = (name: string): boolean =>
    names.has(name) ||
    // In Ruby, a name may end with a sign.
    names.has(name.slice(name.lastIndexOf(".") + 1).replace(/[?!=]$/, "")) ||
    (name.startsWith("'") && wordsIn(name).some((word) => words.has(word)));
  const holes = holesIn(path, before, content);
  const lostIn = (after: string): readonly string[] => {
    // Beside a placeholder, what looks like one under a new name may be new.
    const isWhole = holes.lines.size === 0;
    const lost = source?.lostIn(before, after, isWhole, !isAddition) ?? [];
    const old =
      original === undefined || lost.length === 0
        ? lost
        : (source?.lostIn(original, after, isWhole, !isAddition) ?? []);
    return lost.filter((name) => old.includes(name));
  };
  const untold = (names: readonly string[]): readonly string[] => names.filter((name) => !isTold(name));
  if (holes.inline !== undefined) throw placeholder(content, holes.inline, "inline");
  if (holes.lines.size === 0 && mayLose) return content;
  if (holes.lines.size === 0) {
    const lost = lostIn(content);
    refuseLoss(path, untold(lost));
    refuseStretch(path, before, content);
    // What sentences remove makes a text shorter, and no excerpt.
    if (lost.length === 0) {
      refuseExcerpt(path, before, content, (source?.blocksIn(before) ?? []).length > 0);
      const names = lostEnd(original ?? before, content, {
        told: withoutPath(words, path),
        blocksIn: source?.blocksIn,
      });
      if (names.length > 0) throw new Failed({ code: "file/loses", path, names, isEnd: true });
    }
    return content;
  }
  const isHole = (line: string): boolean => line === HIDDEN || holes.lines.has(line);
  const fill = (shown: string, blocksIn?: BlocksIn): Merged => {
    const merged = fillHoles(before, shown, isHole, blocksIn);
    const lost = "text" in merged && lacksImports(before, merged.text) ? "would lose its imports" : undefined;
    const flaw = lost ?? ("text" in merged ? flawOf(before, shown, merged.text) : undefined);
    const hole = shown.split("\n").findIndex((line) => isHole(line.trim())) + 1;
    return flaw === undefined ? merged : { hole, reason: `the file ${flaw}` };
  };
  const finished = (text: string): string =>
    [...words].some((word) => COMMENT.test(word)) ? text : withComments(before, text);
  // What a lazy text does not show stays, also where no mark stands for it.
  const onlyOne = (merged: readonly Merged[]): string | undefined => {
    // One that changes nothing has taken a changed part for another one.
    const texts = merged.flatMap((one) => ("text" in one && one.text !== before ? [one.text] : []));
    const [only, other] = [...new Set(texts)].filter((text) => untold(lostIn(text)).length === 0);
    return other === undefined ? only : undefined;
  };
  const byDeclarations = (texts: readonly string[]): readonly Merged[] =>
    source === undefined ? [] : texts.map((one) => fill(one, source.blocksIn));
  // What a sentence removes or renames may be one of them.
  const isRenamed = source?.lostIn(before, "", false).some(isTold);
  const declared = isMarked || isRenamed ? undefined : onlyOne(byDeclarations([content]));
  if (declared !== undefined) return finished(declared);
  const filled = fill(content);
  const lost = "text" in filled ? untold(lostIn(filled.text)) : [];
  if ("text" in filled && lost.length === 0) return finished(filled.text);
  const hidden = isMarked ? [] : withHiddenHoles(content);
  const text = onlyOne([...byDeclarations(hidden), ...hidden.map((one) => fill(one))]);
  if (text !== undefined) return finished(text);
  refuseLoss(path, lost);
  const { hole, reason } = filled as Exclude<Merged, { readonly text: string }>;
  throw placeholder(content, hole, { reason });
}

function refuseLoss(path: string, names: readonly string[]): void {
  if (names.length > 0) throw new Failed({ code: "file/loses", path, names });
}

function withoutPath(words: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const own = new Set(wordsIn(path));
  return new Set([...words].filter((word) => word.length > 3 && !own.has(word)));
}

/** In a sentence that removes something. */
const COMMENT = /^(?:comment|kommentar|comentario|docstring)/i;

/** A line that no file has. */
const HIDDEN = "\0";

/** Returns a text with further holes: at its beginning, at its end, before a bracket that ends it, or at several. */
function withHiddenHoles(content: string): readonly string[] {
  const lines = content.trimEnd().split("\n");
  const last = lines.findLastIndex((line) => !CLOSING.test(line));
  const places = [undefined, ...lines.keys()].filter((at) => at === undefined || at > last);
  return places.flatMap((place) =>
    [[], [HIDDEN]].flatMap((above) =>
      [[], [HIDDEN]].flatMap((below) => {
        const text = place === undefined ? lines : lines.toSpliced(place, 0, HIDDEN);
        const all = [...above, ...text, ...below];
        return all.length === lines.length ? [] : [`${all.join("\n")}\n`];
      }),
    ),
  );
}

const CLOSING = /^\s*(?:[)}\];,]+|end)\s*$/;

function placeholder(
  content: string,
  number: number,
  of: Extract<Failure, { readonly code: "text/placeholder" }>["of"],
): Failed {
  const line = content.split("\n")[number - 1]?.trim() ?? "";
  return new Failed({ code: "text/placeholder", parameter: "content", line, number, of });
}

/** Returns a new text with the line endings and the end of the file. */
export function likeBefore(before: string, text: string): string {
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

/** Returns whether nothing is open at the end of a text in a language without a grammar. */
export function mayEnd(text: string): boolean {
  const count = (part: string): number => text.split(part).length - 1;
  const isEven = ['"""', "'''", "`"].every((quotes) => count(quotes) % 2 === 0);
  const isBalanced = ["()", "[]", "{}"].every(([open = "", close = ""]) => count(open) === count(close));
  const hereDocuments = Array.from(text.matchAll(/<<[-~]?[ \t]*["']?([A-Za-z_]\w*)/g), ({ 1: word = "" }) => word);
  return isEven && isBalanced && hereDocuments.every((word) => new RegExp(`^\\s*${word}\\s*$`, "m").test(text));
}
