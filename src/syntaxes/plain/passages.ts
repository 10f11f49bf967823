/** Splits an answer into sentences, code fences and what other syntaxes have read. */
import { append } from "../../core/lists.ts";
import { MASK, showsChanges } from "../fence.ts";
import {
  isFilePath,
  isInLanguage,
  isKind,
  isRule,
  pathAbove,
  pathInComment,
  pathInInfo,
  toldPath,
  withoutLink,
} from "../path-label.ts";
import { goesOn, isPlace, LABEL_BELOW, SCRIPT } from "./words.ts";
import type { CodeShown, FileWith } from "../syntax.ts";
import { marginOf, type Source, withoutMargin } from "../source.ts";

export interface Sentence {
  readonly text: string;
  /** Index of its line. */
  readonly first: number;
}

/** Lines of prose up to the next blank one. */
export interface ProsePassage {
  readonly kind: "prose";
  readonly text: string;
  readonly sentences: readonly Sentence[];
  readonly isHeading: boolean;
  /** Of a heading, 1 to 6; a bold line counts as 4. */
  readonly level: number;
}

export interface FencePassage {
  readonly kind: "fence";
  readonly first: number;
  readonly next: number;
  readonly info: string;
  readonly language: string;
  /** The path in its info string. */
  readonly path: string | undefined;
  readonly content: string;
  /** Whether nothing stands in it, not even a block. */
  readonly isBlank: boolean;
  readonly firstLine: string;
  readonly isCommand: boolean;
  readonly isDiff: boolean;
}

/** What another syntax has read, or a fence without its end. */
interface BlockPassage {
  readonly kind: "block";
  /** Index of its line. */
  readonly first: number;
}

/** The file that a fence or the sentences at it name, and the one that the text is about. */
export interface FileTold {
  readonly own: string | undefined;
  readonly near: string | undefined;
  /** That of the label right above the sentences. */
  readonly label?: string | undefined;
  /** Another one that gets the same. */
  readonly second?: string | undefined;
}

export type Passage = ProsePassage | FencePassage | BlockPassage;

export function passagesIn(lines: Source): readonly Passage[] {
  const passages: Passage[] = [];
  let prose: number[] = [];
  let fence = 0;
  const endProse = (): void => {
    if (prose.length > 0) append(passages, prosePassages(lines, prose));
    prose = [];
  };
  for (let at = 0; at < lines.count; at++) {
    const line = lines.at(at);
    const { first, end = lines.count, isLost = false } = lines.fences[fence] ?? {};
    if (first === at) {
      endProse();
      if (end < lines.count && !isLost) passages.push(fenceOf(lines, at, end, passages.at(-1)));
      else if (isLost) passages.push({ kind: "block", first: at });
      at = isLost ? end - 1 : end;
      fence += 1;
    } else if (line !== "" && line.startsWith(MASK) && line.replaceAll(MASK, "").trim() === "") {
      endProse();
      passages.push({ kind: "block", first: at });
    } else if (line.trim() === "") endProse();
    else if (!isRule(line)) prose.push(at);
  }
  endProse();
  return passages;
}

/**
 * Returns the lines of prose above the first fence and below the last one, and what gives those between two fences
 * that are about one of them: right above it, and below it up to what is right above the next one. All of them
 * together take linear time.
 */
export function proseOf(passages: readonly Passage[]): {
  readonly common: readonly string[];
  readonly beside: (fence: FencePassage) => readonly string[];
} {
  const fences = [...passages.keys()].filter((index) => passages[index]?.kind === "fence");
  const numbers = new Map(fences.map((index, number) => [passages[index], number]));
  const [first = 0, last = 0] = [fences[0], fences.at(-1)];
  const linesIn = (some: readonly Passage[]): readonly string[] =>
    some.flatMap((one) => (one.kind === "prose" ? one.text.split("\n") : []));
  return {
    common: linesIn([...passages.slice(0, first), ...passages.slice(last)]),
    beside: (fence) => {
      const number = numbers.get(fence) ?? 0;
      const [at, next] = [fences[number] ?? 0, fences[number + 1]];
      const above = number === 0 ? [] : passages.slice(at - 1, at);
      return linesIn([...above, ...(next === undefined ? [] : passages.slice(at, next - 1))]);
    },
  };
}

