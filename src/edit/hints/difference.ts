/** Describes how a quoted text differs from the most similar lines of a file. */
import { diffArrays } from "diff";
import { counted } from "../../core/counted.ts";
import { append } from "../../core/lists.ts";
import { lineNumberAt, shortenApart } from "../lines.ts";
import { holds } from "../match.ts";
import type { Search } from "../passes.ts";
import { plain, splitMargins } from "../quotation.ts";
import { conversionBetween, isNone, NO_SHIFT, type Shift, shiftBetween, shifted } from "../tolerance.ts";
import { type Closest, MAX_COMPARED } from "./closest.ts";
import { commonWords, wordsOf } from "./similar.ts";

/** Maximum number of lines that show a difference. */
const MAX_SHOWN_LINES = 18;
/** Maximum number of differences to find in long texts. More would help nobody. */
const MAX_DIFFERENCES = 200;
/** Unchanged lines to show before and after changed ones. */
const CONTEXT = 2;

/**
 * Names the kind of difference, then lists the lines: `-` before those only quoted, `+` and the number before those
 * only in the file. Shows tabs and spaces where they are the difference.
 */
export function describeDifference(
  { bytes, parameter, match }: Pick<Search, "bytes" | "parameter" | "match">,
  { wanted, place, lines }: Closest,
): string {
  const firstLine = lineNumberAt(bytes, place.start);
  const pairs = alignLines(wanted, lines);
  const shift = match === "tolerant" ? commonShift(pairs) : NO_SHIFT;
  const isExact = ({ quoted, actual }: Pair): boolean => quoted?.text === actual?.text;
  const tolerated = inOrder(pairs, match === "tolerant" ? (pair) => isSame(pair, shift) : isExact);
  const isAllTolerated = tolerated.every(({ sign }) => sign === " ");
  const isUneven =
    isAllTolerated &&
    kindOf(
      wanted,
      tolerated.map(({ text }) => text),
    ) === UNEVEN;
  // Each line is tolerable by itself, but not all of them together.
  const compared = isUneven ? inOrder(pairs, isExact) : tolerated;
  const actual = compared.filter(({ sign }) => sign !== "-").map(({ text }) => text);
  const where = actual.length === 1 ? `line ${firstLine}` : `lines ${firstLine}-${firstLine + actual.length - 1}`;
  const all = shownLines(compared, firstLine);
  const shown = all.slice(0, MAX_SHOWN_LINES);
  const more = all.length > shown.length ? [`       … (${counted(all.length - shown.length, "more line")})`] : [];
  const aside =
    !isNone(shift) && pairs.every((pair) => !hasSameBody(pair) || isSame(pair, shift))
      ? `, ${"by" in shift ? "indentation" : "tabs against spaces"} aside`
      : "";
  const kind = kindOf(wanted, actual) ?? countOf(compared, wanted.length) + aside;
  const legend = compared.some(({ isVisible }) => isVisible) ? "; → is a tab, · a space" : "";
  if (shown.length === 0) return `closest is ${where}, where ${kind}`;
  return [`closest is ${where}, where ${kind} (- ${parameter}, + the file${legend}):`, ...shown, ...more].join("\n");
}

interface Line {
  readonly text: string;
  /** In plain characters, like the indentation. */
  readonly body: string;
  readonly indent: string;
}

/** A line of the quotation and the one of the file that it seems to be. One of them may be missing. */
interface Pair {
  readonly quoted?: Line;
  readonly actual?: Line;
  /** The first line may have been quoted without its indentation. */
  readonly isFirst: boolean;
}

function lineOf(text: string): Line {
  const [indent, body] = splitMargins(plain(text));
  return { text, body, indent: body === "" ? "" : indent };
}

/**
 * Pairs the lines of both so that as much text as possible is the same or similar, in order. A plain diff would pair
 * lone braces.
 */
function alignLines(wanted: readonly string[], present: readonly string[]): Pair[] {
  const [quoted, actual] = [wanted.map(lineOf), present.map(lineOf)];
  const steps = quoted.length > MAX_COMPARED ? equalLines(quoted, actual) : similarLines(quoted, actual);
  const pairs: Pair[] = [];
  let [line, other] = [0, 0];
  for (const [nextLine, nextOther] of [...steps, [quoted.length, actual.length] as const]) {
    const isEnd = nextLine === quoted.length && nextOther === actual.length;
    const added = actual.slice(other, isEnd ? Math.min(nextOther, other + nextLine - line) : nextOther);
    append(pairs, [
      ...quoted.slice(line, nextLine).map((unmatched, index) => ({ quoted: unmatched, isFirst: line + index === 0 })),
      ...added.map((extra) => ({ actual: extra, isFirst: false })),
    ]);
    const [wantedLine, same] = [quoted[nextLine], actual[nextOther]];
    if (wantedLine !== undefined && same !== undefined)
      pairs.push({ quoted: wantedLine, actual: same, isFirst: nextLine === 0 });
    [line, other] = [nextLine + 1, nextOther + 1];
  }
  return pairs;
}

