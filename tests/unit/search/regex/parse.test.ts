import { describe, expect, it } from "vitest";
import { Failed } from "../../../../src/core/failure.ts";
import { soughtRegex } from "../../../../src/search/needle.ts";

function refusalOf(pattern: string): unknown {
  try {
    soughtRegex(pattern);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof Failed)) throw thrown;
    return thrown.failure.code === "pattern/regex" ? `${thrown.failure.problem} at ${thrown.failure.at}; ${thrown.hint}` : thrown.failure.code;
  }
}

describe("a regular expression is refused with what to write instead", () => {
  it.each([
    ["foo(?=bar)", "lookaround at 4; match the text around too, or search for a part of it and judge the lines yourself"],
    ["(?<!a)b", "lookaround at 1; match the text around too, or search for a part of it and judge the lines yourself"],
    ["(a)\\1", "a backreference at 4; search for a part of it and judge the lines yourself"],
    ["\\k<a>", "a backreference at 1; search for a part of it and judge the lines yourself"],
    ["(?>a)", "an atomic group at 1; write (?:…)"],
    ["(?x)a", "the group '(?x)' at 1; groups are (…), (?:…), (?P<name>…), and (?i) to ignore case"],
    ["a++", "a possessive quantifier at 3; leave out its final +"],
    ["a**", "two quantifiers in a row at 3; put the first with what it repeats in (?:…)"],
    ["x|*a", "nothing to repeat at 3; write \\* for the character"],
    ["^*", "nothing to repeat at 1; write \\* or \\+ for the character"],
    ["a{1001}", "more than 1000 repetitions at 2; repeat less often, or use * or +"],
    ["a{3,2}", "a range of repetitions that ends before it starts at 2; write {2,3}"],
    ["foo(", "'(' is not closed at 4; write \\( for the character"],
    ["foo)", "')' closes no group at 4; write \\) for the character"],
    ["foo[a", "'[' is not closed at 4; write \\[ for the character"],
    ["[b-a]", "a range of characters that ends before it starts at 2; write \\- for the character"],
    ["\\p{Lu}", "a Unicode class at 1; name the characters: [a-zäöü]"],
    ["\\Aa", "'\\A' at 1; lines are searched one by one: write ^ for the start of one, $ for its end"],
    ["\\<div", "'\\<' at 1; write \\b for the edge of a word, < for the character"],
    ["\\q", "'\\q' at 1; escapes are \\d \\w \\s \\b, their capitals, \\t, \\x41, \\u0041, and a backslash before punctuation"],
    ["\\x{110000}", "\\x without the number of a character at 1; write it as \\x41 or \\x{41}"],
    ["a\\", "nothing after '\\' at 2; write \\\\ for the character"],
    ["a\\nb", "pattern/lines"],
    ["a\nb", "pattern/lines"],
    [`${"(".repeat(101)}a`, "groups nested deeper than 100 at 101; write it with fewer groups"],
  ])("%s", (pattern, refusal) => {
    expect(refusalOf(pattern)).toBe(refusal);
  });
});

describe("is accepted as most tools read it", () => {
  it.each([
    ["a brace that is no count", "if {1,", "if \\x{7b}1\\x{2c}"],
    ["a line break in a class", "[^\\n]", "[\\x{0}-\\x{9}\\x{b}-\\x{10ffff}]"],
    ["a dash after a class", "[\\d-x]", "[\\x{2d}-\\x{2d}0-9x-x]"],
    ["a bracket in the first place", "[]]", "\\x{5d}"],
    ["a quantifier that takes little", "a+?", "(?:a){1,}"],
    ["ignoring case up to the end of the group", "(?i:a)b(?i)c", "[A-Aa-a]b[C-Cc-c]"],
    ["a class with a name", "[[:digit:]_]", "[0-9\\x{5f}-\\x{5f}]"],
    ["edges of the line, which ripgrep sees before a CR", "^a$", "^\\x{FEFF}?a\\r?$"],
  ])("%s", (_, pattern, printed) => {
    expect(soughtRegex(pattern).ripgrepPattern).toBe(printed);
  });
});
