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
    const [between = ""] = (order.split(`\`${old}\``)[1] ?? "").split(`\`${now}\``);
    const namedPath = toldPath(above) ?? toldPath(above.split(/[,;] /).at(-1) ?? "") ?? toldPath(between);
    const behind = words.slice(index + order.length);
    // What stands beside it may be another place than a file of the project, or another project.
    const line = near === undefined && BEGIN.test(above) && END.test(behind) ? `${old}\n` : old;
    const path = namedPath ?? (isWord ? near : fileWith({ content: now, old: line, told: "", near, language: "" }));
    const pair = { old, now, path, isFound: namedPath === undefined && path !== near };
    const [aboveReason = ""] = behind.split(REASON, 1);
    const places = [above, between, aboveReason].map(placesIn).find((names) => names.length > 0) ?? [];
    const isAll = EVERY.test(order) || EVERYWHERE.test(behind);
    const times = places.length < 2 && BOTH.test(words) ? "2" : isAll ? "all" : undefined;
    const isLeft = (times === "all" && EXCEPT.test(words)) || EXCEPT_IN.test(behind);
    const isOpen = isLeft || NOT_NEEDED.test(above) || IF.test(behind) || BUT_NOT.test(behind);
    // What stands behind a pair may explain it.
    const isMeant = ordersPair(words, index) || ordersPair(words.slice(0, index + order.length), index);
    const isOrdered = old !== now && !isOpen && !isNoEdit(words) && isMeant && !/\?\s*$/.test(words);
    if (path === undefined || !isOrdered) return [{ ...pair, properties: undefined }];
    const isReplaced = !isWord || (isAlone && hasVerb && replacesWord(words, order, now));
    // One place is only a hint, unless it limits what is changed at all places.
    const within = places.length > 1 || times !== undefined ? places.join("\n") : "";
    const how = { ...(times !== undefined && { times }), ...(within !== "" && { within }) };
    const properties = { ...replaceSpan({ path, old, now, told: words }), ...how };
    return [{ ...pair, properties: isReplaced ? properties : undefined }];
  });
}

