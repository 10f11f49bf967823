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
  /** Whether the answer says that nothing is to be changed, or not so. */
  readonly #leaves: boolean;
  #judged = 0;

  constructor(passages: readonly Passage[], fileWith: FileWith) {
    this.#leaves = passages.some((one) => one.kind === "prose" && LEAVES_IT.test(one.text));
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
    const isGiven = LEAD.test(last) || GIVES.test(last) || (/[.!]\W*$/.test(last) && TELLS.test(last));
    if (
      this.#leaves ||
      !isWhole ||
      !isGiven ||
      DEBUGS.test(content) ||
      speaksOfOther((isVague ? all : last).replace(LEAD, "")) ||
      this.#begun.get(firstLine.trim()) !== 1
    )
      return false;
    if ((this.#judged += 1) > MOST_FENCES) return false;
    const file = this.#fileWith({ language, content, told: last, near: path });
    const text = file === undefined ? undefined : this.#fileWith.textAt(file);
    // A loop or a condition may be that of anybody.
    return (
      text !== undefined && !CONTROL.test(firstLine.trim()) && holdsNewForm(text, content, { isLess: LESS.test(last) })
    );
  }

  /** Returns the last sentence above a fence: of a new form, without the words that another code may have too. */
  leadOver(fence: FencePassage, told: Told, path: string | undefined): string {
    const { last } = told;
    return LEAD.test(last) && this.shows(fence, told, path) ? last.replace(LEAD, "") : last;
  }
}

/** Nothing to change, but not: nothing else, nothing in the tests. */
const LEAVES_IT = new RegExp(
  "\\bno changes?(?: (?:is|are))? (?:needed|necessary|required)(?: here)?[.!]|" +
    "(?<!\\b(?:callers?|others?|rest|tests?)\\b[^.!?\\n]{0,30})\\b(?:do not|don['’]t|need not|needn['’]t|nothing) (?:have |needs? )?to (?:be )?change(?:d|s)?\\b(?![^.!?\\n]*\\b(?:besides|callers?|elsewhere|else|in|other|rest|tests?)\\b)|" +
    "\\b(?:did not|didn['’]t|would not|wouldn['’]t) apply (?:it|that|this)\\b|\\bwhich (?:one )?(?:do|did) you mean\\b|\\b(?:leave|revert) (?:it|that|this)(?: alone)?[.!]|" +
    "\\b(?:musst|brauchst) nichts (?:zu )?ändern\\b|\\brien à changer\\b|\\bno (?:hay|tienes) que cambiar\\b",
  "i",
);
/** What is put in to find a fault, or points at it. */
const DEBUGS = /\bbreakpoint\(\)|\bdebugger\b|["'](?:DEBUG|debug)\b|<-{2,}|←/;
const LESS =
  /\b(?:collaps|condens|get rid|inlin|no longer|reduc|remov|replac|rewrit|shorten|shrink|simplif)|\b(?:cheaper|compact|faster|leaner|shorter|simpler)\b|\bget short/i;
const CONTROL = /^(?:begin|case|do|el(?:se|if)|for|if|loop|match|switch|try|unless|until|while|with)\b/;
/** What tells of code alone, whatever that is: the bug is that; here's how I'd write it. */
const LEAD =
  /^\W*(?:(?:the|your) (?:bug|culprit|error|issue|mistake|problem) is (?:in|that)\b|(?:here['’]s|here is) (?:how (?:I(?:['’]d| would) \w+ (?:it|that|this)|it (?:could|should) look)|what (?:I came up with|it (?:could|should) look like))\b)/i;

const POINTS_AT =
  "an?|about|after|all|any|are|as|assum\\w+|at|avant|based|before|below|between|both|but|das|de[mnr]|die|each|ein|every|for|from|he|her|here|his|how|I|if|imagin\\w*|in|intern|is|it|its|just|let|looking|" +
  "most|my|nehmen|no|not|of|on|once|one|or|other|our|reading|recall|remember|same|say|she|since|some|stell|such|that|the|their|there|these|they|think|this|those|to|we|what|when|where|which|who|why|with|yes|you|your|zum|zur|\\w+ly";
/** What introduces code as a change: an order, a fix, a way, what it does now. Below any other one it may be shown only. */
const GIVES = new RegExp(
  `^\\W*(?:(?:also|and|finally|first|instead|just|now|please|simply|so|then),? )*(?!(?:${POINTS_AT})\\b)[a-z]+(?<!ed|ing|s) (?!(?:are|did|does|ha[sd]|have|is|was|were|w[äu]rde)\\b)|` +
    "^\\W*this (?:version )?(?!(?:has|is|prints|raises|returns|was)\\b)\\w+s\\b(?! (?:is|how|what|why)\\b)|" +
    "\\b(?:better|chang\\w+|cheaper|cleaner|faster|fix(?:e[ds]|ing)?|how about|instead|let['’]s (?!say\\b)|now|patch\\w*|safer|shorter|simpler|(?<!reference )solution|(?<!\\bth(?:at|is) )way)\\b|" +
    "\\b(?:I(?:['’]d| would| came up)|(?:we|you)(?:['’]ll)? (?:can|could|have to|must|need|should|want))\\b|^\\W*(?:by|using|with) (?:the )?\\w+|" +
    "\\b(?:bisogna|dev[eo]|faltan?|fehl(?:en|t)|hay que|il (?:faut|manque)|m[uü]ss\\w*|sollten?)\\b",
  "i",
);

