import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { Failed } from "../../../src/core/failure.ts";
import { spliceBytes } from "../../../src/edit/codec.ts";
import { replaceOnce, replaceRange, type TextEdit } from "../../../src/edit/replace.ts";
import { tries } from "../../support/tries.ts";

function edited(text: string, edit: (bytes: Buffer) => TextEdit): string {
  try {
    const bytes = Buffer.from(text);
    return spliceBytes(bytes, edit(bytes).splices, "/f").toString();
  } catch (thrown) {
    if (thrown instanceof Failed) return thrown.failure.code;
    throw thrown;
  }
}

const tolerant = (text: string, oldText: string, newText: string) => edited(text, (bytes) => replaceOnce(bytes, oldText, newText, "tolerant"));
const NOT_FOUND = "text/not-found";

describe("tabs against spaces", () => {
  it.each([
    ["a Makefile's recipe", "all:\n\tcc a.c\n\t./a\n", "all:\n    cc a.c\n    ./a\n", "all:\n    cc -O2 a.c\n    ./a\n", "all:\n\tcc -O2 a.c\n\t./a\n"],
    ["Go, quoted with two spaces", "func a() {\n\tif b {\n\t\tc()\n\t}\n}\n", "  if b {\n    c()\n  }\n", "  if b {\n    c()\n    d()\n  }\n", "func a() {\n\tif b {\n\t\tc()\n\t\td()\n\t}\n}\n"],
    ["Python with spaces, quoted with tabs", "class A:\n    def b(self):\n        return 1\n", "\tdef b(self):\n\t\treturn 1\n", "\tdef b(self):\n\t\tif c:\n\t\t\treturn 2\n\t\treturn 1\n", "class A:\n    def b(self):\n        if c:\n            return 2\n        return 1\n"],
    ["YAML, which gets no tab", "a:\n  b:\n    - 1\n", "a:\n\tb:\n\t\t- 1\n", "a:\n\tb:\n\t\t- 1\n\t\t\n\t\t- 2\n", "a:\n  b:\n    - 1\n\n    - 2\n"],
    ["one line whose new text shows the unit", "def a():\n\treturn 1\n", "    return 1\n", "    if b:\n        return 2\n    return 1\n", "def a():\n\tif b:\n\t\treturn 2\n\treturn 1\n"],
    ["one line that stays at its depth", "{\n\t\ta();\n}\n", "        a();\n", "        b();\n        c();\n", "{\n\t\tb();\n\t\tc();\n}\n"],
    ["a quotation that is shifted, too", "a\n\tb\n\t\tc\n\t\t\td\n", "c\n    d\n", "c\n    e\n        f\n", "a\n\tb\n\t\tc\n\t\t\te\n\t\t\t\tf\n"],
    ["a first line without its indentation", "\tif (a) {\n\t\tb();\n\t}\n", "if (a) {\n        b();\n    }\n", "if (a) {\n        c();\n    }\n", "\tif (a) {\n\t\tc();\n\t}\n"],
    ["other differences beside them", "\tsay(“x”);  \r\n\t\tend();\r\n", "    say(\"x\");\n        end();\n", "    say(\"x\");\n        stop();\n", "\tsay(“x”);  \r\n\t\tstop();\r\n"],
  ])("%s", (_, text, oldText, newText, after) => {
    expect(tolerant(text, oldText, newText)).toBe(after);
  });

  it("are told by the lines", () => {
    expect(replaceOnce(Buffer.from("a:\n\tb\n\tc\n"), "a:\n    b\n    c\n", "x\n", "tolerant").tolerated).toEqual([{ rule: "tabs", lines: "2-3" }]);
  });

  it.each([
    ["alignment after the tabs of the file", "\tcall(a,\n\t     b)\n", "    call(a,\n         b)\n", "x\n"],
    ["alignment in the new text", "\tcall(a)\n\t\tb\n", "    call(a)\n        b\n", "    call(a,\n         b)\n"],
    ["tabs and spaces mixed in the quotation", "\ta\n\t\tb\n", "    a\n\tb\n", "x\n"],
    ["tabs and spaces mixed in the file", "\ta\n        b\n", "    a\n        b\n", "x\n"],
    ["tabs in the new text, where the old one has spaces", "\ta\n\t\tb\n", "    a\n        b\n", "    a\n\t\tc\n"],
    ["spaces of no unit", "\ta\n\t\tb\n", "    a\n      b\n", "x\n"],
    ["a deeper line without anything that shows the unit", "a\n\tb\n", "        b\n", "    c\n"],
    ["two spaces against four, which are no tabs", "    a\n        b\n", "  a\n    b\n", "x\n"],
    ["a tab within a line", "\ta\tb\n\t\tc\n", "    a    b\n        c\n", "x\n"],
    ["two places, one of them shifted", "\ta\n\t\tb\nx\n\t\ta\n\t\t\tb\n", "    a\n        b\n", "y\n"],
    ["two places, one with tabs and one with spaces", "\ta\n\t\tb\nx\n  a\n      b\n", "    a\n        b\n", "y\n"],
    ["a unit of more than eight spaces", "\ta\n\t\tb\n", `${" ".repeat(9)}a\n${" ".repeat(18)}b\n`, "y\n"],
    ["new lines above the depth of the file", "a\n\tb\n", "        a\n            b\n", "    c\n"],
  ])("%s is refused", (_, text, oldText, newText) => {
    expect(tolerant(text, oldText, newText)).toBe(NOT_FOUND);
  });

  it("hold for both ends of a range, which must agree", () => {
    const file = "class A:\n\tdef b(self):\n\t\tone()\n\t\ttwo()\n\t\treturn 1\n";
    const range = (from: string, to: string, text: string) => edited(file, (bytes) => replaceRange(bytes, from, to, text, "tolerant"));
    expect(range("    def b(self):\n        one()\n", "        return 1\n", "    def b(self):\n        return 2\n")).toBe("class A:\n\tdef b(self):\n\t\treturn 2\n");
    expect(range("    def b(self):\n        one()\n", "\t\treturn 1\n", "    def b(self):\n        return 2\n")).toBe("text/not-found");
  });
});

