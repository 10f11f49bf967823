/**
 * Parses the regular expressions that `grep` accepts: what RE2, Rust and JavaScript have in common, and only what can
 * be matched in linear time. `\d`, `\w`, `\s` and `\b` know ASCII only, as in RE2. Lines are searched one by one, so
 * nothing matches a line ending.
 */
import { Failed } from "../../core/failure.ts";
import { complement, DIGITS, foldCase, NAMED, type Range, SPACE, union, without, WORD } from "./code-points.ts";

/** A place between two characters: the start or end of the line, or where a word starts or ends, or where none does. */
export type Edge = "start" | "end" | "word" | "not-word";

export type Regex =
  /** One of these code points. */
  | { readonly type: "set"; readonly ranges: readonly Range[] }
  | { readonly type: "edge"; readonly edge: Edge }
  | { readonly type: "sequence"; readonly parts: readonly Regex[] }
  | { readonly type: "either"; readonly options: readonly Regex[] }
  /** `most` is absent if there is no limit. */
  | { readonly type: "repeat"; readonly of: Regex; readonly least: number; readonly most?: number };

/** In UTF-16 units. A longer one cannot be parsed within the time of an action. */
const MAX_LENGTH = 10_000;
const MAX_REPEAT = 1_000;
const MAX_DEPTH = 100;

/** Throws `pattern/regex` with a hint how to write it, or `pattern/lines`. */
export function parseRegex(pattern: string): Regex {
  if (pattern.length > MAX_LENGTH)
    throw new Failed({ code: "pattern/regex", problem: `more than ${MAX_LENGTH} characters` }, "shorten the pattern");
  return new Parser(pattern).parse();
}

