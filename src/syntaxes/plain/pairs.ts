/** Finds the old and the new text of a pair: in two fences, in one, or in two code spans on lines of their own. */
import { toldPath } from "../path-label.ts";
import { isCrossed } from "../retraction-words.ts";
import { isOrder } from "./clause.ts";
import { handsOver } from "./hands-over.ts";
import type { FencePassage, Passage } from "./passages.ts";
import { isNoEdit } from "./no-edit.ts";
import { besideIt, isBesideWithoutOrder, isIn, sideTold } from "./anchors.ts";
import { NOT_ASKED, pairWords, replacesIt } from "./words.ts";

/** What a fence is in a pair of two. */
export interface PairOfFences {
  /** Whether the next fence is its new text. */
  readonly isOld: boolean;
  /** Whether it is old whatever the sentence above it says: replace it with. */
  readonly isQuoted: boolean;
  /** The next fence, if this one replaces it. */
  readonly replaced: FencePassage | undefined;
  /** The next fence, if this one is not to become it: don't replace this with that. */
  readonly withheld?: FencePassage | undefined;
}

/**
 * @param intro the sentences above the fence
 * @param textOf reads the file that it is about, which may mean to look through the project
 */
export function pairOfFences(
  passages: readonly Passage[],
  index: number,
  { intro, textOf }: { readonly intro: string; readonly textOf: () => string | undefined },
): PairOfFences {
  const [fence, next, second] = passages.slice(index, index + 3);
  // "With this change, the following works" gives no new text.
  const isUse = next?.kind === "prose" && /^with (?:it|that|these|this)\b/i.test(next.text) && isNoEdit(next.text);
  if (fence?.kind !== "fence" || next?.kind !== "prose" || second?.kind !== "fence" || isUse)
    return { isOld: false, isQuoted: false, replaced: undefined };
  const isBecoming = tellsNew(next.text) && (toldPath(intro) !== undefined || handsOver(intro));
  const isShort = next.text.length < MAX_BETWEEN && !NOT_ASKED.test(intro);
  const isVersion = (): boolean => isSameHead(fence.content, second.content) && isAlike(fence.content, second.content);
  const isHad = isShort && WANTED.test(next.text) && HAD.test(intro) && isVersion();
  const isTurned = isHad || (isShort && TURNS.some(([from, to]) => to.test(next.text) && from.test(intro)));
  const isRead = pairWords(intro) === "new" || (isOrder(intro) && pairWords(intro) !== "old");
  const isForm = (): boolean =>
    isFix(next.sentences.at(-1)?.text ?? "") && showsNewForm(fence.content, second.content, textOf());
  const isSided = sideTold(intro, next.text) !== undefined;
  const isThere = isSided && besideIt(next.text) !== undefined && isIn(fence.content, textOf());
  const isAnchor = isThere || (isSided && (besideIt(next.text) === undefined || FINDS.test(intro)));
  const isQuoted =
    isThere || isTurned || (isBecoming && CURRENT.test(intro)) || (!isRead && (replacesIt(next.text) || isForm()));
  const isOld = isAnchor || isBecoming || isQuoted || (pairWords(intro) === "old" && isPair(passages, index));
  const isPairOfNew = pairWords(next.text) === "new";
  const beside = isOld || isPairOfNew ? undefined : isBesideWithoutOrder(intro, next.text);
  const isWithheld = isPairOfNew && WITHHELD.test(intro.split("\n").at(-1) ?? "");
  return {
    isOld: isOld || isWithheld || beside === "fence",
    isQuoted,
    replaced: tellsOld(next.text) ? second : undefined,
    withheld: isWithheld || beside !== undefined ? second : undefined,
  };
}

