import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileSegment, matchSegments } from "../../../src/paths/glob.ts";

function matches(pattern: string, path: string, options?: { extended?: boolean }): boolean {
  return matchSegments(pattern.split("/").map((segment) => compileSegment(segment, options)), path.split("/"));
}

describe("a path pattern", () => {
  it.each([
    ["src/app.ts", "src/app.ts", true],
    ["src/app.ts", "src/app.tsx", false],
    ["*.ts", "app.ts", true],
    ["*.ts", "src/app.ts", false],
    ["**/*.ts", "app.ts", true],
    ["**/*.ts", "a/b/c.ts", true],
    ["src/**", "src", true],
    ["src/**", "src/a/b", true],
    ["src/**/b", "src/b", true],
    ["a?c", "abc", true],
    ["a?c", "a😀c", true],
    ["a?c", "ac", false],
    ["*", ".hidden", true],
    ["a*b*c", "aXbXbXc", true],
    ["[ab].ts", "[ab].ts", true],
    ["{a,b}", "{a,b}", true],
  ])("%s on %s: %s", (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected);
  });

  it.each([
    ["[ab].ts", "a.ts", true],
    ["[ab].ts", "c.ts", false],
    ["[!ab].ts", "c.ts", true],
    ["[^ab].ts", "a.ts", false],
    ["[a-f]x", "ex", true],
    ["[a-f]x", "gx", false],
    ["[a-]x", "-x", true],
    ["[abc", "[abc", true],
    ["*[0-9]", "file7", true],
    ["[]a]", "]", true],
    ["[]a]", "a", true],
    ["[!]a]", "]", false],
    ["[!]a]", "b", true],
    ["[]", "[]", true],
    ["[!]", "[!]", true],
    ["[\\]a]", "]", true],
    ["[a\\-c]", "b", false],
    ["[a-\\]]", "^", false],
    ["[[-\\]]", "\\", true],
    ["\\*", "*", true],
    ["\\*", "a", false],
    ["\\a", "a", true],
    ["a\\", "a\\", true],
  ])("with sets, %s on %s: %s", (pattern, path, expected) => {
    expect(matches(pattern, path, { extended: true })).toBe(expected);
  });

  it("agrees with the definition on random patterns and paths", () => {
    const segment = fc.constantFrom("**", "*", "a", "b", "a*", "*b", "?", "ab", "*a*");
    const name = fc.constantFrom("a", "b", "ab", "ba", "aab", ".a");
    const lists = fc.tuple(fc.array(segment, { minLength: 1, maxLength: 5 }), fc.array(name, { minLength: 1, maxLength: 5 }));
    fc.assert(fc.property(lists, ([pattern, path]) => matches(pattern.join("/"), path.join("/")) === byDefinition(pattern, path)), { numRuns: 5000 });
  });

  it("agrees with the definition of a set", () => {
    const member = fc.constantFrom("a", "b", "c", "d", "-", "!", "]", "[", "\\", "^");
    fc.assert(fc.property(fc.array(member, { minLength: 1, maxLength: 6 }), member, (members, character) => {
      const set = members.join("");
      expect(matches(`[${set}`, character, { extended: true })).toBe(setByDefinition(set, character));
    }), { numRuns: 5000 });
  });

  it("52: takes at most pattern times path steps on a hostile pattern", () => {
    expect(matches(`${"*a".repeat(2000)}c`, `${"a".repeat(4000)}b`)).toBe(false);
    expect(matches(`${"**/a/".repeat(2000)}x`, `${"a/".repeat(4000)}b`)).toBe(false);
  });
});

/** Tries everything a wildcard could match, which is too slow for real use. */
function byDefinition(pattern: readonly string[], path: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === "**") return path.some((_, index) => byDefinition(rest, path.slice(index))) || byDefinition(rest, []);
  return path.length > 0 && nameByDefinition([...first], [...(path[0] as string)]) && byDefinition(rest, path.slice(1));
}

function nameByDefinition(pattern: readonly string[], name: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return name.length === 0;
  if (first === "*") return name.some((_, index) => nameByDefinition(rest, name.slice(index))) || nameByDefinition(rest, []);
  return name.length > 0 && (first === "?" || first === name[0]) && nameByDefinition(rest, name.slice(1));
}

/** Returns whether `[` and the text form one whole set that contains the character. */
function setByDefinition(text: string, character: string): boolean {
  const [, not, body] = /^([!^]|(?![!^]))((?:\\.|[^\\])(?:\\.|[^\]\\])*)\]$/s.exec(text) ?? [];
  if (body === undefined) return false;
  const members = [...body.matchAll(/(\\.|[^\\])(?:-(\\.|[^\\]))?/gs)].map(([, low = "", high = low]) => [low.at(-1) as string, high.at(-1) as string]);
  return members.some(([low, high]) => (low as string) <= character && character <= (high as string)) === (not === "");
}
