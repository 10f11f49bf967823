/** Reads what a sentence changes with code spans alone, without a fence. */
import type { FileWith } from "../syntax.ts";
import { isFilePath, MAX_SENTENCE, toldPath } from "../path-label.ts";
import { ordersPair } from "./hands-over.ts";
import { isNoEdit } from "./no-edit.ts";

type Properties = Readonly<Record<string, string>>;

/** Two code spans of which a sentence says that one becomes the other. */
export interface SpanEdit {
  readonly old: string;
  readonly now: string;
  readonly path: string | undefined;
  /** Whether no sentence names the file, and it alone has the old text. */
  readonly isFound: boolean;
  /** Undefined if the sentence does not order it. */
  readonly properties: Properties | undefined;
}

interface About {
  /** The sentence above it in its paragraph. */
  readonly before: string;
  /** Whether no fence shows the change. */
  readonly isAlone: boolean;
  /** The file that the text is about. */
  readonly near: string | undefined;
  readonly fileWith: FileWith;
}

export function spanEditsIn(text: string, { before, isAlone, near, fileWith }: About): readonly SpanEdit[] {
  const words = withoutPronoun(text.replace(QUOTED, "`$1`$2`$3`"), before);
  const pairs = words.length > MAX_SENTENCE ? [] : spanPairsIn(words).filter(({ old }) => !isFilePath(old));
  return pairs.flatMap(({ old, now, order, index, hasVerb }) => {
    const above = words.slice(0, index);
    const isWord = /^[\p{L}\p{N}_]+$/u.test(old);
    const namedPath = toldPath(above) ?? toldPath(above.split(/[,;] /).at(-1) ?? "");
    const path = namedPath ?? (isWord ? near : fileWith({ content: now, old, told: "", near, language: "" }));
    const pair = { old, now, path, isFound: namedPath === undefined && path !== near };
    const behind = words.slice(index + order.length);
    const times = BOTH.test(words) ? "2" : EVERY.test(order) || EVERYWHERE.test(behind) ? "all" : undefined;
    const isLeft = (times === "all" && EXCEPT.test(words)) || EXCEPT_IN.test(behind);
    const isOpen = isLeft || NOT_NEEDED.test(above) || IF.test(behind) || BUT_NOT.test(behind);
    // What stands behind a pair may explain it.
    const isMeant = ordersPair(words, index) || ordersPair(words.slice(0, index + order.length), index);
    const isOrdered = old !== now && !isOpen && !isNoEdit(words) && isMeant && !/\?\s*$/.test(words);
    if (path === undefined || !isOrdered) return [{ ...pair, properties: undefined }];
    const isReplaced = !isWord || (isAlone && hasVerb && replacesWord(words, order, now));
    const places = eachPlaceIn(words, above, behind);
    return places.map((told) => {
      const isCounted = times !== undefined && places.length === 1;
      const properties = { ...replaceSpan({ path, old, now, told }), ...(isCounted && { times }) };
      return { ...pair, properties: isReplaced ? properties : undefined };
    });
  });
}

/** Returns a sentence once for each of several places that it names: in `create` and `update`. */
function eachPlaceIn(words: string, ...parts: readonly string[]): readonly string[] {
  const list = parts.map((part) => PLACES.exec(part)?.[1]).find((places) => places !== undefined);
  const names = [...(list?.matchAll(/`[^`\n]+`/g) ?? [])].map(([name]) => name);
  if (list === undefined || names.some((name) => isFilePath(name.slice(1, -1)))) return [words];
  return names.map((name) => words.replace(list, () => name));
}

/** The first places that are named, and not those that are left out or compared. */
const PLACES =
  /^(?:(?!\b(?:already|as|besides|but|except|like|not|than|unlike)\b)[^`\n])*\b(?:in|inside|of|within) ((?:both )?`[^`\n]+`(?:(?:,|,? and) `[^`\n]+`)+)/i;

