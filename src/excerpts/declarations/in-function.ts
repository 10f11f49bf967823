/** Finds the function that new ones belong in: the only one that declares what they use. */
import type { Part } from "../../addresses/part.ts";
import { append, largest } from "../../core/lists.ts";
import { literalPattern } from "../../core/literal.ts";
import { namedFew } from "../../core/visible.ts";
import { bodyOf, endOfBlock, lastReturn } from "../block.ts";
import { insertAt } from "../lines/statement.ts";
import { TEXTS } from "../losses.ts";
import { everyPart } from "../parts.ts";
import { isCommentIn } from "../remarks.ts";
import type { Placed, Shown } from "../shown.ts";
import { indentOf, rowAt, Unplaced, type Within } from "../text.ts";
import type { ToldPlace } from "../told/places.ts";
import { localsIn } from "../told/told.ts";
import { isImport, linesWithoutImports } from "./imports.ts";

/**
 * Places new functions that use what only a function of the file declares, such as the state of a component: below the
 * last one in it, or above its return. Undefined if they use nothing of that kind.
 */
export function placeInFunction({ file, excerpt, told, imports, read, at }: Shown): Placed | Unplaced | undefined {
  const { text = "", parts = [], gaps = [], isInside } = read() ?? {};
  const isAlone = gaps.every((line) => isImport(line) || isCommentIn(excerpt.path, line));
  if (!NESTING.test(excerpt.path) || parts.length === 0 || isInside === true || !isAlone || at() !== undefined)
    return undefined;
  const imported = imports.all.flatMap(({ lines }) => lines.join(" ").match(WORDS) ?? []);
  const known = new Set(everyPart(file.parts).map(({ part }) => part.name));
  const isThere = ({ name }: Part): boolean =>
    known.has(name) || localsIn(file.text, file.parts, name, told).length > 0;
  const codes = parts.map(({ start, end }) => text.slice(start, end));
  if (parts.some(isThere) || codes.some((code) => code.startsWith("export "))) return undefined;
  const content = linesWithoutImports(imports).join("\n");
  const rows = file.text.split("\n");
  const holders = holdersOf(content, new Set(imported), { ...file, rows });
  const most = largest([0, ...holders.map(({ used }) => used.length)]);
  const fit = holders.filter(({ used }) => used.length === most);
  const named = fit.filter(({ name }) => told.names.has(name));
  const [holder, other] = named.length > 0 ? named : fit;
  if (holder === undefined || parts.some(({ kind }) => !HOLDING.has(kind))) return undefined;
  const [names, used] = [fit.map(({ name }) => name), holder.used].map((all) => namedFew(all, 3));
  if (other !== undefined) return new Unplaced(`declares ${used} in each of ${names}: say in which this belongs`);
  const areFunctions = codes.every((code) => FUNCTION.test(code));
  // Names in a type or an object are hardly told from uses.
  if (!areFunctions && codes.some((code) => code.includes("\n"))) return undefined;
  const isHook = codes.some((code) => /\buse[A-Z]\w*\(/.test(code));
  const place = areFunctions ? placeIn(rows, holder.body, isHook) : undefined;
  if (place === undefined)
    return new Unplaced(`declares ${used} in ${holder.name} alone: show a line of that above this, and one below`);
  const { splices } = insertAt(file.text, content, place);
  return { splices, imports, done: parts.map(({ name }) => `${holder.name}.${name} added`) };
}

/** Languages whose functions hold others. */
const NESTING = /\.(?:[cm]?[jt]sx?|py)$/;

/** A function of the file, and those of its names that an excerpt uses. */
interface Holder {
  readonly name: string;
  readonly body: Within;
  readonly used: readonly string[];
}

/** Returns the functions of a file whose names some code uses, if neither the code nor the rest of the file has those. */
function holdersOf(
  content: string,
  imported: ReadonlySet<string>,
  { text, parts, rows }: Shown["file"] & { readonly rows: readonly string[] },
): readonly Holder[] {
  const code = content
    .replaceAll(TEMPLATES, inTemplate)
    .replaceAll(TEXTS, " ")
    .replaceAll(PATTERNS, " ")
    .replaceAll(TAGGED, "><")
    .replaceAll(/<\/?[a-z][\w-]*/g, "<");
  const bound = new Set(boundIn(code));
  const used = new Set(
    (code.match(USED) ?? []).filter((name) => !bound.has(name) && !imported.has(name) && !BUILT_IN.has(name)),
  );
  const outer = new Set(namesOf(code, [/\bnonlocal (.*)/g]));
  for (const name of outer) used.add(name);
  const functions = parts.filter(({ kind, start, end }) => HOLDING.has(kind) && HOLDS.test(text.slice(start, end)));
  const outside = new Set([...functions.map(({ name }) => name), ...(textOutside(text, functions).match(WORDS) ?? [])]);
  const wanted = [...used].filter((name) => !outside.has(name));
  const isUsing = ({ start, end }: Part): boolean => wanted.some((name) => text.slice(start, end).includes(name));
  const candidates = wanted.length > MAX_NAMES ? [] : functions.filter(isUsing);
  if (candidates.length > MAX_HOLDERS) return [];
  return candidates.flatMap(({ name, start, end }) => {
    const head = rowAt(text, start);
    const body = bodyOf(rows, head, rowAt(text, Math.max(start, end - 1)));
    if (body === undefined) return [];
    const depth = indentOf(rows[body.first] ?? "");
    const beside = rows.slice(body.first, body.last + 1).filter((row) => indentOf(row) === depth);
    const opening = rows.slice(head, body.first).join("\n").replaceAll(TYPES, "");
    const declared = new Set([...localsBeside(beside.join("\n").replaceAll(TEXTS, " ")), ...parametersIn(opening)]);
    const shared = wanted.filter((word) => declared.has(word));
    // A single name may be a global or a parameter, unless it is called or has members.
    const isProof =
      shared.length > 1 ||
      shared.some((word) => outer.has(word)) ||
      shared.some((word) => code.search(new RegExp(`(?<![\\w$.])${literalPattern(word)}\\s*[.([]`)) !== -1);
    return isProof ? [{ name, body, used: shared }] : [];
  });
}

/** Returns what stands outside of some declarations. */
function textOutside(text: string, parts: readonly Part[]): string {
  let [outside, at] = ["", 0];
  for (const { start, end } of parts) [outside, at] = [`${outside}${text.slice(at, Math.max(at, start))}\n`, end];
  return outside + text.slice(at);
}

/** A function, or a value that is one or has one. */
const HOLDS = /=>|\b(?:def|function)\b/;
/** More are compared by no one. */
const [MAX_NAMES, MAX_HOLDERS] = [200, 50];
const HOLDING: ReadonlySet<Part["kind"]> = new Set<Part["kind"]>(["function", "constant", "variable"]);
const WORDS = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Names, but for properties, keys and attributes. */
const USED = /(?<![\p{L}\p{N}_$.])[\p{L}_$][\p{L}\p{N}_$]*(?![\p{L}\p{N}_$]|:(?=.*\S)|=[^=>])/gu;
/** The text of an element, also beside a value in braces. */
const TAGGED = /[>}][^<>{}=();]*[<{]/g;
/** A regular expression, behind what one may stand behind. */
const PATTERNS = /(?<=[(,=:] ?)\/(?![*/ ])(?:\\.|[^/\\\n])+\/[a-z]*/g;
const TEMPLATES = /`[^`]*`/g;
/** Returns the values in a template. */
const inTemplate = (text: string): string => (text.match(/\$\{[^}]*\}/g) ?? []).join(" ");
const TYPES = /:\s*[^,(){}=]+/g;
/** What Python has without a declaration, and functions often call their own values. */
const BUILT_IN: ReadonlySet<string> = new Set(
  (
    "all any bool bytes dict dir filter float format hash id input int iter len list map max min next object open " +
    "print range set sum str type vars zip"
  ).split(" "),
);

/** Returns the names that stand where code may declare some, or more. */
function boundIn(code: string): readonly string[] {
  return [...namesOf(code, BINDINGS), ...parametersIn(code)];
}

/** Returns the words in all brackets that a body, an arrow or a colon follows. */
function parametersIn(code: string): readonly string[] {
  const [names, opened]: [string[], number[]] = [[], []];
  for (const { 0: bracket, index } of code.matchAll(/[()]/g)) {
    if (bracket === "(") opened.push(index);
    else {
      const start = opened.pop() ?? index;
      const isBound =
        BOUND.test(code.slice(index + 1, index + MAX_TYPE)) &&
        !/\b(?:if|switch|while)\s*$/.test(code.slice(Math.max(0, start - 8), start));
      if (isBound && index - start < MAX_HEAD) append(names, code.slice(start, index).match(WORDS) ?? []);
    }
  }
  return names;
}

/** UTF-16 units. */
const [MAX_TYPE, MAX_HEAD] = [200, 2_000];
const BOUND = /^\s*(?::[^;{}\n]*|->[^:\n]*)?\s*(?:=>|\{|:\s*(?:\n|$))/;
/** What may declare a name: left of a sign, behind a keyword, in a pattern. */
const BINDINGS = [
  /^(.*) :?= /gm,
  /\b(?:class|const|def|function|let|var)\s+([\w$]+)/g,
  /\b(?:const|let|var)\s+([{[][^;]{0,500}?[\]}])\s*(?::[^=]{0,100})?= /g,
  /\((\w+) :=/g,
  /(?<![\w$])([\w$]+)\s*=>/g,
  /\bfor\s*\(?(.{1,100}?)\s(?:of|in)\b/g,
  /\bfor\s*\((.{1,100}?);/g,
  /^\s*case (.*)/gm,
  /\blambda ([^:\n]{0,200}):/g,
  /\bas (\w+)/g,
];

/** Returns the names that statements side by side declare. */
function localsBeside(code: string): readonly string[] {
  return namesOf(code, DECLARED);
}

const DECLARED = [
  /\b(?:const|let|var)\s+([\w$]+|\{[^=;}]{0,500}\}|\[[^=;\]]{0,500}\])/g,
  /\b(?:class|def|function)\s+([\w$]+)/g,
  /^[ \t]*([\w$]+(?:, *[\w$]+)*)(?:: [^=\n]+)? = /gm,
];

function namesOf(code: string, patterns: readonly RegExp[]): readonly string[] {
  return patterns.flatMap((pattern) =>
    [...code.matchAll(pattern)].flatMap(([, names = ""]) => names.match(WORDS) ?? []),
  );
}

/** A function, or a value that is one. */
const FUNCTION =
  /^(?:@.*\n\s*)*(?:async\s+)?(?:function\b|def\b|(?:const|let|var)\s+[\w$]+[^=\n]*=\s*(?:useCallback\()?(?:async\s*)?(?:function\b|\(|[\w$]+\s*=>))/;

/** Returns the place below the last function of a body, or above its return. Undefined if something else ends it. */
function placeIn(rows: readonly string[], body: Within, isHook: boolean): ToldPlace | undefined {
  const depth = indentOf(rows[body.first] ?? "");
  const statements = [...rows.keys()]
    .slice(body.first, body.last + 1)
    .filter((row) => indentOf(rows[row] ?? "") === depth);
  const head = statements.findLast((row) => FUNCTION.test((rows[row] ?? "").trim()));
  const end = head === undefined ? undefined : endOfBlock(rows, head);
  const returns = statements.find((row) => /^\s*return\b/.test(rows[row] ?? ""));
  const last = lastReturn(rows, body);
  if (end !== undefined && (returns === undefined || returns > end))
    return { line: end, head: head as number, isLast: true, isApart: true, side: "below" };
  // All calls of hooks stand above an early return.
  const isEarly = statements.some(
    (row) => /^\s*if\b/.test(rows[row] ?? "") && /\breturn\b/.test(`${rows[row]}${rows[row + 1]}`),
  );
  if (end !== undefined || last === undefined || (isHook && isEarly)) return undefined;
  const isBlank = (rows[last - 1] ?? "").trim() === "";
  return { line: isBlank ? last - 1 : last, head: last, isApart: true, side: "above" };
}
