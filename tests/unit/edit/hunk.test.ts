import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Failed } from "../../../src/core/failure.ts";
import { type Hunk, replaceHunk } from "../../../src/edit/hunk.ts";
import type { Match } from "../../../src/edit/passes.ts";

function edited(file: string, hunk: Partial<Hunk>, match: Match = "tolerant"): string {
  const bytes = Buffer.from(file);
  const { splices } = replaceHunk(bytes, { oldLines: "", newLines: "", scopes: [], isAtEnd: false, ...hunk }, match);
  let [text, at] = ["", 0];
  for (const splice of splices) {
    text += bytes.toString("utf8", at, splice.start) + splice.text;
    at = splice.end;
  }
  return text + bytes.toString("utf8", at);
}

function codeOf(edit: () => unknown): string {
  try {
    edit();
    return "none";
  } catch (thrown) {
    if (thrown instanceof Failed) return thrown.failure.code;
    throw thrown;
  }
}

describe("old lines are whole lines", () => {
  test("a part of a line is no place", () => {
    expect(codeOf(() => edited("xa\nby\n", { oldLines: "a\nb\n", newLines: "c\n" }))).toBe("text/not-found");
  });

  test("places that share a line count", () => {
    expect(codeOf(() => edited("a\na\na\n", { oldLines: "a\na\n", newLines: "b\n" }))).toBe("text/ambiguous");
  });

  test.each([
    ["first", "a\nb\nc\n", "a\n", "x\ny\nb\nc\n"],
    ["middle", "a\nb\nc\n", "b\n", "a\nx\ny\nc\n"],
    ["last", "a\nb\nc\n", "c\n", "a\nb\nx\ny\n"],
    ["last, without a final newline", "a\nb\nc", "c\n", "a\nb\nx\ny"],
    ["middle, with CRLF", "a\r\nb\r\nc\r\n", "b\n", "a\r\nx\r\ny\r\nc\r\n"],
    ["middle, with trailing space", "a\nb \nc\n", "b\n", "a\nx\ny\nc\n"],
    ["after a byte order mark's place", "a\n", "a\n", "x\ny\n"],
  ])("%s", (_, file, oldLines, expected) => {
    expect(edited(file, { oldLines, newLines: "x\ny\n" })).toBe(expected);
  });

  test.each([
    ["a\nb\nc\n", "b\n", "a\nc\n"],
    ["a\nb\nc", "c\n", "a\nb"],
    ["a\r\nb\r\nc", "c\n", "a\r\nb"],
    ["c", "c\n", ""],
  ])("deletes lines of %j", (file, oldLines, expected) => {
    expect(edited(file, { oldLines })).toBe(expected);
  });

  test("context keeps the file's bytes where only formatting differs", () => {
    expect(edited("if a:\n    b \n    c\n", { oldLines: "b\nc\n", newLines: "b\nd\n" })).toBe("if a:\n    b \n    d\n");
  });

  test("formatting must not differ where the setting is exact, but for line endings", () => {
    expect(codeOf(() => edited("  a\n", { oldLines: "a\n", newLines: "b\n" }, "exact"))).toBe("text/not-found");
    expect(edited("a\r\nb\r\n", { oldLines: "a\n", newLines: "c\n" }, "exact")).toBe("c\r\nb\r\n");
  });
});

describe("lines that are only added", () => {
  test.each([
    ["a\n", "a\nx\n"],
    ["a", "a\nx"],
    ["a\r\nb", "a\r\nb\r\nx"],
    ["", "x\n"],
  ])("go to the end of %j", (file, expected) => {
    expect(edited(file, { newLines: "x\n" })).toBe(expected);
  });

  test("are refused where a line or a scope says that they belong elsewhere", () => {
    expect(codeOf(() => edited("a\n", { newLines: "x\n", line: 1 }))).toBe("hunk/no-place");
    expect(codeOf(() => edited("a\n", { newLines: "x\n", scopes: ["a"] }))).toBe("hunk/no-place");
  });
});

describe("among equal places", () => {
  const file = "def a():\n    pass\n\ndef b():\n    pass\n\nclass C:\n    def a():\n        pass\n";

  test("a scope chooses the one inside", () => {
    expect(edited(file, { oldLines: "    pass\n", newLines: "    go\n", scopes: ["def b():"] })).toBe(file.replace("b():\n    pass", "b():\n    go"));
  });

  test("scopes stand one below the other", () => {
    const nested = "class A:\n  def f():\n    x\nclass B:\n  def f():\n    x\n";
    expect(edited(nested, { oldLines: "    x\n", newLines: "    y\n", scopes: ["class B:", "def f():"] })).toBe(nested.replace(/x\n$/, "y\n"));
  });

  test("a scope that is not there refuses, even where one place fits", () => {
    expect(codeOf(() => edited("a\nb\n", { oldLines: "b\n", newLines: "c\n", scopes: ["z"] }))).toBe("text/not-found");
  });

  test("several inside one scope are ambiguous", () => {
    expect(codeOf(() => edited("f {\n  x\n  x\n}\n", { oldLines: "  x\n", newLines: "  y\n", scopes: ["f {"] }))).toBe("text/ambiguous");
  });

  test("the line chooses the one there, or one that is much nearer", () => {
    const lines = `${"x\n".repeat(1)}${"-\n".repeat(20)}x\n`;
    expect(edited(lines, { oldLines: "x\n", newLines: "y\n", line: 22 })).toBe(lines.replace(/x\n$/, "y\n"));
    expect(edited(lines, { oldLines: "x\n", newLines: "y\n", line: 3 })).toBe(lines.replace(/^x/, "y"));
    expect(codeOf(() => edited(lines, { oldLines: "x\n", newLines: "y\n", line: 10 }))).toBe("text/ambiguous");
  });

  test("the end chooses the last one", () => {
    expect(edited("x\nx\n", { oldLines: "x\n", newLines: "y\n", isAtEnd: true })).toBe("x\ny\n");
  });

  test("the line never chooses another text", () => {
    expect(edited("b\nx\n", { oldLines: "x\n", newLines: "y\n", line: 1 })).toBe("b\ny\n");
  });
});

const line = fc.constantFrom("a", "b", "  a", "}", "");
const lines = fc.array(line, { maxLength: 8 });
const textOf = (all: readonly string[]): string => all.map((one) => `${one}\n`).join("");

test("an exact edit is the one that whole lines allow, or is refused", () => {
  fc.assert(
    fc.property(lines, fc.array(line, { minLength: 1, maxLength: 3 }), lines, fc.boolean(), (file, old, added, isOpen) => {
      fc.pre(!isOpen || (file.at(-1) ?? "") !== "");
      const text = isOpen ? textOf(file).slice(0, -1) : textOf(file);
      const places = file.flatMap((_, at) => (old.every((one, index) => file[at + index] === one) ? [at] : []));
      const result = () => edited(text, { oldLines: textOf(old), newLines: textOf(added) }, "exact");
      if (places.length !== 1) return void expect(codeOf(result)).toBe(places.length === 0 ? "text/not-found" : "text/ambiguous");
      const expected = textOf(file.toSpliced(places[0] as number, old.length, ...added));
      expect(result()).toBe(isOpen ? expected.replace(/\n$/, "") : expected);
    }),
    { numRuns: 3_000 },
  );
});