function fenceOf(lines: Source, first: number, end: number, above: Passage | undefined): FencePassage {
  const opening = lines.at(first);
  const margin = marginOf(opening);
  const info = opening
    .trim()
    .replace(/^[`~]+/, "")
    .trim();
  const path = pathInInfo(info);
  const written = withoutMargin(lines.slice(first + 1, end), margin);
  // What holds a block of another syntax has no text of its own.
  const content = written.includes(MASK) ? "" : written;
  return {
    kind: "fence",
    first,
    next: end + 1,
    info,
    language: info.split(/[\s:{]/, 1)[0]?.toLowerCase() ?? "",
    path: isKind(path, above?.kind === "prose" ? toldPath(above.text) : undefined) ? undefined : path,
    content,
    isBlank: written.trim() === "",
    firstLine: content.split("\n", 1)[0] ?? "",
    isCommand: COMMANDS.test(info),
    isDiff: showsChanges(info, content),
  };
}

const COMMANDS =
  /^(?:bash|sh|shell|zsh|fish|console|terminal|cmd|bat|batch|powershell|ps1|pwsh|shell-?session|output|log|plaintext)\b/i;

/** A heading ends the passage before it, and is one itself. */
function prosePassages(lines: Source, rows: readonly number[]): ProsePassage[] {
  const groups: number[][] = [];
  for (const row of rows) {
    const isOwn = levelAt(lines, row) > 0;
    const last = groups.at(-1);
    if (last === undefined || isOwn || levelAt(lines, last[0] as number) > 0) groups.push([row]);
    else last.push(row);
  }
  return groups.map((group) => {
    const rowsOf = group.map((row) => ({ row, line: withoutLink(lines.at(row), "`").trim() }));
    const text = rowsOf.map(({ line }) => line).join("\n");
    const level = levelAt(lines, group[0] as number);
    return {
      kind: "prose",
      text,
      isHeading: level > 0,
      level,
      sentences: rowsOf.flatMap(({ row, line }) => sentencesOf(line, row)),
    };
  });
}

function levelAt(lines: Source, row: number): number {
  const line = lines.at(row);
  const marks = /^\s{0,3}(#{1,6}) /.exec(line)?.[1];
  const below = row + 1 < lines.count ? lines.at(row + 1) : "";
  if (isRule(below) && (row === 0 || lines.at(row - 1).trim() === "")) return below.includes("=") ? 1 : 2;
  if (pathAbove(line, false) !== undefined) return marks?.length ?? 4;
  return marks?.length ?? (/^\s*\*\*[^*]+\*\*:?\s*$/.test(line) ? 4 : 0);
}

/** A full stop ends a sentence, where a space and a capital letter follow and no code span is open. */
function sentencesOf(line: string, first: number): Sentence[] {
  const spans: string[] = [];
  const plain = line.replace(/`[^`]*`/g, (span) => `\uE000${spans.push(span) - 1}\uE001`);
  return plain.split(/(?<=[.!?。！？][*_)]{0,2})\s+(?=\p{Lu}|\uE000|[^\x00-\x7f])/u).map((text) => ({
    text: text.replace(/\uE000(\d+)\uE001/g, (_, at: string) => spans[Number(at)] ?? "").trim(),
    first,
  }));
}

/** Returns the nearest heading above a fence. */
export function headingAbove(passages: readonly Passage[], index: number): string {
  for (let at = index - 1; at >= 0 && at > index - MAX_ABOVE; at--) {
    const passage = passages[at];
    if (passage?.kind === "prose" && passage.isHeading) return passage.text;
  }
  return "";
}

/** Returns the path of a file if nothing but sentences stands between that and a fence, or those beside it. */
export function labelOver(passages: readonly Passage[], index: number): string | undefined {
  let first = index;
  while (first > index - MAX_ABOVE && passages[first - 1]?.kind === "fence") first -= 1;
  for (let at = first - 1; at > index - MAX_ABOVE; at--) {
    const passage = passages[at];
    if (passage?.kind !== "prose") return undefined;
    if (passage.isHeading) return pathAbove(passage.text, false);
  }
  return undefined;
}

/**
 * Returns the file that code is meant for. A label of a file tells more than names that only another one has. What a
 * sentence names beside code of another language is read by that code: use `config.json` in `load`.
 */
export function fileFor(code: CodeShown, { own, label }: Told, fileWith: FileWith): string | undefined {
  const isData = own !== undefined && DATA.test(own) && !isInLanguage(own, code.language);
  const before = isData ? code.told.split(`\`${own}\``)[0] : undefined;
  const isRead = before !== undefined && READS.test(before) && !DATA.test(`.${code.language}`);
  const reader = isRead ? fileWith({ ...code, near: undefined }) : undefined;
  if (own !== undefined) return reader ?? own;
  const path = fileWith(code);
  if (label === undefined || label !== code.near || path === label) return path;
  return fileWith.textAt(label) !== undefined && fileWith({ ...code, told: "" }) === path ? label : path;
}

