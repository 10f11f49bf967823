/** Replaces a statement by its new form: the only one that is like it. */
import { countsOf } from "../../core/counted.ts";
import { literalPattern } from "../../core/literal.ts";
import { trimmedLines } from "../../edit/lazy.ts";
import { areOtherBlocks } from "../../edit/named-block.ts";
import { CLOSED, endOfStatement, OPENED, OPENS } from "../block.ts";
import { isImport } from "../declarations/imports.ts";
import { rangeOf, replacedLines } from "./fragment.ts";
import { HAS_WORD, hasWordsOf, isSubsequence } from "./nearest.ts";
import {
  dedented,
  indentOf,
  isAlike,
  isInRows,
  type Line,
  MIN_SHARED,
  type PlacedLines,
  reindented,
  sharedAround,
  sharedLength,
  sharedWords,
  significant,
  type Within,
} from "../text.ts";

interface Alike {
  readonly within?: Within | undefined;
  /** The text before the answer. */
  readonly original?: string | undefined;
  /** The sentences. */
  readonly told?: string;
}

/**
 * Replaces the statement that a fragment is a new form of: the only one in the file whose first line begins alike. It
 * begins so for most of its length, and no other one comes near. What the answer has put there is no old form.
 */
export function placeAlike(
  file: string,
  content: string,
  { within, original = file, told = "" }: Alike,
): PlacedLines | undefined {
  const named = placeNamed(file, content, { within, told });
  if (named !== undefined) return named;
  const known = new Set(trimmedLines(original));
  const lines = file.split("\n");
  const written = content.replace(/^\n+|\s+$/g, "").split("\n");
  const first = (written[0] ?? "").trim();
  const isOpen = written.length > 1 && OPENED.test(first) && !CLOSED.test(written.at(-1) ?? "");
  // Deeper lines below an import are no part of it.
  const isOne = endOfStatement(written, 0) === written.length - 1 && !isOpen && !isImport(first);
  const there = significant(lines).filter(({ at, text }) => known.has(text) && isInRows(at, within));
  const best =
    onlyAlike(there, (text) => sharedWords(text, first), first) ??
    (written.length === 1
      ? (onlyAlike(there, (text) => sharedWords(reversed(text), reversed(first)), first) ??
        onlyAlike(there, (text) => sharedAround(text, first), first))
      : undefined);
  if (best === undefined || (written.length > 1 && areOtherBlocks(lines.slice(best.at).join("\n"), content, told)))
    return undefined;
  // Nothing tells that one return is a new form of another.
  const [keyword = "", word = ""] = KEYWORD.exec(first) ?? [];
  if (keyword !== "" && sharedLength(best.text, first) <= keyword.length && !told.includes(word)) return undefined;
  const isHead = written.length === 1 && OPENS.test(first);
  const isEach = written.every((line, index) => isAlike((lines[best.at + index] ?? "").trim(), line.trim()));
  const old = lines.slice(best.at, endOfStatement(lines, best.at) + 1);
  if (!(isEach && written.length > 1) && !isNewForm(old, written, told)) return undefined;
  if (!isOne && !isEach) return undefined;
  const end = isHead
    ? best.at
    : isEach && written.length > 1
      ? best.at + written.length - 1
      : endOfStatement(lines, best.at);
  const now = reindented(dedented(written.join("\n")), indentOf(lines[best.at] ?? ""), file).trimEnd();
  return replacedLines(file, rangeOf(lines, best.at, end), now);
}

/**
 * Returns whether a statement is a new form of another one, and no further one of its kind, such as a second call: it
 * has all words of that, sets the same, or keeps a line of its block. Or sentences change something.
 */
function isNewForm(old: readonly string[], now: readonly string[], told: string): boolean {
  const [[head = "", ...rest], [first = ""]] = [old, now];
  const isTag = first.trim().startsWith("<");
  const masked = (line: string): string => (now.length > 1 || isTag ? line : line.replaceAll(VALUE, "$10"));
  const isKept = (line: string): boolean =>
    HAS_WORD.test(line) && now.slice(1).some((one) => hasWordsOf(line, one) || isAlike(line.trim(), one.trim()));
  return (
    ((now.length === 1 || head.trim() !== first.trim()) && hasWordsOf(masked(head), masked(first))) ||
    KEYWORD.test(first.trim()) ||
    (!isTag && (TARGET.exec(head.trim())?.[0] ?? "") === TARGET.exec(first.trim())?.[0]) ||
    rest.some(isKept) ||
    CHANGES.test(told)
  );
}

