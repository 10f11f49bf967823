import { lineRanges } from "./lines.ts";
import { plain, REPORT_MARK, splitMargins, withoutReportMark } from "./quotation.ts";
import { shiftBetween } from "./shift.ts";

/** A kind of formatting in which a quotation and the file may differ, as named in results. */
export type Rule = keyof typeof WORDS;

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
