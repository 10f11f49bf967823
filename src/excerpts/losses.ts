/** Tells what a text would lose of the file that it is written for: then it shows a part of it. */
import { diffArrays } from "diff";
import type { Part } from "../addresses/part.ts";
import { literalPattern } from "../core/literal.ts";
import { once } from "../core/once.ts";
import { trimmedLines } from "../edit/lazy.ts";
import type { Grammar } from "./contexts.ts";
import type { Imports } from "./declarations/import-place.ts";
import { importsIn, isImport, linesWithoutImports } from "./declarations/imports.ts";
import { isFrame } from "./lines/list-end.ts";
import { HAS_WORD, hasWordsOf, isSubsequence, keptIn } from "./lines/nearest.ts";
import { CONTAINERS, everyPart } from "./parts.ts";
import { holdsWord, isAlike, MAX_QUOTED, type Splice } from "./text.ts";
import type { Told } from "./told/told.ts";

/**
 * Returns whether a text lacks an import of a file that it may need, and has its names from nowhere else: then it shows
 * a part of the file.
 *
 * @param isSure whether the text may be a whole file, so that an import which it does not use may go
 */
export function missesImport({ parts }: Grammar, before: string, { text, isSure }: MaybeWhole): boolean {
  const [old, now] = [before, text].map(importsIn) as [Imports, Imports];
  const code = once(() => linesWithoutImports(now).join("\n").replaceAll(TEXTS, " "));
  const keys = now.all.flatMap(({ names }) => [...names.keys()]);
  const given = new Set([...keys.map(nameGiven), ...(isSure ? parts(text).map(({ name }) => name) : [])]);
  // What gives all names may give these.
  if (keys.some((key) => key.endsWith("*"))) return false;
  return old.all
    .flatMap(({ names }) => [...names.keys()])
    .filter((key) => !given.has(nameGiven(key)))
    .some((key) => GIVEN.test(key) && (!isSure || isUsed(code(), nameGiven(key), key.endsWith('"'))));
}

interface MaybeWhole {
  readonly text: string;
  readonly isSure: boolean;
}

/**
 * Returns whether code uses a name.
 *
 * @param isPackage whether only what has the name can be used: that of a package of Go
 */
function isUsed(code: string, name: string, isPackage: boolean): boolean {
  const word = `(?<![\\w$.])${literalPattern(name)}(?![\\w$])`;
  return new RegExp(isPackage ? `${word}\\.` : `(?<![{,]\\s*(?=${word}\\s*:))${word}`).test(code);
}

/** Comments, and texts. */
export const TEXTS =
  /"""[^]*?"""|'''[^]*?'''|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"|(?<![\w&<])'(?:[^'\\\n]|\\.)*'|(?:\/\/|(?<=^|\s)#(?=\s)).*/gm;

/** Returns the name by which a file uses what it imports, or all that is known. */
function nameGiven(key: string): string {
  return GIVEN.exec(key)?.slice(1).find(Boolean) ?? key;
}

/** `name`, `import a.b`, `import a as name`, `"a/name"`, `name "a"`, `a::name`, `a::name::self` */
const GIVEN =
  /^(?:import (?:.* as )?(\w+)(?:\.[\w.]+)?|(?:(\w+) )?"(?:[^"]*\/)?(\w+)"|(?:.*(?:::| as ))?(?!self$)(\w+)(?:::self)?)$/;

/** Returns whether a text would lose a type with members, and shows no other declaration of that level. */
export function hidesContainer(names: readonly string[], file: readonly Part[], shown: readonly Part[]): boolean {
  const isThere = new Set(file.map(({ name }) => name));
  return (
    !shown.some(({ name }) => isThere.has(name)) &&
    file.some(({ name, kind, children }) => names.includes(name) && CONTAINERS.has(kind) && children.length > 0)
  );
}

/** Returns whether a text lacks the bracket that ends a file. */
export function endsEarly(before: string, text: string): boolean {
  const [old = "", now = ""] = [before, text].map((one) => trimmedLines(one).at(-1));
  return /^(?:[)}\]]+[;,]?|end|<\/[\w-]+>)$/.test(old) && now !== old;
}

/**
 * Returns whether a text lacks lines of a file that stand outside its declarations. Imports may go where it has some:
 * then it shows the head of the file.
 */
export function losesStatements({ parts: partsOf }: Grammar, before: string, text: string): boolean {
  const parts = partsOf(before);
  const [old, now] = [before, text].map((one) => trimmedLines(one)) as [string[], string[]];
  const kept = new Set(now);
  if (parts.length === 0) {
    const [first = "", begin = ""] = [old[0], now[0]];
    const isFramed = (first === begin || (isAlike(first, begin) && !old.includes(begin))) && old.at(-1) === now.at(-1);
    return !isFramed || old.filter((line) => kept.has(line)).length < old.length * MOST;
  }
  let [outside, at] = ["", 0];
  for (const { start, end } of parts) {
    outside += `${before.slice(at, Math.max(at, start))}\n`;
    at = Math.max(at, end);
  }
  const showsHead = now.some(isImport);
  const lines = trimmedLines(outside + before.slice(at));
  return lines.some((line) => !kept.has(line) && !(showsHead && isImport(line)));
}

/** Returns whether a text lacks lines of a file that say something, as one does that is to be added to it. */
export function keepsFew(before: string, text: string): boolean {
  const kept = new Set(trimmedLines(text));
  const lines = trimmedLines(before).filter((line) => HAS_WORD.test(line) && !line.startsWith("["));
  return lines.filter((line) => kept.has(line)).length < lines.length * MOST;
}

