import { describe, expect, it } from "vitest";
import { Failed } from "../../../src/core/failure.ts";
import { spliceBytes } from "../../../src/edit/codec.ts";
import { insertLines, numberLines, parseLineRange, replaceLines } from "../../../src/edit/lines.ts";

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof Failed) return thrown.failure.code;
  }
  return "no failure";
}

describe("a line specification", () => {
  it("is a number or a range", () => {
    expect(parseLineRange("4")).toEqual({ first: 4, last: 4, lines: "4" });
    expect(parseLineRange("2-5")).toEqual({ first: 2, last: 5, lines: "2-5" });
  });
  it.each(["", "abc", "3abc", "0", "0-2", "2-0", "-3", "1-", "1,2", "1 - 2", "１", "1\n"])("is not %j", (lines) => {
    expect(codeOf(() => parseLineRange(lines))).toBe("lines/invalid");
  });
  it("must ascend", () => {
    expect(codeOf(() => parseLineRange("5-3"))).toBe("lines/reversed");
  });
});

describe("replacing lines", () => {
  it.each([
    ["a\nb\nc\n", "2", "X", "a\nX\nc\n"],
    ["a\nb\nc", "3", "X", "a\nb\nX"],
    ["a\nb\nc\n", "1-2", "", "\nc\n"],
    ["a\r\nb\r\nc", "2", "X\nY", "a\r\nX\r\nY\r\nc"],
    ["a\rb\nc", "1", "X", "X\nc"],
    ["\n\n", "2", "X", "\nX\n"],
    ["\r\nb", "1", "X", "X\r\nb"],
  ])("%j, lines %s by %j", (text, lines, content, expected) => {
    const bytes = Buffer.from(text);
    expect(spliceBytes(bytes, replaceLines(bytes, parseLineRange(lines), content).splices, "/f").toString()).toBe(expected);
  });
  it.each([
    ["", "1"],
    ["a\n", "2"],
    ["a\nb", "2-3"],
  ])("%j has no lines %s", (text, lines) => {
    expect(codeOf(() => replaceLines(Buffer.from(text), parseLineRange(lines), "X"))).toBe("lines/out-of-bounds");
  });
});

it("reads a few of millions of lines in little memory", () => {
  const text = "\n".repeat(5_000_000);
  const before = process.memoryUsage().heapUsed;
  expect(numberLines(text, "2", ": ").content).toBe("     2: ");
  const bytes = Buffer.from(text);
  expect(replaceLines(bytes, parseLineRange("2"), "x").splices).toEqual([{ start: 1, end: 1, text: "x" }]);
  expect(codeOf(() => replaceLines(bytes, parseLineRange("9000000"), "x"))).toBe("lines/out-of-bounds");
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(2 ** 27);
});

describe("numbering lines", () => {
  it("aligns the numbers and omits the endings", () => {
    expect(numberLines("a\r\nb\n", undefined, ": ").content).toBe("     1: a\n     2: b");
  });
  it("shows the existing part of a range beyond the end, and reports it", () => {
    expect(numberLines("a\nb\nc", "2-10", "|")).toEqual({
      content: "     2|b\n     3|c",
      missing: { code: "lines/beyond-end", lines: "2-10", count: 3 },
    });
  });
  it("shows nothing of an empty text, without a failure", () => {
    expect(numberLines("", "1", ": ")).toEqual({ content: "" });
  });
});

describe("inserting lines", () => {
  const inserted = (text: string, lines: string, after?: number): string => {
    const bytes = Buffer.from(text);
    const [splice] = [...insertLines(bytes, lines, after).splices];
    return splice === undefined ? text : text.slice(0, splice.start) + splice.text + text.slice(splice.end);
  };

  it.each([
    ["at the start", "a\nb\n", "new", 0, "new\na\nb\n"],
    ["after a line", "a\nb\n", "new\n", 1, "a\nnew\nb\n"],
    ["at the end", "a\nb\n", "new", undefined, "a\nb\nnew\n"],
    ["at the end of a file without a final newline", "a\nb", "new\n", 2, "a\nb\nnew"],
    ["in a file with CRLF", "a\r\nb\r\n", "x\ny", 1, "a\r\nx\r\ny\r\nb\r\n"],
    ["at the end of a file with CRLF without a final newline", "a\r\nb", "x\ny\n", undefined, "a\r\nb\r\nx\r\ny"],
    ["in an empty file", "", "new", 0, "new\n"],
  ])("inserts %s", (_, text, lines, after, wanted) => {
    expect(inserted(text, lines, after)).toBe(wanted);
  });

  it("refuses a line that is not there", () => {
    expect(codeOf(() => inserted("a\n", "new", 2))).toBe("lines/out-of-bounds");
  });
});
