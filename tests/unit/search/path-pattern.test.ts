import { describe, expect, it } from "vitest";
import { compileInclude, compilePattern } from "../../../src/search/path-pattern.ts";

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
  ])("%s on %s: %s", (pattern, path, expected) => {
    expect(compilePattern(pattern)(path)).toBe(expected);
  });

  it("does not multiply without end", () => {
    expect(compilePattern("{a,b}".repeat(40))("a".repeat(40))).toBe(false);
  });
});

describe("include of grep", () => {
  it("looks for a name at any depth, for a path from the base", () => {
    expect(compileInclude("*.ts")("a/b/c.ts")).toBe(true);
    expect(compileInclude("src/*.ts")("a/src/c.ts")).toBe(false);
  });
});
