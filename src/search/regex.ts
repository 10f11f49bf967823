/**
 * Regular expressions of `grep`: RE2's syntax, which is matched in linear time by `re2js`. Lines are searched one by
 * one, without their endings.
 */
import { RE2JS, RE2JSSyntaxException } from "re2js";
import { Failed } from "../core/failure.ts";
import { LF } from "../edit/lines.ts";
import type { Needle, Sought } from "./line-finder.ts";

/** In UTF-16 units. */
const MAX_LENGTH = 10_000;
/** Instructions. Each may be looked at for each character. */
const MAX_SIZE = 5_000;

/** Throws `pattern/regex` with a hint how to write it, or `pattern/lines`. */
export function soughtRegex(pattern: string): Sought {
  if (pattern.length > MAX_LENGTH)
    throw new Failed({
      code: "pattern/regex",
      problem: `more than ${MAX_LENGTH} characters`,
      instead: "shorten the pattern",
    });
  const tokens = tokensOf(pattern);
  const written = tokens.map(({ re2 }) => re2).join("");
  try {
    const line = RE2JS.compile(written);
    if (line.programSize() > MAX_SIZE) throw tooLarge();
    // Knows only whether any line of a text may match.
    const any = tokens.some(({ isOfText }) => isOfText) ? undefined : RE2JS.compile(written, RE2JS.MULTILINE);
    return { needle: () => new RegexNeedle(line, any), isRegex: true, ripgrepPattern: forRipgrep(tokens) };
  } catch (thrown) {
    if (thrown instanceof RE2JSSyntaxException)
      throw refusal(pattern, String(thrown.getDescription()), String(thrown.getPattern() ?? ""));
    throw thrown;
  }
}

class RegexNeedle implements Needle {
  readonly width = 0;
  readonly needsWholeLines = true;
  readonly #line: RE2JS;
  readonly #any: RE2JS | undefined;
  /** What was searched last, and some line of it may match. */
  #searched: Buffer | undefined;

