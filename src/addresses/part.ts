/** The tree of a file's addressable parts. */
import { escapeOf } from "../core/visible.ts";
import { countsOf } from "../core/counted.ts";

/** The kind of a part, in the terms of its language. */
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
  | "table"
  | "trait"
  | "type"
  | "union"
  | "variable";

export interface Part {
  /** One step of an address, unique among siblings: the name, or `name#2` for the second of that name. */
  readonly step: string;
  readonly name: string;
  /** An alternative for addresses, e.g. `Server@@Start`. Used only if the address names nothing else. */
  readonly alias?: string | undefined;
  readonly kind: Kind;
  /** UTF-16 range of everything that belongs to it, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** Whether a syntax error in it, or in a part around it, makes its end a guess. */
  readonly isUncertain: boolean;
  /** Where its definition begins, if overload signatures stand above that. */
  readonly definition?: number | undefined;
  /** In file order. */
  readonly children: readonly Part[];
}

/** A part as found by a language's reader. Readers return parts by start, outer before inner. */
export interface FoundPart {
  readonly name: string;
  readonly alias?: string | undefined;
  readonly kind: Kind;
  /** Range of the declaration itself. Parts inside it are its children. */
  readonly start: number;
  readonly end: number;
  /** Range including its comments and decorators. */
  readonly from: number;
  readonly to: number;
  readonly isUncertain?: boolean;
  /** Where its definition begins, if overload signatures stand above that. */
  readonly definition?: number;
}

/** Maximum depth with addresses. Nobody reads deeper ones, and hostile files have a million levels. */
const MAX_LEVELS = 100;

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };
type Growing = Mutable<Omit<Part, "children">> & { readonly children: Growing[] };

/** Builds a tree from the containment of ranges. */
export function nest(ranges: readonly FoundPart[]): Part[] {
  const top: Growing[] = [];
  const open: Array<{
    readonly start: number;
    readonly end: number;
    readonly isUncertain: boolean;
    readonly children: Growing[];
  }> = [];
  for (const { name, alias, kind, start, end, from, to, definition, isUncertain = false } of ranges) {
    while ((open.at(-1)?.end ?? Infinity) <= start) open.pop();
    if (open.length >= MAX_LEVELS) continue;
    const around = open.at(-1);
    const siblings = around?.children ?? top;
    const isDoubtful = isUncertain || around?.isUncertain === true;
    const step = writeName(name);
    // A comment may lie at the end of the previous part, or above the enclosing one.
    const part: Growing = {
      step,
      name: step,
      ...(alias !== undefined && { alias: writeName(alias) }),
      kind,
      start: Math.max(from, siblings.at(-1)?.end ?? around?.start ?? 0),
      end: to,
      isUncertain: isDoubtful,
      ...(definition !== undefined && { definition }),
      children: [],
    };
    siblings.push(part);
    // A part extends to the end of its wrapper, which a syntax error may fill with further parts.
    open.push({ start, end: Math.max(end, to), isUncertain: isDoubtful, children: part.children });
  }
  numberSteps(top);
  return top;
}

/** Returns the text of a part that none of its members has, those on lines of their own. */
export function textBeside(text: string, { start, end, children }: Pick<Part, "start" | "end" | "children">): string {
  let [beside, at] = ["", start];
  for (const child of children) {
    beside += `${text.slice(at, Math.max(at, child.start))}\n`;
    at = Math.max(at, child.end);
  }
  return beside + text.slice(at, end);
}

/** Makes a name fit on one line of a block or report: collapses white space, and writes other special names as JSON. */
function writeName(name: string): string {
  const onOneLine = name.replaceAll(/\s+/g, " ");
  const isPlain = onOneLine !== "" && onOneLine.trim() === onOneLine && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(onOneLine);
  return isPlain ? onOneLine : JSON.stringify(name).replaceAll(/[\p{Cc}\p{Cf}]/gu, escapeOf);
}

/** Numbers siblings with the same name: `name#1`, `name#2`. Adds another `#` if a sibling really has that name. */
function numberSteps(parts: readonly Growing[]): void {
  const counts = countsOf(parts.map(({ name }) => name));
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