/** Returns the names of the first places, no files, that a part of a sentence tells: in `create` and `update`. */
function placesIn(part: string): readonly string[] {
  const lists = [...part.matchAll(PLACES)].map(([, list = ""]) => list.match(/[\p{L}\p{N}_$.:#@-]+(?=`|\(|$)/gu) ?? []);
  return lists.map((names) => names.filter((name) => !isFilePath(name))).find((names) => names.length > 0) ?? [];
}

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
  const [first, last] = (IMPORTED.exec(words) ?? IMPORTED_TOO.exec(words) ?? []).slice(1);
  const code = first ?? last ?? (pack && `import ${pack}`);
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

/** Returns sentences above code without the import that they order besides. */
export function withoutImport(text: string): string {
  const order = IMPORTED_TOO.exec(text);
  if (order === null) return text;
  const [above, behind] = [text.slice(0, order.index), text.slice(order.index + order[0].length)];
  return `${above}${/^(?:an?|its|the|these|this)\b/i.test(behind) ? "add " : ""}${behind}`;
}

/** Code spans or calls in a list, or a word before "function", "class" and the like. */
const NAMES =
  "(?:`[^`\\n]+`(?:(?:,|,? and) `[^`\\n]+`)*|(?!(?:all|any|both|each|every|that|the|this)\\b)(?:[\\w$]+\\(\\)(?:(?:,|,? and) [\\w$]+\\(\\))*|[\\w$]+(?= (?:class|component|function|handler|hook|method|rule|test)\\b)))";
/** Begins a reason, which names no place of the change: so that calls in `a` work. */
const REASON = /,? \b(?:as|because|most|since|so|that|when|where|which)\b/i;
const IN = "\\b(?:in|inside|of|within) (?:(?:both|each of|the) )*";
/** Places that a sentence names, and does not leave out or compare. */
const PLACES = new RegExp(
  `(?<!\\b(?:already|as|besides|but|except|like|not|than|unlike)\\b[^\`\\n]*)${IN}(${NAMES})`,
  "gi",
);
/** An old and a new code span in a sentence. */
const SPAN_PAIRS: readonly RegExp[] = [
  /\b(?:bump|raise|lower|change|update|set|switch|increase|decrease|upgrade)\b[^\n]{0,80}?\bfrom `([^`\n]+)` to `([^`\n]+)`/gi,
  new RegExp(
    "\\b(?:change|replace|swap|rename|turn|modify|update|ersetze?|ändere?|cambia|reemplaza|remplace[zr]?)\\b[^`\\n]{0,60}(?<!\\b(?:in|inside|within) (?:the )?)`([^`\\n]+)`" +
      `(?:[^\`\\n]{0,20}?${IN}${NAMES}){0,2}[^\`\\n]{0,20}?` +
      "\\b(?:to|with|by|into|for|durch|zu|por|par)\\b:?\\s+(?:(?:be|the|just|simply|el|la|le|die|den|das|dem)\\s+){0,2}`([^`\\n]+)`",
    "gi",
  ),
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

const BEGIN =
  /^\W*(?:(?:also|and|finally|first|I['’]d|I would|next|now|please|simply|so|then|you (?:have to|must|need to|should))[ ,]+)*$/i;
const END = /^[.;:!)*\s]*$/;
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
  /\b(?:in both|both (?:`[^`\n]*` )?(?:branches|calls|cases|files|functions|jobs|lines|methods|occurrences|places|times))\b/i;
/** What may stand before the verb of an order, and what behind its code. */
const LEAD =
  "^\\W*(?:(?:and|also|then|now|please|finally|next|you(?:['’]ll| will)?|need to|(?:make|be) sure to|don['’]t forget to|" +
  "remember to|(?:in|at the top of) (?:the )?`[^`\\n]+`,?|at the top(?: of the file)?,?)\\s+)*";
const PLACES_BEHIND =
  "(?: (?:as well|too|again|there|at the (?:end|bottom)|at the (?:very )?top(?: of (?:(?:the|this|(?<=\\bwith `[^`]*` [^.]*)that) file|`[^`\\n]+`))?|in `[^`\\n]+`|" +
  "to (?:(?:the|your) imports?(?: of `[^`\\n]+`)?|(?:the top of )?`[^`\\n]+`)))*";
const TAIL = `${PLACES_BEHIND}(?:,? (?:since|because|as (?:it|they|we|you)) [^?]*|[.:;)]*\\s*)$`;
const IMPORT_ADDED =
  "(?:add|import|need|include|bring back|(?:do not|don['’]t) forget(?! (?:not |how |why |about )?(?:about|how|not|that|to)\\b)|with(?=[^`]*`[^`]+` at the (?:very )?top\\b)) (?:an? |the )?(?:\\w+[ :]+){0,2}" +
  "`((?:(?:import|from|use|using|#include|require)\\b(?![.-]\\w)|(?:const|let|var) [^=`\\n]+= ?(?:await )?(?:require|import)\\()[^`\\n]+)`";
/** An import that a sentence orders: add `import os` at the top. */
const IMPORTED = new RegExp(`${LEAD}${IMPORT_ADDED}${TAIL}`, "i");
/** An import that a sentence above code orders before or behind another order: add `import os` and update `f`. */
const IMPORTED_TOO = new RegExp(
  `(?<=${LEAD})${IMPORT_ADDED}${PLACES_BEHIND},? (?:and|then) (?:(?:also|then) )?(?!(?:not|you)\\b)(?=.*:\\s*$)|` +
    `(?<=[\`\\w)])(?:,? and| \\(and)(?: also)? ${IMPORT_ADDED}${PLACES_BEHIND}\\)?(?=:\\s*$)`,
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
