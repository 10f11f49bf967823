/** What the sentences around an excerpt say of it. */
import { literalPattern } from "../../core/literal.ts";
import type { Part } from "../../addresses/part.ts";
import { REMOVAL_STEMS, REMOVES_ANYHOW } from "../../core/removal-words.ts";
import { endOfBlock } from "../block.ts";
import { sharedLength, type Within } from "../text.ts";
import { CONTAINERS, everyPart, LEAVES } from "../parts.ts";
import { isDescribed } from "./described.ts";

export interface Told {
  /** The sentences above it, and one below it that tells its place. */
  readonly text: string;
  /** The words in them that may be names. */
  readonly names: ReadonlySet<string>;
  /** The names of what they say stays. */
  readonly stays: ReadonlySet<string>;
  /** The words behind those that take something away: without `cache`. */
  readonly gone: ReadonlySet<string>;
  readonly isRemoval: boolean;
  /** Whether the last sentence is the one that removes something, and not one that gives the reason. */
  readonly isRemovalLast: boolean;
  readonly isAddition: boolean;
  /** Whether their order is to add something, and no word of the explanation behind it tells that. */
  readonly ordersAddition: boolean;
  /** Whether they may add one more, or change the one that there is: with the new item. */
  readonly mayAdd: boolean;
  /** Whether they put it beside something, which therefore stays. */
  readonly isBeside: boolean;
  /** Whether their place is that of what they change. */
  readonly isDescribed: boolean;
  /** Whether they go on with a further thing: and the handler itself. */
  readonly goesOn: boolean;
  /** Whether they take something away: without the check, simplify it. */
  readonly isLess: boolean;
  /** Whether they add one more of what the file has: a second server. */
  readonly isFurther: boolean;
  /** Whether they say that it is the whole file. */
  readonly isWhole: boolean;
  /** Whether they say that there is to be a new file. */
  readonly isNew: boolean;
}