/** The share of its lines that a text without a grammar keeps, where it is no excerpt. */
const MOST = 0.6;

/** Returns whether a text has fewer lines than a file in some place. Without a grammar, they may have moved. */
export function losesLines({ parts: partsOf }: Grammar, before: string, text: string): boolean {
  const isPlain = partsOf(before).length === 0;
  const parts = diffArrays([...trimmedLines(before)], [...trimmedLines(text)], { maxEditLength: MAX_DIFFERENCES });
  const added = parts?.flatMap((part) => (part.added ? part.value : []));
  const isMoved = (line: string): boolean =>
    isPlain && added?.some((one) => isAlike(one, line) || isSubsequence(line.split(" "), one.split(" "))) === true;
  return (
    parts?.some(({ removed, value }, index) => {
      const next = parts[index + 1];
      return removed && value.length > (next?.added === true ? next.value.length : 0) && !value.every(isMoved);
    }) !== false
  );
}

const MAX_DIFFERENCES = 2_000;

/**
 * Returns why a change loses lines that no sentence takes away: where it only adds some, most of what stood between the
 * first and the last one, or the members of a list in one line; where it may change them, all that a tag or brackets
 * hold.
 */
export function lossOfLines(
  { text: before, parts }: { readonly text: string; readonly parts: readonly Part[] },
  splices: readonly Splice[],
  told: Told,
): string | undefined {
  if (told.isRemoval || told.isWhole || REPLACES.test(told.text)) return undefined;
  const adds = (told.ordersAddition || MORE.test(told.text)) && !/\bchang/i.test(told.text);
  const every = everyPart(parts);
  for (const { start, end, text } of splices) {
    const [old, now] = [before.slice(start, end), text].map((one) => trimmedLines(one)) as [string[], string[]];
    const [first = "", second] = old;
    const isClosed = isFrame(old.at(-1) ?? "");
    const isFramed = isClosed && now[0] === first && now.length < old.length;
    if (!adds && !isFramed) continue;
    const quoted = (line = ""): string => `would lose "${line.slice(0, MAX_QUOTED)}"`;
    if (adds && second === undefined && LISTS.test(first) && !hasWordsOf(first, now.join(" ")))
      return `${quoted(first)}, and the sentence only adds: show it with the new text`;
    const [isKept, keys] = [keptIn(now, old), new Set(now.map(keyOf))];
    const key = second === undefined ? keyOf(first) : undefined;
    if (adds && key !== undefined && !keys.has(key) && !isKept(first))
      return `${quoted(first)}, and the sentence only adds: show it too, or say what the new lines go below`;
    // A key may get another value.
    const isSet = (line: string): boolean => keyOf(line) !== undefined && keys.has(keyOf(line));
    const inner = old.slice(1, isClosed ? -1 : undefined).filter((line) => HAS_WORD.test(line) && line !== first);
    const gone = inner.filter((line) => !isKept(line) && !isSet(line));
    // A declaration may get another body.
    const head = start + before.slice(start, end).indexOf(first) + first.length;
    const isDeclared = every.some(({ part }) => part.start >= start && part.start < head);
    const most = BARE.test(told.text) && isClosed && !isDeclared ? 0 : inner.length / 2;
    if (adds && gone.length > most && !(isDeclared && sharesWords(first, inner, now.slice(1))))
      return `${quoted(gone[0])}, and the sentence only adds: show it too, or say what the new lines go below`;
    const tag = /^<([\w-]+)/.exec(first)?.[1];
    const isTold = tag !== undefined && holdsWord(told.text, tag);
    const least = SECTIONS.test(first) ? inner.length / 2 : inner.length - 1;
    if (isFramed && !isTold && !isDeclared && inner.length > 1 && gone.length > least)
      return `${quoted(gone[0])}: show it too, or write that this replaces it`;
  }
  return undefined;
}

/** Returns the key that a line sets. */
function keyOf(line: string): string | undefined {
  return /^["']?[\w$.-]+["']?(?::(?=\s)|\s*=(?!=))/.exec(line)?.[0];
}

/** Returns whether some lines have a third of the words of others, but for those of the head: they are a new form of those. */
function sharesWords(head: string, old: readonly string[], now: readonly string[]): boolean {
  const [known, words] = [new Set(now.join("\n").match(WORDS)), new Set(old.join("\n").match(WORDS))];
  for (const word of [...(head.match(WORDS) ?? []), "self", "this", "$this"]) words.delete(word);
  return [...words].filter((word) => known.has(word)).length * 3 >= Math.max(1, words.size);
}

/** Names and keywords. */
const WORDS = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const REPLACES = /\b(?:becomes?|instead|replac\w+|rewrit\w+|swap\w*)\b/i;
/** What a component consists of. */
const SECTIONS = /^<(?:script|style|template)\b/;
/** What has members. */
const LISTS = /[[{(|]/;
/** An order to add that has no verb of it, or at its end. */
const MORE = /\bextend\b|\b(?:also|still) need (?:it|that|these|this) in\b|\b(?:add|insert|append)[:：]\s*$/i;
/** An order to add, without a word of what. */
const BARE =
  /\b(?:add|insert|put)(?: (?:it|that|the following|these|this))?(?: (?:at|below|in|inside|into|to|under)\b|:?\s*$)/i;