interface TreeLine {
  readonly depth: number;
  readonly body: string;
}

/** Lines of which none is more than one unit deeper than the one above it; blank ones do not count. Few words, so that places repeat. */
const tree = (first: number, least: number, most: number) =>
  fc.array(fc.record({ step: fc.integer({ min: -2, max: 1 }), body: fc.constantFrom("a", "b()", "c = 1", "d {", "") }), { minLength: least, maxLength: most }).map((steps) => {
    let depth = first;
    return steps.map(({ step, body }, index): TreeLine => {
      if (body !== "") depth = Math.max(0, index === 0 ? first : depth + step);
      return { depth, body };
    });
  });

const render = (lines: readonly TreeLine[], unit: string): string => lines.map(({ depth, body }) => (body === "" ? "\n" : `${unit.repeat(depth)}${body}\n`)).join("");

/** Returns the starts of all places where lines stand in a file, and how much deeper. */
function placesOf(file: readonly TreeLine[], lines: readonly TreeLine[]): Array<{ readonly start: number; readonly deeper: number }> {
  return file.flatMap((_, start) => {
    const there = file.slice(start, start + lines.length);
    if (there.length < lines.length || lines.some(({ body }, index) => there[index]?.body !== body)) return [];
    const differences = new Set(lines.flatMap(({ depth, body }, index) => (body === "" ? [] : [(there[index]?.depth ?? 0) - depth])));
    return differences.size === 1 ? [{ start, deeper: [...differences][0] ?? 0 }] : [];
  });
}

/** Returns the text after an edit that matched by tabs against spaces. Exact and shifted matches have their own laws. */
function convertedEdit(text: string, oldText: string, newText: string): string | undefined {
  let isConverted = false;
  const after = edited(text, (bytes) => {
    const edit = replaceOnce(bytes, oldText, newText, "tolerant");
    isConverted = edit.tolerated.some(({ rule }) => rule === "tabs");
    return edit;
  });
  return isConverted ? after : undefined;
}

test("a tree of lines in the other unit lands exactly where it stands, or is refused", () => {
  let landed = 0;
  const units = fc.constantFrom(["\t", "  "], ["\t", "    "], ["\t", "        "], ["\t", "   "], ["  ", "\t"], ["    ", "\t"], ["        ", "\t"]);
  const edit = tree(0, 1, 12).chain((file) =>
    fc.record({
      file: fc.constant(file),
      units,
      start: fc.integer({ min: 0, max: file.length - 1 }),
      length: fc.integer({ min: 1, max: 4 }),
      added: tree(0, 0, 4),
      shift: fc.integer({ min: 0, max: 3 }),
    }),
  );
  fc.assert(
    fc.property(edit, ({ file, units: [ofFile, ofQuotation], start, length, added, shift }) => {
      const old = file.slice(start, start + length);
      const base = old[0]?.depth ?? 0;
      const fresh = [...old.slice(0, 1), ...added.map((line) => ({ ...line, depth: line.depth + base }))];
      const least = Math.min(shift, ...[...old, ...fresh].map(({ depth }) => depth));
      const quote = (lines: readonly TreeLine[]) => render(lines.map((line) => ({ ...line, depth: line.depth - least })), ofQuotation ?? "");
      const [text, oldText, newText] = [render(file, ofFile ?? ""), quote(old), quote(fresh)];
      const edit = convertedEdit(text, oldText, newText);
      if (edit === undefined) return;
      landed += 1;
      const quoted = old.map((line) => ({ ...line, depth: line.depth - least }));
      const right = placesOf(file, quoted).map(({ start: at, deeper }) => {
        const put = fresh.map((line) => ({ ...line, depth: line.depth - least + deeper }));
        return render([...file.slice(0, at), ...put, ...file.slice(at + old.length)], ofFile ?? "");
      });
      expect([edit]).toEqual(right);
    }),
    tries(2_000, 50_000),
  );
  expect(landed).toBeGreaterThan(200);
}, 120_000);
