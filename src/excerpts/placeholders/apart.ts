/** Finds lines that an answer shows together, and that have others between them in the text that is made of it. */
import { largest } from "../../core/lists.ts";
import { ascendingLines } from "../../edit/lines.ts";
import { importsIn } from "../declarations/imports.ts";
import type { Grammar } from "../contexts.ts";
import { everyPart } from "../parts.ts";
import { isRemark } from "../remarks.ts";

interface Made {
  /** What is shown, with its placeholders. */
  readonly content: string;
  readonly text: string;
  readonly source: Grammar;
  readonly isHole: (line: string) => boolean;
}

/**
 * Returns two such lines. Comments, imports and declarations may stand between them without a mark, but for properties
 * of a rule; and a declaration may stand elsewhere.
 */
export function apartIn({ content, text, source, isHole }: Made): readonly [string, string] | undefined {
  // What stands there as it is shown has nothing between its lines.
  if (stretchesOf(content, isHole).every((stretch) => text.includes(stretch))) return undefined;
  const [shown, rows] = [rowsIn(content, isHole), rowsIn(text, () => false)];
  const places = new Map<string, number[]>();
  for (const [at, row] of rows.entries()) {
    const known = places.get(row.text);
    if (known === undefined) places.set(row.text, [at]);
    else known.push(at);
  }
  const ends = endsIn(text, rows, source);
  const isCovered = (from: number, to: number): boolean => {
    let at = from;
    while (at < to) {
      const last = largest((ends.get(at) ?? []).filter((end) => end < to));
      if (last < at) return false;
      at = last + 1;
    }
    return true;
  };
  let above: readonly number[] = [];
  for (const [index, row] of shown.entries()) {
    const all = isHole(row.line) ? [] : (places.get(row.text) ?? []);
    const beside = all.filter((at) => above.includes(at - 1));
    const isMany = all.length * above.length > MAX_PAIRS;
    const isFurther = (at: number): boolean =>
      ends.has(at) || above.some((place) => place < at && isCovered(place + 1, at));
    const next = beside.length > 0 || isMany ? beside : all.filter(isFurther);
    const last = shown[index - 1];
    if (last !== undefined && above.length > 0 && all.length > 0 && next.length === 0 && !isMany)
      return [last.line, row.line];
    above = next.length > 0 ? next : all;
  }
  return undefined;
}

const MAX_PAIRS = 10_000;

/** Returns what stands between placeholders. */
function stretchesOf(content: string, isHole: (line: string) => boolean): readonly string[] {
  const lines = content.split("\n").map((line) => (isHole(line.trim()) ? "\0" : line));
  return lines
    .join("\n")
    .split("\0")
    .map((stretch) => stretch.replace(/^(?:[ \t]*\n)+|\s+$/g, ""));
}

interface Row {
  /** Trimmed. */
  readonly line: string;
  /** That without what divides members, and without spaces. */
  readonly text: string;
  /** 0-based. */
  readonly at: number;
}

function rowsIn(text: string, isHole: (line: string) => boolean): readonly Row[] {
  const { lines, all } = importsIn(text);
  const imports = new Set(all.flatMap(({ first, last }) => lines.slice(first, last + 1).map((_, at) => first + at)));
  /** What ends the comment or documentation that a line is in. */
  let end: string | undefined;
  return lines.flatMap((written, at) => {
    const line = written.trim();
    const [opened = "", begun = end] = DOCUMENTS.exec(line) ?? (line.startsWith("/*") ? ["/*", "*/"] : []);
    const isInside = end !== undefined || begun !== undefined;
    const from = end === undefined ? opened.length : 0;
    end = begun === undefined || line.includes(begun, from) ? undefined : begun;
    const isBeside = line === "" || isInside || imports.has(at) || isRemark(line);
    if (isBeside && !isHole(line)) return [];
    return [{ line, text: line.replaceAll(/\s+/g, "").replace(/[,;]+$/, ""), at }];
  });
}

/** The documentation of a function in Python. */
const DOCUMENTS = /^[rbu]*("""|''')/;

/** Returns the last rows of declarations, by the first ones. */
function endsIn(text: string, rows: readonly Row[], { parts }: Grammar): ReadonlyMap<number, readonly number[]> {
  const lineOf = ascendingLines(text);
  const ends = new Map<number, number[]>();
  let from = 0;
  for (const { part, around } of everyPart(parts(text))) {
    const first = lineOf(part.start) - 1;
    const last = first + text.slice(part.start, part.end).trimEnd().split("\n").length - 1;
    while ((rows[from]?.at ?? Infinity) < first) from += 1;
    let to = from;
    while ((rows[to + 1]?.at ?? Infinity) <= last) to += 1;
    const isProperty = around.at(-1)?.kind === "rule" && part.kind !== "rule";
    if (!isProperty) ends.set(from, [...(ends.get(from) ?? []), to]);
  }
  return ends;
}