/**
 * Two texts of several words, in quotation marks: replace "one or two" with "one or more". What is the reader's is only
 * described: "your key".
 */
const QUOTED =
  /(?<=\b(?:change|replace)\b[^`"“\n]{0,40})["“](?!your\b)([^"“”`\n]+ [^"“”`\n]+(?<![,.]))["”]( (?:by|to|with) )["“](?![^"“”\n]*\byour?\b)([^"“”`\n]+(?<![,.]))["”]/i;

/** Returns a sentence with the code span that "it" stands for, if the one before it has no other: change it to `x is None`. */
function withoutPronoun(words: string, before: string): string {
  const [, order, now = ""] = CHANGE_IT.exec(words) ?? [];
  const [old = "", other] = [...before.matchAll(/`([^`\n]+)`/g)]
    .map(([, code = ""]) => code)
    .filter((code) => !isFilePath(code));
  if (order === undefined || other !== undefined || !/\W/.test(old) || !isAlike(old, now)) return words;
  return `${order} \`${old}\` to \`${now}\`.`;
}

const CHANGE_IT =
  /^((?:now |please |so |then )?(?:change|correct|fix|replace|set)) (?:it|this|that) (?:by|into|to|with) `([^`\n]+)`\.?$/i;

/** Returns whether two texts begin or end alike: the value of a name is none of them. */
function isAlike(old: string, now: string): boolean {
  return old !== now && (old.slice(0, 3) === now.slice(0, 3) || old.slice(-3) === now.slice(-3));
}

/** Returns the edit that puts a code span in place of another, which is without the end of its line. */
export function replaceSpan(pair: { path: string; old: string; now: string; told: string }): Properties {
  const { path, old, now, told } = pair;
  return { action: "file_put", path, content: now, old, told, guessed: "true" };
}

/** What is asked, or not for now. */
const OPEN = /\?|\b(?:if|unless|once|later|eventually|as soon as)\b/i;

/** Returns the imports, removals and moves that a sentence orders. */
export function spanOrdersIn(words: string, near: string | undefined): readonly Properties[] {
  if (words.length > MAX_SENTENCE || OPEN.test(words)) return [];
  const orders: Properties[] = [];
  const path = toldPath(words) ?? near;
  const [, pack] = PACKAGE.exec(words) ?? [];
  const [, code = pack && `import ${pack}`] = IMPORTED.exec(words) ?? [];
  if (code !== undefined && path !== undefined && !isNoEdit(words))
    orders.push({ action: "file_put", path, content: `${code}\n`, told: words, guessed: "true" });
  const [, line] = REMOVED.exec(words) ?? [];
  if (line !== undefined && (STATEMENT.test(line) || WHOLE_LINE.test(words)) && path !== undefined && !isNoEdit(words))
    orders.push({ action: "file_put", path, content: "", old: `${line}\n`, told: words, guessed: "true" });
  const [, from, to] = MOVED.exec(words) ?? [];
  if (from !== undefined && to !== undefined && isFilePath(from) && isFilePath(to))
    orders.push({ action: "file_move", old_path: from, new_path: besideOld(from, to) });
  const [, removed] = DELETED.exec(words) ?? [];
  if (removed !== undefined && isFilePath(removed)) orders.push({ action: "file_delete", path: removed });
  return orders;
}

/** An old and a new code span in a sentence. */
const SPAN_PAIRS: readonly RegExp[] = [
  /\b(?:bump|raise|lower|change|update|set|switch|increase|decrease|upgrade)\b[^\n]{0,80}?\bfrom `([^`\n]+)` to `([^`\n]+)`/gi,
  /\b(?:change|replace|swap|rename|turn|modify|update|ersetze?|ändere?|cambia|reemplaza|remplace[zr]?)\b[^`\n]{0,60}`([^`\n]+)`[^`\n]{0,20}?\b(?:to|with|by|into|for|durch|zu|por|par)\b:?\s+(?:(?:be|the|just|simply|el|la|le|die|den|das|dem)\s+){0,2}`([^`\n]+)`/gi,
  /(?<=^\W*(?:(?:also|and|finally|first|next|now|please|then) )*)(?:bump|upgrade|downgrade|raise|lower|pin)\b(?!.*\blater\b)(?:(?!\bfrom\b)[^`\n]){0,60}`([^`\n]+)`[^`\n]{0,20}?\bto `([^`\n]+)`/gi,
  /\b(?:drop|remove|ditch)(?<=(?:^\W{0,20}|\b(?:and|then|also|now) )\w+) `([^`\n]+)` in favou?r of `([^`\n]+)`/gi,
  /`([^`\n]+)`\s*(?:→|->|=>|⇒|becomes?|should (?:be|become)|wird zu|devient)\s*`([^`\n]+)`/gi,
];

/** Index of the pattern that has no verb. */
const ARROW = 4;
/** Index of the pattern whose texts differ in their versions alone. */
const BUMP = 2;

/** A further pair behind one: and `c` to `d`. */
const NEXT_PAIR = /[^`\n]{0,60}?(?:,|\band)\s+`([^`\n]+)`\s+(?:to|with|by|into)\s+`([^`\n]+)`/iy;

interface SpanPair {
  readonly old: string;
  readonly now: string;
  /** The order, from its verb on where it has one. */
  readonly order: string;
  /** Index of the order. */
  readonly index: number;
  readonly hasVerb: boolean;
}

/** Returns the pairs of an old and a new code span that a sentence tells. Runs in linear time. */
function spanPairsIn(words: string): readonly SpanPair[] {
  return SPAN_PAIRS.flatMap((pattern, number) =>
    [...words.matchAll(pattern)].flatMap((match) => {
      const pairs: SpanPair[] = [];
      const { index } = match;
      NEXT_PAIR.lastIndex = index + match[0].length;
      for (let pair: RegExpExecArray | null = match; pair !== null; pair = NEXT_PAIR.exec(words)) {
        const [all, old = "", now = ""] = pair;
        if (number === BUMP && (/^[\w.-]+$/.test(old) || withoutVersion(old) !== withoutVersion(now))) break;
        pairs.push({ old, now, order: words.slice(index, pair.index + all.length), index, hasVerb: number < ARROW });
        if (number >= ARROW) break;
      }
      return pairs;
    }),
  );
}

/** Returns the name in `name@1.2`: another version has the same. */
function withoutVersion(text: string): string {
  return text.replace(/\d+(?:[.\d]*\d)?/g, "0");
}

/** Returns the code spans that are to replace others in a line. */
export function newSpansIn(line: string): readonly string[] {
  return line.length > MAX_SENTENCE ? [] : spanPairsIn(line).map(({ now }) => now);
}

/** Returns whether a sentence orders that one name or number becomes another, which is no rename of all its uses. */
function replacesWord(words: string, order: string, now: string): boolean {
  return !/^rename/i.test(order) && /[.。]\s*$/.test(words) && /^\S+$/.test(now);
}

/** Returns the new path of a file: a name without a folder is one in the same folder. */
function besideOld(old: string, now: string): string {
  return now.includes("/") ? now : `${old.slice(0, old.lastIndexOf("/") + 1)}${now}`;
}

const ORDER = "^(?:[-*\\d.)\\s]*)(?:(?:you can|first|then|finally|now|also|and|please)[ ,]+)*";
/** How often: replace every `a` by `b`, `a` by `b` everywhere, in both places. */
const EVERY = /^\w+ (?:all|each|every)\b[^`]*`/i;
const EVERYWHERE = /^\W{0,3}(?:everywhere|throughout|wherever|in (?:all|each|every)\b)/i;
/** What says before an order that it is none: there's no need to. */
const NOT_NEEDED =
  /(?:\b(?:before (?:I|we|you)|needless|never|no|no one|nobody|not|unnecessary|without)|n['’]t)(?! (?:forget|just|only)\b)(?: (?!(?:and|but|so|then)\b)[\w'’]+){0,5}\s*$/i;
/** What an order depends on, right behind it: only if you expect it. */
const IF =
  /^(?: (?:in|of) `[^`\n]*`)*[\s,(–—-]*(?:but )?(?:only (?:for|if|in|on|once|when|where)|if|in case|once|unless)\b/i;
/** What takes an order back: but I wouldn't. */
const BUT_NOT =
  /\b(?:although|but|though),? (?:(?:I|we)\b(?:['’]d| would)? ?(?:\w*n['’]t|not|never|rather)\b|(?:it|that|this)\b[^.`]{0,30}\b(?:necessary|needed|optional|required|worth)\b)/i;
/** What is left out of all places. */
const EXCEPT = /\b(?:except|but (?:not|leave|keep)|other than|apart from|unless|besides|not (?:the|in))\b/i;
const EXCEPT_IN = /\b(?:except|not|unless|besides|apart from|other than) (?:in|inside|within) `/i;
const BOTH =
  /\b(?:in both|both (?:branches|calls|cases|files|functions|jobs|lines|methods|occurrences|places|times))\b/i;
/** What may stand before the verb of an order, and what behind its code. */
const LEAD =
  "^\\W*(?:(?:and|also|then|now|please|finally|next|you(?:['’]ll| will)?|need to|(?:make|be) sure to|don['’]t forget to|" +
  "remember to|(?:in|at the top of) (?:the )?`[^`\\n]+`,?|at the top(?: of the file)?,?)\\s+)*";
