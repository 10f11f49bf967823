import type { Range } from "./code-points.ts";
import type { Regex } from "./parse.ts";

/**
 * Prints a regular expression for ripgrep. It matches every line that the original matches, and maybe more: ripgrep
 * knows neither byte order marks nor CRLF.
 */
export function printForRipgrep(regex: Regex): string {
  return print(regex, { isFirst: true, isLast: true });
}

/** Whether nothing comes before or after a part. */
interface Place {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

function print(regex: Regex, place: Place): string {
  switch (regex.type) {
    case "set":
      return printSet(regex.ranges);
    case "edge":
      // Inside, an assertion after `\r?` would fail where the original holds. So the line's edges are left out there.
      if (regex.edge === "start") return place.isFirst ? "^\\x{FEFF}?" : "";
      if (regex.edge === "end") return place.isLast ? "\\r?$" : "";
      return regex.edge === "word" ? "(?-u:\\b)" : "(?-u:\\B)";
    case "sequence":
      return regex.parts
        .map((part, index) =>
          print(part, {
            isFirst: place.isFirst && index === 0,
            isLast: place.isLast && index === regex.parts.length - 1,
          }),
        )
        .join("");
    case "either":
      return `(?:${regex.options.map((option) => print(option, place)).join("|")})`;
    case "repeat":
      return `(?:${print(regex.of, regex.most === 1 ? place : { isFirst: false, isLast: false })}){${regex.least},${regex.most ?? ""}}`;
  }
}

function printSet(ranges: readonly Range[]): string {
  const [range, ...others] = ranges;
  if (range !== undefined && others.length === 0 && range[0] === range[1]) return printCodePoint(range[0]);
  if (range === undefined) return "[^\\x{0}-\\x{10FFFF}]";
  return `[${ranges.map(([first, last]) => `${printCodePoint(first)}-${printCodePoint(last)}`).join("")}]`;
}

function printCodePoint(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  return /^[A-Za-z0-9 ]$/.test(character) ? character : `\\x{${codePoint.toString(16)}}`;
}
