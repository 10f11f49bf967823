/** Tells whether code is a new form of something that a file has, where the sentence above it does not say so. */
import { countsOf } from "../../core/counted.ts";
import type { FileWith } from "../syntax.ts";
import { speaksOfOther } from "./no-edit.ts";
import type { FencePassage, Passage } from "./passages.ts";

/** The sentences above a fence. */
interface Told {
  /** The last one. */
  readonly last: string;
  readonly all: string;
}

export class NewForms {
  readonly #fileWith: FileWith;
  /** How many fences begin with a line. */
  readonly #begun: ReadonlyMap<string, number>;

  constructor(passages: readonly Passage[], fileWith: FileWith) {
    this.#fileWith = fileWith;
    this.#begun = countsOf(passages.flatMap((one) => (one.kind === "fence" ? [one.firstLine.trim()] : [])));
  }

  /**
   * Returns whether the only code of an answer that begins so is a new form of a block of its file, below a sentence
   * that speaks of no other code: sure; the bug is in `f`, it never closes the file.
   */
  shows({ language, content, firstLine }: FencePassage, { last, all }: Told, path: string | undefined): boolean {
    // A few words, and what begins with it, mean what the sentences before them say.
    const isVague = /^\W*(?:it|they)\b|^(?:\S+\s+){0,2}\S+\s*$/i.test(last);
    // What has no end tells of the code.
    const isWhole = /[.!:：]\W*$/.test(last);
    if (!isWhole || speaksOfOther((isVague ? all : last).replace(FAULT, "")) || this.#begun.get(firstLine.trim()) !== 1)
      return false;
    const file = this.#fileWith({ language, content, told: last, near: path });
    const text = file === undefined ? undefined : this.#fileWith.textAt(file);
    // A loop or a condition may be that of anybody.
    return text !== undefined && !CONTROL.test(firstLine.trim()) && holdsNewForm(text, content);
  }

  /** Returns the last sentence above a fence, of a new form without the words that tell a fault: the bug is that. */
  leadOver(fence: FencePassage, told: Told, path: string | undefined): string {
    const { last } = told;
    return FAULT.test(last) && this.shows(fence, told, path) ? last.replace(FAULT, "") : last;
  }
}

const CONTROL = /^(?:begin|case|do|el(?:se|if)|for|if|loop|match|switch|try|unless|until|while|with)\b/;
const FAULT = /^\W*(?:the|your) (?:bug|culprit|error|issue|mistake|problem) is (?:in|that)\b/i;

/**
 * Returns whether code is new forms of blocks that a file has, and at most new ones and imports beside them.
 *
 * @param keepsLine whether a line below the first one has to be there still, with all its words
 */
export function holdsNewForm(text: string, content: string, keepsLine = false): boolean {
  const [rows, shown] = [text.split(/\r?\n/), content.trimEnd().split("\n")];
  const forms: Array<boolean | undefined> = [];
  for (let at = 0; at < shown.length; at++) {
    const line = shown[at] ?? "";
    if (!WORD.test(line) || COMMENT.test(line) || IMPORT.test(line)) continue;
    if (forms.length === MOST_BLOCKS) return false;
    const end = endOf(shown, at);
    forms.push(isNewForm(rows, shown.slice(at, end + 1), keepsLine));
    at = end;
  }
  return forms.includes(true) && !forms.includes(false);
}

/**
 * Returns whether a block that a file has once keeps half of the lines there, is as long or longer, and differs in more
 * than comments: an illustration leaves lines out. Undefined if the file does not have it.
 */
function isNewForm(rows: readonly string[], shown: readonly string[], keepsLine: boolean): boolean | undefined {
  const head = shown[0]?.trim() ?? "";
  // What stands before the arguments, where those are others now.
  const name = /^[^(=:{]*\(/.exec(head)?.[0] ?? head;
  const opens = (row: number): boolean => endOf(rows, row) > row;
  const all = [...rows.keys()].filter((row) => rows[row]?.trim().startsWith(name) && opens(row));
  const same = all.filter((row) => rows[row]?.trim() === head);
  const [place, other] = same.length > 0 ? same : all;
  if (place === undefined) return undefined;
  const [old, now] = [codeIn(rows.slice(place, endOf(rows, place) + 1)), codeIn(shown)];
  const lines = new Set(now);
  const kept = old.slice(1).filter((line) => lines.has(line)).length + 1;
  const isKept = (line: string): boolean => now.slice(1).some((one) => hasWords(one, line));
  if (keepsLine && !old.slice(1).some(isKept)) return false;
  const isForm = old.length > 1 && now.length >= old.length && kept * 2 >= old.length;
  return other === undefined && isForm && now.join("\n") !== old.join("\n");
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

/** Returns whether a line has all words of another one, which has several. */
function hasWords(line: string, other: string): boolean {
  const [words, wanted] = [new Set(line.match(/\w+/g)), other.match(/\w+/g) ?? []];
  return wanted.length > 1 && wanted.every((word) => words.has(word));
}

function codeIn(rows: readonly string[]): readonly string[] {
  return rows.flatMap((row) => (WORD.test(row) && !COMMENT.test(row) ? [row.replace(REMARK, "").trim()] : []));
}

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Each is looked for in the whole file. */
const MOST_BLOCKS = 20;
const WORD = /\w/;
const IMPORT = /^(?:from|import|package|require|use|using|#include)\b/;
const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!\w)|--|<!--)/;
/** A comment at the end of a line. */
const REMARK = /\s+(?:\/\/|#|--)\s.*$/;
const CLOSES = /^\s*(?:[)}\]]|end\b)/;