type Step = readonly [quoted: number, actual: number];

function equalLines(quoted: readonly Line[], actual: readonly Line[]): Step[] {
  const parts =
    diffArrays([...quoted], [...actual], {
      maxEditLength: MAX_DIFFERENCES,
      comparator: (left, right) => left.body === right.body,
    }) ?? [];
  let [line, other] = [0, 0];
  return parts.flatMap(({ added, removed, value }) => {
    const steps = added || removed ? [] : value.map((_, index): Step => [line + index, other + index]);
    if (!added) line += value.length;
    if (!removed) other += value.length;
    return steps;
  });
}

/** Lines with fewer words in common, from 0 to 1, are other lines. */
const MIN_SIMILARITY = 0.5;

/** Finds the pairs with the highest sum of common text. */
function similarLines(quoted: readonly Line[], actual: readonly Line[]): Step[] {
  const words = new Map([...quoted, ...actual].map((line) => [line, wordsOf(line.body)]));
  const valueOf = (left: Line, right: Line): number => {
    const weight = Math.min(left.body.length, 80) + 1;
    if (left.body === right.body) return weight;
    const common =
      left.body === "" || right.body === "" ? 0 : commonWords(words.get(left) ?? [], words.get(right) ?? []);
    return common < MIN_SIMILARITY ? 0 : weight * common * 0.9;
  };
  const width = actual.length + 1;
  const best = new Float64Array((quoted.length + 1) * width);
  const at = (line: number, other: number): number => best[line * width + other] ?? 0;
  const values = quoted.map((line) => actual.map((other) => valueOf(line, other)));
  for (let line = quoted.length - 1; line >= 0; line--) {
    for (let other = actual.length - 1; other >= 0; other--) {
      const value = values[line]?.[other] ?? 0;
      best[line * width + other] = Math.max(
        at(line + 1, other),
        at(line, other + 1),
        value > 0 ? value + at(line + 1, other + 1) : 0,
      );
    }
  }
  const steps: Step[] = [];
  for (let [line, other] = [0, 0]; line < quoted.length && other < actual.length;) {
    const value = values[line]?.[other] ?? 0;
    if (value > 0 && at(line, other) === value + at(line + 1, other + 1)) steps.push([line++, other++]);
    else if (at(line, other) === at(line, other + 1)) other += 1;
    else line += 1;
  }
  return steps;
}

function hasSameBody({ quoted, actual }: Pair): boolean {
  return quoted !== undefined && actual !== undefined && quoted.body === actual.body;
}

/** Returns whether matching would tolerate all differences of a pair. */
function isSame(pair: Pair, shift: Shift): boolean {
  const { quoted, actual, isFirst } = pair;
  if (quoted === undefined || actual === undefined || !hasSameBody(pair)) return false;
  return quoted.body === "" || (isFirst && quoted.indent === "") || shifted(quoted.indent, shift) === actual.indent;
}

/**
 * Returns the shift of most lines that both have, or none if a line is indented alike in both: then that one would be
 * shown as the difference. The first line counts only if no other one does.
 */
function commonShift(pairs: readonly Pair[]): Shift {
  const all = pairs.flatMap((pair) =>
    hasSameBody(pair) && pair.quoted?.body !== ""
      ? [{ isFirst: pair.isFirst, indents: [pair.quoted?.indent ?? "", pair.actual?.indent ?? ""] as const }]
      : [],
  );
  const others = all.filter(({ isFirst }) => !isFirst);
  const indents = (others.length > 0 ? others : all).map((entry) => entry.indents);
  const conversion = conversionBetween(indents);
  if (conversion !== undefined) return conversion;
  if (all.some(({ indents: [left, right] }) => left === right)) return NO_SHIFT;
  const counts = new Map<string, { readonly shift: Shift; count: number }>();
  for (const [quoted, actual] of indents) {
    const shift = shiftBetween(quoted, actual);
    if (shift === undefined || !("by" in shift)) continue;
    const key = shift.by === "" ? "" : shift.kind + shift.by;
    const counted = counts.get(key) ?? { shift, count: 0 };
    counted.count += 1;
    counts.set(key, counted);
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count)[0]?.shift ?? NO_SHIFT;
}

interface ComparedLine {
  /** In both, only in the quotation, only in the file. */
  readonly sign: " " | "-" | "+";
  readonly text: string;
  /** Whether tabs and spaces around the content are the difference. */
  readonly isVisible?: boolean;
  /** The line that stands for it on the other side. */
  readonly other?: string | undefined;
}

