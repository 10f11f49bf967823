/** How a quotation may differ from the file where it matches: in the kinds that results name, and by its indentation. */
import { largest } from "../core/lists.ts";
import { lineRanges } from "./lines.ts";
import { plain, REPORT_MARK, splitMargins, withoutReportMark } from "./quotation.ts";
import { countsOf } from "../core/counted.ts";

/** A kind of formatting in which a quotation and the file may differ, as named in results. */
type Rule = keyof typeof WORDS;

const WORDS = {
  "line-endings": "line endings",
  "trailing-whitespace": "trailing white space",
  indentation: "indentation",
  tabs: "tabs against spaces",
  typography: "typographic characters",
  "report-mark": "a mark of Loaf's reports",
} as const;

export interface Tolerated {
  readonly rule: Rule;
  /** 1-based numbers of the file's lines before the edit, e.g. `4-9, 12`. */
  readonly lines: string;
}

/** Returns the differences between a quotation and its match, line by line. Both have the same number of lines. */
export function toleratedIn(quoted: string, matched: string, firstLine: number): Tolerated[] {
  const lines = new Map<Rule, number[]>();
  const foundLines = matched.split("\n");
  for (const [index, line] of quoted.split("\n").entries()) {
    for (const rule of rulesBetween(line, foundLines[index] ?? "")) {
      const numbers = lines.get(rule);
      if (numbers === undefined) lines.set(rule, [firstLine + index]);
      else numbers.push(firstLine + index);
    }
  }
  return [...lines].map(([rule, numbers]) => ({ rule, lines: lineRanges(numbers) }));
}

/** Formats differences for people: `trailing white space (lines 4-9, 12), indentation (line 4)`. */
export function describeTolerated(tolerated: readonly Tolerated[]): string {
  return tolerated
    .map(({ rule, lines }) => `${WORDS[rule]} (${/^\d+$/.test(lines) ? "line" : "lines"} ${lines})`)
    .join(", ");
}

/** Returns whether a quotation has typographic characters where its match has plain ones. */
export function hasAddedTypography(quoted: string, matched: string): boolean {
  const foundLines = matched.split("\n").map(contentOf);
  return quoted.split("\n").some((line, index) => {
    // Each typographic character is one unit, so equal content has them at the same index.
    const actual = foundLines[index] ?? "";
    return contentOf(line)
      .split("")
      .some((unit, at) => unit !== actual[at] && plain(unit) === actual[at]);
  });
}

function contentOf(line: string): string {
  return splitMargins(withoutReportMark(withoutCr(line)[0]))[1];
}

function rulesBetween(quoted: string, matched: string): Rule[] {
  if (quoted === matched) return [];
  const [quotedLine, quotedEnd] = withoutCr(quoted);
  const [foundLine, foundEnd] = withoutCr(matched);
  const isMarked = quotedLine.startsWith(REPORT_MARK) && !foundLine.startsWith(REPORT_MARK);
  const [indent, body, trail] = splitMargins(isMarked ? withoutReportMark(quotedLine) : quotedLine);
  const [foundIndent, foundBody, foundTrail] = splitMargins(foundLine);
  const isShifted = plain(indent) !== plain(foundIndent);
  const isConverted = isShifted && shiftBetween(plain(indent), plain(foundIndent)) === undefined;
  const differs: Readonly<Record<Rule, boolean>> = {
    "line-endings": quotedEnd !== foundEnd,
    "trailing-whitespace": trail !== foundTrail,
    indentation: isShifted && !isConverted,
    tabs: isConverted,
    typography: body !== foundBody || (!isShifted && indent !== foundIndent),
    "report-mark": isMarked,
  };
  return (Object.keys(differs) as Rule[]).filter((rule) => differs[rule]);
}

function withoutCr(line: string): [string, string] {
  return line.endsWith("\r") ? [line.slice(0, -1), "\r"] : [line, ""];
}

/** How the indentation of a file's lines differs from that of a quotation. In plain characters. */
export type Shift =
  /** The same text is added to, or removed from, all lines. */
  { readonly kind: "added" | "removed"; readonly by: string } | Conversion;

/**
 * Every line is indented by tabs on one side and by spaces on the other: one tab for `unit` spaces. A line of the
 * quotation that is `depth` units deep is `depth + deeper` units deep in the file.
 */
interface Conversion {
  readonly kind: "to-tabs" | "to-spaces";
  readonly unit: number;
  readonly deeper: number;
  /** Whether lines of two depths prove the unit. One depth may also be two units in place of one. */
  readonly isProved: boolean;
}

export const NO_SHIFT: Shift = { kind: "added", by: "" };

/** Returns whether a shift changes nothing. */
export function isNone(shift: Shift): boolean {
  return "by" in shift && shift.by === "";
}

