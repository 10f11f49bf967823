/** Reads sentences that move the code of a fence to another file: two edits, of which none runs without the other. */
import { codePathsIn } from "../path-label.ts";
import type { FileWith } from "../syntax.ts";
import type { Given } from "./anchors.ts";
import { mainClauseOf, withoutMarks } from "./clause.ts";
import type { FencePassage, FileTold, Passage } from "./passages.ts";

/** What sentences say of the code between them. */
export interface Move {
  /** Undefined if they name only where it goes. */
  readonly from: string | undefined;
  readonly to: string;
  /** What they call it: `f`, this. */
  readonly what: string;
  /** Beside what it goes: , above `g`. */
  readonly place: string;
  /** Whether it may go to another place in its file: to the top of `a.ts`. */
  readonly isInFile: boolean;
}

/** Returns the move that the sentence above a fence orders, alone or with the one below that completes it. */
export function moveAt(passages: readonly Passage[], index: number, intro: string): Move | undefined {
  const line = intro.split("\n").at(-1) ?? "";
  const sentence = line.split(/(?<=[.!?:])\s+(?=[A-Z])/).at(-1) ?? "";
  const above = MOVES.test(mainClauseOf(withoutMarks(sentence))) ? sentence : line;
  const [next, second] = passages.slice(index + 1, index + 3);
  const below = next?.kind === "prose" && second?.kind !== "fence" ? (next.text.split("\n")[0] ?? "") : "";
  const order = PASTES.test(below) ? `${above.replace(/[:：]\s*$/, "")} ${below}` : above;
  const main = mainClauseOf(withoutMarks(order));
  const [first, last = first, third] = codePathsIn(order);
  if (!MOVES.test(main) || first === undefined || last === undefined) return undefined;
  if (third !== undefined) return { from: first, to: first, what: "this", place: "", isInFile: false };
  const wordsBefore = (path: string): string => order.slice(0, order.indexOf(path)).replace(/[`*]+$/, "");
  const isTold = THERE.test(main) ? first === last : TO.test(wordsBefore(last));
  if (!isTold || (first !== last && !FROM.test(wordsBefore(first)))) return undefined;
  const names = [...order.slice(0, order.indexOf(last)).matchAll(NAME)].map(([name]) => name);
  const [side = ""] = EDGE.exec(wordsBefore(last)) ?? [];
  const [place = side && `, at the ${side}`] = PLACE.exec(order.slice(order.indexOf(last) + last.length)) ?? [];
  return {
    from: first === last ? undefined : first,
    to: last,
    what: names.filter((name) => name !== `\`${first}\``).join(" and ") || "this",
    place: place.replace(/^`/, ""),
    isInFile: side !== "",
  };
}

/**
 * Returns the edits of a move: none if nobody can tell which file has the code. Undefined if it may be no move, but the
 * text of a new file, or of another place in the same one.
 */
export function editsOfMove(
  { from, to, what, place, isInFile }: Move,
  { content, language }: Pick<FencePassage, "content" | "language">,
  fileWith: FileWith,
): ReadonlyArray<{ readonly file: FileTold; readonly given: Given }> | undefined {
  const path = from ?? fileWith({ content, language, told: what });
  if (path === undefined || path === to) return fileWith.textAt(to) === undefined || isInFile ? undefined : [];
  const code = content.replace(IMPORTS, "");
  const above = linesAbove(code, fileWith.textAt(path) ?? "");
  const moved = content.slice(0, content.length - code.length) + above + code;
  return [
    { file: { own: path, near: from }, given: { content: above + code, told: `Remove ${what} from \`${path}\`:` } },
    { file: { own: to, near: to }, given: { content: moved, told: `Add this to \`${to}\`${place}:`, adds: "true" } },
  ];
}

/** The error of a move whose sentences do not say which file has the code. */
export const UNTOLD = {
  code: "INVALID_OPERATION",
  message: "the text does not say which file has this code: write Move `name` from `old path` to `new path`",
} as const;

/** Returns whether some code has nothing but imports. */
export function holdsOnlyImports(content: string): boolean {
  return content.replace(IMPORTS, "") === "";
}

/** Returns the comments and decorators that a file has right above some code, which go with it. */
function linesAbove(code: string, text: string): string {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const head = lines.indexOf(code.trimStart().split("\n")[0] ?? "");
  let first = head;
  while (REMARK.test(lines[first - 1] ?? "")) first -= 1;
  return lines
    .slice(first, Math.max(first, head))
    .map((line) => `${line}\n`)
    .join("");
}

const MODAL =
  "(?:(?:you (?:can|have to|must|need to|should)|we (?:need to|should)|I(?:'d| would)|let's) (?:(?:also|just|now|then) )?)?";
/** Move `f`; `f` moves; `f` belongs in `b.ts`. Move it there. */
const MOVES = new RegExp(
  `^${MODAL}(?:cut|extract|migrate|move|pull|relocate|take\\b(?=.*\\bout of)|transfer)\\b|` +
    "^(?:the )?(?:\\w+ ){0,2}`[^`]*`(?: \\w+){0,2} (?:moves|(?:has to|must|needs to|should) (?:be moved|go|move))\\b|[.!] move (?:it|them|this) there\\b",
  "i",
);
const THERE = /[.!] move (?:it|them|this) there\b/i;
/** Ends what a sentence above a fence begins. */
const PASTES = /^(?:(?:and|now|then) )*(?:(?:add|insert|paste|put) (?:it|that|them|this)\b|(?:in)?to (?:the )?`)/i;
const FROM = /(?:\b(?:from|inside|of|out of)|^\W*in|`[^`]*`(?: \w+)? in)(?: (?:the|your))?(?: file)? $/i;
const TO =
  /\b(?:(?:in)?to|(?:paste|put) (?:it|that|them|this) (?:at|in))(?: (?:a|an|called|end|file|its|module|named|new|of|own|separate|the|top|your),?)* $/i;
const EDGE = /(?:end|top)(?= of )/i;
const NAME = /`[\p{L}_$][\p{L}\p{N}_$]*`/gu;
const PLACE =
  /^`[^,`\w]*(?: and)?[, ]*(?:(?:directly|just|right) )?(?:above|after|at the (?:end|top)|before|below|inside)\b(?:[^.:,`]|`[^`]*`)*/i;
/** Imports above code. They stay in the file that has had it. */
const IMPORTS =
  /^(?:[ \t]*(?:(?:from|import|package|require(?:_relative)?|use|using|#[ \t]*include)\b.*|(?:const|let|var) .*\brequire\(.*)?\n)+/;
const REMARK = /^[ \t]*(?:\/\/|#(?:[#[\s]|$)|--[ -]|\/?\*(?:[*/\s]|$)|@[^;{]*$)/;