/** What stands above the old text of a pair, and what between its two texts, where neither alone would tell. */
const TURNS: ReadonlyArray<readonly [above: RegExp, between: RegExp]> = [
  // Replace `f`: with one that also checks `x`.
  [
    /\b(?:replace|swap|change)\b[^\n]{0,160}$/i,
    /^with (?:an?|just|one|something|the|these|this|two)\b[^\n:]{0,160}:?$/i,
  ],
  // Instead of: just write.
  [
    /\b(?:(?:instead of|in place of|rather than)|(?:don['’]t|do not) need)(?: (?:these|this|the)(?: (?:two )?lines?)?)?\W{0,4}$/i,
    /^\W*(?:(?:better|just|simply|I['’]d|I would|you (?:can|could|should)) )*(?:do|have|put|return|use|write)(?: (?:it|just|only|this|the following|something like this|like this))*\W*$/i,
  ],
  // Modify this: to this.
  [
    /(?:^|[.:!] |, )\W*(?:(?:and|now|please|so|then|you (?:need to|should|have to|can)) )*(?:adjust|edit|modify|rewrite|turn|update) (?:the|these|this)\b[^`:\n]{0,60}(?: `[^`\n]{1,160}`)?\W{0,4}$/i,
    /^\W*(?:in)?to(?: be| the following| this)?\W*$/i,
  ],
];
/** Here's what you have now: and here is what you want, where both are one thing. */
const HAD =
  /(?:^|[.!] |\n)\W{0,9}(?:in `[^`\n]{1,160}`,? )?(?:(?:here['’]?s|here is) what )?you (?:currently |now )?have\b[^\n]{0,120}$/i;
const WANTED =
  /^\W*(?:(?:and|but|now) )*(?:here['’]?s |here is )?(?:what (?:it should (?:be|look like)|you (?:really )?(?:need|want))|it should (?:be|look like|read))(?: (?:instead|like this|this))?\W*$/i;
/** Should I replace; don't change. */
const WITHHELD =
  /(?:^\W*|[.!] |, )(?:(?:do|shall|should|would) (?:I|we|you)\b[^.\n]*|(?:avoid|do not|don['’]t|never)(?! (?:forget|just|only)\b)(?: \w+){0,2}) (?:chang|edit|modif|replac|rewrit|swap|turn)\w*\b[^.!\n]*(?:[.:]\w[^.!\n]*)*$/i;
/** What the line is called beside which others go. */
const FINDS = /\b(?:find|locate|look for|search for)\b[^\n]{0,120}$/i;
/** What is there now, above what it should be. */
const CURRENT = /^\W*(?:currently|at the moment|right now|now|today)\b/i;

/** Returns whether a sentence below code of a file gives what is to be instead of it: fix it, instead, updated code. */
function isFix(text: string): boolean {
  return (FIX.test(text) || CHANGES_IT.test(text) || tellsNew(text)) && !isNoEdit(text);
}

const BETTER = "(?:better|corrected|fixed|improved|new|safer|simpler|updated)";
const FIX = new RegExp(
  `^\\W*(?:(?:the )?(?:fix|solution)|fixed|better|instead\\b[^\`:]{0,40}|(?:try|use)(?: this| it)?(?: like this)?(?: instead)?|` +
    "(?:I['’]d|I would|you (?:can|should)) (?:do|try|use|write)(?: (?:it|this|that))?(?: like this)?(?: instead)?|" +
    `(?:here['’]s|here is) the ${BETTER}\\b[^\`:.]{0,30}|${BETTER} (?:code|form|version))[:：]\\W*$`,
  "i",
);
const CHANGES_IT =
  /^\W*(?:(?:and|now|so|then) )*(?:change|correct|fix|guard against|make|protect|rewrite|shorten|simplify|update) (?:it|this|that|them|these|those)\b(?! (?:bug|error|exception|failure|warning))[^`:]{0,40}[:：]\W*$/i;

/**
 * Returns whether some code is the new form of some that stands in a file once, and of no more than that: it begins as
 * a declaration of the same name does, has most of its words, shows nothing of what is around it, and defines nothing
 * of the rest.
 */
function showsNewForm(old: string, now: string, file: string | undefined): boolean {
  if (file === undefined) return false;
  const [shown, there] = [old.trim(), file].map(linesOf);
  const [, more, other] = `\n${there?.join("\n")}\n`.split(`\n${shown?.join("\n")}\n`);
  if (more === undefined || other !== undefined) return false;
  const lines = linesOf(now).filter((line) => /\w/.test(line));
  const isAround = (line: string | undefined): boolean =>
    line !== undefined && shown?.includes(line) === false && there?.includes(line) === true;
  const defined = [...now.matchAll(DEFINED)].map(([, name = ""]) => name);
  return (
    isSameHead(old, now) &&
    isAlike(old, now) &&
    !isAround(lines[0]) &&
    !isAround(lines.at(-1)) &&
    defined.every((name) => old.includes(name) || !file.includes(name))
  );
}

/** Returns whether a text may be the new form of another, by its first line: a declaration of one name stays one. */
function isSameHead(...texts: readonly [string, string]): boolean {
  const [was = "", is = ""] = texts.map((text) => linesOf(text).find((line) => /\w/.test(line)));
  if (CONTROLS.test(was)) return true;
  const [key, newKey] = [was, is].map((line) => HEAD.exec(line)?.[1]);
  if (key !== undefined) return newKey === key;
  if (!DECLARES.test(was) && !/[{:]$/.test(was)) return true;
  const [words, newWords] = [was, is].map((line) => line.match(/[\p{L}\p{N}_$-]+/gu) ?? []);
  const isCut = texts[0].trim().includes("\n") && !texts[1].trim().includes("\n");
  return !isCut && ` ${newWords?.join(" ")} `.includes(` ${words?.slice(0, 2).join(" ")} `);
}

/** A key, or a heading. */
const HEAD = /^(?:#{1,6} +|["']?(?=[\w.-]+["']?:(?: |$)))([\p{L}\p{N}_.-]+)/u;
const CONTROLS = /^\W*(?:begin|case|defer|do|elif|else|for|guard|if|match|return|switch|try|unless|when|while|with)\b/;
const DECLARES =
  /^(?:(?:async|export|final|override|private|protected|pub|public|static)\b[^a-z]*)*(?:class|const|def|enum|fn|fun|func|function|impl|interface|let|module|struct|trait|type|val|var)\b/;

/** Returns whether most of the words of one of two texts are in the other. */
function isAlike(...texts: readonly [string, string]): boolean {
  const wordsOf = (words: RegExp): readonly ReadonlySet<string>[] => texts.map((text) => new Set(text.match(words)));
  const long = wordsOf(/[\p{L}\p{N}_]{2,}/gu);
  const [some, others] = long.every(({ size }) => size > 0) ? long : wordsOf(/[\p{L}\p{N}_]+/gu);
  if (some === undefined || others === undefined) return false;
  const shared = [...some].filter((word) => others.has(word)).length;
  return shared * 2 > Math.min(some.size, others.size);
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").map((line) => line.trim());
}

const DEFINED =
  /\b(?:class|def|fn|func|fun|function|interface|struct|trait)\s+(?:\([^)]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*)/gu;

/** Returns whether a sentence between two fences says that the first one replaces the second one. */
function tellsOld(text: string): boolean {
  return REPLACES.test(text.trim()) || PREVIOUSLY.test(text);
}

/** Returns whether a sentence between two fences says that the first one becomes the second one. */
function tellsNew(text: string): boolean {
  return BECOMES.test(text.trim());
}

const REPLACES =
  /^(?:(?:(?:and|it|that|this|which) )?replaces?(?: (?:this|the (?:old|existing|former|previous|current)(?: \w+)?))?|(?:instead of|in place of|rather than)(?: this)?):?$/i;
const BECOMES =
  /^(?:(?:it|this|that|which) )?(?:becomes|should (?:now )?(?:be|become)|(?:can|could|should) be (?:reduced|replaced|rewritten|shortened|simplified|written) (?:as|by|into|to|with))(?: (?:this|the following|now|instead))?:?$/i;
const PREVIOUSLY = /^\W*(?:previously|formerly|before)(?: (?:it|this|that) was)?\W*$/i;

/** Returns whether a sentence says that the next fence is the new text of one. */
function isPair(passages: readonly Passage[], index: number): boolean {
  const [between, next] = [passages[index + 1], passages[index + 2]];
  const isClose = between?.kind === "prose" && between.text.length < MAX_BETWEEN;
  return isClose && next?.kind === "fence" && pairWords(between.text) === "new";
}

/** UTF-16 units between an old text and its new one. */
const MAX_BETWEEN = 200;

/** Returns the code spans of a pair that stand on lines of their own: change this line, `x`, to this, `y`. */
export function spanPairAt(passages: readonly Passage[], index: number): readonly [string, string] | undefined {
  const proseAt = (at: number): string => {
    const passage = passages[at];
    return passage?.kind === "prose" ? passage.text : "";
  };
  const [old, now] = [index, index + 2].map((at) => /^`([^`\n]+)`$/.exec(proseAt(at))?.[1]);
  if (old === undefined || now === undefined || old === now || !/\W/.test(old)) return undefined;
  const [above, between] = [proseAt(index - 1), proseAt(index + 1)];
  const isPair = pairWords(above) === "old" && pairWords(between) === "new";
  return isPair && handsOver(above) && !isNoEdit(above) && !isCrossed(above) ? [old, now] : undefined;
}

/** Returns the code spans of a pair on two lines that begin with signs: `- x`, then `+ y`. */
export function signedPairIn(text: string): readonly [string, string] | undefined {
  const [gone, added, more] = text.split("\n").map((line) => /^`([-+] ?)(.+)`$/.exec(line));
  const isSigned = gone?.[1]?.startsWith("-") === true && added?.[1]?.startsWith("+") === true && more === undefined;
  return isSigned ? [gone[2] ?? "", added[2] ?? ""] : undefined;
}

/** Splits a fence in which comments say what was before and what comes after. */
export function halvesOf(content: string): { readonly old: string; readonly now: string } | undefined {
  const lines = content.split("\n");
  const [before, after] = [BEFORE, AFTER].map((pattern) => lines.findIndex((line) => pattern.test(line))) as [
    number,
    number,
  ];
  // Those in the code that a document shows are its own.
  const isQuoted = lines.slice(0, before).filter((line) => /^\s*(?:```|~~~)/.test(line)).length % 2 === 1;
  if (before === -1 || after <= before || isQuoted) return undefined;
  const half = (from: number, to: number): string => `${lines.slice(from, to).join("\n").trimEnd()}\n`;
  return { old: half(before + 1, after), now: half(after + 1, lines.length) };
}

const BEFORE =
  /^\s*(?:\/\/|#|--|\/\*|<!--)\s*(?:❌\s*)?(?:before|old|vorher|alt|avant|antes)\b[\s:]*(?:\*\/|-->)?\s*$/i;
const AFTER =
  /^\s*(?:\/\/|#|--|\/\*|<!--)\s*(?:✅\s*)?(?:after|new|nachher|neu|après|después)\b[\s:]*(?:\*\/|-->)?\s*$/i;