const TAIL =
  "(?: (?:as well|too|again|there|at the (?:end|bottom)|at the (?:very )?top(?: of (?:the file|`[^`\\n]+`))?|in `[^`\\n]+`|" +
  "to (?:(?:the|your) imports?(?: of `[^`\\n]+`)?|(?:the top of )?`[^`\\n]+`)))*(?:,? (?:since|because|as (?:it|they|we|you)) [^?]*|[.:;)]*\\s*)$";
/** An import that a sentence orders, and does no more: add `import os` at the top. */
const IMPORTED = new RegExp(
  `${LEAD}(?:add|import|need|include|bring back) (?:an? |the )?(?:\\w+[ :]+){0,2}` +
    `\`((?:(?:import|from|use|using|#include|require)\\b|(?:const|let|var) [^=\`\\n]+= ?(?:await )?(?:require|import)\\()[^\`\\n]+)\`${TAIL}`,
  "i",
);
/** A package of Go: add `"net/url"` to the imports. */
const PACKAGE = new RegExp(`${LEAD}add \`("[\\w./-]+")\` to (?:the|your) imports?\\b${TAIL}`, "i");
/** A line that goes: remove `margin: 0;` from `.card`. */
const REMOVED = new RegExp(
  `${LEAD}(?:you can (?:(?:then|now|also|safely) )*)?(?:remove|delete|drop) (?:the )?(?:(?:line|unused|old|import|statement)[ :]+)*\`([^\`\\n]+)\`` +
    `(?: (?:line|import|statement|call|rule|property)| (?:from|inside|in) (?:the )?\`[^\`\\n]+\`(?: (?:class|function|method|rule|block))?)*${TAIL}`,
  "i",
);
/** A code span that is called a line, and has several words. */
const WHOLE_LINE = /\blines? `[^`\n ]+ [^`\n]+`|`[^`\n ]+ [^`\n]+` line\b/i;
/** What is more than a name or a path. */
const STATEMENT = /[;=(){}]|: |^(?:import|from|use|using|require|#\s*include|@)(?![\w-])/;
const MOVED = new RegExp(`${ORDER}(?:rename|move) (?:the )?(?:file )?\`([^\`]+)\` (?:in)?to \`([^\`]+)\``, "i");
const DELETED = new RegExp(
  `${ORDER}(?:delete|remove) (?:the )?(?:file )?\`([^\`]+)\`(?: (?:now|too|entirely|as well))?[.:]?\\s*$`,
  "i",
);
