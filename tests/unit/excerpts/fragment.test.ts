import { diffArrays } from "diff";
import fc from "fast-check";
import { expect, test } from "vitest";
import { placeFragment } from "../../../src/excerpts/lines/fragment.ts";
import { differsLeast } from "../../../src/excerpts/lines/nearest.ts";
import { significant, spliced, Unplaced } from "../../../src/excerpts/text.ts";
import { growthOfItem } from "../../support/work.ts";

const lines = (count: number, lineAt: (index: number) => string): string => Array.from({ length: count }, (_, index) => `${lineAt(index)}\n`).join("");
const content = lines(5, (index) => (index % 2 === 0 ? "}" : `  b${index}();`));

test("a fragment whose first and last line stand thousands of times in a file is refused in linear time", { timeout: 60_000 }, () => {
  const growth = growthOfItem(16_000, (count) => {
    const placed = placeFragment(lines(count, (index) => (index % 2 === 0 ? "}" : `  a${index % 97}();`)), content, undefined);
    expect(placed).toBeInstanceOf(Unplaced);
  });
  expect(growth).toBeLessThan(6);
});

test("what a placeholder below a changed last line stands for is not replaced", () => {
  const file = "proc load(path) =\n    let a = open(path)\n    let b = read(a)\n    return close(a, b)\n";
  const shown = "proc load(path) =\n    let a = open(path, 1)\n    return close(a, c)\n    # ... existing code ...\n";
  expect(placeFragment(file, shown, undefined)).toEqual(new Unplaced("does not have the line above the last placeholder: show an unchanged one there"));
});

const afterwards = (file: string, shown: string): string | undefined => {
  const placed = placeFragment(file, shown, undefined);
  return placed instanceof Unplaced ? undefined : spliced(file, placed.splices);
};

test("a fragment that has only signs in common with the place where it changes least is refused", () => {
  const file = "  }\n\n  private function title(App $app): string\n  {\n    return 1;\n  }\n\n  /**\n   * Writes.\n   */\n  protected function write(string $content)\n  {\n  }\n";
  expect(afterwards(file, "  }\n\n  protected function write(string $content): void\n  {\n")).toBeUndefined();
});

test("a fragment without a new line, whose first line stands twice, is refused", () => {
  expect(afterwards("open()\nload()\ncheck()\nstore()\nclose()\nopen()\n", "open()\ncheck()\nstore()\nclose()\n")).toBeUndefined();
});

test("a fragment that fits two places alike is refused", () => {
  expect(afterwards("a = {\n  one,\n}\nb = {\n  one,\n}\n", "  one,\n  two,\n}\n")).toBeUndefined();
});

test("the indentation of the last line against the first tells two places apart", () => {
  const file = "for x do\n  if a then\n    f(x)\n  end\n  if check(b) then\n    g(x)\n  end\nend\n";
  expect(afterwards(file, "  end\n  if check(b, x) then\n    g(x)\n  end\n")).toBe(file.replace("check(b)", "check(b, x)"));
});

test("a place differs least if each other window has more changed lines, whatever the order of comparing", () => {
  const WORDS = ["alpha_one(1)", "alpha_one(2)", "alpha_one(3)", "x", "y", "end"];
  const body = fc.array(fc.constantFrom(...WORDS), { maxLength: 16 });
  const changesOf = (old: readonly string[], now: readonly string[]): number =>
    diffArrays([...old], [...now]).reduce((sum, { added, removed, value }) => sum + (added || removed ? value.length : 0), 0);
  let rivals = 0;
  fc.assert(
    fc.property(body, fc.array(fc.constantFrom(...WORDS.slice(0, -1)), { maxLength: 8 }), fc.nat(), (lines, inner, pick) => {
      const file = ["open()", ...lines, "end"];
      const own = ["open()", ...inner, "end"];
      const windows = file.flatMap((start, first) => (start !== "open()" ? [] : file.flatMap((end, last) => (last > first && end === "end" ? [{ first, last }] : []))));
      const place = windows[pick % windows.length] as { first: number; last: number };
      const changesIn = ({ first, last }: typeof place): number => changesOf(file.slice(first, last + 1), own);
      const expected = windows.every((window) => window === place || changesIn(window) > changesIn(place));
      if (!expected) rivals += 1;
      expect(differsLeast(significant(file), significant(own), place)).toBe(expected);
    }),
    { numRuns: 1_000 },
  );
  expect(rivals).toBeGreaterThan(100);
});

test("the last line of a place is indented against its first one as in the fragment, where the file has such a place", () => {
  const file = "class A {\n    go()\n    {\n        if (a)\n        {\n            return 1;\n        }\n        else\n        {\n            return 2;\n        }\n    }\n}\n";
  expect(afterwards(file, "    go()\n    {\n        return 3;\n    }\n}\n")).toBe("class A {\n    go()\n    {\n        return 3;\n    }\n}\n");
});

test("a place that loses lines without a new form is refused where one inside it loses none", () => {
  const file = "});\nit('a', () => {\n  first(1);\n  third(3);\n});\nit('c', () => {\n  second(1);\n}).end();\n";
  expect(afterwards(file, "});\nit('b', () => {\n  first(1);\n  fourth(3);\n});\nit('c', () => {\n  second(2);\n}).end();\n")).toBeUndefined();
});

test("a declaration of a new name goes between two lines that stand one below the other once", () => {
  const file = "def one():\n    check(\n        1\n    )\n    check(\n        2\n    )\n\n\nmain()\n";
  const shown = "    )\n\n\ndef two():\n    return 2\n\n\nmain()\n";
  expect(afterwards(file, shown)).toBe(file.replace("main()", "def two():\n    return 2\n\n\nmain()"));
});
