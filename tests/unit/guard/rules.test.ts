import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileRule, decidingRule, except, type Rule } from "../../../src/guard/policy.ts";
import { measureWork } from "../../support/work.ts";

const names = (path: string): string[] => path.split("/").filter(Boolean);
const allow = (pattern: string): Rule => compileRule("allow", pattern, [], names(pattern));
const deny = (pattern: string): Rule => compileRule("deny", pattern, [], names(pattern));
const verdict = (rules: readonly Rule[], path: string): "allow" | "deny" => decidingRule(rules, names(path))?.verdict ?? "deny";

const R = "/home/u/project";

describe("probes", () => {
  test.each<[rules: Rule[], path: string, verdict: "allow" | "deny"]>([
    [[allow(`${R}/src/**`), deny("**/.git/**")], `${R}/src/lib/.git/config`, "deny"],
    [[allow(`${R}/**`), deny("**/*.pem")], `${R}/k/a.pem`, "deny"],
    [[allow(`${R}/**`), deny("**/.env*")], `${R}/.env.local`, "deny"],
    [[allow(`${R}/**`), deny("**/.env*"), allow(`${R}/.env.example`)], `${R}/.env.example`, "allow"],
    [[allow("/home/**"), deny("/home/u/.ssh/**")], "/home/u/.ssh/id", "deny"],
    [[deny("/home/u/.ssh/**"), allow("/home/u/.ssh/pub/**")], "/home/u/.ssh/pub/x", "allow"],
    [[allow(`${R}/src/**/*.md`), deny(`${R}/src/secret/**`)], `${R}/src/secret/a.md`, "deny"],
    [[allow(`${R}/**`), deny("**/node_modules/**")], `${R}/node_modules/x/i.js`, "deny"],
    [[allow(`${R}/**`), deny(`${R}/**`)], `${R}/x`, "deny"],
    [[], `${R}/x`, "deny"],
    [[deny("**/.git/**"), allow(`${R}/.git/loaf/**`)], `${R}/.git/loaf/j`, "allow"],
  ])("%#", (rules, path, expected) => {
    expect(verdict(rules, path)).toBe(expected);
    expect(verdict(rules.toReversed(), path)).toBe(expected);
  });
});

test("a permission counts at its shallowest alignment, a refusal at its deepest", () => {
  expect(verdict([allow("**/a/**"), deny("/a/b/*")], "/a/b/a")).toBe("deny");
  expect(verdict([allow("/a/b/**"), deny("**/a/**")], "/a/b/a/x")).toBe("deny");
  expect(verdict([allow("/a/b/**"), deny("**/a/**")], "/a/b/c")).toBe("allow");
});

test("`x/**` is x itself as well", () => {
  expect(verdict([allow("/x/**")], "/x")).toBe("allow");
  expect(verdict([allow("/x/**")], "/xy")).toBe("deny");
});

test("the anchor's characters are literal", () => {
  const rule = compileRule("allow", "./**", ["we*rd[a]", "{b}?"], ["**"]);
  expect(verdict([rule], "/we*rd[a]/{b}?/x")).toBe("allow");
  expect(verdict([rule], "/weird[a]/{b}c/x")).toBe("deny");
});

test("a refusal leaves out its exceptions", () => {
  const rule = except(deny("**/.env*"), new Set([".env.example"]));
  expect(verdict([allow("/**"), rule], "/p/.env.example")).toBe("allow");
  expect(verdict([allow("/**"), rule], "/p/.env.example2")).toBe("deny");
  expect(verdict([allow("/**"), rule], "/p/.env.d/.env.example")).toBe("deny");
});

const segment = fc.constantFrom("**", "*", "a", "b", "c", "*.k", "a*", "?");
const rule = fc.tuple(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.boolean()).map(([segments, isAllow]) => (isAllow ? allow : deny)(segments.join("/")));
const ruleSet = fc.array(rule, { maxLength: 6 });
const path = fc.array(fc.constantFrom("a", "b", "c", "x.k", "ab"), { minLength: 1, maxLength: 5 }).map((segments) => segments.join("/"));

test("the order of rules never matters", () => {
  const shuffled = ruleSet.chain((rules) => fc.tuple(fc.constant(rules), fc.shuffledSubarray(rules, { minLength: rules.length })));
  fc.assert(fc.property(shuffled, path, ([rules, other], at) => verdict(rules, at) === verdict(other, at)), { numRuns: 5000 });
});

test("the shortcut by a required name gives the same result as matching", () => {
  const plain = (rules: readonly Rule[]): Rule[] => rules.map(({ verdict, pattern, segments, isExact, place }) => ({ verdict, pattern, segments, isExact, ...(place && { place }) }));
  fc.assert(fc.property(ruleSet, path, (rules, at) => decidingRule(rules, names(at))?.pattern === decidingRule(plain(rules), names(at))?.pattern), { numRuns: 5000 });
});

test("one more refusal never permits more", () => {
  fc.assert(fc.property(ruleSet, rule, path, (rules, one, at) => verdict([...rules, { ...one, verdict: "deny" }], at) === "deny" || verdict(rules, at) === "allow"), { numRuns: 5000 });
});

test("without a matching permission nothing is allowed", () => {
  fc.assert(fc.property(ruleSet, path, (rules, at) => verdict(rules.filter(({ verdict }) => verdict === "deny"), at) === "deny"));
});

test.each([
  [`/${"*a".repeat(100)}c`, `/${"a".repeat(250)}b`],
  [`/${"**/a/".repeat(60)}x`, `/${"a/".repeat(1000)}b`],
  [`/${"**/*a*/".repeat(60)}**`, `/${"aaaaaaaa/".repeat(400)}b`],
])("52: a hostile pattern is matched quickly: %.20s…", (pattern, at) => {
  const work = measureWork();
  verdict([deny(pattern), allow(pattern)], at);
  expect(work()).toBeLessThan(500);
});
