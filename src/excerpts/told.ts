/** What the sentences around an excerpt say of it. */
import type { Part } from "../addresses/part.ts";
import { isImport } from "./imports.ts";
import { sharedLength } from "./text.ts";
import { CONTAINERS, everyPart, type Found } from "./parts.ts";

export interface Told {
  /** The sentences above it, and one below it that tells its place. */
  readonly text: string;
  /** The words in them that may be names. */
  readonly names: ReadonlySet<string>;
  /** The names of what they say stays. */
  readonly stays: ReadonlySet<string>;
  readonly isRemoval: boolean;
  /** Whether the last sentence is the one that removes something, and not one that gives the reason. */
  readonly isRemovalLast: boolean;
  readonly isAddition: boolean;
  /** Whether they add one more of what the file has: a second server. */
  readonly isFurther: boolean;
  /** Whether they say that it is the whole file. */
  readonly isWhole: boolean;
  /** Whether they say that there is to be a new file. */
  readonly isNew: boolean;
}

export function toldIn(text: string): Told {
  return {
    text,
    names: new Set([
      ...(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []),
      // `[tool.ruff]`, `dev-dependencies`
      ...[...text.matchAll(/`\[*([^`\n[\]]+)\]*`/g)].map(([, name = ""]) => name),
    ]),
    stays: new Set([...text.matchAll(STAYS)].map(([, name = ""]) => plain(name))),
    isRemoval: REMOVAL.test(text) || REMOVAL_LAST.test(text),
    isRemovalLast:
      REMOVAL_LAST.test(text) ||
      REMOVAL.test(
        text
          .trim()
          .split(/\n|(?<=[.!?]) (?=\p{Lu})/u)
          .at(-1) ?? "",
      ),
    isAddition: ADDITION.test(text),
    isFurther: ADDITION.test(text) && FURTHER.test(text),
    isWhole: WHOLE.test(text),
    isNew: NEW.test(text) || ADDITION.test(text) || WHOLE.test(text),
  };
}

const STAYS = /`([^`\n]+)` (?:stays?|remains?|is) (?:the same|unchanged|untouched|as (?:it )?is)\b/gi;
const REMOVAL =
  /^(?:[^\p{L}`]*)(?:(?:in|from)\s+(?:[^,:\n`]|`[^`\n]*`)*,\s*)?(?:(?:now|then|you can|please|also|and|next)[ ,]+)*(?:delete|remove|drop|get rid of|lösche?|entfern|supprim|elimin|borra|quita)/imu;
/** Of several sentences in a line, the last one removes what is shown. */
const REMOVAL_LAST =
  /[.!?] (?:now |then |so |please |and )?(?:delete|remove|drop|get rid of) (?:this|these|that|those|the following)\b[^.!?\n]*(?:\.\w+[^.!?\n]*)*$/i;
const ADDITION =
  /\b(?:add|adds|adding|insert|append|put|place|paste|include|hinzu|füge|ergänz|ajout|añad|agreg|insér)|添加|加入|插入|新增|追加/i;
const FURTHER =
  /\b(?:second|another|further|additional|new|zweite[nrs]?|weitere[nrs]?|neue[nrs]?|autre|nouve\w+|otr[ao]|nuev[ao])\b/i;
const WHOLE =
  /\b(?:full|complete|whole|entire|final|komplett|vollständig|ganze|complet|complète|entier|completo|completa|entero)|\b(?:contents? of|everything in)\b|完整|全部|整个/i;

const NEW =
  /^<\w+ |\b(?:creat|new\b|save|writ|introduc|here(?:'|’)s|here is|(?:and|also|with) an? [`*]|erstell|anleg|neu|cré|nouve|crea|nuev|guarda)|创建|新建|保存|作成/i;

/** Returns whether the sentences say that it is the whole file, and not a whole part of it. */
export function tellsWholeFile(text: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  // A path has dots.
  const [, object = ""] = WHOLE_OF.exec(text.replaceAll(path, PATH).replaceAll(name, PATH)) ?? [];
  return object.includes(PATH) || /^[^`]*\b(?:file|datei|fichier|archivo)\b|文件/i.test(object);
}

const PATH = "\0";
const WHOLE_OF =
  /(?:\b(?:full|complete|whole|entire|komplett\w*|vollständig\w*|ganze\w*|compl[eè]te?|entier|completo|entero)\b|完整|整个)([^.\n]{0,60})/i;

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

function containersIn({ text }: Told): ReadonlySet<string> {
  return new Set([...text.matchAll(CONTAINER)].map(([, code, word]) => plain(code ?? word ?? "")));
}

/** Returns whether the sentences say that something belongs in a type, and not only that this uses it. */
export function tellsContainer({ text }: Told): boolean {
  return INTO.test(text);
}

/** Returns the lines that declare a name inside functions too, 0-based: those that take it out of another only if no other does. */
export function declaredIn(lines: readonly string[], name: string): readonly number[] {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return [];
  const linesWith = (before: string): readonly number[] => {
    const pattern = new RegExp(`^\\s*(?:export\\s+)?(?:async\\s+)?${before}${name.replaceAll("$", "\\$")}(?![\\w$])`);
    return [...lines.keys()].filter((at) => pattern.test(lines[at] ?? ""));
  };
  const declaring = linesWith("(?:const|let|var|val|function|def|fn|func|class)\\s+");
  return declaring.length > 0 ? declaring : linesWith("(?:const|let|var)\\s*[[{][^=]*\\b");
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

/** Returns the name that a declaration had, if the sentences rename it. */
export function renamedFrom({ text }: Told, name: string): string | undefined {
  const [, old, now] = RENAMED.exec(text) ?? [];
  return now !== undefined && plain(now) === name ? plain(old ?? "") : undefined;
}

/** Returns whether the sentences have a name: of a heading its words, of a query what stands in its brackets. */
export function tellsName({ text, names }: Told, name: string): boolean {
  return (
    names.has(name) ||
    names.has(typeOf(name)) ||
    (name.length > 3 && [bare(name), inBrackets(name)].some((own) => own !== "" && marked(own)))
  );

  /** Headings are common words: they count where they are marked as names, or told to be sections. */
  function marked(own: string): boolean {
    for (let at = text.indexOf(own); at !== -1; at = text.indexOf(own, at + 1)) {
      const [before, after] = [text[at - 1] ?? "", text.slice(at + own.length)];
      if (/[`*"“'(]/.test(before) || (/\W|^$/.test(before) && /^[`*"”']*\s+(?:section|heading|chapter)\b/i.test(after)))
        return true;
    }
    return false;
  }
}

/** Returns the type that an `impl` is of, without its parameters. */
function typeOf(name: string): string {
  return name.replace(/^impl\b(?:.*\bfor\b)?\s*/, "").replace(/<.*$/, "");
}

function inBrackets(name: string): string {
  return /\((.*)\)/.exec(name)?.[1] ?? "";
}

/** Returns whether the sentences name a place beside something. */
export function tellsPlace({ text }: Told): boolean {
  return [BESIDE, BETWEEN, END_OF, ENDS_OF_PART].some((place) => place.test(text));
}

function partsIn(parts: readonly Part[]): readonly Part[] {
  return everyPart(parts).map(({ part }) => part);
}

/** Takes the signs of a call, a method or a heading off a name. */
function plain(code: string): string {
  return code
    .replace(/\(.*$/, "")
    .replace(/^.*[.#:]/, "")
    .replace(/^\[|\]$/g, "")
    .trim();
}

/** Returns whether what a declaration stands in, or its receiver, is one of the names. */
function isWithinTold({ part, around }: Found, names: ReadonlySet<string>): boolean {
  const receiver = part.name.slice(0, Math.max(0, part.name.lastIndexOf(".")));
  return names.has(receiver) || around.some(({ name }) => name !== part.name && names.has(name));
}

/** Returns the words of a heading, or the name of a method without its receiver. */
export function ownName({ kind, name }: Part): string {
  return kind === "method" ? name.slice(name.lastIndexOf(".") + 1) : bare(name);
}

/** Returns the words of a heading. */
function bare(name: string): string {
  return name.replace(/^#+\s*/, "");
}

const RENAMED =
  /\b(?:rename|renommer?|renombra|umbenenn\w*|benenne)\b[^`\n]{0,40}`([^`\n]+)`[^`\n]{0,20}\b(?:to|as|into|in|en|a|zu)\b[^`\n]{0,20}`([^`\n]+)`/i;
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
/** To the `Cart` class, in `Cart`. */
const CONTAINER =
  /\b(?:in|to|into|inside|within|on|dans|zu|zur|en|al?)\s+(?:(?:the|your|our|la|el|le|die|der|class|struct|interface)\s+)*(?:`([\p{L}\p{N}_$.]+)`|[*]*([\p{L}\p{N}_$]+)[*]*\s+(?:class|struct|interface|trait|module|enum|type|klasse|classe|clase)\b)/giu;
/** To `Cart`, in the `Cart` class. */
const INTO =
  /\b(?:to|into|inside(?: of)?)\s+(?:(?:the|your|our)\s+)?(?:class\s+)?`|\b(?:in|within)\s+(?:(?:the|your|our)\s+)?(?:class\s+`|[`*]*[\p{L}\p{N}_$.]+[`*]*\s+(?:class|struct|interface|trait|module|impl|enum)\b)/iu;
/** The top or the end of anything but the file, whose own path is left out. */
const ENDS_OF_PART =
  /\b(?:top|beginning|start|end|bottom) of\s+(?!(?:(?:the|your)\s+)?[`*\s]*(?:[.,:;()]|$|(?:add|insert|put)\b)|(?:(?:the|your|this|that)\s+)?(?:\w+\s+)?(?:file|module|script|stylesheet|document|page|readme|imports?|list)\b)/i;
const TOP =
  /\b(?:at|to|near|from)\s+the (?:very )?(?:top|beginning|start)\b|\bganz oben|am Anfang|en haut|au début|al principio|arriba\b|开头|顶部/i;
const END =
  /\b(?:at|to|near)\s+the (?:very )?(?:end|bottom)\b|\bam Ende|ans Ende|à la fin|au bas|al final\b|末尾|最后/i;
