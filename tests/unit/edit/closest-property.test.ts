/** The closest place of a text that is not in a file. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findClosest } from "../../../src/edit/hints/closest.ts";
import { alignNone } from "../../../src/edit/replace.ts";
import { lineNumberAt } from "../../../src/edit/lines.ts";

const word = fc.constantFrom("alpha", "beta", "gamma", "return", "value", "user", "name", "total", "index", "render", "if", "else", "map", "x", "i", "0", "12", "true");
const line = fc.tuple(fc.nat(3), fc.array(word, { minLength: 2, maxLength: 6 }), fc.constantFrom(";", " {", "", ")", ",")).map(([depth, words, end]) => `${"    ".repeat(depth)}${words.join(" ")}${end}`);
const file = fc.uniqueArray(line, { minLength: 3, maxLength: 120, selector: (one) => one.trim() });

/** Letters between which a word is misspelt, so that no other line is as close. */
const typo = (text: string, at: number): string => {
  const start = text.length - text.trimStart().length;
  const place = start + (at % (text.length - start)) + 1;
  return `${text.slice(0, place)}~${text.slice(place)}`;
};

test("a misspelt line is closest to the line that it was, whatever its indentation and wherever it is", () => {
  fc.assert(
    fc.property(file, fc.nat(), fc.nat(), fc.boolean(), fc.boolean(), (lines, which, at, isStripped, hasMark) => {
      const index = which % lines.length;
      // A letter more makes a shorter line another one.
      fc.pre((lines[index] as string).trim().length >= 12);
      const quoted = typo(lines[index] as string, at);
      const bytes = Buffer.from(`${lines.join("\n")}\n`);
      const closest = findClosest(bytes, (isStripped ? quoted.trimStart() : quoted) + (hasMark ? "\n" : ""));
      expect(closest && lineNumberAt(bytes, closest.place.start)).toBe(index + 1);
    }),
  );
});

test("lines of which one is misspelt, and one is missing or added, are among the closest ones", () => {
  fc.assert(
    fc.property(file, fc.nat(), fc.nat(), fc.constantFrom("as is", "missing", "added"), fc.boolean(), (lines, which, at, change, isStripped) => {
      fc.pre(lines.length >= 6);
      const first = which % (lines.length - 5);
      const quoted = lines.slice(first, first + 5);
      quoted[3] = typo(quoted[3] as string, at);
      if (change === "missing") quoted.splice(2, 1);
      if (change === "added") quoted.splice(2, 0, "quagga");
      const bytes = Buffer.from(`${lines.join("\n")}\n`);
      const closest = findClosest(bytes, quoted.map((one) => (isStripped ? one.trim() : one)).join("\n"));
      expect(closest?.lines).toEqual(expect.arrayContaining(lines.slice(first, first + 5)));
    }),
  );
});

test("the lines that a report shows are those that the hint names", () => {
  fc.assert(
    fc.property(file, fc.nat(), fc.nat(), (lines, which, at) => {
      const { hint, near } = alignNone(Buffer.from(`${lines.join("\n")}\n`), typo(lines[which % lines.length] as string, at), "x");
      fc.pre(hint?.startsWith("closest is line ") === true);
      expect(near).toEqual([expect.objectContaining({ first: Number(/\d+/.exec(hint ?? "")?.[0]) })]);
    }),
  );
});

const shown = (text: string, oldText: string): string[] => (alignNone(Buffer.from(text), oldText, "x").hint ?? "").split("\n").slice(1);

test.each([
  ["a misspelt word among others", "alpha\nbeta\ngamma\n", "betaa", "     2 + beta"],
  ["one of a hundred lines", Array.from({ length: 100 }, (_, index) => `line ${index + 1}\n`).join(""), "line 50x", "    50 + line 50"],
])("%s", (_, text, oldText, expected) => {
  expect(shown(text, oldText)).toEqual([`       - ${oldText}`, expected]);
});

test.each([
  ["white space at the end of a long line", [`${"lorem ipsum ".repeat(20)}dolor  `, "const one = 1;"], [`${"lorem ipsum ".repeat(20)}dolor`, "const one = 2;"]],
  ["a long line that has no counterpart", ["const one = 3;", "bla", `${"lorem ".repeat(30)}a`], ["const one = 2;", `${"lorem ".repeat(30)}b ${"dolor sit ".repeat(40)}`]],
])("lines that differ look different: %s", (_, quoted, actual) => {
  const lines = shown(`zebra\n${actual.join("\n")}\nquagga\n`, quoted.join("\n")).map((line) => line.slice(7));
  const [minus, plus] = ["-", "+"].map((sign) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1)));
  expect([minus?.length, plus?.filter((line) => minus?.includes(line))]).toEqual([quoted.length, []]);
});

test("a difference far to the right is shown on both lines, within the width of a terminal", () => {
  const start = `const names = ["${"lorem ipsum ".repeat(20)}`;
  const [quoted = "", actual = ""] = shown(`${start}dolor"];\n`, `${start}colour"];\n`);
  expect(quoted).toBe('       - …m ipsum lorem ipsum colour"];');
  expect(actual).toBe('     1 + …m ipsum lorem ipsum dolor"];');
});

test("a pair of letters in one half stays whole where the start of a line is left out", () => {
  const start = "😀".repeat(40);
  for (const text of shown(`${start}a\n`, `${start}b\n`)) expect(text.isWellFormed()).toBe(true);
});
