/** The kinds of edits that must be refused: what was quoted is not what stands there, or stands there twice. */
import { plain } from "./applied.ts";
import { bytesOf, endedWith, type Made, type Maker, textOf } from "./cases.ts";
import { hasAnywhere, isAscii, type Passage, skeleton } from "./passage.ts";
import type { Random } from "./random.ts";
import type { Language } from "./sources.ts";

/** The quoted lines are changed so that nothing like them stands in the file. */
const quoting = (change: (lines: string[], random: Random, language: Language) => string[] | undefined): Maker => (passage, random) => {
  const lines = change([...passage.lines], random, passage.source.language);
  if (lines === undefined || hasAnywhere(passage.source.lines, lines)) return undefined;
  return refusedWith(passage, random, textOf(lines));
};

function refusedWith(passage: Passage, random: Random, oldText: string): Made {
  return { ...plain(passage, random), oldText, expected: undefined };
}

/** One of the lines, changed where it can be. */
function changingOne(change: (line: string, random: Random, language: Language) => string | undefined): Maker {
  return quoting((lines, random, language) => {
    const changed = lines.flatMap((line, index) => {
      const other = change(line, random, language);
      return other === undefined || other === line ? [] : [{ index, other }];
    });
    if (changed.length === 0) return undefined;
    const { index, other } = random.one(changed);
    return lines.with(index, other);
  });
}

/** The letter after each, in the middle of the first long word. */
function otherWord(text: string): string {
  return text.replace(/[A-Za-z]{3,}/, (word) => `${word.slice(0, 1)}${word[1] === "x" ? "y" : "x"}${word.slice(2)}`);
}

const STRING = /"[^"\\\n]{3,}"|'[^'\\\n]{3,}'|`[^`\\\n]{3,}`/;

const COMMENTS: Readonly<Record<Language, RegExp>> = {
  typescript: /(?:\/\/|^\s*\*|\/\*).*[a-z]{3}.*$/,
  javascript: /(?:\/\/|^\s*\*|\/\*).*[a-z]{3}.*$/,
  python: /#.*[a-z]{3}.*$/,
  css: /(?:\/\*|\/\/|^ {2}[A-Z]).*[a-z]{3}.*$/,
  markdown: /^[A-Za-z*-].*[a-z]{3}.*$/,
};

function inside(line: string, pattern: RegExp, change: (found: string) => string): string | undefined {
  return pattern.test(line) ? line.replace(pattern, (found) => change(found)) : undefined;
}

/** The passage and its like, in one file: the other one at the end. */
function twice(passage: Passage, random: Random, copy: readonly string[], oldText: string): Made {
  const file = bytesOf(endedWith([...passage.source.lines, "", ...copy], "\n"));
  return { ...plain(passage, random), file, oldText, expected: undefined };
}

const withOtherSpace: Maker = (passage, random) => {
  const quoted = passage.lines.map((line, index) => (index === 0 ? `${line.trimEnd()}   ` : line));
  const copy = passage.lines.map((line, index) => (index === passage.lines.length - 1 ? `${line.trimEnd()}\t` : line));
  return passage.lines[0]?.endsWith("   ") === true ? undefined : twice(passage, random, copy, textOf(quoted));
};

/** A copy with typographic quotes, and neither is quoted to the letter. */
const withOtherQuotes: Maker = (passage, random) => {
  const copy = passage.lines.map((line) => line.replaceAll('"', "\u201d").replaceAll("'", "\u2019"));
  const isFit = isAscii(textOf(passage.lines)) && textOf(copy) !== textOf(passage.lines) && !/[ \t]$/m.test(textOf(passage.lines));
  return isFit ? twice(passage, random, copy, textOf(passage.lines.map((line, index) => (index === 0 ? `${line}  ` : line)))) : undefined;
};

const atTwoDepths: Maker = (passage, random) => {
  if (passage.lines.some((line) => line.startsWith("\t"))) return undefined;
  const shifted = (by: string) => passage.lines.map((line) => (line.trim() === "" ? line : by + line));
  return twice(passage, random, shifted("    "), textOf(shifted("        ")));
};

/** Spaces for tabs or tabs for spaces, in every indentation. */
const tabsExchanged: Maker = (passage, random) => {
  const isTabbed = passage.lines.some((line) => line.startsWith("\t"));
  const lines = passage.lines.map((line) => line.replace(/^[ \t]+/, (white) => (isTabbed ? white.replaceAll("\t", "    ") : white.replace(/ {2}(?: {2})?/g, "\t"))));
  const changed = lines.filter((line, index) => line !== passage.lines[index] && skeleton(line) !== "").length;
  // The edit may replace the only changed line: then nothing is unclear.
  return changed < 2 ? undefined : refusedWith(passage, random, textOf(lines));
};