class Parser {
  readonly #characters: readonly string[];
  #at = 0;
  #depth = 0;
  #ignoresCase = false;

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  parse(): Regex {
    const found = this.#either();
    if (this.#at < this.#characters.length) throw this.#refusal("')' closes no group", "write \\) for the character");
    return found;
  }

  #either(): Regex {
    const options = [this.#sequence()];
    while (this.#takes("|")) options.push(this.#sequence());
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { type: "either", options };
  }

  #sequence(): Regex {
    const parts: Regex[] = [];
    while (this.#at < this.#characters.length && !this.#sees("|") && !this.#sees(")")) parts.push(this.#repeated());
    return { type: "sequence", parts };
  }

  #repeated(): Regex {
    const start = this.#at;
    const one = this.#one();
    const count = this.#count();
    if (count === undefined) return one;
    if (one.type === "edge") throw this.#refusal("nothing to repeat", "write \\* or \\+ for the character", start);
    // Whether a line matches does not depend on it.
    this.#takes("?");
    if (this.#sees("+")) throw this.#refusal("a possessive quantifier", "leave out its final +");
    const second = this.#at;
    if (this.#count() !== undefined)
      throw this.#refusal("two quantifiers in a row", "put the first with what it repeats in (?:…)", second);
    return { type: "repeat", of: one, ...count };
  }

  /** Takes a quantifier, without `?` or `+` after it. */
  #count(): { readonly least: number; readonly most?: number } | undefined {
    if (this.#takes("*")) return { least: 0 };
    if (this.#takes("+")) return { least: 1 };
    if (this.#takes("?")) return { least: 0, most: 1 };
    const [text, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(this.#ahead(12)) ?? [];
    // Any other brace is a character, which code is full of.
    if (text === undefined || (comma === "" && most !== "")) return undefined;
    const counts = {
      least: Number(least),
      ...(comma === "" ? { most: Number(least) } : most !== "" && { most: Number(most) }),
    };
    if (Math.max(counts.least, counts.most ?? 0) > MAX_REPEAT)
      throw this.#refusal(`more than ${MAX_REPEAT} repetitions`, "repeat less often, or use * or +");
    if (counts.least > (counts.most ?? MAX_REPEAT))
      throw this.#refusal("a range of repetitions that ends before it starts", `write {${most},${least}}`);
    this.#at += text.length;
    return counts;
  }

  #one(): Regex {
    const start = this.#at;
    if (this.#count() !== undefined)
      throw this.#refusal("nothing to repeat", `write \\${this.#characters[start]} for the character`, start);
    const character = this.#next();
    switch (character) {
      case "(":
        return this.#group();
      case "[":
        return this.#class(start);
      case ".":
        return this.#set([[0, 0x10ffff]]);
      case "^":
        return { type: "edge", edge: "start" };
      case "$":
        return { type: "edge", edge: "end" };
      case "\\":
        return this.#escape();
      case "\n":
        throw new Failed({ code: "pattern/lines" });
      default:
        return this.#set(only(character));
    }
  }

  #group(): Regex {
    const start = this.#at - 1;
    const outside = this.#ignoresCase;
    if (++this.#depth > MAX_DEPTH)
      throw this.#refusal(`groups nested deeper than ${MAX_DEPTH}`, "write it with fewer groups", start);
    if (this.#takes("?") && !this.#startsGroup(start)) {
      this.#depth -= 1;
      return { type: "sequence", parts: [] };
    }
    const inside = this.#either();
    if (!this.#takes(")")) throw this.#refusal("'(' is not closed", "write \\( for the character", start);
    this.#depth -= 1;
    this.#ignoresCase = outside;
    return inside;
  }

  /** Takes what follows `(?`. Returns false if it only sets flags for the rest of the surrounding group. */
  #startsGroup(start: number): boolean {
    if (this.#takes(":")) return true;
    const [name] = /^P?<[A-Za-z_]\w*>/.exec(this.#ahead(200)) ?? [];
    if (name !== undefined) this.#at += name.length;
    if (name !== undefined) return true;
    const [text, on = "", off = "", end] = /^([ims]*)(?:-([ims]+))?([:)])/.exec(this.#ahead(10)) ?? [];
    if (text === undefined || text === ")") throw this.#refusal(...constructAt(this.#ahead(2)), start);
    this.#at += text.length;
    // Lines are searched one by one, so `m` and `s` make no difference.
    if (on.includes("i") || off.includes("i")) this.#ignoresCase = !off.includes("i");
    return end === ":";
  }

  /** Takes what follows a backslash. */
  #escape(): Regex {
    const character = this.#next("\\");
    const edge = ({ b: "word", B: "not-word" } as const)[character];
    if (edge !== undefined) return { type: "edge", edge };
    if (character === "n") throw new Failed({ code: "pattern/lines" });
    return this.#set(this.#escaped(character));
  }

  /** Returns what a character after a backslash stands for, in a class as well. */
  #escaped(character: string): readonly Range[] {
    const start = this.#at - 2;
    const set = CLASSES[character];
    if (set !== undefined) return set;
    const code = CONTROLS[character];
    if (code !== undefined) return [[code, code]];
    if (character === "x" || character === "u") return this.#numbered(character, start);
    if (!/^[A-Za-z0-9<>]$/.test(character)) return only(character);
    throw this.#refusal(...escapeNamed(character), start);
  }

  /** Takes the number of `\x41`, `\u0041`, `\x{41}` or `\u{41}`. */
  #numbered(character: "x" | "u", start: number): readonly Range[] {
    const digits =
      character === "x" ? /^(?:([\da-f]{2})|\{([\da-f]{1,6})\})/i : /^(?:([\da-f]{4})|\{([\da-f]{1,6})\})/i;
    const [text = "", short, long] = digits.exec(this.#ahead(8)) ?? [];
    const code = Number.parseInt(short ?? long ?? "", 16);
    if (!(code <= 0x10ffff)) {
      throw this.#refusal(
        `\\${character} without the number of a character`,
        `write it as \\${character === "x" ? "x41" : "u0041"} or \\${character}{41}`,
        start,
      );
    }
    this.#at += text.length;
    return [[code, code]];
  }

  /** Takes a class after its `[`. */
  #class(start: number): Regex {
    const isNegated = this.#takes("^");
    const ranges: Range[] = [];
    // A bracket in the first place is a character.
    for (let isFirst = true; isFirst || !this.#sees("]"); isFirst = false) {
      if (this.#at >= this.#characters.length)
        throw this.#refusal("'[' is not closed", "write \\[ for the character", start);
      ranges.push(...this.#classItem());
    }
    this.#at += 1;
    return this.#set(ranges, isNegated);
  }

  #classItem(): readonly Range[] {
    const start = this.#at;
    const [text, not, name = ""] = /^\[:(\^?)(\w+):\]/.exec(this.#ahead(12)) ?? [];
    const named = NAMED[name];
    if (text !== undefined && named !== undefined) {
      this.#at += text.length;
      return not === "" ? named : complement(named);
    }
    const from = this.#classCharacter();
    const [first] = from;
    const isRange = this.#sees("-") && this.#characters[this.#at + 1] !== "]" && this.#at + 1 < this.#characters.length;
    if (!isRange || first === undefined || !isOne(from)) return from;
    this.#at += 1;
    const to = this.#classCharacter();
    const [last] = to;
    // In `[a-\w]` the dash is a character.
    if (last === undefined || !isOne(to)) return [...from, ...only("-"), ...to];
    if (last[0] < first[0])
      throw this.#refusal("a range of characters that ends before it starts", "write \\- for the character", start);
    return [[first[0], last[0]]];
  }

  #classCharacter(): readonly Range[] {
    const character = this.#next();
    return character === "\\" ? this.#escaped(this.#next("\\")) : only(character);
  }

  #set(ranges: readonly Range[], isNegated = false): Regex {
    const all = this.#ignoresCase ? foldCase(union(ranges)) : union(ranges);
    return { type: "set", ranges: without(0x0a, isNegated ? complement(all) : all) };
  }

  #takes(character: string): boolean {
    if (!this.#sees(character)) return false;
    this.#at += 1;
    return true;
  }

  #sees(character: string): boolean {
    return this.#characters[this.#at] === character;
  }

  #next(after = ""): string {
    const character = this.#characters[this.#at];
    if (character === undefined)
      throw this.#refusal(`nothing after '${after}'`, `write \\${after} for the character`, this.#at - 1);
    this.#at += 1;
    return character;
  }

  #ahead(most: number): string {
    return this.#characters.slice(this.#at, this.#at + most).join("");
  }

  /** @param problem a noun phrase, or a clause that starts with the pattern's own characters */
  #refusal(problem: string, hint: string, at = this.#at): Failed {
    return new Failed({ code: "pattern/regex", problem, at: at + 1 }, hint);
  }
}

function only(character: string): readonly Range[] {
  const code = character.codePointAt(0) ?? 0;
  return [[code, code]];
}

function isOne([range, ...others]: readonly Range[]): boolean {
  return others.length === 0 && range !== undefined && range[0] === range[1];
}

const CLASSES: Readonly<Record<string, readonly Range[]>> = {
  d: DIGITS, D: complement(DIGITS), w: WORD, W: complement(WORD), s: SPACE, S: complement(SPACE)
};
const CONTROLS: Readonly<Record<string, number>> = { a: 0x07, f: 0x0c, n: 0x0a, r: 0x0d, t: 0x09, v: 0x0b };

type Refused = readonly [problem: string, hint: string];

/** Names a construct by what follows its `(?`. */
function constructAt(text: string): Refused {
  if (/^(?:[=!]|<[=!])/.test(text))
    return ["lookaround", "match the text around too, or search for a part of it and judge the lines yourself"];
  if (text.startsWith(">")) return ["an atomic group", "write (?:…)"];
  return [`the group '(?${text}'`, "groups are (…), (?:…), (?P<name>…), and (?i) to ignore case"];
}

function escapeNamed(character: string): Refused {
  if (/[1-9kg]/.test(character)) return ["a backreference", "search for a part of it and judge the lines yourself"];
  if (/[pP]/.test(character)) return ["a Unicode class", "name the characters: [a-zäöü]"];
  if (/[AzZG]/.test(character))
    return [`'\\${character}'`, "lines are searched one by one: write ^ for the start of one, $ for its end"];
  if (/[<>]/.test(character))
    return [`'\\${character}'`, `write \\b for the edge of a word, ${character} for the character`];
  return [
    `'\\${character}'`,
    "escapes are \\d \\w \\s \\b, their capitals, \\t, \\x41, \\u0041, and a backslash before punctuation",
  ];
}
