/** The kinds of edits that must land: only formatting stands between the text that was quoted and the file. */
import { around, bytesOf, endedWith, type FileLine, filesOf, type Made, type Maker, mapText, type Parts, textOf } from "./cases.ts";
import { commonIndentation, isAscii, type Passage, placesOf, rewrite } from "./passage.ts";
import type { Random } from "./random.ts";

/** A case in which the passage stands in the file as it does in its source, but for what `parts` says. */
function make(passage: Passage, random: Random, change: { readonly quote?: (line: string, index: number) => string; readonly ending?: string; readonly parts?: Partial<Parts> } = {}): Made {
  const { quote = (line: string) => line, ending = "\n", parts = {} } = change;
  const { before, after } = around(passage);
  const newLines = parts.newLines ?? rewrite(passage.lines, random);
  const files = filesOf({ before: endedWith(before, ending), inside: endedWith(passage.lines, ending), after: endedWith(after, ending), newLines, ...parts });
  const isEnded = random.once(4) && files.file.at(-1) === LF ? "\n" : "";
  const oldText = passage.lines.map(quote).join("\n") + isEnded;
  const newText = newLines.map(({ text, same }, index) => quote(text, same ?? index)).join("\n") + isEnded;
  return { ...files, oldText, newText };
}

const LF = 0x0a;

const withSpaceAtEnds: Maker = (passage, random) => {
  const ends = passage.lines.map(() => random.one(["", " ", "  ", "\t", "    "]));
  // Which blank line is which cannot be told where the file's and the quoted ones differ.
  if (ends.every((end) => end === "") || passage.lines.some((line) => line !== "" && line.trim() === "")) return undefined;
  const newLines = rewrite(passage.lines, random);
  const isCopied = random.once(2);
  const made = make(passage, random, { parts: { newLines } });
  const oldText = textOf(passage.lines.map((line, index) => line + (ends[index] ?? "")));
  const newText = textOf(newLines.map(({ text, same }) => text + (isCopied && same !== undefined ? (ends[same] ?? "") : "")));
  return { ...made, oldText, newText };
};

const withSpaceInFile: Maker = (passage, random) => {
  if (passage.lines.some((line) => /\s$/.test(line))) return undefined;
  // What stands behind the end of the old text is not part of what is replaced.
  const ends = passage.lines.map((_, index) => (index < passage.lines.length - 1 ? random.one(["", " ", "  ", "\t"]) : ""));
  const inside = passage.lines.map((line, index): FileLine => [line + (ends[index] ?? ""), "\n"]);
  return inside.some(([line]) => /\s$/.test(line)) ? make(passage, random, { parts: { inside } }) : undefined;
};

const dedented = (ending: string): Maker => (passage, random) => {
  const common = commonIndentation(passage.lines);
  if (common === "") return undefined;
  const cut = random.once(2) ? common.length : 1 + random.below(common.length);
  return make(passage, random, { ending, quote: (line) => (line.trim() === "" ? line : line.slice(cut)) });
};

const indented: Maker = (passage, random) => {
  const tabs = passage.lines.some((line) => line.startsWith("\t"));
  const more = tabs ? "\t" : random.one([" ", "  ", "    ", "        "]);
  return make(passage, random, { quote: (line) => (line.trim() === "" ? line : more + line) });
};

const mixedAround: Maker = (passage, random) => {
  const { before, after } = around(passage);
  const mix = (lines: readonly string[]) => lines.map((line): FileLine => [line, random.one(["\n", "\r\n"])]);
  return make(passage, random, { ending: random.one(["\n", "\r\n"]), parts: { before: mix(before), after: mix(after) } });
};

const mixedInside: Maker = (passage, random) => {
  const inside = passage.lines.map((line): FileLine => [line, random.one(["\n", "\r\n"])]);
  return make(passage, random, { parts: { inside, newLines: rewrite(passage.lines, random, { sameLength: true }) } });
};

const withMark = (ending: string): Maker => (passage, random) => {
  const lines = passage.source.lines.slice(0, passage.end - passage.start);
  const isFirst = random.once(2) && lines[0]?.trim() !== "" && lines.at(-1)?.trim() !== "" && placesOf(passage.source.lines, lines).length === 1;
  const chosen = isFirst ? { ...passage, start: 0, end: lines.length, lines } : passage;
  return make(chosen, random, { ending, parts: { mark: "\ufeff" } });
};

/** The file's spaces made tabs, as the passage is. */
const withTabs = (maker: Maker): Maker => (passage, random) => {
  const unit = passage.source.language === "python" ? /^(?: {4})+/ : /^(?: {2})+/;
  const size = passage.source.language === "python" ? 4 : 2;
  const tabbed = (line: string): string => line.replace(unit, (spaces) => "\t".repeat(spaces.length / size));
  const lines = passage.lines.map(tabbed);
  if (!lines.some((line) => line.startsWith("\t"))) return undefined;
  return maker({ ...passage, lines, source: { ...passage.source, lines: passage.source.lines.map(tabbed) } }, random);
};