/** A number, or a text behind another argument or a name: the first one often tells which of several a call is of. */
const VALUE = /([,:=]\s*)(?:"[^"]*"|'[^']*')|(?<![\w$.])\d[\w.]*/g;
/** What a statement sets. */
const TARGET = /^[^=("'`]*[^=("'`!<>+*/-]=(?![=>])|^[\w"'-]+:(?= )/;
/** A verb of what is changed, which is not the file. */
const CHANGES = new RegExp(
  "\\b(?:adjust|bump|chang|convert|correct|decreas|fix|increas|lower|mak|modif|rais|replac|rewrit|set|swap|switch|turn|" +
    "updat)\\w*(?! ` *`)\\b|\\b(?:becomes?|instead|no longer|now|should|use(?! (?:it|that|this)\\b))\\b",
  "i",
);

/** Replaces the only line that begins and ends as a fragment does and of which all is in that: it has become longer. */
export function placeLonger(file: string, content: string, within: Within | undefined): PlacedLines | undefined {
  const lines = file.split("\n");
  const shownTokens = content.match(TOKEN) ?? [];
  const known = new Set(significant(lines).map(({ text }) => text));
  if (significant(content.split("\n")).some(({ text }) => known.has(text))) return undefined;
  const isShorter = ({ text, at }: Line): boolean => {
    const tokens = text.match(TOKEN) ?? [];
    const isSame = (begin: number, end: number): boolean =>
      [tokens, shownTokens]
        .map((all) => all.slice(0, begin).concat(all.slice(-end)).join(" "))
        .every((all, _, [one]) => all === one);
    // A function with another head may be a further one.
    const hasEnds = isSame(1, 2) || (IS_TYPE.test(text) && isSame(3, 1));
    const isMuch =
      tokens.length >= MIN_TOKENS && tokens.length < shownTokens.length && tokens.length * 3 >= shownTokens.length;
    return isInRows(at, within) && hasEnds && isMuch && isSubsequence(tokens, shownTokens);
  };
  const [only, other] = significant(lines).filter(isShorter);
  if (only === undefined || other !== undefined) return undefined;
  const written = content.replace(/^\n+|\s+$/g, "");
  const now = reindented(dedented(written), indentOf(lines[only.at] ?? ""), file).trimEnd();
  return replacedLines(file, rangeOf(lines, only.at, only.at), now);
}

/** Replaces the only line that begins with the name that a line begins with, where the sentences name that: a field. */
function placeNamed(file: string, content: string, { within, told = "" }: Alike): PlacedLines | undefined {
  const [shown = "", more] = trimmedLines(content);
  const lines = file.split("\n");
  const nameOf = (line: string): string => /^[\p{L}_$][\p{L}\p{N}_$]*/u.exec(line.trim())?.[0] ?? "";
  const name = more === undefined ? nameOf(shown) : "";
  const [only, other] = significant(lines).filter(({ at, text }) => isInRows(at, within) && nameOf(text) === name);
  const isFit = only !== undefined && other === undefined && OPENED.test(only.text) === OPENED.test(shown);
  // A call or a statement is no member.
  const isMember =
    /\b(?:field|interface|member|method|property|signature)\b/i.test(told) || !/^\w+(?:\(.*\)|\s.*);?$/.test(shown);
  if (name === "" || !new RegExp(`\`${literalPattern(name)}(?![\\w$])`).test(told) || !isFit || !isMember)
    return undefined;
  return replacedLines(file, rangeOf(lines, only.at, only.at), `${indentOf(lines[only.at] ?? "")}${shown}`);
}

/** Replaces the only line of a file of settings that sets the same as a line of two words: `go 1.22` for `go 1.23`. */
export function placeSetting(file: string, content: string): PlacedLines | undefined {
  const [, word] = /^([\w.-]+) [^\s"'(]+$/.exec(content.trim()) ?? [];
  const lines = file.split("\n");
  const [only, other] = significant(lines).filter(({ text }) => word !== undefined && text.startsWith(`${word} `));
  if (only === undefined || other !== undefined || !/^\S+ \S+$/.test(only.text) || KEYWORD.test(only.text))
    return undefined;
  return replacedLines(file, rangeOf(lines, only.at, only.at), indentOf(lines[only.at] ?? "") + content.trim());
}

/**
 * Sets what lines set in a file that has nothing but such lines, `PORT=80`, each once: new ones go below the one shown
 * above them. Undefined if the lines or the file have anything else, or if an addition changes a value.
 */
export function placeSettings(file: string, content: string, isAddition: boolean): PlacedLines | undefined {
  const keysOf = (text: string): ReadonlyMap<string, string> | undefined => {
    const lines = trimmedLines(text).filter((line) => !/^[#;!]/.test(line));
    const pairs = lines.map((line) => [/^(?:export )?([\w.-]+)\s*=/.exec(line)?.[1] ?? "", line] as const);
    const keys = new Map(pairs);
    return keys.size === lines.length && !keys.has("") ? keys : undefined;
  };
  const [there, shown] = [file, content].map(keysOf);
  if (there === undefined || shown === undefined || shown.size < 2 || there.size === 0) return undefined;
  const isChanged = [...shown].some(([key, line]) => there.has(key) && there.get(key) !== line);
  if ((isAddition && isChanged) || ![...shown.keys()].some((key) => there.has(key))) return undefined;
  const rows = file.replace(/\n$/, "").split("\n");
  const at = new Map(rows.map((row, index) => [row.trim(), index]));
  /** The lines that stand in place of each row; those of new keys go below the last one shown above them. */
  const now = rows.map((row) => [row]);
  let below = rows.length - 1;
  for (const [key, line] of shown) {
    const old = there.get(key);
    const row = old === undefined ? undefined : at.get(old);
    if (row === undefined) now[below]?.push(line);
    else [now[row], below] = [[line], row];
  }
  return replacedLines(file, { start: 0, end: file.length }, now.flat().join("\n"));
}

/** Replaces the only line of a section, below its head, that sets the same as a line: `level=info` for `level=debug`. */
export function placeInSection(file: string, content: string, head = -1): PlacedLines | undefined {
  const lines = file.split("\n");
  const [shown = "", more] = trimmedLines(content).filter((line) => line !== lines[head]?.trim());
  const key = more === undefined ? keyIn(shown) : undefined;
  if (key === undefined || !SECTION_HEAD.test(lines[head] ?? "")) return undefined;
  const next = lines.findIndex((line, at) => at > head && SECTION_HEAD.test(line));
  const within = lines.slice(head + 1, next === -1 ? undefined : next);
  const [only, other] = within.flatMap((line, at) => (keyIn(line) === key ? [head + 1 + at] : []));
  return only === undefined || other !== undefined ? undefined : replacedLines(file, rangeOf(lines, only, only), shown);
}

function keyIn(line: string): string | undefined {
  return /^([\w.-]+)\s*[=:]/.exec(line.trim())?.[1];
}

/**
 * Returns a key that a section of a file of settings has twice in a new text, and had once. It may be a further value.
 *
 * @param place sentences that may name the head of a section: what is shown below that goes into the one there is
 */
export function doubledSetting(before: string, text: string, place: string): string | undefined {
  const [old, now] = [before, text].map((one) => settingsIn(one, place));
  return [...(now ?? [])].find(([setting, count]) => count === 2 && old?.get(setting) === 1)?.[0].split("\0")[1];
}

/** Counts the settings of each section. Of two sections with one head, each has its own, unless sentences name the head. */
function settingsIn(text: string, place: string): ReadonlyMap<string, number> {
  let [section, number] = ["", 0];
  const settings = text.split("\n").flatMap((line) => {
    if (SECTION_HEAD.test(line)) section = place.includes(line.trim()) ? line.trim() : `${(number += 1)}`;
    const key = keyIn(line);
    return section === "" || key === undefined ? [] : [`${section}\0${key}`];
  });
  return countsOf(settings);
}

const SECTION_HEAD = /^\s*\[[^\]]+\]\s*$/;

/** What begins statements that are not alike. */
const KEYWORD = /^(return|throw|raise|yield|echo|print)(?: (?:new|await|not)\b)?[ (!]*/;
/** Words and single signs. */
const TOKEN = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu;
const IS_TYPE = /^(?:\w+ )*(?:class|record|struct) /;
/** Shorter lines are common. */
const MIN_TOKENS = 6;

/** Returns the line that shares most with a text, if it is enough and no other comes near. */
function onlyAlike(lines: readonly Line[], shared: (text: string) => number, wanted: string): Line | undefined {
  const [best, next] = lines
    .map((line) => ({ ...line, shared: shared(line.text) }))
    .sort((one, other) => other.shared - one.shared);
  if (best === undefined || best.shared < Math.max(MIN_SHARED, Math.min(best.text.length, wanted.length) * 0.5))
    return undefined;
  return next !== undefined && next.shared > best.shared * 0.8 ? undefined : best;
}

function reversed(text: string): string {
  return [...text].toReversed().join("");
}
