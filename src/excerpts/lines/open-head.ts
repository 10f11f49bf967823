/** Places what ends with the head of a declaration: a new form of that head, documentation or decorators above it. */
import { isRemark } from "../remarks.ts";
import type { Line, Within } from "../text.ts";

/**
 * Returns where lines stand that end with the head of a declaration, and nothing of its body, if the file declares that
 * name once. The head may be a new form of the one that is there, of one line, with all its words before the name; what
 * is new above it documents or decorates it.
 */
export function placeAtHead(there: readonly Line[], shown: readonly Line[], isAddition: boolean): Within | undefined {
  const last = shown.at(-1);
  const name = last === undefined || !OPENED.test(last.text) ? undefined : nameIn(last.text);
  if (last === undefined || name === undefined) return undefined;
  const [at, another] = [...there.keys()].filter((index) => nameIn(there[index]?.text ?? "") === name);
  const head = at === undefined ? undefined : there[at];
  if (at === undefined || head === undefined || another !== undefined || !OPENED.test(head.text)) return undefined;
  const [had, has] = [head, last].map(({ text }) => wordsBefore(text, name)) as [string[], string[]];
  if (!had.every((word) => has.includes(word)) || (isAddition && head.text !== last.text)) return undefined;
  const prefix = shown.slice(0, -1);
  const isThere = (line: Line | undefined, index: number): boolean =>
    line !== undefined && there[at - prefix.length + index]?.text === line.text;
  const fresh = prefix.slice(0, prefix.findLastIndex((line, index) => !isThere(line, index)) + 1);
  const first = there[at - prefix.length + fresh.length]?.at ?? head.at;
  const place = { first, last: head.at };
  if (fresh.length === 0) return place;
  // What stands above them without a blank line may be the old form of them.
  const above = there.find((line) => line.at === first - 1);
  const isFree = above === undefined || (OPENED.test(above.text) && !isRemark(above.text));
  return isFree && BEGINS.test(fresh[0]?.text ?? "") && fresh.every(({ text }) => isRemark(text)) ? place : undefined;
}

/** Documents or decorates what is below it. */
const BEGINS = /^(?:\/\*\*|\/\/\/|@\w|#\[)/;

/** Returns the name that a line declares, with the sign that its parameters or members begin with. */
function nameIn(line: string): string | undefined {
  return HEAD.exec(line)?.[1];
}

function wordsBefore(line: string, name: string): string[] {
  return line.slice(0, line.indexOf(name)).match(/\w+/g) ?? [];
}

const HEAD = /^(?:[\w()]+ )*(?:def|function\*?|func|fn|fun|class|interface|struct|trait|enum) ([\p{L}_$][\w$]*)\b/u;
/** Ends with what begins a body. */
const OPENED = /[{:]\s*$/;