export function toldIn(written: string): Told {
  const text = written.replace(EMPHASIS, "$1");
  // `add` may be a name.
  const prose = text.replace(/`[^`\n]*`/g, "`");
  const isAddition = ADDITION.test(prose) || BESIDE_OTHERS.test(prose) || EXTENDED.test(text);
  const isPlaceOfChange = !isAddition && isDescribed(prose);
  return {
    text,
    names: new Set([
      ...(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []),
      // `[tool.ruff]`, `dev-dependencies`
      ...[...text.matchAll(/`\[*([^`\n[\]]+)\]*`/g)].map(([, name = ""]) => name),
    ]),
    stays: new Set([...text.matchAll(STAYS)].map(([, name = ""]) => plain(name))),
    gone: new Set(
      Array.from(text.matchAll(GONE), ([clause]) => clause.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).flat(),
    ),
    isRemoval: REMOVAL.test(text) || REMOVAL_LAST.test(text),
    isRemovalLast: REMOVAL_LAST.test(text) || REMOVAL.test(lastSentence(text)),
    isAddition,
    isDescribed: isPlaceOfChange,
    ordersAddition: prose.split(/[.!?;][ \n]|\n/).some((order) => ADDS.test(order)) || EXTENDED.test(text),
    mayAdd: NEW_ONE.test(prose) && !EXCHANGES.test(prose),
    isBeside: !isPlaceOfChange && BESIDE_IT.test(prose),
    goesOn: GOES_ON.test(prose),
    isLess: LESS.test(prose),
    isFurther: ADDITION.test(prose) && FURTHER.test(prose),
    isWhole: WHOLE.test(text),
    isNew: NEW.test(text) || ADDITION.test(prose) || WHOLE.test(text),
  };
}

/** Returns the sentence that stands nearest to what is shown below. */
export function lastSentence(text: string): string {
  return (
    text
      .trim()
      .split(/\n|(?<=[.!?]) (?=\p{Lu})/u)
      .at(-1) ?? ""
  );
}

/** Returns whether the sentences name one of what a plural names: a dependency goes into `dependencies`. */
export function namesOneOf({ names }: Told, plural: string): boolean {
  return names.has(plural.replace(/s$/, "")) || names.has(plural.replace(/ies$/, "y"));
}

/** One of several: with the new item, New item. */
const NEW_ONE = /(?:\b(?:an?|with (?:the|this|your)) |^[^\p{L}\n]*)new \p{L}+(?: \p{L}+)?(?<!s)(?=[^\p{L}]*$)/imu;
const EXCHANGES = /\b(?:becomes?|chang\w+|instead|replac\w+|rewrit\w+|swap\w*)\b/i;

/** Add this *above* `listen`. */
const EMPHASIS =
  /(?<![\w`])[*_]{1,2}((?:right |just |directly )?(?:above|after|at the (?:bottom|end|top)|before|below|inside|under))[*_]{1,2}(?![\w`])/gi;
const STAYS = /`([^`\n]+)` (?:stays?|remains?|is) (?:the same|unchanged|untouched|as (?:it )?is)\b/gi;
const GONE = new RegExp(
  `(?:${REMOVES_ANYHOW}|\\b(?:strip|without|no longer|n['’]t need|unneeded|unused|instead of|replac))(?:[^.\\n]|\\.(?=\\w)){0,80}`,
  "giu",
);
const REMOVAL = new RegExp(
  "^(?:[^\\p{L}`]*)(?:(?:in|from)\\s+(?:[^,:\\n`]|`[^`\\n]*`)*,\\s*)?(?:(?:now|then|you (?:can|could|should)|I['’]d|I would|please|also|and|next)[ ,]+)*" +
    `(?:${REMOVAL_STEMS})`,
  "imu",
);
/** Of several sentences in a line, the last one removes what is shown. */
const REMOVAL_LAST =
  /[.!?] (?:now |then |so |please |and )?(?:delete|remove|drop|get rid of) (?:this|these|that|those|the following)\b[^.!?\n]*(?:\.\w+[^.!?\n]*)*$/i;
const ADDITION =
  /\b(?:add(?:s|ed|ing)?\b|needs? (?:one more|another|an? (?:further|new|second))\b|(?<=` (?:also |still )?)needs? (?:an?|its own) (?:\w+ )?`? ?(?:constructor|field|function|[gs]etter|method|property)\b|also need (?:this|these) (?:new )?(?:class|constant|function|helper|import|method|type)\b|insert|append|put|place|paste|include|gives? [^.:\n]{1,40}\b(?:an?|its own|these|this) [^.:\n]{0,40}\b(?:constructor|field|function|[gs]etter|helper|method|property)\b|introduce|implement|extract|register|belongs? (?:in|to)|test (?:it|that|this) in `|(?<=(?:^|\n)\W*(?:the|its)(?: \w+){1,2} )go(?:es)? (?:in|into|to)\b|gehör|hinzu|füge|ergänz|ajout|añad|agreg|insér)|添加|加入|插入|新增|追加|(?:^|[.!?] )\W*(?:and|also|finally|plus)[, ]+(?:an?|another|one more|these|this) (?:\w+ )?(?:case|element|entry|item|row|step|tests?)\b/i;
const ADD_VERBS = "add|append|extract|give|implement|include|insert|introduce|paste|place|put|register";
/** In `a.py`, now add; update it to include; it needs another one. */
const ADDS = new RegExp(
  "^[^\\p{L}`]*(?:(?:above|after|at|before|below|for|in|inside|on|to|under|within) (?:(?:`|[^,:`])*, ?|(?:(?:the|your|of|[`\\w-]+) ){1,4}(?=add ))|(?:also|and|finally|first|I['’]d|I would|let['’]s|next|now|please|plus|so|step \\d+|then|" +
    "(?:(?:you|we) (?:(?:also|now) )?(?:can|have to|must|need to|should)|we|(?:don['’]t forget|make sure|remember) to)(?: (?:also|now|just|then))?)[ ,:]+)*" +
    `(?:(?:${ADD_VERBS})\\b|(?:adapt|adjust|change|edit|extend|modify|update)\\b(?:\`|[^,:\`])*?\\b(?:and|by|to) (?:also )?(?:add|append|insert|includ|introduc|register)(?:e|ing)?\\b)|` +
    "\\bneeds? (?:one more|another|an? )|also need (?:this|these)\\b|gehör|hinzu|füge|ergänz|ajout|añad|agreg|insér|添加|加入|插入|新增|追加",
  "iu",
);
/** Verbs that add something to others of its kind: register it in `main`. */
const BESIDE_OTHERS = /\b(?:register|wire|hook|mount|attach|declare|enable|show) (?:it|this|them|these|that|the)\b/i;
const BESIDE_IT =
  /\b(?:below|above|under|underneath|beneath|beside|next to|after|before)\s+(?:the|your|that|this|it|its|those|these)\b[^.]*:\s*$/im;
const GOES_ON =
  /(?:^|[.!?]\s)\W{0,20}(?:(?:and|also|plus|with|first|then|next|finally|und|et|y)[\s,]+)+(?:the|its|an?|this|these|der|die|das|le|la|el)\b[^\n]*[:：]\s*$/im;
/** A file, whose path is left out, gets further lines, where a type may get another form. */
const EXTENDED = /\bextend (?:(?:the|your|our) )?`(?: |[^`\s]*\.\w+)`/i;
const LESS = new RegExp(
  `${REMOVES_ANYHOW}|\\b(?:omit|skip|strip|without|no longer|n['’]t need|unneeded|unused|redundant|dead code|` +
    "tak(?:e|ing) (?:out|away)|simplif|shorten|reduc|replac|merg|instead|ohne|sans\\b|sin\\b)",
  "iu",
);
const FURTHER =
  /\b(?:second|another|one more|further|additional|new|zweite[nrs]?|weitere[nrs]?|neue[nrs]?|autre|nouve\w+|otr[ao]|nuev[ao])\b/i;
const WHOLE =
  /\b(?:full|complete|whole|entire|final|komplett|vollständig|ganze|complet|complète|entier|completo|completa|entero)|\b(?:contents? of|everything in)\b|完整|全部|整个/i;

const NEW =
  /^<\w+ |\b(?:creat|new\b|save|writ|introduc|here(?:'|’)s|here is|(?:and|also|plus|with) an? (?:[\w-]+,? ){0,4}\(?[`*]|erstell|anleg|neu|cré|nouve|crea|nuev|guarda)|创建|新建|保存|作成/i;

/** Returns what the sentences say that something belongs in, if the file has it once. */
export function containerTold(told: Told, parts: readonly Part[]): Part | undefined {
  const names = containersIn(told);
  const [only, other] = partsIn(parts).filter(({ kind, name }) => CONTAINERS.has(kind) && names.has(name));
  return other === undefined ? only : undefined;
}

/** Returns the function that the sentences say something belongs in: add a helper to `main`. */
export function functionTold(told: Told, parts: readonly Part[]): Part | undefined {
  const names = containersIn(told);
  return partsIn(parts).find(({ kind, name }) => (kind === "function" || kind === "method") && names.has(name));
}

/** The same, where the file has no other of its name. */
export function onlyFunctionTold(told: Told, parts: readonly Part[]): Part | undefined {
  const part = functionTold(told, parts);
  return partsIn(parts).some((other) => other !== part && other.name === part?.name) ? undefined : part;
}

function containersIn({ text }: Told): ReadonlySet<string> {
  return new Set([...text.matchAll(CONTAINER)].map(([, impl, code, word]) => impl ?? plain(code ?? word ?? "")));
}

/** Returns whether the sentences say that something belongs in a type, and not only that this uses it. */
export function tellsContainer({ text }: Told): boolean {
  return INTO.test(text);
}

/** Returns the lines that declare a name inside functions too, 0-based: those that take it out of another only if no other does. */
export function declaredIn(lines: readonly string[], name: string, within?: Part, text = ""): readonly number[] {
  if (within !== undefined) {
    const [first, last] = [within.start, within.end].map((offset) => text.slice(0, offset).split("\n").length - 1) as [
      number,
      number,
    ];
    return declaredIn(lines, name).filter((at) => at >= first && at <= last);
  }
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return [];
  const linesWith = (before: string): readonly number[] => {
    const pattern = new RegExp(`^\\s*(?:export\\s+)?(?:async\\s+)?${before}${literalPattern(name)}(?![\\w$])`);
    return [...lines.keys()].filter((at) => pattern.test(lines[at] ?? ""));
  };
  const declaring = linesWith("(?:const|let|var|val|function|def|fn|func|class)\\s+");
  return declaring.length > 0 ? declaring : linesWith("(?:const|let|var)\\s*[[{][^=]*\\b");
}

/** Returns the lines, 0-based, that declare a name inside a function: inside the one that the sentences name, if any. */
export function localsIn(text: string, parts: readonly Part[], name: string, told: Told): readonly number[] {
  const rowAt = (offset: number): number => text.slice(0, offset).split("\n").length - 1;
  const members = everyPart(parts).filter(
    ({ part, around }) => part.name === name && CONTAINERS.has(around.at(-1)?.kind ?? part.kind),
  );
  return declaredIn(text.split("\n"), name, onlyFunctionTold(told, parts), text).filter(
    (row) => !members.some(({ part: { start, end } }) => row >= rowAt(start) && row <= rowAt(end)),
  );
}

/** Returns the line that a sentence says is replaced, 0-based: change the `className` line to. */
export function toldLine({ text }: Told, file: string, first: string): number | undefined {
  const code = /\b(?:the|this|that|die|la|el|le)\s+`([^`\n]+)`\s+(?:line|zeile|ligne|línea)\b/i.exec(text)?.[1];
  if (code === undefined) return undefined;
  const found = file.split("\n").flatMap((line, at) => (line.includes(code) ? [{ at, line: line.trim() }] : []));
  // Of several, the one that begins as the new one does.
  const alike = found.filter(({ line }) => sharedLength(line, first.trim()) >= code.length);
  return found.length === 1 ? found[0]?.at : alike.length === 1 ? alike[0]?.at : undefined;
}

/** Returns the name that a declaration had, if the sentences rename it, or replace another one by what `isOnly` shown. */
export function renamedFrom({ text }: Told, name: string, isOnly = false): string | undefined {
  for (const [, old, now] of [...text.matchAll(RENAMED), ...text.matchAll(CALLED)])
    if (plain(now ?? "") === name) return plain(old ?? "");
  const [, replaced] = isOnly ? (REPLACED.exec(text) ?? []) : [];
  return replaced === undefined ? undefined : plain(replaced);
}

/** Returns whether the sentences give a declaration another name, or something else in its place. */
export function isRenamed({ text }: Told, name: string): boolean {
  const old = [...text.matchAll(RENAMED), ...text.matchAll(CALLED), REPLACED.exec(text) ?? []];
  return old.some(([, code]) => code !== undefined && plain(code) === name);
}

/** Returns whether the sentences have a name: of a heading its words, of a query what stands in its brackets. */
export function tellsName({ text, names }: Told, name: string): boolean {
  return (
    names.has(name) ||
    names.has(typeOf(name)) ||
    (name.length > 3 && [bare(name), inBrackets(name)].some((words) => words !== "" && marked(words)))
  );

  /** Headings are common words: they count where they are marked as names, or told to be sections. */
  function marked(words: string): boolean {
    for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
      const [before, after] = [text[at - 1] ?? "", text.slice(at + words.length)];
      if (/[`*"“'(]/.test(before) || (/\W|^$/.test(before) && /^[`*"”']*\s+(?:section|heading|chapter)\b/i.test(after)))
        return true;
    }
    return false;
  }
}

/** Returns whether the sentences have each word of a name: of an `impl`, of the trait and the type. */
export function tellsAllOf({ names }: Told, name: string): boolean {
  const words = name.replace(/^impl\b|\bfor\b/g, "").match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  return words.length > 0 && words.every((word) => names.has(word));
}

/** Returns the type that an `impl` is of, without its parameters. */
export function typeOf(name: string): string {
  return name.replace(/^impl\b(?:.*\bfor\b)?\s*/, "").replace(/<.*$/, "");
}

function inBrackets(name: string): string {
  return /\((.*)\)/.exec(name)?.[1] ?? "";
}

export function partsIn(parts: readonly Part[]): readonly Part[] {
  return everyPart(parts).map(({ part }) => part);
}

/** Takes the signs of a call, a method or a heading off a name. */
export function plain(code: string): string {
  return code
    .replace(/\(.*$/, "")
    .replace(/^.*[.#:]/, "")
    .replace(/^\[|\]$/g, "")
    .trim();
}

/** Returns the words of a heading, or the name of a method without its receiver. */
export function ownName({ kind, name }: Part): string {
  return kind === "method" ? name.slice(name.lastIndexOf(".") + 1) : bare(name);
}

/** Returns the words of a heading. */
export function bare(name: string): string {
  return name.replace(/^#+\s*/, "");
}

const RENAMED =
  /\b(?:renam(?:e[ds]?|ing)|renomm\w+|renombr\w+|umbenenn\w*|benenne)\b[^`\n]{0,40}`([^`\n]+)`[^`\n]{0,20}\b(?:to|as|into|in|en|a|zu)\b[^`\n]{0,20}`([^`\n]+)`/gi;
/** Replace `a` with: and what follows has another name. */
const REPLACED =
  /\breplace (?:(?:the|your|our|old|existing|whole|entire|current) )*(?:\w+ )?`([^`\n]+)`(?: \w+)?(?:,? (?:in|of|from) (?:the )?`[^`\n]*`)?(?: entirely| completely)? (?:with|by)\b[^\n]*[:：]\s*$/im;
/** `a` is now called `b`. */
const CALLED =
  /`([^`\n]+)`[^`\n]{0,20}\b(?:(?:is|was|been|gets)\s+(?:now\s+)?(?:called|named|renamed(?:\s+(?:to|as))?)|(?:heißt|wird|wurde)(?:\s+(?:jetzt|nun|in|zu))*)\s+`([^`\n]+)`/gi;
/** To the `Cart` class, in `Cart`. */
const CONTAINER =
  /\b(?:in|to|into|inside|within|on|gives?|dans|zu|zur|en|al?)\s+(?:(?:the|your|our|la|el|le|die|der|das|den|dem|class|struct|interface)\s+)*(?:`(impl\b[^`\n]+)`|`([\p{L}\p{N}_$.]+)`|[*]*([\p{L}\p{N}_$]+)[*]*\s+(?:class|struct|interface|trait|module|enum|type|klasse|classe|clase)\b)/giu;
/** To `Cart`, in the `Cart` class. */
const INTO =
  /\b(?:to|into|inside(?: of)?|gives?)\s+(?:(?:the|your|our)\s+)?(?:class\s+)?`|\b(?:in|within)\s+(?:(?:the|your|our)\s+)?(?:class\s+`|[`*]*[\p{L}\p{N}_$.]+[`*]*\s+(?:class|struct|interface|trait|module|impl|enum)\b)/iu;

/** Returns the lines of what a sentence says that something goes from: none, if the file does not have it. */
export function fromTold(file: string, parts: readonly Part[], { text }: Told): Within | undefined {
  const [, from] = /` (?:from|inside|in) (?:the )?(`[^`\n]*\w[^`\n]*`)/.exec(text) ?? [];
  return from === undefined ? undefined : (withinTold(file, parts, toldIn(from)) ?? { first: 0, last: -1 });
}

/** Returns the lines of the only declaration in which the sentences say that something is. */
export function insideTold(file: string, parts: readonly Part[], { text }: Told): Within | undefined {
  const inside = text.replaceAll(/['’]s (?=`)/g, " in ").match(/\b(?:in|inside|within|of) (?:the )?`[^`\n]*`/gi) ?? [];
  return withinTold(file, parts, toldIn(inside.join(" ")));
}

/** Returns the lines of the only declaration that the sentences name. */
export function withinTold(file: string, parts: readonly Part[], told: Told): Within | undefined {
  // Nothing stands within a line.
  const hasLines = ({ start, end }: Part): boolean => file.slice(start, end).trim().includes("\n");
  const named = parts
    .flatMap((part) => [part, ...part.children])
    .filter(
      (part) => told.names.has(ownName(part)) && part.name.length > 2 && !LEAVES.has(part.kind) && hasLines(part),
    );
  const [only, other] = named.filter(
    (part) => !named.some((inner) => inner !== part && inner.start >= part.start && inner.end <= part.end),
  );
  const inside = only === undefined || other !== undefined ? onlyFunctionTold(told, parts) : only;
  if (inside === undefined) return withinLocal(file.split("\n"), told);
  const lineAt = (offset: number): number => file.slice(0, offset).split("\n").length - 1;
  return { first: lineAt(inside.start), last: lineAt(inside.end) };
}

/** Returns the lines of the only function that the sentences name and that stands inside another one. */
function withinLocal(lines: readonly string[], told: Told): Within | undefined {
  const [first, other] = [...containersIn(told)].flatMap((name) => declaredIn(lines, name));
  const last = first === undefined || other !== undefined ? undefined : endOfBlock(lines, first);
  return first === undefined || last === undefined || last === first ? undefined : { first, last };
}
