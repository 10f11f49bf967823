/** Where the sentences around new lines say that they go. */
import type { Part } from "../addresses/part.ts";
import { isImport } from "./imports.ts";
import { everyPart, type Found } from "./parts.ts";
import { bare, declaredIn, ownName, partsIn, plain, type Told } from "./told.ts";

/** A place in the file that a sentence names. */
export interface ToldPlace {
  /** The declaration beside which it is. */
  readonly part?: Part;
  /** The line beside which it is, 0-based. */
  readonly line?: number;
  /** Whether that line is the last one of what it belongs to. */
  readonly isLast?: boolean;
  /** Whether a blank line divides the two. */
  readonly isApart?: boolean;
  readonly side: "above" | "below" | "top" | "end";
}

/** Returns the place that the sentences tell, if it is found exactly once. */
export function placeTold(
  { text, names }: Told,
  { text: file, parts }: { readonly text: string; readonly parts: readonly Part[] },
): ToldPlace | undefined {
  const [, quotedFirst, first] = BETWEEN.exec(text) ?? [];
  const between = quotedFirst ?? first;
  const second = plain(SECOND.exec(text)?.[1] ?? "");
  const isBesideSecond = (around: Part | undefined): boolean =>
    everyPart(parts).some(({ part, around: own }) => own.at(-1) === around && ownName(part) === second);
  const [, word = "", code = between ?? ""] = between === undefined ? (BESIDE.exec(text) ?? []) : [];
  if (code !== "") {
    const side = /^(?:before|above|vor|über|avant|au-dessus|antes|encima)/i.test(word) ? "above" : "below";
    const rows = file.split("\n");
    const quoted = /["'=]/.test(code) ? [...rows.keys()].filter((at) => rows[at]?.includes(code)) : [];
    if (quoted.length === 1) return { line: quoted[0] as number, side };
    if (CALL_OF.test(text)) {
      const calls = [...rows.keys()].filter((at) => CALL(plain(code)).test(rows[at] ?? ""));
      return calls.length === 1 ? { line: calls[0] as number, side } : undefined;
    }
    const all = everyPart(parts).filter(({ part }) => part.name === code || ownName(part) === plain(code));
    // `price(List<Item> items)` is one of several.
    const signed = all.filter(({ part }) => code.includes("(") && file.slice(part.start, part.end).includes(code));
    const beside = between === undefined ? [] : all.filter(({ around }) => isBesideSecond(around.at(-1)));
    const isSeveral = all.length > 1;
    const inTold =
      [signed, beside].find(({ length }) => length === 1) ??
      (isSeveral ? all.filter((one) => isWithinTold(one, names)) : all);
    const named = inTold.map(({ part }) => part);
    if (named.length === 1) return { part: named[0] as Part, side };
    const declared = declaredIn(rows, plain(code));
    const found = declared.length > 0 ? declared : [...rows.keys()].filter((at) => rows[at]?.includes(code));
    return found.length === 1 ? { line: found[0] as number, side } : undefined;
  }
  const [, where = "", heading = ""] = BESIDE_WORDS.exec(text) ?? [];
  const headed = partsIn(parts).filter(({ name }) => bare(name).toLowerCase() === heading.toLowerCase());
  if (headed.length === 1)
    return { part: headed[0] as Part, side: /^(?:before|above)/i.test(where) ? "above" : "below" };
  const ended = END_OF.exec(text)?.[1];
  if (ended !== undefined) {
    const all = everyPart(parts).filter(({ part }) => ownName(part) === plain(ended));
    const named = (all.length > 1 ? all.filter((one) => isWithinTold(one, names)) : all).map(({ part }) => part);
    return named.length === 1 ? { part: named[0] as Part, side: "end" } : undefined;
  }
  if (AFTER_IMPORTS.test(text)) {
    const last = file.split("\n").findLastIndex((line) => isImport(line) && !/^\s/.test(line));
    return last === -1 ? { side: "top" } : { line: last, isLast: true, isApart: true, side: "below" };
  }
  if (ENDS_OF_PART.test(text)) return undefined;
  if (TOP.test(text)) return { side: "top" };
  return END.test(text) ? { side: "end" } : undefined;
}

/** Returns whether the sentences name a place beside something. */
export function tellsPlace({ text }: Told): boolean {
  return [BESIDE, BETWEEN, END_OF, ENDS_OF_PART].some((place) => place.test(text));
}

/** Returns whether what a declaration stands in, or its receiver, is one of the names. */
function isWithinTold({ part, around }: Found, names: ReadonlySet<string>): boolean {
  const receiver = part.name.slice(0, Math.max(0, part.name.lastIndexOf(".")));
  return names.has(receiver) || around.some(({ name }) => name !== part.name && names.has(name));
}

const CALL_OF = /\b(?:call|calls|invocation) (?:of|to) `/i;
/** A line that begins with a call, in a shell without brackets. */
const CALL = (name: string): RegExp =>
  new RegExp(`^\\s*(?:await |return )?${name.replace(/[^\p{L}\p{N}_]/gu, "\\$&")}\\s*(?:\\((?!\\)\\s*\\{)|;?$)`, "u");
const BESIDE =
  /\b(before|above|after|below|under|underneath|beneath|(?<!the )following|nach|unter|vor|über|après|sous|avant|au-dessus de|después de|debajo de|antes de|encima de)\b(?:[^`*\n]{0,40}?)(?:`([^`\n]+)`)/i;
/** Before License, below the "Usage" section. */
const BESIDE_WORDS =
  /\b(before|above|after|below|under)\s+(?:the\s+)?["'“*]*([\p{L}\p{N}][\p{L}\p{N} _-]{0,40}?)["'”*]*(?:\s+(?:section|heading|function|method|class|rule|key))?\s*[:.,\n]/iu;
const END_OF = /\b(?:end|bottom) of (?:the )?(?:body of )?`(?! *`)([^`\n.]+?(?:\(.*?\))?)`/i;
const BETWEEN =
  /\b(?:between|zwischen|entre)\s+(?:the\s+)?(?:[`*"“]+([^`*"”\n]+)[`*"”]+|([\p{L}\p{N}][\p{L}\p{N} _-]{0,40}?)\s+(?:and|und|et|y|e)\b)/iu;
/** The other one of `between`. */
const SECOND = /\b(?:between|zwischen|entre)\b[^\n]{0,80}?\b(?:and|und|et|y|e)\s+(?:the\s+)?[`*"“]+([^`*"”\n]+)/iu;
const AFTER_IMPORTS =
  /\b(?:after|below|under|beneath)\s+(?:(?:the|your|all|existing|last|other)\s+)*imports?\b|nach den Importen|après les imports|después de los imports|在导入(?:语句)?之后/i;
/** The top or the end of anything but the file, whose own path is left out. */
const ENDS_OF_PART =
  /\b(?:top|beginning|start|end|bottom) of\s+(?!(?:(?:the|your)\s+)?[`*\s]*(?:[.,:;()]|$|(?:add|insert|put)\b)|(?:(?:the|your|this|that)\s+)?(?:\w+\s+)?(?:file|module|script|stylesheet|document|page|readme|imports?|list)\b)/i;
const TOP =
  /\b(?:at|to|near|from)\s+the (?:very )?(?:top|beginning|start)\b|\bganz oben|am Anfang|en haut|au début|al principio|arriba\b|开头|顶部/i;
const END =
  /\b(?:at|to|near)\s+the (?:very )?(?:end|bottom)\b|\bam Ende|ans Ende|à la fin|au bas|al final\b|末尾|最后/i;
