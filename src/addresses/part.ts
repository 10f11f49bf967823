/** The parts of a file that an address can name, as a tree. */

/** What kind of thing a part is, in the words of its language. */
export type Kind =
  | "class"
  | "constant"
  | "constructor"
  | "declaration"
  | "document"
  | "enum"
  | "field"
  | "front matter"
  | "function"
  | "impl"
  | "interface"
  | "item"
  | "key"
  | "macro"
  | "method"
  | "module"
  | "namespace"
  | "property"
  | "record"
  | "rule"
  | "section"
  | "struct"
  | "trait"
  | "type"
  | "union"
  | "variable";

export interface Part {
  /** One step of an address, unique among the parts beside it: the name, with `#2` where the second of that name is meant. */
  readonly step: string;
  readonly name: string;
  /** What an address may say instead where it names nothing else: `Server@@Start`. */
  readonly alias?: string | undefined;
  readonly kind: Kind;
  /** UTF-16 offsets of all that belongs to it, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** It, or a part around it, holds a syntax error by which it is a guess where it ends. */
  readonly isUncertain: boolean;
  /** In the order of the file. */
  readonly children: readonly Part[];
}

/** A part as a language's reader finds it. Readers hand them out in the order in which they begin, the outer before the inner. */
export interface Found {
  readonly name: string;
  readonly alias?: string | undefined;
  readonly kind: Kind;
  /** The declaration itself: what lies in it lies in the part. */
  readonly start: number;
  readonly end: number;
  /** Where what belongs to it begins and ends, with its comments and decorators. */
  readonly from: number;
  readonly to: number;
  readonly isUncertain?: boolean;
}

/** What is nested deeper has no address: no one reads such a one, and hostile files are nested a million times. */
const MOST_LEVELS = 100;

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };
type Growing = Mutable<Omit<Part, "children">> & { readonly children: Growing[] };

/** Makes a tree of what was found, by which lies in which. */
export function nest(found: readonly Found[]): Part[] {
  const top: Growing[] = [];
  const open: Array<{ readonly start: number; readonly end: number; readonly isUncertain: boolean; readonly children: Growing[] }> = [];
  for (const { name, alias, kind, start, end, from, to, isUncertain = false } of found) {
    while ((open.at(-1)?.end ?? Infinity) <= start) open.pop();
    if (open.length >= MOST_LEVELS) continue;
    const around = open.at(-1);
    const siblings = around?.children ?? top;
    const isDoubtful = isUncertain || around?.isUncertain === true;
    const step = writeName(name);
    // A comment may lie at the end of the part before, or above the part around.
    const part: Growing = { step, name: step, ...(alias !== undefined && { alias: writeName(alias) }), kind, start: Math.max(from, siblings.at(-1)?.end ?? around?.start ?? 0), end: to, isUncertain: isDoubtful, children: [] };
    siblings.push(part);
    open.push({ start, end, isUncertain: isDoubtful, children: part.children });
  }
  numberSteps(top);
  return top;
}

/** On one line and visible, so that a block and a report can hold it: white space becomes single spaces, other names are JSON. */
function writeName(name: string): string {
  const onOneLine = name.replaceAll(/\s+/g, " ");
  const isPlain = onOneLine !== "" && onOneLine.trim() === onOneLine && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(onOneLine);
  return isPlain ? onOneLine : JSON.stringify(name).replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Names that siblings share become `name#1`, `name#2`; with one more `#` where a sibling is really called so. */
function numberSteps(parts: readonly Growing[]): void {
  const counts = new Map<string, number>();
  for (const { name } of parts) counts.set(name, (counts.get(name) ?? 0) + 1);
  const met = new Map<string, number>();
  for (const part of parts) {
    numberSteps(part.children);
    if (counts.get(part.name) === 1) continue;
    const number = (met.get(part.name) ?? 0) + 1;
    met.set(part.name, number);
    let mark = "#";
    while (counts.has(`${part.name}${mark}${number}`)) mark += "#";
    part.step = `${part.name}${mark}${number}`;
  }
}
