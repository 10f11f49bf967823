/** Reads fences that show the place of others: after the lines of one, add those of the next. */
import { codePathsIn } from "../path-label.ts";
import { NOT_ASKED } from "./words.ts";

type Side = "above" | "below";

/** Returns on which side of the fence between two texts the next one goes, if they say that. */
export function sideTold(above: string, between: string): Side | undefined {
  if (codePathsIn(between).some((path) => !above.includes(path))) return undefined;
  const [last, order] = [above, between].map((text) => text.trim().split("\n").at(-1) ?? "") as [string, string];
  const asked = last.split(/(?<=[.!?]) (?=\p{Lu})/u).at(-1) ?? "";
  if (order.length > MAX_ORDER || NOT_ASKED.test(asked)) return undefined;
  return besideIt(order) ?? (ADDS.test(order) ? sideIn(PLACE_ENDS.exec(last)) : undefined);
}

/**
 * Returns on which side of the fence above it a text says that the next one goes: add this right below it. What follows
 * an edit needs no verb: and right below it.
 */
export function besideIt(text: string, isBehindEdit = false): Side | undefined {
  // Behind an edit, "after that" tells when.
  if (isBehindEdit && LATER.test(text)) return undefined;
  return sideIn(ADD_BESIDE_IT.exec(text) ?? BESIDE_IT_ADD.exec(text) ?? (isBehindEdit ? BESIDE_IT.exec(text) : null));
}

/** Returns whether two texts speak of a place beside the fence between them, but order nothing there. */
export function isBesideWithoutOrder(above: string, between: string): "fence" | "next" | undefined {
  if (sideTold(above, between) !== undefined || codePathsIn(between).length > 0) return undefined;
  if (ENDS_BESIDE.test(above)) return "fence";
  return IS_BESIDE.test(between) && besideIt(between, true) === undefined ? "next" : undefined;
}

/** A text, the sentences about it, and what it replaces. */
export interface Given {
  readonly [parameter: string]: string;
  readonly content: string;
  readonly told: string;
}

/** Returns what some lines replace: an old text, or where they go beside it, nothing or what is around them. */
export function placedAt(
  old: string,
  { content, told }: Given,
  side: Side | undefined,
  textOf: () => string | undefined,
): Given {
  if (side === undefined) return { content, old, told };
  const [name] = [old, content].map((text) => DECLARED.exec(text)?.[1]);
  if (name !== undefined && DECLARED.test(content)) return { content, told: `${told} ${side} \`${name}\`` };
  const placed = withAnchor(old, content, side);
  // They may be there already.
  return isIn(placed, textOf()) ? { content: placed, old: placed, told } : { content: placed, old, told };
}

/** Returns whether a file has some lines, however deep. */
export function isIn(content: string, file: string | undefined): boolean {
  const [lines, all] = [content.trim(), file ?? ""].map((text) => text.replace(/^[ \t]+|[ \t\r]+$/gm, ""));
  return `\n${all}\n`.includes(`\n${lines}\n`);
}

/** Returns a text that names what is above, beside which something goes: to the same class. */
export function inSamePlace(text: string, shown: string): string {
  const [, name] = SAME_PLACE.test(text) ? (CALLABLE.exec(shown) ?? []) : [];
  return name === undefined ? text : `${text} below \`${name}\``;
}

const SAME_PLACE =
  /\b(?:to|in|into|inside|within) the same (?:impl|class|struct|type|module|block|object|trait|interface)\b/i;