/** Lists the lines. Between two that both have, those of the quotation come before those of the file. */
function inOrder(pairs: readonly Pair[], isEqual: (pair: Pair) => boolean): ComparedLine[] {
  const compared: ComparedLine[] = [];
  let [removed, added]: [ComparedLine[], ComparedLine[]] = [[], []];
  const flush = (): void => {
    const isPaired = removed.length === added.length;
    const paired = (lines: readonly ComparedLine[], others: readonly ComparedLine[]): ComparedLine[] =>
      lines.map((line, index) => ({ ...line, other: line.other ?? (isPaired ? others[index]?.text : undefined) }));
    append(compared, [...paired(removed, added), ...paired(added, removed)]);
    [removed, added] = [[], []];
  };
  for (const pair of pairs) {
    const { quoted, actual } = pair;
    if (actual !== undefined && isEqual(pair)) {
      flush();
      compared.push({ sign: " ", text: actual.text });
      continue;
    }
    const isVisible = hasSameBody(pair);
    if (quoted !== undefined) removed.push({ sign: "-", text: quoted.text, isVisible, other: actual?.text });
    if (actual !== undefined) added.push({ sign: "+", text: actual.text, isVisible, other: quoted?.text });
  }
  flush();
  return compared;
}

function shownLines(compared: readonly ComparedLine[], firstLine: number): string[] {
  let number = firstLine;
  const texts = shortenApart(
    compared.map(({ text, isVisible = false, other = text }) =>
      isVisible ? fromDifference(withVisibleMargins(text), withVisibleMargins(other)) : fromDifference(text, other),
    ),
  );
  const numbered = compared.map(
    ({ sign }, index) => `${sign === "-" ? " ".repeat(6) : String(number++).padStart(6)} ${sign} ${texts[index] ?? ""}`,
  );
  return numbered.filter((_, index) =>
    compared.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ sign }) => sign !== " "),
  );
}

/** A terminal shows no more of a line, in UTF-16 units. */
const MAX_EQUAL_START = 50;
const SHOWN_OF_START = 20;

/** Leaves out most of a long start that a line shares with another: their difference would be cut off. */
function fromDifference(text: string, other: string): string {
  if (text === other) return text;
  let start = 0;
  while (text[start] === other[start]) start += 1;
  if (start <= MAX_EQUAL_START) return text;
  return `…${text.slice(start - SHOWN_OF_START).replace(/^[\udc00-\udfff]/, "")}`;
}

function withVisibleMargins(line: string): string {
  return line.replace(/^[ \t]+|[ \t]+$/g, (blanks) => blanks.replaceAll("\t", "→").replaceAll(" ", "·"));
}

function countOf(compared: readonly ComparedLine[], lines: number): string {
  const differing = compared.filter(({ sign }) => sign === "-").length;
  if (differing === 0) return "the file has more lines";
  return differing === 1 ? "one line differs" : `${differing} of ${lines} lines differ`;
}

/** Returns the phrase of the simplest change that makes both equal, if there is a simple one. */
function kindOf(quoted: readonly string[], actual: readonly string[]): string | undefined {
  const same = (change: (line: string) => string) =>
    quoted.length === actual.length && quoted.every((line, index) => change(line) === change(actual[index] ?? ""));
  const tabs = (lines: readonly string[]) => lines.some((line) => /^ *\t/.test(line));
  const withoutSpace = (text: string) => text.replace(/\s+/g, "");
  if (same((line) => line)) return AROUND;
  if (same((line) => line.trim())) {
    if (tabs(actual) && !tabs(quoted)) return "the file is indented with tabs";
    if (tabs(quoted) && !tabs(actual)) return "the file is indented with spaces";
    return isShiftedAlike(quoted, actual) ? AROUND : UNEVEN;
  }
  if (same(withoutSpace)) return "white space within the lines differs";
  if (withoutSpace(quoted.join("")) === withoutSpace(actual.join(""))) return "line breaks or blank lines differ";
  if (same((line) => line.trim().toLowerCase())) return "upper and lower case differ";
  if (same(asSeen))
    return "invisible or look-alike characters differ; replace the lines by number, or send the whole file";
  return quoted.every((line, index) => holds(actual[index] ?? "", line.trim()))
    ? "the lines contain more than is quoted"
    : undefined;
}

const AROUND = "blank lines around it differ, or the text after it";
const UNEVEN = "the indentation differs unevenly";

function isShiftedAlike(quoted: readonly string[], actual: readonly string[]): boolean {
  let shift: Shift | undefined;
  return quoted.every((line, index) => {
    const [indent, body] = splitMargins(line);
    const [other] = splitMargins(actual[index] ?? "");
    if (body === "") return true;
    shift ??= shiftBetween(indent, other);
    return shift !== undefined && shifted(indent, shift) === other;
  });
}

/** Removes characters without width, and normalizes accents. */
function asSeen(line: string): string {
  return line
    .replace(/\p{Cf}/gu, "")
    .normalize()
    .trim();
}
