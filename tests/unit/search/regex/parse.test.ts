import { describe, expect, it } from "vitest";
import { Failed } from "../../../../src/core/failure.ts";
import { soughtRegex } from "../../../../src/search/regex.ts";

function refusalOf(pattern: string): unknown {
  try {
    soughtRegex(pattern);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof Failed)) throw thrown;
    return thrown.failure.code === "pattern/regex" ? `${thrown.failure.problem} at ${thrown.failure.at}; ${thrown.failure.instead}` : thrown.failure.code;
  }
}

describe("a regular expression is refused with what to write instead", () => {
  it.each([
    ["foo(?=bar)", "lookaround at 4; match the text around too, or search for a part of it and judge the lines yourself"],
    ["(?<!a)b", "lookaround at undefined; match the text around too, or search for a part of it and judge the lines yourself"],
    ["(a)\\1", "a backreference at 4; search for a part of it and judge the lines yourself"],
    ["\\k<a>", "a backreference at 1; search for a part of it and judge the lines yourself"],
    ["(?>a)", "an atomic group at 1; write (?:…)"],
    ["(?x)a", "the group '(?x' at 1; groups are (…), (?:…), (?P<name>…), and (?i) to ignore case"],
    ["(?P<a>b)(?P<a>c)", "two groups of one name at 5; give each group a name of its own, or write (?:…)"],
    ["a++", "a possessive quantifier at 2; leave out its final +"],
    ["a**", "two quantifiers in a row at 2; put the first with what it repeats in (?:…)"],
    ["x|*a", "nothing to repeat at 3; write \\* or \\+ for the character"],
    ["a{1001}", "too many alternatives or repetitions at undefined; repeat less often, or use * or +"],
    ["a{3,2}", "a range of repetitions that ends before it starts at 2; write the smaller number first"],
    ["foo(", "'(' is not closed at undefined; write \\( for the character"],
    ["foo)", "')' closes no group at undefined; write \\) for the character"],
    ["foo[a", "'[' is not closed at 4; write \\[ for the character"],
    ["[b-a]", "a class that is unknown, or a range that ends before it starts at 2; write \\- for the character"],
    ["\\<div", "'\\<' at 1; write \\b for the edge of a word, < for the character"],
    ["\\q", "the escape '\\q' at undefined; escapes are \\d \\w \\s \\b, their capitals, \\t, \\x41, \\u0041, and a backslash before punctuation"],
    ["\\x{110000}", "\\x without the number of a character at 1; write it as \\x41 or \\x{41}"],
    ["a\\", "nothing after '\\' at undefined; write \\\\ for the character"],
    ["a\\nb", "pattern/lines"],
    ["a\nb", "pattern/lines"],
    [`${"(".repeat(2_000)}a${")".repeat(2_000)}`, "groups nested too deep at undefined; write it with fewer groups"],
  ])("%s", (pattern, refusal) => {
    expect(refusalOf(pattern)).toBe(refusal);
  });
});

describe("is accepted as most tools read it, and said to ripgrep so that it finds no less", () => {
  it.each([
    ["a brace that is no count", "if {1,", "if \\{1,"],
    ["a line break in a class", "[^\\n]", "[^\\n]"],
    ["a dash after a class", "[\\d-x]", "[[0-9]-x]"],
    ["a bracket in the first place", "[]]", "[\\]]"],
    ["a quantifier that takes little", "a+?", "a+?"],
    ["ignoring case up to the end of the group", "(?i:a)b(?i)c", "(?i:a)b(?i)c"],
    ["a class with a name", "[[:digit:]_]", "[[:digit:]_]"],
    ["a character by its number", "\\u00e9", "\\x{00e9}"],
    ["a class of Unicode", "\\p{Lu}", "\\p{Lu}"],
    ["edges of the line, which ripgrep sees before a CR", "^a$", "^\\x{FEFF}?a\\r?$"],
    ["an edge inside", "(^a)", undefined],
    ["edges of several alternatives", "^a|b$", undefined],
    ["an edge of the text", "\\Aa", undefined],
    ["operators of another language", "[a&&b]", undefined],
  ])("%s", (_, pattern, printed) => {
    expect(soughtRegex(pattern).ripgrepPattern).toBe(printed);
  });
});
