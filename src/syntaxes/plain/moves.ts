/** Tells a sentence that moves the code below it to another file: one fence shows no more than one of its two edits. */
import { codePathsIn, MAX_SENTENCE } from "../path-label.ts";
import { mainClauseOf, withoutMarks } from "./clause.ts";
import type { Passage } from "./passages.ts";

/** Returns whether the sentence above a fence moves it to another file, alone or with the one below. */
export function movesCode(passages: readonly Passage[], index: number, intro: string): boolean {
  const above = (intro.split("\n").at(-1) ?? "").replace(/[:：]\s*$/, "");
  const [next, second] = passages.slice(index + 1, index + 3);
  const below = next?.kind === "prose" && second?.kind !== "fence" ? (next.text.split("\n")[0] ?? "") : "";
  if (above.length + below.length > MAX_SENTENCE) return false;
  // An answer may stand before it: good question!
  const orders = above.split(/(?<=[.!?])\s+(?=[A-Z])/).map((_, at, sentences) => sentences.slice(at).join(" "));
  const isPasted = PASTES.test(below) && codePathsIn(below).length > 0;
  return orders.some((order) => (isPasted && isCut(order)) || isMove(isPasted ? `${order} ${below}` : order));
}

/** Returns whether a sentence takes code away, wherever it stands. */
function isCut(order: string): boolean {
  return MOVES.test(mainClauseOf(withoutMarks(order)));
}

function isMove(order: string): boolean {
  const [first, last, third] = codePathsIn(order);
  if (first === undefined || last === undefined || third !== undefined || first === last) return false;
  const wordsBefore = (path: string): string => order.slice(0, order.indexOf(path)).replace(/[`*]+$/, "");
  return isCut(order) && FROM.test(wordsBefore(first)) && TO.test(wordsBefore(last));
}

/** The error of such a fence. */
export const MOVED = {
  code: "INVALID_OPERATION",
  message:
    "code that moves to another file is two edits: write Delete this from `old path` above it, and Add this to `new path` above it again",
} as const;

/** Returns whether some code has nothing but imports: below code that is refused, it is what that needs. */
export function holdsOnlyImports(content: string): boolean {
  return content.replace(IMPORTS, "") === "";
}

const MOVES = /^(?:(?:you|we) (?:can|have to|must|need to|should) )?(?:cut|move|relocate|take\b(?=.*\bout\b))\b/i;
/** Ends what a sentence above a fence begins. */
const PASTES = /^(?:(?:and|now|then) )*(?:(?:add|insert|paste|put) (?:it|that|them|this)\b|(?:in)?to (?:the )?`)/i;
const FROM = /(?:\b(?:from|inside|of|out of)|^\W*in)(?: (?:the|your))?(?: file)? $/i;
const TO =
  /\b(?:(?:in)?to|(?:paste|put) (?:it|that|them|this) (?:at|in))(?: (?:a|an|called|end|file|its|module|named|new|of|own|separate|the|top|your),?)* $/i;
const IMPORTS =
  /^(?:[ \t]*(?:(?:from|import|package|require(?:_relative)?|use|using|#[ \t]*include)\b.*|(?:const|let|var) .*\brequire\(.*)?\n)+/;