const typographic = (maker: Maker): Maker => (passage, random) => {
  if (!isAscii(passage.source.lines.join("")) || !/['"]/.test(textOf(passage.lines))) return undefined;
  const made = maker(passage, random);
  const style = random.one([curly, curlyWithDashes]);
  return made && { ...made, oldText: style(made.oldText), newText: style(made.newText) };
};

/** As a chat shows them: a quote opens after white space or a bracket, and closes elsewhere. */
function curly(text: string): string {
  return text.replace(/(^|[\s([{=])"/gm, "$1\u201c").replaceAll('"', "\u201d").replace(/(^|[\s([{=])'/gm, "$1\u2018").replaceAll("'", "\u2019");
}

function curlyWithDashes(text: string): string {
  return curly(text).replaceAll(" - ", " \u2013 ").replace(/(\w) (?=\w)/, "$1\u00a0");
}

/** The file has typographic quotes in the passage, and was quoted with plain ones. */
const typographicFile: Maker = (passage, random) => {
  const inside = passage.lines.map((line): FileLine => [curly(line), "\n"]);
  const isFit = isAscii(textOf(passage.lines)) && /['"]/.test(textOf(passage.lines));
  return isFit ? make(passage, random, { parts: { inside } }) : undefined;
};

/** The file's blank lines hold white space, as some editors leave it. */
const blankLinesWithSpace: Maker = (passage, random) => {
  const common = commonIndentation(passage.lines);
  if (common === "" || !passage.lines.some((line) => line === "")) return undefined;
  const inside = passage.lines.map((line): FileLine => [line === "" ? common : line, "\n"]);
  return make(passage, random, { parts: { inside }, quote: (line) => (line.trim() === "" ? "" : line.slice(common.length)) });
};

/** Bytes that no UTF-8 has, in a line that the edit does not touch. */
const invalidElsewhere: Maker = (passage, random) => {
  if (!isAscii(textOf(passage.lines))) return undefined;
  const made = make(passage, random);
  const { before, after } = around(passage);
  const isBefore = before.length > 0 && (after.length === 0 || random.once(2));
  const junk = Buffer.from([0xe9, 0x20, 0xff, 0xfe, 0x0a]);
  const added = (bytes: Buffer): Buffer => (isBefore ? Buffer.concat([junk, bytes]) : Buffer.concat([bytes, junk]));
  return made.expected && { ...made, file: added(made.file), expected: added(made.expected) };
};

const atEndWithoutNewline: Maker = (passage, random) => {
  const { lines } = passage.source;
  const start = lines.length - (passage.end - passage.start);
  const last = lines.slice(start);
  if (last[0]?.trim() === "" || placesOf(lines, last).length !== 1) return undefined;
  const inside = last.map((line, index): FileLine => [line, index === last.length - 1 ? "" : "\n"]);
  return make({ ...passage, start, end: lines.length, lines: last }, random, { parts: { inside, after: [] } });
};

const partOfLine: Maker = (passage, random) => {
  const text = passage.source.lines.join("\n") + "\n";
  const line = random.one(passage.lines).trim();
  const from = random.below(Math.max(1, line.length - 12));
  const oldText = line.slice(from, from + 12 + random.below(20)).trim();
  if (oldText.length < 10 || !oldText.isWellFormed() || text.split(oldText).length !== 2) return undefined;
  const newText = `${oldText} /* new */`;
  return { oldText, newText, file: Buffer.from(text), expected: Buffer.from(text.replace(oldText, () => newText)) };
};

/** The passage stands exactly once, and once more four spaces deeper. */
const atTwoDepths: Maker = (passage, random) => {
  if (passage.lines.some((line) => line.startsWith("\t"))) return undefined;
  const { before, after } = around(passage);
  const deeper = passage.lines.map((line) => (line.trim() === "" ? line : `    ${line}`));
  const parts = random.once(2) ? { before: endedWith([...before, ...deeper], "\n") } : { after: endedWith([...after, ...deeper], "\n") };
  const made = make(passage, random, { parts });
  return made.file.toString().split(made.oldText).length === 2 ? made : undefined;
};

/** Each under its name. */
export const applied: Readonly<Record<string, Maker>> = {
  exact: (passage, random) => make(passage, random),
  "white space at line ends": withSpaceAtEnds,
  "white space in the file": withSpaceInFile,
  dedented: dedented("\n"),
  indented,
  "CRLF file": (passage, random) => make(passage, random, { ending: "\r\n" }),
  "CRLF file, dedented": dedented("\r\n"),
  "mixed endings around": mixedAround,
  "mixed endings inside": mixedInside,
  "byte order mark": withMark("\n"),
  "byte order mark, CRLF": withMark("\r\n"),
  tabs: withTabs((passage, random) => make(passage, random)),
  "tabs, dedented": withTabs(dedented("\n")),
  "typographic quotes": typographic((passage, random) => make(passage, random)),
  "typographic, dedented": typographic(dedented("\n")),
  "typographic, CRLF": typographic((passage, random) => make(passage, random, { ending: "\r\n" })),
  "typographic in the file": typographicFile,
  "blank lines with white space": blankLinesWithSpace,
  "invalid UTF-8 elsewhere": invalidElsewhere,
  "end without newline": atEndWithoutNewline,
  "part of a line": partOfLine,
  "two depths, one exact": atTwoDepths,
};

/** For the kinds that are refused: a file with nothing but LF in it, and a new text for it. */
export function plain(passage: Passage, random: Random): { readonly file: Buffer; readonly newText: string } {
  return { file: bytesOf(endedWith(passage.source.lines, "\n")), newText: textOf(mapText(rewrite(passage.lines, random), (text) => text)) };
}
