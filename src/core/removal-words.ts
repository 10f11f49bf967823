/** The verbs by which sentences take something away: what orders that, and how any form of it begins. */
const TABLE: ReadonlyArray<readonly [language: string, orders: string, stems: string]> = [
  [
    "English",
    "delete|remove|drop|get rid of|strip|cut|ditch|discard|erase|purge|kill|nuke|axe|(?:throw|clear) (?:away|out)|" +
      "(?:take|throw|get|cut)(?=[^.,:;!?]{0,60}? (?:out|away)\\b)",
    "delet|remov|drop|(?:get(?:s|ting)? )?rid of|ditch|discard|purg|eras",
  ],
  [
    "German",
    "lösche?n?|entfernen?|(?:wirf|nimm|schmeiß)(?=[^.,:;!?]{1,60}? (?:he)?raus\\b)|streiche?n?",
    "lösch|entfern|streich",
  ],
  ["French", "supprim(?:e[rz]?|ons)|enl[eè]v(?:e[rz]?|ons)|retire[rz]?", "supprim|retir|enl[eè]v"],
  ["Spanish and Portuguese", "elimina[rs]?|borra[rs]?|quita[rs]?|remov(?:a|er)", "elimin|borra|quita"],
  ["Italian", "rimuov[iae](?:re)?|cancell[ai](?:re)?", "rimuov|cancell"],
];
/** What has no spaces between words, or other letters than \b knows. */
const OTHER_LETTERS = "删|移除|去掉|削除|удал";

const column = (index: 1 | 2): string => TABLE.map((row) => row[index]).join("|");

/** Finds an order, and not another form of its verb. */
export const REMOVAL_ORDERS = `(?<![\\p{L}-])(?:${column(1)})(?![\\p{L}-])|(?:删除|移除|去掉)(?!后|之后|了)`;
/** Finds any form of these verbs at the beginning of a word. */
export const REMOVAL_STEMS = `(?<!\\p{L})(?:${column(2)})`;
export const REMOVES_ANYHOW = `${REMOVAL_STEMS}|${OTHER_LETTERS}`;
/** Finds what takes a declaration away, or gives it another name or place. */
export const REMOVES = new RegExp(
  `${REMOVES_ANYHOW}|\\b(?:renam|inlin|extract|mov(?:e|ing)|merg|replac|obsolete|unused|gone|disappear|no longer|now (?:called|named)|umbenann|renomm|remplac)|` +
    "переимен|重命名",
  "iu",
);
/** Begins a word of a sentence that only has to do with what goes: it is no name of that. */
export const KEPT_MARK = "~";

/** Returns what stands among such words for a rename: the old name goes only where the new one is shown. */
export const renaming = (old: string, now: string): string => `${old}>${now}`;

/** Returns the names that sentences remove, or give another name that a text has. */
export function namesRemoved(removed: string, text: string): ReadonlySet<string> {
  const shown = new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$-]*/gu));
  return new Set(
    removed.split(" ").flatMap((word) => {
      const [old = "", now] = word.split(">");
      return now === undefined || shown.has(now) ? old : [];
    }),
  );
}

/** Returns all words of the sentences that remove something, which may be those of a line or an import. */
export function wordsOfRemovals(removed = ""): ReadonlySet<string> {
  return new Set(removed.replaceAll(KEPT_MARK, "").split(" "));
}

/** What a declaration may be called that is not needed: the old definition, an unused helper. */
export const UNUSED_KINDS =
  /(?<!\p{L})(?:dead|duplicated?|obsolete|old|redundant|unneeded|unused) (?:component|declaration|definition|handler|helper|hook|implementation|test)s?$/iu;
/** What any declaration may be called. */
export const REMOVED_KINDS =
  /(?<!\p{L})(?:functions?|methods?|class(?:es)?|structs?|interfaces?|enums?|types?|constants?|variables?|sections?|rules?|lines?|blocks?|code|funktion(?:en)?|methoden?|klassen?|funci[oó]n(?:es)?|m[eé]todos?|clases?|fonctions?|m[eé]thodes?|classes?|funzion[ei]|metod[oi])$/iu;
