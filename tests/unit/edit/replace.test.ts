import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Failed } from "../../../src/core/failure.ts";
import { spliceBytes } from "../../../src/edit/codec.ts";
import { replaceAll, replaceOnce, replaceRange } from "../../../src/edit/replace.ts";
import type { Edit } from "../../../src/edit/splice.ts";

/** Returns the text after an edit, or the failure's code. */
function edited(text: string, edit: (bytes: Buffer) => Edit): string {
  try {
    const bytes = Buffer.from(text);
    return spliceBytes(bytes, edit(bytes).splices, "/f").toString();
  } catch (thrown) {
    if (thrown instanceof Failed) return thrown.failure.code;
    throw thrown;
  }
}

const once = (text: string, oldText: string, newText: string) => edited(text, (bytes) => replaceOnce(bytes, oldText, newText));
const all = (text: string, oldText: string, newText: string, count?: number) => edited(text, (bytes) => replaceAll(bytes, oldText, newText, count));
const range = (text: string, from: string, to: string, newText: string) => edited(text, (bytes) => replaceRange(bytes, from, to, newText));

describe("replacing the only occurrence", () => {
  it.each([
    ["a b c", "b", "X", "a X c"],
    ["a b b", "b", "X", "text/ambiguous"],
    ["a b c", "d", "X", "text/not-found"],
    ["a b c", "", "X", "text/empty"],
    ["aaa", "aa", "X", "Xa"],
    ["$1", "$1", "$&$$", "$&$$"],
  ])("%j: %j by %j gives %j", (text, oldText, newText, expected) => {
    expect(once(text, oldText, newText)).toBe(expected);
  });
});

describe("line endings", () => {
  it.each([
    ["a heredoc's LF finds the file's CRLF, and the new text gets it", "a\r\nb\r\nc", "a\nb", "x\ny", "x\r\ny\r\nc"],
    ["a new line in a CRLF file ends like the others", "a\r\nb\r\n", "b", "b\nc", "a\r\nb\r\nc\r\n"],
    ["in a file of LF nothing is added", "a\nb\n", "b", "b\nc", "a\nb\nc\n"],
    ["in a mixed file the place decides", "a\nb\r\nc\n", "b", "x\ny", "a\nx\r\ny\r\nc\n"],
    ["at the end of the file the line before decides", "a\r\nb", "b", "x\ny", "a\r\nx\r\ny"],
    ["an exact place wins over one with other line endings", "a\nb a\r\nb", "a\nb", "X", "X a\r\nb"],
    ["no place begins inside a CRLF", "a\r\nb", "\nb", "\nc", "a\r\nc"],
    ["no place ends inside a CRLF", "a\r\nb", "a\r", "x", "text/not-found"],
    ["CRLF asked for in a file of LF finds it", "a\nb", "a\r\nb", "X", "X"],
    ["an explicit CR is kept", "a\r\nb", "a\r\nb", "a\nb", "a\nb"],
    ["a lone CR is content where other lines end with LF", "a\rb\n", "a\nb", "X", "text/not-found"],
    ["a line that stays keeps its own ending", "a\r\nb\nc\r\n", "a\nb\nc\n", "a\nB\nc\n", "a\r\nB\nc\r\n"],
    ["several CRLFs before the place", "\r\n\r\n\r\na\r\nb\r\n\r\n", "a\nb\n", "X\n", "\r\n\r\n\r\nX\r\n\r\n"],
  ])("%s", (_, text, oldText, newText, expected) => {
    expect(once(text, oldText, newText)).toBe(expected);
  });

  it("can convert every CRLF to LF", () => {
    expect(all("a\r\nb\r\n", "\r\n", "\n")).toBe("a\nb\n");
  });

  it("replaces a multi-line text at every place of a CRLF file", () => {
    expect(all("a\r\nb\r\n-\r\na\r\nb\r\n", "a\nb\n", "c\n")).toBe("c\r\n-\r\nc\r\n");
  });
});

describe("replacing all", () => {
  it("counts places without overlaps", () => {
    expect(all("aaaa", "aa", "b", 2)).toBe("bb");
  });
  it("requires the exact count", () => {
    expect(all("a a", "a", "b", 3)).toBe("text/count");
  });
  it("accepts no occurrence without a count", () => {
    expect(all("x", "a", "b")).toBe("x");
  });
  it("replaces very many", () => {
    expect(all("ab".repeat(30_000), "a", "xy")).toBe("xyb".repeat(30_000));
  });
  it("agrees with split and join", () => {
    const short = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 30 });
    const wanted = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 3 });
    fc.assert(fc.property(short, wanted, short, (text, oldText, newText) => all(text, oldText, newText) === text.split(oldText).join(newText)));
  });
});

describe("replacing a range", () => {
  it.each([
    ["a[b]c", "[", "]", "X", "aXc"],
    ["a]b[c]", "[", "]", "X", "a]bX"],
    ["[[]", "[", "]", "X", "text/ambiguous"],
    ["[a", "[", "]", "X", "text/end-not-found"],
    ["[]]", "[", "]", "X", "text/end-ambiguous"],
    ["a]", "[", "]", "X", "text/not-found"],
    ["[]", "", "]", "X", "text/empty"],
    ["[]", "[", "", "X", "text/empty"],
    ["a{\r\nb\r\n}c", "{\nb", "\n}", "X\nY", "aX\r\nYc"],
  ])("%j from %j to %j", (text, from, to, newText, expected) => {
    expect(range(text, from, to, newText)).toBe(expected);
  });
});

it.each([[1, "text/count"], [2, "text/count"], [3, "b b b"], [4, "text/count"]])("replaces all of three places only for the count of three: %i", (count, result) => {
  expect(edited("a a a", (bytes) => replaceAll(bytes, "a", "b", count))).toBe(result);
});