const unevenShift: Maker = (passage, random) => {
  const inner = passage.lines.flatMap((line, index) => (index > 0 && index < passage.lines.length - 1 && skeleton(line) !== "" && !line.startsWith("\t") ? [index] : []));
  if (inner.length === 0) return undefined;
  const at = random.one(inner);
  const line = passage.lines[at] ?? "";
  const shifted = random.once(2) && line.startsWith("  ") ? line.slice(random.one([1, 2])) : random.one([" ", "  ", "    "]) + line;
  return refusedWith(passage, random, textOf(passage.lines.with(at, shifted)));
};

const foreignCharacter: Maker = (passage, random) => {
  if (!isAscii(textOf(passage.lines))) return undefined;
  const made = refusedWith(passage, random, textOf(passage.lines));
  return { ...made, file: Buffer.concat([made.file, Buffer.from([0xe9, 0x0a])]), newText: `${made.newText}é` };
};

/** Each under its name. */
export const refused: Readonly<Record<string, Maker>> = {
  "stands twice": (passage, random) => twice(passage, random, passage.lines, textOf(passage.lines)),
  "twice, with other white space": withOtherSpace,
  "twice, with other quotes": withOtherQuotes,
  "twice, CRLF": (passage, random) => {
    const made = twice(passage, random, passage.lines, textOf(passage.lines));
    return { ...made, file: Buffer.from(made.file.toString().replaceAll("\n", "\r\n")) };
  },
  "two depths, neither exact": atTwoDepths,
  "another number": changingOne((line) => inside(line, /\b\d+\b/, (number) => `${number}1`)),
  "another string": changingOne((line) => inside(line, STRING, otherWord)),
  "white space in a string": changingOne((line, random) => inside(line, STRING, (found) => (random.once(2) ? found.replace(/ /, "  ") : found.replace(/ /, "")))),
  "white space in a line": changingOne((line) => inside(line, /\S [^\s]/, (found) => `${found.charAt(0)}  ${found.charAt(2)}`)),
  "no white space in a line": changingOne((line) => inside(line, /[^\s\w] [^\s\w]|\w [^\s\w]|[^\s\w] \w/, (found) => found.replace(" ", ""))),
  "a character without width": changingOne((line) => inside(line, /[a-z]{2}/, (found) => `${found.charAt(0)}\u200b${found.charAt(1)}`)),
  "another comment": changingOne((line, _, language) => inside(line, COMMENTS[language], otherWord)),
  "another case": changingOne((line) => inside(line, /[a-z][A-Za-z]{3,}/, (word) => word.charAt(0).toUpperCase() + word.slice(1))),
  "another first line": quoting((lines) => lines.with(0, otherWord(lines[0] ?? ""))),
  "another last line": quoting((lines) => lines.with(lines.length - 1, otherWord(lines.at(-1) ?? ""))),
  "one line more": quoting((lines, random) => lines.toSpliced(1 + random.below(lines.length - 1), 0, otherWord(random.one(lines)))),
  "one line less": quoting((lines, random) => lines.toSpliced(1 + random.below(lines.length - 2), 1)),
  "two lines made one": quoting((lines, random) => {
    const at = random.below(lines.length - 1);
    return lines.toSpliced(at, 2, `${lines[at]?.trimEnd()} ${lines[at + 1]?.trim()}`);
  }),
  "one line made two": quoting((lines, random) => {
    const at = lines.findIndex((line) => /\S .*\S/.test(line.trim()));
    const line = lines[at] ?? "";
    const indentation = line.length - line.trimStart().length;
    const place = line.indexOf(" ", indentation + random.below(Math.max(1, line.trim().length - 4)));
    return at === -1 || place <= indentation ? undefined : lines.toSpliced(at, 1, line.slice(0, place), line.slice(0, indentation) + line.slice(place + 1));
  }),
  "a blank line more": quoting((lines, random) => lines.toSpliced(1 + random.below(lines.length - 1), 0, "")),
  "a blank line less": quoting((lines) => {
    const at = lines.findIndex((line) => line.trim() === "");
    return at === -1 ? undefined : lines.toSpliced(at, 1);
  }),
  "tabs and spaces exchanged": tabsExchanged,
  "shifted unevenly": unevenShift,
  "not ASCII, invalid UTF-8": foreignCharacter,
};
