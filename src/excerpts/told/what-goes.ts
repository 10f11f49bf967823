/** Tells whether the sentences about a plain excerpt remove what it shows, or something else. */
import { largest } from "../../core/lists.ts";
import {
  REMOVAL_ORDERS,
  REMOVAL_STEMS,
  REMOVED_KINDS,
  REMOVES_ANYHOW,
  UNUSED_KINDS,
} from "../../core/removal-words.ts";
import { isImport } from "../declarations/imports.ts";
import { holdsWord } from "../text.ts";
import type { Told } from "./told.ts";

interface Shown {
  readonly content: string;
  /** Its first line that is no comment. */
  readonly first: string;
  /** The names of what it declares. */
  readonly names: readonly string[];
  /** Whether the file has it. */
  readonly isThere: boolean;
}

/**
 * Returns what goes: what is shown, something else, or nobody can tell. Undefined if the sentences remove nothing.
 *
 * Where an order names neither what is shown nor a kind of it, the text may be the one without that: "Remove the unused
 * parameter".
 */
export function whatGoes(
  { text, isRemoval, isRemovalLast }: Told,
  { content, first, names, isThere }: Shown,
): "shown" | "other" | "unclear" | undefined {
  // A name may be that of a verb.
  const masked = text.replace(/`[^`\n]*`/g, (span) => `\`${"-".repeat(span.length - 2)}\``);
  // "Removed the check in `f`" says too what has gone.
  const order = [...masked.matchAll(ORDER)].at(-1) ?? (isRemoval ? [...masked.matchAll(GOING)].at(-1) : undefined);
  const unordered = (): "shown" | "unclear" | undefined => withoutOrder(text, masked, { content, names });
  if (order === undefined) return isRemoval ? "shown" : unordered();
  if (PUT_ELSEWHERE.test(text)) return "unclear";
  const [all, { length } = ""] = order;
  const end = order.index + all.length;
  const behind = text
    .slice(end - length, end)
    .replace(PARTICLE, "")
    .replace(PLACE, "");
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
  const isMeant = PRONOUN.test(object) && (isNamed || THIS_ABOVE.test(above));
  const isBare = object.trim() === "" && text.slice(end).replace(/[:：\s]+/g, "") === "";
  // Alone, a method may have no name for the grammar.
  if (isMeant || isBare || THIS.test(object) || (code !== undefined && holdsWord(first, code))) return "shown";
  if (OTHERS.test(object)) return isRemoval ? "unclear" : undefined;
  const isKind = REMOVED_KINDS.test(object.trim()) || (isThere && UNUSED_KINDS.test(object.trim()));
  if (!isRemoval && !(isRemovalLast && isKind && isThere)) return unordered();
  return names.length === 0 || isKind || PRONOUN.test(object) ? "shown" : "unclear";
}

/** The same where the last sentence orders nothing: it says that something has to go, or that it is not needed. */
function withoutOrder(
  text: string,
  masked: string,
  { content, names }: Pick<Shown, "content" | "names">,
): "shown" | "unclear" | undefined {
  const end = masked.trimEnd().replace(/[:：.]+$/, "").length;
  const start = largest(["\n", ". ", "! ", "? "].map((mark) => masked.lastIndexOf(mark, end - 1) + 1));
  const last = text.slice(start, end);
  if (!GONE.test(last) && !UNNEEDED.test(last)) return undefined;
  const subject = last.replaceAll(INSIDE, "");
  const spans = [...subject.matchAll(/`([^`\n]*\w[^`\n]*)`/g)].map(([, span = ""]) => span.replace(/\(.*$/, ""));
  const isOther = subject !== last && spans.length === 0 && !THIS_ABOVE.test(subject);
  if (isOther || spans.some((span) => !holdsWord(content, span))) return undefined;
  const isShown = names.some((name) => holdsWord(subject, name)) || THIS_ABOVE.test(subject);
  return GONE.test(last) && isShown ? "shown" : "unclear";
}

/** Ends a last that says that its subject goes. */
const GONE = new RegExp(
  "\\b(?:can|could|may|must|need(?:s|ed)? to|ha(?:s|ve) to|ought to|should|will)\\b" +
    "(?: (?:now|all|safely|simply|also|just))* (?:go(?: away)?|" +
    "be (?:safely )?(?:cut|deleted|discarded|dropped|erased|purged|removed|stripped|taken out|thrown away))" +
    "(?: (?:now|as well|too|entirely|completely))?(?: (?:from|in)\\s+`[^`]*`)?\\s*$",
  "iu",
);
const UNNEEDED = new RegExp(
  `${REMOVES_ANYHOW}|\\b(?:no longer|not) (?:needed|need|used|use|required|necessary)\\b|n['’]t (?:need|use)\\b|` +
    "\\b(?:dead code|obsolete|unused|superfluous|useless)\\b|\\b(?:must|can|should|to) go$|" +
    "\\b(?:nicht mehr|ya no|plus (?:utilis|nécess|besoin))",
  "iu",
);
/** What the subject is a part of: the parameter of `size`. */
const INSIDE = /\b(?:from|of|inside|within|in|for|by)\s+(?:the\s+)?`[^`\n]*\w[^`\n]*`/giu;

const SUPPOSED = "(?:before|when(?:ever)?|if|once|after|until|unless) (?:you|we)";
const ORDER = new RegExp(
  `(?<!\\b(?:not|n['’]t|never|to|nicht|pas|no|não|non|${SUPPOSED}) )(?:${REMOVAL_ORDERS})((?:\`[^\`\\n]*\`|[^.:;!?。！？：\\n]|\\.(?=\\w))*)`,
  "giu",
);
/** Any form of such a verb. */
const GOING = new RegExp(`${REMOVAL_STEMS}\\p{L}*((?:\`[^\`\\n]*\`|[^.:;!?。！？：\\n]|\\.(?=\\w))*)`, "giu");
const PUT_ELSEWHERE =
  /\b(?:put|paste|insert|add|place) (?:it|them|this|that) (?:in|into|to|below|above|after|before|under)\b/i;
/** Take out: the verb has two words. */
const PARTICLE = /^\s*(?:out|away)\b/i;
/** In German, where it goes from may stand first. */
const PLACE = /^\s*(?:from|in|aus|de|dans|en|da|从)\s+`[^`]*`/iu;
/** Up to where it goes from, or what follows. */
const OBJECT =
  /^(?:`[^`]*`|(?!\s(?:from|of|in|inside|within|on|for|to|aus|von|vom|im|de|del|della|da|dal|dans|du|des|au|en|and|und|et|y|e)\s)[^])*/iu;
/** The annotation from `size`, of the function `size`. */
const AROUND = /\b(?:from|of|in|inside|within|aus|von|de|da|dans)\s+(?:\p{L}+ ){0,2}`([\p{L}_$][\p{L}\p{N}_$]*)`/iu;
const PRONOUN = /^\s*(?:it|them|that|both|all|one|sie|ihn|es|beide|l[aeo]s?)(?!\p{L})/iu;
/** What is not shown. */
const OTHERS = /\b(?:others?|rest|everything|anything|all but|except)\b/i;
const THIS =
  /^\s*(?:以下|下列|下面|这|(?:this|these|those|the following|diese\p{L}*|est[aeo]s?|cette|ces|ce|quest[aeoi]|isto)(?!\p{L}))/iu;
/** This as the subject or the object of a sentence: this function is dead code, we do not need it. */
const THIS_ABOVE =
  /(?<!\b(?:of|in|from|for|to|inside|by|on) )\b(?:this|these|the following)\b(?! (?:removes|deletes|drops|way|change|fixes))/iu;