/** What a sentence tells of a change, or of a fault; and nothing but manners. */
const TELLS = new RegExp(
  "n['’]t\\b|\\b(?:add(?:ed|s)|again|because|(?:break|crashe|fail|leak|lose)s|cannot|each time|every time|extract\\w+|forg[eo]t\\w*|handl\\w+|ignor\\w+|improv\\w+|lack\\w*|" +
    "miss(?:es|ing)|mov(?:ed|es)|must|need\\w*|never|not?|once|only|remov\\w+|replac\\w+|should|simplif\\w+|too|twice|unless|until|updat\\w+|while|without)\\b|" +
    "^\\W*(?:absolutely|certainly|done|got it|here (?:it is|you (?:are|go))|no problem|of course|ok(?:ay)?|see below|sorry|sure(?: thing)?|(?:ah|oh|yes)?\\W*you(?:['’]re| are) (?:absolutely |quite )?right)\\b[^.!]{0,30}[.!]\\W*$",
  "i",
);

interface How {
  /** Whether a line below the first one of a block has to be there still, with all its words. */
  readonly keepsLine?: boolean;
  /** Whether a sentence tells that it has become less, so that a block has its first line alone in common. */
  readonly isLess?: boolean;
}

/**
 * Returns whether code is a new form of a file, or new forms of blocks that it has, with at most new ones and imports
 * beside them.
 */
export function holdsNewForm(text: string, content: string, how: How = {}): boolean {
  const [rows, shown] = [text, content].map((one) => one.split(/\r?\n/).filter((row) => row.trim() !== "")) as [
    string[],
    string[],
  ];
  return isForm(codeIn(rows), codeIn(shown), MOST_OF_FILE) === true || areForms(rows, shown, how);
}

function areForms(rows: readonly string[], shown: readonly string[], how: How, depth = 0): boolean {
  const forms: Array<boolean | undefined> = [];
  for (let at = 0; at < shown.length; at++) {
    const line = shown[at] ?? "";
    if (!WORD.test(line) || COMMENT.test(line) || IMPORT.test(line)) continue;
    if (forms.length === MOST_BLOCKS) return false;
    const end = endOf(shown, at);
    const block = shown.slice(at, end + 1);
    const form = isBlockForm(rows, block, how);
    // Of a class, some members may be all that is shown.
    const isHolder = form === false && depth < MOST_NESTED && CONTAINER.test(line);
    forms.push(isHolder ? areForms(rows, block.slice(1), how, depth + 1) : form);
    at = end;
  }
  return forms.includes(true) && !forms.includes(false);
}

/** Returns whether a block is a new form of one that a file has once. Undefined if the file does not have it, or as it is. */
function isBlockForm(
  rows: readonly string[],
  shown: readonly string[],
  { keepsLine = false, isLess = false }: How,
): boolean | undefined {
  const head = shown[0]?.trim() ?? "";
  // What stands before the arguments, where those are others now.
  const name = /^[^(=:{]*\(/.exec(head)?.[0] ?? head;
  const opens = (row: number): boolean => depthOf(rows[row + 1] ?? "") > depthOf(rows[row] ?? "");
  const all = [...rows.keys()].filter((row) => rows[row]?.trim().startsWith(name) && opens(row));
  const same = all.filter((row) => rows[row]?.trim() === head);
  const [place, other] = same.length > 0 ? same : all;
  if (place === undefined) return undefined;
  const [[, ...old], [, ...now]] = [codeIn(rows.slice(place, endOf(rows, place) + 1)), codeIn(shown)];
  const isKept = (line: string): boolean => now.some((one) => hasWords(one, line));
  if (other !== undefined || (keepsLine && !old.some(isKept))) return false;
  const form = isForm([head, ...old], [head, ...now]);
  return form === false && isLess && old.length > 0 ? true : form;
}

/** Returns whether lines are as many as others or more, and a share of those is among them. Undefined if they are the same. */
function isForm(old: readonly string[], now: readonly string[], share = 0.5): boolean | undefined {
  const lines = new Set(now);
  const kept = old.filter((line) => lines.has(line)).length;
  if (now.join("\n") === old.join("\n")) return undefined;
  return old.length > 1 && now.length >= old.length && kept >= old.length * share;
}

/** Returns the last line of the block that begins in a line: deeper ones, and that which closes it. */
function endOf(rows: readonly string[], first: number): number {
  const depth = depthOf(rows[first] ?? "");
  let last = first;
  for (let row = first + 1; row < rows.length; row++) {
    const line = rows[row] ?? "";
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

/** Of a file that is made like it, half of the lines may be the same. */
const MOST_OF_FILE = 0.7;
/** Each is looked for in a whole file. */
const MOST_BLOCKS = 20;
const MOST_FENCES = 200;
/** Classes in each other. */
const MOST_NESTED = 3;
const WORD = /\w/;
const IMPORT = /^(?:from|import|package|require|use|using|#include)\b/;
const CONTAINER = /\b(?:class|enum|extension|impl|interface|module|namespace|object|struct|trait)\b/;
const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!\w)|--|<!--)/;
/** A comment at the end of a line. */
const REMARK = /\s+(?:\/\/|#|--)\s.*$/;
const CLOSES = /^\s*(?:[)}\]]|end\b)/;
