/** Where the sentences around new lines say that they go. */
import { smallest } from "../../core/lists.ts";
import { literalPattern } from "../../core/literal.ts";
import type { Part } from "../../addresses/part.ts";
import { endOfBlock } from "../block.ts";
import { linesCalled } from "./called.ts";
import { isImport } from "../declarations/imports.ts";
import { FUNCTIONS } from "../parts.ts";
import { indentOf, type Within } from "../text.ts";
import { type File, partNamed, partsNamed, rowsWith } from "./named-part.ts";
import { sectionTold } from "./sections.ts";
import { placeSpoken } from "./spoken.ts";
import { bare, declaredIn, lastSentence, onlyFunctionTold, partsIn, plain, type Told } from "./told.ts";

/** A place in the file that a sentence names. */
export interface ToldPlace {
  /** The declaration beside which it is. */
  readonly part?: Part;
  /** The line beside which it is, 0-based. */
  readonly line?: number;
  /** Whether that line is the last one of what it belongs to. */
  readonly isLast?: boolean;
  /** The first line of what it belongs to, 0-based. */
  readonly head?: number;
  /** Whether a blank line divides the two. */
  readonly isApart?: boolean;
  readonly side: "above" | "below" | "top" | "end";
}

/** Returns the place that the sentences tell, if it is found exactly once. */
export function placeTold(told: Told, file: File): ToldPlace | undefined {
  if (told.isDescribed) return undefined;
  // What is added next to something goes below it.
  const written = told.text.replace(/\bbefore (?:all|anything|everything) else (?:in|inside) /gi, "at the top of ");
  const text = qualified(told.isAddition ? written.replace(/\bnext to (?=(?:the )?(?:\w+ )*`?)/gi, "below ") : written);
  const rows = file.text.split("\n");
  const route = ROUTE.exec(text);
  if (route !== null) return placeOfRoute(route, rows, file);
  if (BEFORE_RETURN.test(text)) return placeOfReturn(told, rows, file);
  if (/\b(?:below|after|under)\s+the\s+shebang\b/i.test(text))
    return rows[0]?.startsWith("#!") === true ? { line: 0, isLast: true, side: "below" } : undefined;
  const only = placeOfOnly(text, told, file.parts);
  if (only !== undefined) return only;
  const titled = sectionTold(text, "beside", file.parts);
  if (titled !== undefined) {
    const { word, part, isHeading } = titled;
    if (part === undefined || isAbove(word)) return part && { part, side: "above" };
    if (file.isForDeclaration === true) return { part, side: "below" };
    // Right below a heading, a section begins. Lines under one stand in it.
    const isIn = /^(?:under|beneath)/i.test(word) || part.children.length === 0;
    return { part, side: isHeading || BELOW_HEADING.test(text) ? "top" : isIn ? "end" : "below" };
  }
  const between = betweenIn(text);
  const [, word = "", code = between ?? ""] =
    between === undefined ? (BESIDE.exec(text.replace(ENDS_OF, "*")) ?? []) : [];
  // The path of the file is left out.
  if (code.trim() !== "") {
    const side = isAbove(word) ? "above" : "below";
    const isOpening = side === "below" && tellsOpening(text);
    // A call may be shown without its arguments: `app.listen(...)`.
    const place = placeOfCode(told, { code: code.replace(/\((?:\.{3}|…)\);?$/, "("), between, rows, file });
    if (place === undefined) return undefined;
    // A key of data stands under the one that holds it, if that tells how deep.
    if (isUnder(word) && (place.part?.kind === "key" || place.part?.kind === "table")) {
      if (place.part.children.length > 0) return { ...place, side: "end" };
      if (/[:\]]$/.test(file.text.slice(place.part.start, place.part.end).trim())) return undefined;
    }
    return { ...place, side: isOpening && place.line !== undefined ? "top" : side };
  }
  const holder = sectionTold(text, "in", file.parts);
  if (holder !== undefined) {
    const side = IS_END.test(holder.word) ? "end" : "top";
    if (holder.part === undefined) return undefined;
    if (file.isForDeclaration !== true) return { part: holder.part, side };
    return side === "end" ? { part: holder.part, side: "below" } : undefined;
  }
  const [, where = "", heading = ""] = BESIDE_WORDS.exec(text) ?? [];
  const [beside, several] = partsIn(file.parts).filter(
    ({ name }) => bare(name).toLowerCase() === heading.toLowerCase(),
  );
  if (beside !== undefined && several === undefined) return { part: beside, side: isAbove(where) ? "above" : "below" };
  const [, end = "", of, before, last = end] = ENDS_OF.exec(text) ?? [];
  const ended = of ?? before;
  if (ended !== undefined) {
    const part = partNamed(ended, told, file);
    const isBare = part === undefined && file.parts.length === 0;
    const place = isBare ? placeOfCode(told, { code: ended, between: undefined, rows, file }) : part && { part };
    return place && { ...place, side: IS_END.test(last) ? "end" : "top" };
  }
  if (AFTER_IMPORTS.test(text)) {
    const last = rows.findLastIndex((line) => isImport(line) && !/^\s/.test(line));
    const end = last === -1 ? undefined : endOfBlock(rows, last);
    return end === undefined ? { side: "top" } : { line: end, isLast: true, isApart: true, side: "below" };
  }
  const { shown, isForDeclaration = false } = file;
  const order = lastSentence(text);
  const isSpoken = shown !== undefined && !isForDeclaration;
  const spoken = isSpoken ? placeSpoken(order, { rows, shown, isAddition: told.isAddition }) : undefined;
  if (spoken !== undefined) return spoken;
  if (ENDS_OF_PART.test(text)) return undefined;
  const isKnown = shown !== undefined && rows.some((row) => row.trim() === shown.trim());
  const side = TOP.test(text) ? "top" : END.test(text) || (APPENDED.test(text) && !isKnown) ? "end" : undefined;
  // In `main`, at the end: that is the end of the function.
  const inner = file.isForDeclaration === true || tellsEdgeOf(told) ? undefined : onlyFunctionTold(told, file.parts);
  return side && (inner === undefined ? { side } : { part: inner, side });
}

/** Returns whether sentences name the line that opens something: below the opening `<nav>`. None goes below a body. */
export function tellsOpening(text: string): boolean {
  return /\bopening\b[^`\n]*`|\b(?:after|below|under)\b[^`\n,;]{0,40}`<(?:body|head|html)\b/i.test(text);
}

/** Returns whether sentences say of what it is the top or the end: of the file, of `main`. */
export function tellsEdgeOf({ text }: Told): boolean {
  return OF_FILE.test(text) || ENDS_OF.test(text);
}

/** Returns the place at the only declaration of a kind: at the end of the class, below the struct. */
function placeOfOnly(text: string, told: Told, parts: readonly Part[]): ToldPlace | undefined {
  const [, edge = "", kind] = ENDS_OF_ONLY.exec(text) ?? [];
  const [, word = "", beside] = BESIDE_ONLY.exec(text) ?? [];
  const noun = (kind ?? beside ?? "").toLowerCase();
  // It may be one inside the function.
  if (/^(?:constant|variable)/.test(noun) && onlyFunctionTold(told, parts) !== undefined) return undefined;
  const all = parts.filter((one) => isOfKind(one, noun.replace(/(?<=constant|variable)s$/, "")));
  const isTogether = all.every((one, at) => parts[parts.indexOf(all[0] as Part) + at] === one);
  const part = isAbove(word) ? all[0] : all.at(-1);
  if (part === undefined || (all.length > 1 && !(isTogether && /[^s]s$/.test(noun)))) return undefined;
  if (kind === undefined) return { part, side: isAbove(word) ? "above" : "below" };
  return { part, side: IS_END.test(edge) ? "end" : "top" };
}

/** A constant is a variable too, but in languages that tell the two apart. */
function isOfKind({ kind, name }: Part, word: string): boolean {
  return kind === word || (word === "constant" && kind === "variable" && /^[A-Z\d_]+$/.test(name));
}

/** Why lines go nowhere though the sentences name a place. */
export const NO_PLACE =
  "does not have the place that the sentence names, or has it more than once: show one unchanged line above and one below";

/** Returns whether the sentences name a place beside something, which may be one of these declarations. */
export function tellsPlace({ text, isDescribed }: Told, parts: readonly Part[] = []): boolean {
  return (
    !isDescribed &&
    ([BESIDE, BESIDE_ONLY, BETWEEN, ENDS_OF, ENDS_OF_PART, ROUTE, BEFORE_RETURN].some((place) => place.test(text)) ||
      (["beside", "in"] as const).some((where) => sectionTold(text, where, parts) !== undefined))
  );
}

/** Returns whether a place is in the body of a function, or of what begins in a line. */
export function isInBody({ part, line, side }: ToldPlace): boolean {
  if (side === "above" || side === "below") return false;
  return part === undefined ? line !== undefined : FUNCTIONS.has(part.kind);
}

/** Writes a member of a class with the name of that: `Cart`'s `add` method. */
function qualified(text: string): string {
  return text.replace(/`([^`\n.]+)`(?:\s+\w+)?['’]s\s+`([^`\n.]+)`/g, "`$1.$2`");
}

function isAbove(word: string): boolean {
  return /^(?:before|above|vor|über|avant|au-dessus|antes|encima)/i.test(word);
}

function isUnder(word: string): boolean {
  return /^(?:under|underneath|beneath|unter|sous|debajo)/i.test(word);
}

function betweenIn(text: string): string | undefined {
  const [, quoted, word] = BETWEEN.exec(text) ?? [];
  return quoted ?? word;
}

interface Named {
  readonly code: string;
  /** The first of two that it is between. */
  readonly between: string | undefined;
  readonly rows: readonly string[];
  readonly file: File;
}

/** Returns the declaration or the line that a sentence names as code. What is declared twice is none. */
function placeOfCode(told: Told, { code, between, rows, file }: Named): Pick<ToldPlace, "part" | "line"> | undefined {
  const section = partsNamed(code, file).filter(({ part }) => part.kind === "section" && part.name === code);
  if (section.length === 1 && section[0] !== undefined) return { part: section[0].part };
  const quoted = /["'=]/.test(code) ? rowsWith(rows, (row) => row.includes(code)) : [];
  if (quoted.length === 1) return { line: quoted[0] as number };
  if (CALL_OF.test(told.text)) return onlyRow(rowsWith(rows, (row) => CALL(plain(code)).test(row)));
  const inner = onlyFunctionTold(told, file.parts);
  const called = linesCalled(code, {
    rows,
    text: file.text,
    declared: partsNamed(code, file).map(({ part }) => part),
    within: inner === undefined ? undefined : linesOfPart(file.text, inner),
    isDeclaration: file.isForDeclaration === true,
  });
  if (called !== undefined) return onlyRow(called);
  const second = between === undefined ? undefined : plain(SECOND.exec(told.text)?.[1] ?? "");
  const part = partNamed(code, told, file, second);
  if (part !== undefined) return { part };
  if (partsNamed(code, file).length > 1) return undefined;
  const element = new RegExp(`^\\s*<${literalPattern(plain(code))}\\b`);
  const elements = ELEMENT.test(told.text) ? rowsWith(rows, (row) => element.test(row)) : [];
  const declaring = new RegExp(
    `\\b(?:${DECLARING})\\s+(?:if not exists\\s+)?["\`]?${literalPattern(plain(code))}\\b`,
    "i",
  );
  const declared = [
    () => elements,
    () => declaredIn(rows, plain(code)),
    () => rowsWith(rows, (row) => declaring.test(row)),
    () => rowsWith(rows, (row) => row.includes(code) && !isImport(row)),
    () => rowsWith(rows, (row) => row.includes(code)),
  ];
  const matches = declared.map((find) => find()).find(({ length }) => length > 0);
  const line = matches?.length === 1 ? matches[0] : undefined;
  return line === undefined || endOfBlock(rows, line) === undefined ? undefined : { line };
}

function onlyRow(matches: readonly number[]): Pick<ToldPlace, "line"> | undefined {
  return matches.length === 1 ? { line: matches[0] as number } : undefined;
}

/** Returns the rows of a part, 0-based. */
export function linesOfPart(text: string, { start, end }: Part): Within {
  const rowAt = (offset: number): number => text.slice(0, offset).split("\n").length - 1;
  return { first: rowAt(start), last: rowAt(Math.max(start, end - 1)) };
}

/** Returns the place of a handler of a web server: before the `POST` route, at the top of the GET handler. */
function placeOfRoute(told: RegExpExecArray, rows: readonly string[], file: File): ToldPlace | undefined {
  const { word = "", end = "", verb = "", path } = told.groups ?? {};
  const called = new RegExp(`\\.${verb}\\(\\s*["'\`]${path === undefined ? "" : `${literalPattern(path)}["'\`]`}`, "i");
  const [row, other] = rowsWith(rows, (line) => called.test(line));
  if (row === undefined || other !== undefined) return undefined;
  const side = end === "" ? (isAbove(word) ? "above" : "below") : /^(?:end|bottom)/i.test(end) ? "end" : "top";
  if (!/^\s*@/.test(rows[row] ?? "")) return { line: row, side };
  const offset = rows.slice(0, row).reduce((sum, line) => sum + line.length + 1, 0);
  const part = partsIn(file.parts).findLast(
    ({ start, end: last }) => start <= offset + 1 + indentOf(rows[row] ?? "").length && last > offset,
  );
  return part === undefined ? undefined : { part, side };
}

/** Returns the place above the only return of the function that the sentences name, or above its last one. */
function placeOfReturn(told: Told, rows: readonly string[], { text, parts }: File): ToldPlace | undefined {
  const codes = [...told.text.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  const [named, other] = new Set(
    codes.flatMap((code) => partNamed(code, told, { text, parts }) ?? []).filter(({ kind }) => FUNCTIONS.has(kind)),
  );
  const functions = parts.filter(({ kind }) => FUNCTIONS.has(kind));
  if (other !== undefined || (named === undefined && parts.length > 0 && functions.length !== 1)) return undefined;
  const lineAt = (offset: number): number => text.slice(0, offset).split("\n").length - 1;
  const [first, last] = named === undefined ? [0, rows.length] : [lineAt(named.start), lineAt(named.end)];
  const returns = rowsWith(rows, (row) => /^\s*return\b/.test(row)).filter((at) => at >= first && at <= last);
  const code = RETURN_CODE.exec(told.text)?.[1];
  if (code !== undefined)
    return aboveOnly(
      returns.filter((at) => rows[at]?.trim().replace(/;$/, "") === code),
      rows,
    );
  const depths = returns.map((at) => indentOf(rows[at] ?? "").length);
  const outer = returns.filter((_, index) => depths[index] === smallest(depths));
  if (/\bthe\s+(?:final |last )?`return`/i.test(told.text) && outer.length === 1)
    return { line: outer[0] as number, side: "above" };
  const isLast = /\b(?:final|last)\s+`?return/i.test(told.text);
  return aboveOnly(isLast ? returns.slice(-1) : returns, rows);
}

/** Returns the place above the only one of some lines. Below a condition without brackets stands one statement. */
function aboveOnly([at, other]: readonly number[], rows: readonly string[]): ToldPlace | undefined {
  if (at === undefined || other !== undefined) return undefined;
  const isOnly = /^\s*(?:\}\s*)?(?:if|else|for|while)\b[^{:]*$/.test(rows[at - 1] ?? "");
  return isOnly ? undefined : { line: at, side: "above" };
}

const CALL_OF = /\b(?:call|calls|invocation) (?:of|to) `/i;
/** A line that begins with a call, in a shell without brackets. */
const CALL = (name: string): RegExp =>
  new RegExp(`^\\s*(?:await |return )?${literalPattern(name)}\\s*(?:\\((?!\\)\\s*\\{)|;?$)`, "u");
const BESIDE =
  /\b(before|above|after|below|under|underneath|beneath|(?<!the )following|nach|unter|vor|über|après|sous|avant|au-dessus de|después de|debajo de|antes de|encima de)\b(?:[^`*\n,;]{0,40}?)(?:`([^`\n]+)`)/i;
/** Before License, below the "Usage" section. */
const BESIDE_WORDS =
  /\b(before|above|after|below|under)\s+(?:the\s+)?["'“*]*(?:#+ )?([\p{L}\p{N}][\p{L}\p{N} _-]{0,40}?)["'”*]*(?:\s+(?:section|heading|function|method|class|rule|key))?(?:\s+(?:in|of)[`\s]+)?\s*[:.,\n]/iu;
/** At the end of `f`, to the top of the `f` function; 在 `f` 的末尾. */
const ENDS_OF =
  /\b(end|bottom|top|beginning|start|as (?:the |its )?(?:very )?(?:first|last) (?:line|statement|thing)|ende|anfang|fin|début|final|principio|inicio)\s+(?:of|in|inside|von|der|des|de la|del?|du)\s+(?:(?:the|your|body of|der|des|la|function|method|class|constructor|funktion|methode|klasse|fonction|méthode|función|método)\s+)*`(?! *`)([^`\n]+)`|`(?! *`)([^`\n]+)`\s*(?:函数|方法|类|中|里)*的?(末尾|最后|开头|顶部)/iu;
/** At the end of the class, where the file has one. */
const ENDS_OF_ONLY =
  /\b(end|bottom|top|beginning|start)\s+of\s+(?:the|your|this|that)\s+(class|struct|interface|enum|trait|module|impl)\b/i;
/** Below the struct, where the file has one. */
const BESIDE_ONLY =
  /\b(before|above|after|below|under)\s+(?:the|your|that)\s+(?:(?:existing|only|other)\s+)?(class|struct|interface|enum|trait|namespace|constants?|variables?|function)(?=\s*(?:[:.,]|$|in\b))/i;
/** Right under the heading `## Usage`. */
const BELOW_HEADING = /(?:\b(?:heading|title|headline) `#|`#[^`\n]+` (?:heading|title|headline)\b)(?!.*\bsections?\b)/i;
const IS_END = /^(?:end|as .*last .*|bottom|ende|fin|final|末尾|最后)$/i;
/** Before the `POST` route, at the top of the `POST /items` handler. */
const ROUTE =
  /(?:\b(?<word>before|above|after|below|under)\s+|\b(?<end>end|bottom|top|beginning|start) of\s+)(?:(?:the|your|existing)\s+)*`?(?<verb>GET|POST|PUT|PATCH|DELETE)\b`?(?:\s+`?(?<path>\/[^\s`]*)`?)?`?\s+(?:route|handler|endpoint)\b/;
const BEFORE_RETURN =
  /\b(?:before|above)\s+(?:(?:the|its|that|final|last)\s+)*`?return`?(?!\w|\s+(?:type|value))|\bvor (?:dem|der) `?return|\bavant le `?return|\bantes del `?return/i;
/** Before `return hit`. */
const RETURN_CODE = /\b(?:before|above|vor|avant|antes de)\s[^`\n]{0,30}`(return\s[^`\n]*[^`\n;\s])\s*;?`/i;
const ELEMENT = /`\s+(?:element|tag)\b/i;
/** Words before the name of what a file without a grammar declares. */
const DECLARING =
  "class|interface|struct|enum|trait|object|record|protocol|extension|actor|type|module|namespace|function|func|fun|fn|def|sub|table|view|procedure|resource|message|service";
const BETWEEN =
  /\b(?:between|zwischen|entre)\s+(?:the\s+)?(?:[`*"“]+([^`*"”\n]+)[`*"”]+|([\p{L}\p{N}][\p{L}\p{N} _-]{0,40}?)\s+(?:and|und|et|y|e)\b)/iu;
/** The other one of `between`. */
const SECOND = /\b(?:between|zwischen|entre)\b[^\n]{0,80}?\b(?:and|und|et|y|e)\s+(?:the\s+)?[`*"“]+([^`*"”\n]+)/iu;
const AFTER_IMPORTS =
  /\b(?:after|below|under|beneath)\s+(?:(?:the|your|all|existing|last|other)\s+)*imports?\b|nach den Importen|après les imports|después de los imports|在导入(?:语句)?之后/i;
/** The top or the end of anything but the file, whose own path is left out. */
const ENDS_OF_PART =
  /\b(?:ende|anfang|fin|début|final|principio)\s+(?:de[lrs]?|von|du)\s+(?!(?:(?:der|des|la|le)\s+)?(?:[`*\s]*(?:[.,:;()]|$)|(?:datei|skript|modul|fichier|archivo|fichero)))|\b(?:(?:top|beginning|start|end|bottom)|as the (?:very )?(?:first|last) (?:line|statement|thing)) (?:of|in|inside)\s+(?!(?:(?:the|your)\s+)?[`*\s]*(?:[.,:;()]|$|(?:add|insert|put)\b)|(?:(?:the|your|this|that)\s+)?(?:\w+\s+)?(?:file|module|script|stylesheet|document|page|readme|imports?|list)\b)/i;
const OF_FILE =
  /\b(?:top|beginning|start|end|bottom)\s+of\s+(?:(?:the|your|this|that)\s+)?(?:\w+\s+)?(?:` *`|file|module|script|stylesheet|document|page)|\b(?:datei|fichier|archivo|fichero)\b|文件/i;
const TOP =
  /\bas the (?:very )?first line(?=\s*(?:[:.,]|$)| of (?:(?:the|your) )?(?:\w+ )?(?:` *`|(?:file|module|script)\b))|\b(?:at|to|near|from)\s+the (?:very )?(?:top|beginning|start)\b|\bganz oben|am Anfang|en haut|au début|al principio|arriba\b|开头|顶部/i;
/** Append to a file, whose path is left out. */
const APPENDED =
  /(?:^|[.:!,] )\W{0,9}(?:(?:and|finally|now|please|then),? ){0,3}append (?:(?:it|the following|these|this)(?: \w+)? )?to (?:(?:the|your) )?`? *`?(?: file)?[.:]/i;
const END =
  /\bas the (?:very )?last (?:line|thing)(?=\s*(?:[:.,]|$)| of (?:(?:the|your) )?(?:\w+ )?(?:` *`|(?:file|module|script)\b))|\b(?:at|to|near)\s+the (?:very )?(?:end|bottom)\b|\bam Ende|ans Ende|à la fin|au bas|al final\b|末尾|最后/i;
