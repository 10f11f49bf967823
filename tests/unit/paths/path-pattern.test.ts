import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileInclude, compilePattern, type PathPattern } from "../../../src/paths/glob.ts";
import { measureWork } from "../../support/work.ts";

function possible(pattern: PathPattern | undefined): PathPattern {
  if (pattern === undefined) throw new Error("no path can match it");
  return pattern;
}

describe("a glob of the glob action", () => {
  it.each([
    ["**/*.{ts,js}", "src/a.ts", true],
    ["**/*.{ts,js}", "a.js", true],
    ["**/*.{ts,js}", "a.css", false],
    ["{src,test}/{a,b{1,2}}.ts", "test/b2.ts", true],
    ["{src,test}/{a,b{1,2}}.ts", "test/b.ts", false],
    ["{a,b/**}/c", "b/x/y/c", true],
    ["./src/*", "src/a", true],
    ["{a", "{a", true],
    ["a}", "a}", true],
    ["{ab}", "{ab}", true],
    ["{ab}{c,d}", "{ab}d", true],
    ["a{,b}", "a", true],
    ["[ab]{1,2}", "b1", true],
    ["*", ".env.example", true],
    ["{a{b,c}", "{ab", true],
    ["{a{b,c}d}", "{acd}", true],
    ["{a,{b,c}", "{a,b", true],
    ["\\{a,b}", "{a,b}", true],
    ["{a\\,b,c}", "a,b", true],
    ["\\[id\\].tsx", "[id].tsx", true],
    ["/p/src/*.ts", "src/a.ts", true],
  ])("%s on %s: %s", (pattern, path, expected) => {
    expect(possible(compilePattern(pattern, "/p"))(path)).toBe(expected);
  });

  it("expands braces as defined", () => {
    const part = fc.constantFrom("a", "b", "{", "}", ",", "{a,b}");
    const patterns = fc.array(part, { minLength: 1, maxLength: 9 }).map((parts) => parts.join(""));
    const name = fc.string({ unit: fc.constantFrom("a", "b", "{", "}", ","), minLength: 1, maxLength: 6 });
    fc.assert(fc.property(patterns, name, (pattern, path) => {
      const alternatives = expanded(pattern);
      const matches = compilePattern(pattern, "/p");
      for (const one of [path, ...alternatives]) expect(matches?.(one) ?? false).toBe(one !== "" && alternatives.includes(one));
    }), { numRuns: 2000 });
  });

  it.each([
    ["many members", `{${"a,".repeat(60_000)}}`],
    ["a long pattern", `${"{a,b}".repeat(8)}${"x".repeat(1_000_000)}`],
    ["unclosed braces", "{".repeat(100_000)],
    ["unclosed sets", "[".repeat(100_000)],
    ["sets that only appear to close", `${"[".repeat(100_000)}]`],
  ])("takes little time and memory for %s", (_, pattern) => {
    const before = process.memoryUsage().heapUsed;
    const work = measureWork();
    possible(compilePattern(pattern, "/p"))("a");
    expect(work()).toBeLessThan(1000);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(2 ** 28);
  });

  it("limits the number of alternatives", () => {
    expect(possible(compilePattern("{a,b}".repeat(40), "/p"))("a".repeat(40))).toBe(false);
  });
});

describe("include of grep", () => {
  it("matches a name at any depth, a path from the base", () => {
    expect(possible(compileInclude("*.ts", "/p"))("a/b/c.ts")).toBe(true);
    expect(possible(compileInclude("src/*.ts", "/p"))("a/src/c.ts")).toBe(false);
  });
});

/** Expands the first closed braces with a comma of their own, trying each offset in turn. */
function expanded(pattern: string): string[] {
  for (let start = pattern.indexOf("{"); start !== -1; start = pattern.indexOf("{", start + 1)) {
    const members = [""];
    let depth = 0;
    for (let at = start + 1; at < pattern.length; at++) {
      const character = pattern[at] as string;
      if (character === "}" && depth === 0) {
        if (members.length === 1) break;
        return members.flatMap((member) => expanded(pattern.slice(0, start) + member + pattern.slice(at + 1)));
      }
      if (character === "," && depth === 0) members.push("");
      else members.push(`${members.pop()}${character}`);
      depth += character === "{" ? 1 : character === "}" ? -1 : 0;
    }
  }
  return [pattern];
}
