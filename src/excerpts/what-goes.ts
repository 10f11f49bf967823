/** Tells whether the sentences about a plain excerpt remove what it shows, or something else. */
import { REMOVAL_ORDERS } from "../core/removal-words.ts";
import { isImport } from "./imports.ts";
import { holdsWord } from "./text.ts";
import type { Told } from "./told.ts";

interface Shown {
  readonly content: string;
  /** Its first line that is no comment. */
  readonly first: string;
  /** The names of what it declares. */
  readonly names: readonly string[];
}

/**
 * Returns what goes: what is shown, something else, or nobody can tell. Undefined if the sentences remove nothing.
 *
 * Where an order names neither what is shown nor a kind of it, the text may be the one without that: "Remove the unused
 * parameter".
 */
export function whatGoes(
  { text, isRemoval }: Told,
  { content, first, names }: Shown,
): "shown" | "other" | "unclear" | undefined {
  // A name may be that of a verb.
  const masked = text.replace(/`[^`\n]*`/g, (span) => `\`${"-".repeat(span.length - 2)}\``);
  const order = [...masked.matchAll(ORDER)].at(-1);
  if (order === undefined) return isRemoval ? "shown" : undefined;
  if (PUT_ELSEWHERE.test(text)) return "unclear";
  const [all, { length } = ""] = order;
  const end = order.index + all.length;
  const behind = text.slice(end - length, end).replace(PLACE, "");
  const [object = ""] = OBJECT.exec(behind) ?? [];
  const code = /`([^`\n(]+)/.exec(object)?.[1]?.replace(/^.*[.#:](?=\w)/, "");
  const [, around] = AROUND.exec(behind) ?? [];
  if (names.some((name) => holdsWord(object, name))) return "shown";
  const isOther =
    (code !== undefined && !holdsWord(content, code)) || (around !== undefined && holdsWord(first, around));
  if (isOther) return isRemoval ? "other" : undefined;
  const above = text.slice(0, order.index);
  // `Optional` is no longer used, so you can delete it: an import of that name.
  const spans = isImport(first) ? [...above.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span) : [];
  const isNamed = names.some((name) => holdsWord(above, name)) || spans.some((span) => holdsWord(first, span));
  const isMeant = PRONOUN.test(object) && isNamed;
  // Alone, a method may have no name for the grammar.
  if (isMeant || THIS.test(object) || (code !== undefined && holdsWord(first, code))) return "shown";
  if (!isRemoval) return undefined;
  return names.length === 0 || KIND.test(object.trim()) || PRONOUN.test(object) ? "shown" : "unclear";
}

const SUPPOSED = "(?:before|when(?:ever)?|if|once|after|until|unless) (?:you|we)";
const ORDER = new RegExp(
  `(?<!\\b(?:not|n['’]t|never|to|nicht|pas|no|não|non|${SUPPOSED}) )(?:${REMOVAL_ORDERS})((?:\`[^\`\\n]*\`|[^.:;!?。！？：\\n]|\\.(?=\\w))*)`,
  "giu",
);
const PUT_ELSEWHERE =
  /\b(?:put|paste|insert|add|place) (?:it|them|this|that) (?:in|into|to|below|above|after|before|under)\b/i;
/** In German, where it goes from may stand first. */
const PLACE = /^\s*(?:from|in|aus|de|dans|en|da|从)\s+`[^`]*`/iu;
/** Up to where it goes from, or what follows. */
const OBJECT =
  /^(?:`[^`]*`|(?!\s(?:from|of|in|inside|within|on|for|to|aus|von|vom|im|de|del|della|da|dal|dans|du|des|au|en|and|und|et|y|e)\s)[^])*/iu;
/** The annotation from `size`, of the function `size`. */
const AROUND = /\b(?:from|of|in|inside|within|aus|von|de|da|dans)\s+(?:\p{L}+ ){0,2}`([\p{L}_$][\p{L}\p{N}_$]*)`/iu;
const PRONOUN = /^\s*(?:it|them|that|both|all|one|sie|ihn|es|beide|l[aeo]s?)(?!\p{L})/iu;
const THIS = /^\s*(?:this|these|those|the following|diese\p{L}*|est[aeo]s?|cette|ces|ce|quest[aeoi]|isto)(?!\p{L})/iu;
/** What any declaration may be called. */
const KIND =
  /(?<!\p{L})(?:functions?|methods?|class(?:es)?|structs?|interfaces?|enums?|types?|constants?|variables?|sections?|rules?|lines?|blocks?|code|funktion(?:en)?|methoden?|klassen?|funci[oó]n(?:es)?|m[eé]todos?|clases?|fonctions?|m[eé]thodes?|classes?|funzion[ei]|metod[oi])$/iu;
