import { describe, expect, it } from "vitest";
import { LineFinder } from "../../../../src/search/line-finder.ts";
import { soughtRegex } from "../../../../src/search/regex.ts";
import { measureWork } from "../../../support/work.ts";

/** Feeds the text as often as asked, and returns the number of lines that match. */
function count(pattern: string, text: string, times = 1): number {
  const finder = new LineFinder(soughtRegex(pattern).needle(), 0);
  const piece = Buffer.from(text);
  for (let time = 0; time < times; time++) finder.take(piece);
  finder.end();
  return finder.count;
}

describe("51: a hostile regular expression", () => {
  it.each(["(x{1000}){20}", "(((x{1000}){1000}){1000}){1000}", "((((){1000}){1000}){1000}){1000}", "[^b]{1000}".repeat(6), Array.from({ length: 10_000 }, (_, index) => `word${index}`).join("|")])("is refused if its automaton would be large", (pattern) => {
    expect(() => soughtRegex(pattern)).toThrow("pattern/regex");
  });

  it("is refused before it is parsed if it is too long for the time of an action", () => {
    const work = measureWork();
    expect(() => soughtRegex("a|".repeat(5_000_000))).toThrow("pattern/regex");
    expect(work()).toBeLessThan(1_000);
  });

  it.each(["(a+)+$", "(a|a)*$", "(a|b|ab)*c", "(.*)*x", "a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaaaaaaaaaa!", "(?:x+x+)+y"])("takes time linear in the text: %s", (pattern) => {
    const work = measureWork();
    count(pattern, "a".repeat(60_000), 16);
    expect(work()).toBeLessThan(10_000);
  });

  it("with more states than are kept finds the same", () => {
    // Each of the last twelve letters counts, so there are more than 4,096 states.
    let seed = 7;
    const letter = (): string => ((seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) > 2 ** 30 ? "a" : "b");
    const lines = Array.from({ length: 800 }, () => Array.from({ length: 40 }, letter).join(""));
    const expected = lines.filter((line) => /a[ab]{12}aabb/.test(line)).length;
    expect(expected).toBeGreaterThan(100);
    expect(expected).toBeLessThan(700);
    expect(count("a[ab]{12}aabb", lines.join("\n"))).toBe(expected);
  });
});
