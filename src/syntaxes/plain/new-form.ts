/** Tells whether code is a new form of something that a file has, where the sentence above it only tells a fault. */
import type { FileWith } from "../syntax.ts";
import { isFault } from "./no-edit.ts";
import type { FencePassage, Passage } from "./passages.ts";

/**
 * Returns whether the only code of an answer that begins so is a new form of a block of its file, below a sentence that
 * announces nothing: the bug is in `f`, it never closes the file.
 */
export function showsNewForm(
  fence: FencePassage,
  passages: readonly Passage[],
  { told, intro, path, fileWith }: Context,
): boolean {
  const { language, content, firstLine } = fence;
  const isAgain = (other: Passage): boolean =>
    other !== fence && other.kind === "fence" && other.firstLine.trim() === firstLine.trim();
  const about = /^\W*(?:it|they)\b/i.test(told) ? intro : told;
  if (!(isFault(withoutFault(about)) || TRIED.test(told)) || passages.some(isAgain)) return false;
  const file = fileWith({ language, content, told, near: path });
  const text = file === undefined ? undefined : fileWith.textAt(file);
  return text !== undefined && isNewForm(text, content);
}

interface Context {
  /** The last sentence above it. */
  readonly told: string;
  /** All of them. */
  readonly intro: string;
  readonly path: string | undefined;
  readonly fileWith: FileWith;
}

/** Announces a fix: try this. */
const TRIED =
  /^\W*(?:(?:please )?try (?:the following|this)(?: instead)?|(?:(?:here|it|that|this)(?:['’]s| is) )?(?:(?:an?|my|the) )?(?:(?:easy|minimal|one-line|quick|short|simple|small|suggested) )?fix)\W*$/i;

/** Returns a sentence without the words that tell a fault: the bug is that. */
export function withoutFault(text: string): string {
  return text.replace(/^\W*(?:the|your) (?:bug|culprit|error|issue|mistake|problem) is (?:in|that)\b/i, "");
}

/**
 * Returns whether code is one block whose first line a file has once, and that keeps half of the lines of the block
 * there, is as long or longer, and differs in more than comments. An illustration leaves lines out.
 */
function isNewForm(text: string, content: string): boolean {
  const [rows, shown] = [text.split(/\r?\n/), content.trimEnd().split("\n")];
  const at = shown.findIndex((line) => WORD.test(line) && !COMMENT.test(line));
  const head = shown[at]?.trim() ?? "";
  const places = [...rows.keys()].filter((row) => rows[row]?.trim() === head);
  const [place] = places;
  if (place === undefined || places.length > 1 || endOf(shown, at) < shown.length - 1) return false;
  const old = codeIn(rows.slice(place, endOf(rows, place) + 1));
  const now = codeIn(shown.slice(at));
  const lines = new Set(now);
  const kept = old.filter((line) => lines.has(line));
  return (
    old.length > 1 && now.length >= old.length && kept.length * 2 >= old.length && now.join("\n") !== old.join("\n")
  );
}

/** Returns the last line of the block that begins in a line: deeper ones, and that which closes it. */
function endOf(rows: readonly string[], first: number): number {
  const depth = depthOf(rows[first] ?? "");
  let last = first;
  for (let row = first + 1; row < rows.length; row++) {
    const line = rows[row] ?? "";
    if (line.trim() === "") continue;
    const isDeeper = depthOf(line) > depth;
    if (!isDeeper && !(depthOf(line) === depth && CLOSES.test(line))) break;
    last = row;
    if (!isDeeper && !/[[({]\s*$/.test(line)) break;
  }
  return last;
}

function codeIn(rows: readonly string[]): readonly string[] {
  return rows.flatMap((row) => (WORD.test(row) && !COMMENT.test(row) ? [row.replace(REMARK, "").trim()] : []));
}

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}

const WORD = /\w/;
const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!\w)|--|<!--)/;
/** A comment at the end of a line. */
const REMARK = /\s+(?:\/\/|#|--)\s.*$/;
const CLOSES = /^\s*(?:[)}\]]|end\b)/;
