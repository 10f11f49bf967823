import fc from "fast-check";
import { expect, test } from "vitest";
import { dedented, holdsWord, indentOf, reindented } from "../../../src/excerpts/text.ts";

const UNIT = { tabs: "\t", spaces: "    ", two: "  " } as const;
/** Lines of a function with comments, at a depth each: no step is deeper than one. */
const codeIn = (unit: string): fc.Arbitrary<readonly string[]> =>
  fc.array(fc.tuple(fc.constantFrom("call();", "/*\n * says why\n */", "/** @see x */", "if (a) {", ""), fc.constantFrom(-1, 0, 1)), { minLength: 1, maxLength: 12 }).map((lines) => {
    let depth = 1;
    return lines.flatMap(([text, step]) => {
      depth = Math.max(1, depth + step);
      return text === "" ? [""] : text.split("\n").map((line) => unit.repeat(depth) + line);
    });
  });
const file = fc.constantFrom(...Object.values(UNIT)).chain((unit) => codeIn(unit).map((lines) => ({ unit, lines })));

test("lines of a file that are shown at the left edge go back as they were", () => {
  fc.assert(
    fc.property(file, ({ unit, lines }) => {
      const text = lines.join("\n");
      const first = indentOf(lines.find((line) => line !== "") ?? "");
      fc.pre(text.trim() !== "" && lines.every((line) => line === "" || line.startsWith(first)));
      expect(reindented(dedented(text), first, `class A {\n${unit}b();\n${text}\n}\n`)).toBe(text);
    }),
  );
});

test("lines that are shown with spaces go back with the file's tabs, and stars under their comment", () => {
  fc.assert(
    fc.property(codeIn("\t"), (lines) => {
      const text = lines.join("\n");
      const first = indentOf(lines.find((line) => line !== "") ?? "");
      fc.pre(text.trim() !== "" && lines.every((line) => line === "" || line.startsWith(first)));
      // A step of one tells the width that a tab is shown with.
      fc.pre(lines.some((line) => line.startsWith(`${first}\t`) && !/^[\t ]/.test(line.slice(first.length + 1))));
      const shown = dedented(text).replaceAll(/^\t+/gm, (tabs) => "    ".repeat(tabs.length));
      expect(reindented(shown, first, `class A {\n\tb();\n${text}\n}\n`)).toBe(text);
    }),
  );
});

test("nothing is no name in a text", () => {
  expect(["", "words", " the old words"].map((text) => holdsWord(text, ""))).toEqual([false, false, false]);
  expect(holdsWord("the call of run()", "run")).toBe(true);
});