  constructor(line: RE2JS, any: RE2JS | undefined) {
    [this.#line, this.#any] = [line, any];
  }

  find(lines: Buffer, from: number): number {
    const text = (): string => lines.toString("utf8", from).replace(/\r(?=\n|$)/g, "");
    if (lines !== this.#searched && this.#any?.test(text()) === false) return -1;
    this.#searched = lines;
    for (let start = from; start < lines.length;) {
      const lineFeed = lines.indexOf(LF, start);
      const end = lineFeed === -1 ? lines.length : lineFeed;
      const line = lines.toString("utf8", start, end).replace(/\r$/, "");
      const matcher = this.#line.matcher(line);
      if (matcher.find()) return start + Buffer.byteLength(line.slice(0, matcher.start()));
      start = end + 1;
    }
    return -1;
  }
}

interface Token {
  readonly re2: string;
  /** Absent if ripgrep does not understand it so. */
  readonly ripgrep?: string;
  /** Whether it means the edge of a text, not of a line. */
  readonly isOfText?: boolean;
}

const ESCAPE = /\\(?:x\{[0-9A-Fa-f]+\}|x[0-9A-Fa-f]{2}|u\{[0-9A-Fa-f]+\}|u[0-9A-Fa-f]{4}|[pP](?:\{\^?\w+\}|\w)|[^])/y;
/** RE2's classes of ASCII characters. Rust's, and so ripgrep's, know all of Unicode. */
const CLASSES: Readonly<Record<string, string>> = {
  "\\d": "[0-9]",
  "\\D": "[^0-9]",
  "\\w": "[0-9A-Za-z_]",
  "\\W": "[^0-9A-Za-z_]",
  "\\s": "[\\t\\n\\f\\r ]",
  "\\S": "[^\\t\\n\\f\\r ]",
  "\\b": "(?-u:\\b)",
  "\\B": "(?-u:\\B)",
};

/** Splits a pattern into escapes, classes and single characters. */
function tokensOf(pattern: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length;) {
    ESCAPE.lastIndex = at;
    const [escape] = ESCAPE.exec(pattern) ?? [];
    const bracket = pattern[at] === "[" ? classAt(pattern, at) : undefined;
    const character = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
    if (character === "\n" || escape === "\\n") throw new Failed({ code: "pattern/lines" });
    tokens.push(bracket ?? (escape === undefined ? single(pattern, at, character) : escaped(escape, at)));
    at += bracket?.length ?? (escape ?? character).length;
  }
  return tokens;
}

function single(pattern: string, at: number, character: string): Token {
  // An edge inside is one of a line that ripgrep sees with its byte order mark and its CR.
  if (character === "^") return at === 0 ? { re2: "^", ripgrep: "^\\x{FEFF}?" } : { re2: "^" };
  if (character === "$") return at === pattern.length - 1 ? { re2: "$", ripgrep: "\\r?$" } : { re2: "$" };
  if (character !== "{") return { re2: character, ripgrep: character };
  // A brace that is no count.
  return /^\{\d+(?:,\d*)?\}/.test(pattern.slice(at, at + 30))
    ? { re2: "{", ripgrep: "{" }
    : { re2: "\\{", ripgrep: "\\{" };
}

function escaped(escape: string, at: number): Token {
  const [, code] = /^\\u\{?([0-9A-Fa-f]+)/.exec(escape) ?? [];
  const written = code === undefined ? escape : `\\x{${code}}`;
  if (/^\\[<>]$/.test(escape)) {
    const instead = `write \\b for the edge of a word, ${escape.slice(1)} for the character`;
    throw new Failed({ code: "pattern/regex", problem: `'${escape}'`, at: at + 1, instead });
  }
  if (/^\\[AzQE]$/.test(escape)) return { re2: written, isOfText: true };
  return { re2: written, ripgrep: CLASSES[escape] ?? written };
}

/** Reads a class of characters. Rust has operators in them, and classes in classes. */
function classAt(pattern: string, start: number): (Token & { readonly length: number }) | undefined {
  let at = start + (pattern[start + 1] === "^" ? 2 : 1);
  let [re2, ripgrep] = [pattern.slice(start, at), pattern.slice(start, at)];
  let isSame = true;
  for (let isFirst = true; at < pattern.length; isFirst = false) {
    ESCAPE.lastIndex = at;
    const named = /^\[:\^?\w+:\]/.exec(pattern.slice(at, at + 20))?.[0];
    const part = named ?? ESCAPE.exec(pattern)?.[0] ?? String.fromCodePoint(pattern.codePointAt(at) ?? 0);
    at += part.length;
    if (part === "]" && !isFirst) {
      const length = at - start;
      return { re2: `${re2}]`, length, ...(isSame && { ripgrep: `${ripgrep}]` }) };
    }
    if (part === "[" || /^(?:&&|--|~~)/.test(pattern.slice(at - 1, at + 1))) isSame = false;
    const token = part.startsWith("\\") ? escaped(part, at - part.length) : { re2: part, ripgrep: part };
    re2 += part === "]" ? "\\]" : token.re2;
    ripgrep += part === "]" ? "\\]" : (token.ripgrep ?? "");
  }
  return undefined;
}

function forRipgrep(tokens: readonly Token[]): string | undefined {
  const parts = tokens.map(({ ripgrep }) => ripgrep);
  const isSplit = tokens.some(({ re2 }) => re2 === "|") && tokens.some(({ re2 }) => re2 === "^" || re2 === "$");
  return isSplit || parts.includes(undefined) ? undefined : parts.join("");
}

const ESCAPES = "escapes are \\d \\w \\s \\b, their capitals, \\t, \\x41, \\u0041, and a backslash before punctuation";
const LESS = "repeat less often, or use * or +";
const PART = "search for a part of it and judge the lines yourself";

/** By RE2's description of the error, and the part of the pattern. */
const PROBLEMS: ReadonlyArray<readonly [description: RegExp, part: RegExp, problem: string, hint: string]> = [
  [/Perl syntax|named capture/, /^\(\?<?[=!]/, "lookaround", `match the text around too, or ${PART}`],
  [/Perl syntax/, /^\(\?>/, "an atomic group", "write (?:…)"],
  [/Perl syntax|named capture/, /^/, "the group {part}", "groups are (…), (?:…), (?P<name>…), and (?i) to ignore case"],
  [/escape/, /^\\(?:[1-9]|k)/, "a backreference", PART],
  [/escape/, /^\\[xu]/, "\\x without the number of a character", "write it as \\x41 or \\x{41}"],
  [/escape/, /^/, "the escape {part}", ESCAPES],
  [/trailing backslash/, /^/, "nothing after '\\'", "write \\\\ for the character"],
  [/nested repetition/, /\+$/, "a possessive quantifier", "leave out its final +"],
  [/nested repetition/, /^/, "two quantifiers in a row", "put the first with what it repeats in (?:…)"],
  [/missing argument/, /^/, "nothing to repeat", "write \\* or \\+ for the character"],
  [/repeat count/, /^/, "a range of repetitions that ends before it starts", "write the smaller number first"],
  [/missing closing \)/, /^/, "'(' is not closed", "write \\( for the character"],
  [/unexpected \)/, /^/, "')' closes no group", "write \\) for the character"],
  [/missing closing \]/, /^/, "'[' is not closed", "write \\[ for the character"],
  [/class range/, /^/, "a class that is unknown, or a range that ends before it starts", "write \\- for the character"],
  [/duplicate/, /^/, "two groups of one name", "give each group a name of its own, or write (?:…)"],
  [/nests too deeply/, /^/, "groups nested too deep", "write it with fewer groups"],
];

function tooLarge(): Failed {
  return new Failed({ code: "pattern/regex", problem: "too many alternatives or repetitions", instead: LESS });
}

function refusal(pattern: string, description: string, part: string): Failed {
  if (/too large/.test(description) || /^\{\d+\}$/.test(part)) return tooLarge();
  const known = PROBLEMS.find(([of, begins]) => of.test(description) && begins.test(part));
  const problem = (known?.[2] ?? description).replace("{part}", () => `'${part}'`);
  // Of a bracket that is not closed, RE2 tells only that.
  const at = part === "" || part === pattern || !pattern.includes(part) ? undefined : pattern.indexOf(part) + 1;
  const instead = known?.[3];
  return new Failed({
    code: "pattern/regex",
    problem,
    ...(at !== undefined && { at }),
    ...(instead !== undefined && { instead }),
  });
}