const CALLABLE = /([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:<[^>\n]*>)?\(/u;

/** Returns new lines together with those beside which they go, as deep as these if one of them stands at the margin. */
function withAnchor(anchor: string, shown: string, side: Side): string {
  const edge = (side === "below" ? anchor.trimEnd().split("\n").at(-1) : anchor.split("\n", 1)[0]) ?? "";
  const [depth, margin] = [edge, shown].map((text) => /^[ \t]*/.exec(text)?.[0] ?? "") as [string, string];
  const isSame = depth === margin || (depth !== "" && margin !== "") || OPENS.test(edge);
  const lines = shown.trimEnd().split("\n");
  const added = isSame ? lines : lines.map((line) => (line === "" ? line : depth + line.slice(margin.length)));
  const text = `${added.join("\n")}\n`;
  return side === "below" ? `${anchor.trimEnd()}\n${text}` : `${text}${anchor}`;
}

function sideIn(match: RegExpExecArray | null): Side | undefined {
  if (match === null) return undefined;
  return /^(?:above|before)$/i.test(match[1] ?? "") ? "above" : "below";
}

/** UTF-16 units. */
const MAX_ORDER = 120;
/** A function or a type, alone or with its decorators and comments. */
const DECLARED =
  /^(?:[ \t]*(?:[@#*]|\/[/*]).*\n)*[ \t]*(?:(?:async|default|export|final|internal|override|private|protected|pub(?:\([^)]*\))?|public|static)[ \t]+)*(?:class|def|enum|fn|fun|func(?:[ \t]*\([^)]*\))?|function|impl|interface|struct|trait|type)[ \t]+([\p{L}_$][\p{L}\p{N}_$]*)/u;
const OPENS = /[{:([]\s*$/;
const SIDE = "(?:right |just |directly |immediately )?(above|after|before|below|beneath|under|underneath)";
const LINE = "(?:block|call|check|class|code|function|import|line|lines|method|part|statement|two lines)";
const ADD = "(?:add|append|insert|paste|place|put)";
/** New code, in few words: the following, a check. What goes into a shell goes into no file. */
const NEW =
  "(?: (?:an?|another|one more|the|these|this)\\b(?:(?!\\b(?:breakpoint|tests?|(?:in|into|on|to) (?:an?|our|the|your))\\b)[^`:\\n]){0,60})?";
const IN = "(?:in|inside|within) (?:the )?[*_]*`[^`\\n]+`[*_]*(?:\\(\\))?(?: \\w+)?(?: \\([^()\\n]*\\))?";
const LEAD = `^\\W*(?:(?:also|and|finally|first|next|now|please|so|step \\d+|then|you (?:can|need to|should)|${IN})\\W+)*`;
/** In `a.py`, right after this line: */
const PLACE_ENDS = new RegExp(
  `${LEAD}(?:(?:for|to) [^,\`\\n]{3,60}, )?(?:[*_]*\`[^\`\\n]+\`[*_]*\\W+|${IN}\\W+)*${SIDE}(?: (?:the|these|this)(?: (?:existing|following))?(?: ${LINE})?)?(?: ${IN})?\\W*$`,
  "i",
);
const ADDS = new RegExp(`${LEAD}${ADD}${NEW}\\W*$`, "i");
const IT = `(?:it|that|this|them|these|th(?:at|e|ese|is|ose) ${LINE})`;
/** And add this right below it. */
const ADD_BESIDE_IT = new RegExp(`${LEAD}${ADD}${NEW} ${SIDE} ${IT}\\W*$`, "i");
/** Right below it, add. */
const BESIDE_IT_ADD = new RegExp(`${LEAD}${SIDE} ${IT}(?: ${IN})?,? ${ADD}${NEW}\\W*$`, "i");
/** And right below it. */
const BESIDE_IT = new RegExp(`${LEAD}${SIDE} ${IT}\\W*$`, "i");
const LATER = new RegExp(`${LEAD}after (?:that|these|this|those)(?: (?:change|edit|step)s?)?(?:,|\\W*$)`, "i");
const IS_BESIDE = new RegExp(`\\b${SIDE} ${IT}\\W*$`, "i");
/** A sentence that ends with a place: it fails right after this line. A label such as "After" has no word before it. */
const ENDS_BESIDE = new RegExp(`[\\w\`,] ${SIDE}(?:\\s*$|(?: (?:the|these|this)(?: ${LINE})?)(?: ${IN})?\\W*$)`, "i");