/** Returns the difference between two indentations, or undefined if neither ends with the other. */
export function shiftBetween(quoted: string, actual: string): Shift | undefined {
  if (actual.endsWith(quoted)) return { kind: "added", by: actual.slice(0, actual.length - quoted.length) };
  return quoted.endsWith(actual) ? { kind: "removed", by: quoted.slice(0, quoted.length - actual.length) } : undefined;
}

/** The indentation of one line: as quoted, and as the file has it. */
export type Indents = readonly [quoted: string, actual: string];

/** A tab stands for no more spaces. */
const MAX_UNIT = 8;

/** Returns the conversion that all lines share. Undefined if there is none, or a line mixes tabs and spaces. */
export function conversionBetween(lines: readonly Indents[]): Conversion | undefined {
  const all = (side: 0 | 1, allowed: RegExp): boolean => lines.every((indents) => allowed.test(indents[side]));
  const kind = all(0, SPACES) && all(1, TABS) ? "to-tabs" : all(0, TABS) && all(1, SPACES) ? "to-spaces" : undefined;
  if (kind === undefined) return undefined;
  const sizes = lines.map(([quoted, actual]) =>
    kind === "to-tabs"
      ? { spaces: quoted.length, tabs: actual.length }
      : { spaces: actual.length, tabs: quoted.length },
  );
  const [first] = sizes;
  const other = sizes.find(({ tabs }) => tabs !== first?.tabs);
  if (first === undefined) return undefined;
  // A single depth proves no shift: its lines must be as deep as the file's.
  const unit =
    other === undefined ? first.spaces / first.tabs : (other.spaces - first.spaces) / (other.tabs - first.tabs);
  const extra = other === undefined ? 0 : first.tabs - first.spaces / unit;
  // Lines of one depth count as a place even if no unit fits, so that another place is not taken for the only one.
  const isPossible = other === undefined ? first.spaces > 0 && first.tabs > 0 : isUnit(unit) && Number.isInteger(extra);
  if (!isPossible || !sizes.every(({ spaces, tabs }) => spaces === unit * (tabs - extra))) return undefined;
  return { kind, unit, deeper: kind === "to-tabs" ? extra : 0 - extra, isProved: other !== undefined };
}

function isUnit(unit: number): boolean {
  return Number.isInteger(unit) && unit > 0 && unit <= MAX_UNIT;
}

const SPACES = /^ *$/;
const TABS = /^\t*$/;

/** Returns an indentation after a shift, or undefined if it has less than is removed, or is not made of whole units. */
export function shifted(indent: string, shift: Shift): string | undefined {
  switch (shift.kind) {
    case "added":
      return shift.by + indent;
    case "removed":
      return indent.startsWith(shift.by) ? indent.slice(shift.by.length) : undefined;
    default: {
      const isWhole =
        shift.kind === "to-tabs" ? SPACES.test(indent) && indent.length % shift.unit === 0 : TABS.test(indent);
      const depth = (shift.kind === "to-tabs" ? indent.length / shift.unit : indent.length) + shift.deeper;
      if (!isWhole || depth < 0) return undefined;
      return shift.kind === "to-tabs" ? "\t".repeat(depth) : " ".repeat(depth * shift.unit);
    }
  }
}

/**
 * Returns whether a conversion holds for a new text too. An unproved unit counts if the new text stays at the depth of
 * the old one, or if lines that are deeper than the one above them are so by just this unit: all in the texts, if these
 * have the spaces, or most in the file.
 *
 * @param texts the indentation of the old and the new lines
 * @param fileIndents that of the file's lines
 */
export function isUnitOf(
  shift: Shift,
  texts: ReadonlyArray<readonly string[]>,
  fileIndents: () => readonly string[],
): boolean {
  if ("by" in shift || shift.isProved) return true;
  if (new Set(texts.flat()).size === 1) return isUnit(shift.unit);
  const steps =
    shift.kind === "to-tabs"
      ? texts.flatMap(stepsIn)
      : mostCommon(stepsIn(fileIndents().filter((indent) => SPACES.test(indent))));
  return isUnit(shift.unit) && steps.length > 0 && steps.every((step) => step === shift.unit);
}

/** Returns by how much lines are deeper than the ones above them. */
function stepsIn(indents: readonly string[]): number[] {
  return indents
    .map((indent, index) => indent.length - (indents[index - 1] ?? indent).length)
    .filter((step) => step > 0);
}

function mostCommon(steps: readonly number[]): number[] {
  const counts = countsOf(steps);
  const most = largest(counts.values());
  return [...counts].flatMap(([step, count]) => (count === most ? [step] : []));
}

export function isSameShift(left: Shift, right: Shift): boolean {
  return (
    (isNone(left) && isNone(right)) ||
    ("by" in left && "by" in right && left.by === right.by && left.kind === right.kind)
  );
}