/** What ends before the file that some code reads. A script may read what it likes. */
const READS =
  /^(?!.*\bscript\b).*(?:\b(?:copy|fetch|load|open|parse|read|use)\b[^.:;,`]{0,40}|\bfrom (?:the |your )?)$/is;
type Told = Omit<FileTold, "near">;
const DATA = /\.(?:csv|env|ini|json5?|jsonc|lock|properties|toml|txt|ya?ml)$/;

/** Returns the fence above another, with sentences between them. */
export function fenceAbove(passages: readonly Passage[], index: number): Passage | undefined {
  const between = passages.slice(Math.max(0, index - MAX_ABOVE), index);
  return between.findLast(({ kind }) => kind === "fence");
}

const MAX_ABOVE = 12;

/** Returns the sentence below a fence, which may say where in a file it goes, and the file that it names. */
export function toldBelow(passages: readonly Passage[], index: number, intro: string): FileBelow {
  const next = passages[index + 1];
  if (next?.kind !== "prose") return NOTHING_BELOW;
  // What ends with a colon introduces the next fence, but for a sentence before it.
  const [begin, second] = next.sentences;
  const line = next.text.split("\n")[0] ?? "";
  const introduces = /[:：]\s*$/.test(next.text) && passages[index + 2] !== undefined;
  const place = !introduces ? line : second === undefined ? "" : (begin?.text ?? "");
  const isLabel = passages[index + 2]?.kind !== "fence" && LABEL_BELOW.test(place);
  const end = next.sentences[0]?.text ?? "";
  const path = isPlace(place) || isLabel ? toldPath(place) : goesOn(intro, end) ? toldPath(end) : undefined;
  if (path !== undefined) return { place, path, isOrder: true };
  return { place, path: FILE_BELOW.test(end) ? toldPath(end) : undefined, isOrder: false };
}

/** Returns the path of the new file that a sentence below a fence names, if the one above it is only about another. */
export function savedBelow(
  above: string,
  { place, path }: Pick<FileBelow, "place" | "path">,
  { textAt }: Pick<FileWith, "textAt">,
): string | undefined {
  const isAbout = ABOUT.test(above) && !OF_CHANGE.test(above);
  return isAbout && SAVES.test(place) && path !== undefined && textAt(path) === undefined ? path : undefined;
}

const SAVES =
  /^(?:(?:and|now|please|then) )?(?:copy|name|paste|place|put|save|store) (?:it|this|them|the (?:code|file|snippet|tests?))\b[^`\n]{0,60}\b(?:as|at|in|into|to|under) (?:\w+ ){0,3}`[^`\n]+`(?![^.\n]*\b(?:also|as well|too)\b)/i;
/** A test for `f` from `a.py`. */
const ABOUT = /\b(?:for|from|of) (?:the )?`[^`\n]+`[.:]?\s*$/i;
const OF_CHANGE =
  /^\W*(?:add|change|edit|fix|modify|replace|update)\b(?!.*\btests?\b)|\b(?:chang|correct|fix|improv|modifi|new version|refactor|revis|rewrit|updat)\w*/i;

/** Returns a path, or that of the README which is there: called by its name alone, it is written in whatever letters. */
export function readmeThere(path: string, { textAt }: Pick<FileWith, "textAt">): string {
  const names = ["README.md", "readme.md", "Readme.md"];
  const isMissing = names.includes(path) && textAt(path) === undefined;
  return isMissing ? (names.find((name) => textAt(name) !== undefined) ?? path) : path;
}

/** Returns the path in a comment above code, with words about the change only that of a file which is there. */
export function labelIn(line: string, { textAt }: Pick<FileWith, "textAt">): string | undefined {
  const label = pathInComment(line.replace(/,? in #?`?\w+`?$/, ""), true);
  const path = CHANGED.test(line) ? pathInComment(line.replace(CHANGED, ""), true) : undefined;
  return label ?? (path !== undefined && textAt(path) !== undefined ? path : undefined);
}

/** `// a.js - updated f()`, `# a.py (inside f)` */
const CHANGED =
  /(?:\s+[-–—(]|(?<!\bfile):)\s*(?:(?:(?:added|changed|corrected|fixed|modified|refactored|replaced|updated)(?! (?:by|for|in|yesterday)\b)|(?:add|new|update) (?:this |the )?(?:function|method|version))\b(?!.*\b(?:do not|don't|insecure|old)\b)|inside `?[\w.]+`?(?:\(\))?\)?$|in (?:`[\w.]+`|[\w.]+\(\))\)?$).*$/i;

/** Returns whether a fence stands right below a text of the same file, in its language. */
export function isBelowText(
  { info }: FencePassage,
  above: Passage | undefined,
  pathsAt: ReadonlyMap<number, string> | undefined,
): boolean {
  const path = above?.kind === "block" ? pathsAt?.get(above.first) : undefined;
  return path !== undefined && isInLanguage(path, info);
}

/** Returns whether a fence has another language than a file, which has no parts in others either. */
export function isForeign({ info }: FencePassage, path = ""): boolean {
  return info !== "" && !isInLanguage(path, info) && !MIXED.test(path);
}

const MIXED = /\.(?:[cm]?[jt]sx?|astro|erb|html?|mdx?|php|svelte|vue)$/i;

/** Returns the path that the next fence has in the sentences around it. */
export function pathOfNext(passages: readonly Passage[], index: number): string | undefined {
  const next = passages[index + 1];
  return next?.kind === "prose" ? (toldPath(next.text) ?? toldBelow(passages, index + 2, next.text).path) : undefined;
}

/** What a sentence below a fence says of it. */
interface FileBelow {
  readonly place: string;
  readonly path: string | undefined;
  /** Whether it says that the fence goes into the file, and does not only name it. */
  readonly isOrder: boolean;
}

const NOTHING_BELOW: FileBelow = { place: "", path: undefined, isOrder: false };
/** The file is `a.c`; it's in `a.go`, lines 4–7. */
const FILE_BELOW =
  /^\(?(?:the file is|(?:(?:it|that)(?:['’]s| is) )?in) (?:the |your )?[`*]*[\w.@+\x2f-]+[`*]*(?:\W*$|, lines? )/i;

/** Returns the files that a sentence below names for the fences above it, by their indexes: both go into `a.ts`. */
export function filesToldBelow(passages: readonly Passage[]): ReadonlyMap<number, string> {
  const files = new Map<number, string>();
  for (const [index, passage] of passages.entries()) {
    const [, word = "", path = ""] = passage.kind === "prose" ? (GATHERED.exec(passage.text) ?? []) : [];
    if (!isFilePath(path)) continue;
    let left = /^both/i.test(word) ? 2 : Infinity;
    for (let at = index - 1; left > 0 && at > index - MAX_ABOVE; at--) {
      const above = passages[at];
      if (above?.kind === "prose" && above.isHeading) break;
      if (above?.kind !== "fence" || above.info === "" || (above.isCommand && !SCRIPT.test(path))) continue;
      files.set(at, path);
      left -= 1;
    }
  }
  return files;
}

const GATHERED =
  /^(both|all|everything)\b(?:[^.`\n]{0,20}\b(?:changes?|edits?|fixes) (?:are|is|go|belong)|(?: of (?:these|them|this))? (?:go(?:es)?|belongs?|lives?))\b[^.`\n]{0,20}\b(?:in|into|to) (?:the )?`([^`\n]+)`/i;
