import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Failed } from "../../../src/core/failure.ts";
import { spliceBytes } from "../../../src/edit/codec.ts";
import { readQuotation } from "../../../src/edit/quotation.ts";
import { replaceOnce, replaceRange, type TextEdit } from "../../../src/edit/replace.ts";
import { findTolerant } from "../../../src/edit/tolerant.ts";

/** Returns the text after an edit, or the failure's code. */
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
const range = (text: string, from: string, to: string, newText: string) => edited(text, (bytes) => replaceRange(bytes, from, to, newText, "tolerant"));
const NOT_FOUND = "text/not-found";

describe("formatting is tolerated", () => {
  it.each([
    ["white space at the end of a quoted line", "a\nb\nc\n", "a  \nb\n", "x\nb\n", "x\nb\nc\n"],
    ["white space at the end of a file's line", "a  \nb\t\nc\n", "a\nb\n", "a\nx\n", "a  \nx\nc\n"],
    ["white space in a blank line", "a\n   \nb\n", "a\n\nb\n", "a\n\nx\n", "a\n   \nx\n"],
    ["white space after the quotation, at a line's end", "a b\nc\n", "a b  ", "x", "x\nc\n"],
    ["a non-breaking space at a line's end", "a\nb\n", "a\u00a0\nb", "x\nb", "x\nb\n"],
    ["indentation that was lost", "  {\n    a\n  }\n", "{\n  a\n}\n", "{\n  x\n}\n", "  {\n    x\n  }\n"],
    ["indentation that was added", "{\n  a\n}\n", "    {\n      a\n    }\n", "    {\n      x\n    }\n", "{\n  x\n}\n"],
    ["indentation by tabs that was lost", "\t{\n\t\ta\n\t}\n", "{\n\ta\n}\n", "{\n\tx\n\ty\n}\n", "\t{\n\t\tx\n\t\ty\n\t}\n"],
    ["tabs before spaces", "\t  a\n\t    b\n", "  a\n    b\n", "  a\n    x\n", "\t  a\n\t    x\n"],
    ["a shift that skips blank lines", "  a\n\n  b\n", "a\n\nb\n", "a\n\nx\n\n", "  a\n\n  x\n\n"],
    ["the indentation of the first line alone", "  a {\n    b\n  }\n", "a {  \n    b\n  }\n", "x {\n    b\n  }\n", "  x {\n    b\n  }\n"],
    ["round quotes for straight ones", `say("it's");`, "say(“it’s”);", "say(“he’s”);", `say("he's");`],
    ["straight quotes for round ones", "say “it’s”", `say "it's"`, `say "he's"`, "say “he’s”"],
    ["straight quotes for round ones, with two words changed", "“a” is – “b” now", `"a" is - "b" now`, `"a" was - "c" now`, "“a” was – “c” now"],
    ["round quotes to be replaced by straight ones", "“a” b \nc\n", "“a” b\nc", `"a" b\nd`, `"a" b\nd\n`],
    ["straight quotes for round ones, in another line", "say “it’s”", `say "it's"`, `f("x")`, `f("x")`],
    ["straight quotes for round ones, in lines with new indentation", "  “a” b\n  c\n", `"a" b\nc\n`, `"a" d\n  c "e"\n`, `  “a” d\n    c "e"\n`],
    ["dashes and non-breaking spaces", "a - b c", "a\u00a0– b\u202fc", "a – b", "a - b"],
    ["round quotes within a line", `f(g("x"), 1)`, "g(“x”)", "g(“y”)", `f(g("y"), 1)`],
    ["all of it at once, in a file of CRLF", `  a("x")\r\n\r\n    b\r\nc`, "a(“x”) \n\n  b  \n", "a(“y”) \n\n  b  \nd\n", `  a("y") \r\n\r\n    b\r\n  d\r\nc`],
    ["a mark of a report", "=== A\nb\n", "⁞ === A\nb\n", "⁞ === A\nc\n", "=== A\nc\n"],
    ["CRLF in the old text only", "a\nb", "a\r\nb  ", "x", "x"],
    ["a leading line break, after white space of the file", "a  \nb\n", "\nb ", "\nc", "a  \nc\n"],
    ["other white space in a leading blank line", "x\n  \nb\n", "   \nb\n", "  \nc\n", "x\n  \nc\n"],
    ["other white space after the end", "a\nx \nb\n", "a  \nx \t", "a  \nx ", "a\nx \nb\n"],
    ["other white space in a blank line that stays blank", "a\n  \nb\n", "a\n   \nb\n", "a\n  \nc\n", "a\n  \nc\n"],
    ["the end of the line before, and an indentation", "a\n  b\n  c\n", "\nb\nc\n", "\nx\nc\n", "a\n  x\n  c\n"],
  ])("%s", (_, text, oldText, newText, expected) => {
    expect(tolerant(text, oldText, newText)).toBe(expected);
  });

  it("keeps the file's typographic characters in the new text", () => {
    expect(tolerant(`“a”\nsay("b")\n`, "say(“b”)\n", "say(“c’s”)\n")).toBe("“a”\nsay(“c's”)\n");
  });

  it("keeps those of the new text if the old text had none that differed", () => {
    expect(tolerant("  a\n  b\n", "a\nb\n", "a\n“c”\n")).toBe("  a\n  “c”\n");
  });

  it("is reported by rule and line", () => {
    const bytes = Buffer.from(`x\n  a("1")\n\n    b\n`);
    expect(replaceOnce(bytes, "a(“1”)\n  \n  b  \n", "y", "tolerant").tolerated).toEqual([
      { rule: "indentation", lines: "2, 4" },
      { rule: "typography", lines: "2" },
      { rule: "trailing-whitespace", lines: "3-4" },
    ]);
  });

  it.each(["line endings", "nothing"])("is limited to %s under exact", () => {
    expect(edited("a  \n", (bytes) => replaceOnce(bytes, "a\n", "b\n"))).toBe(NOT_FOUND);
  });
});

describe("content is not", () => {
  it.each([
    ["another word", "a b\nc\n", "a x\nc  \n"],
    ["inner white space", "a  b\n", "a b  \n"],
    ["an extra blank line", "a\nb\n", "a\n\nb  \n"],
    ["a missing blank line", "a\n\nb\n", "a  \nb\n"],
    ["tabs for spaces in some lines only", "\ta\n\tb\n", "    a\n\tb\n"],
    ["a tab for a space within a line", "a\tb\n", "a b  \n"],
    ["another shift in the first line", "  a\n  b\n", "a\n b\n"],
    ["another shift in a later line", "  a\n  b\n  c\n", "a\nb\n c\n"],
    ["a shift of a part of a line", "x a\n  b\n", "a\nb\n"],
    ["white space at the very end, within a line", `f("x") y\n`, "f(“x”)   "],
    ["a lone surrogate for U+FFFD, exactly", "\ufffd", "\ud800"],
    ["a final newline that the file lacks", "a", "a  \n"],
    ["line breaks elsewhere", "a b\n", "a\nb\n"],
    ["an ellipsis for three dots", "f(...a)  \n", "f(…a)\n"],
    ["a dash for two", "i--;\n", "i–;\n"],
    ["case", "A\nb\n", "a  \nb\n"],
    ["the beginning of a number", "  a\n  b = 10\n", "a\nb = 1"],
    ["the end of a word", "  my_f(a)\n  b\n", "f(a)  \nb"],
    ["the beginning of a word beside typographic quotes", `f("x", ab)`, "f(“x”, a"],
    ["the beginning of a word that continues in another script", "  a\n  caf\u00e9\n", "a\ncaf"],
    ["a letter without its accent", "  a\n  cafe\u0301\n", "a\ncafe"],
    ["a lone surrogate for U+FFFD", "\ufffd a  \nb", "\ud83e a\nb"],
    ["only white space", "\n\n\n", "  \n  \n"],
    ["nothing but quotes", `""\n`, "“”  \n"],
  ])("%s", (_, text, oldText) => {
    expect(tolerant(text, oldText, "y")).toBe(NOT_FOUND);
  });

  it("not even if bytes are not UTF-8", () => {
    const bytes = Buffer.from([0xff, 0x20, 0x61, 0x0a]);
    expect(() => replaceOnce(bytes, "\ufffd a  \n", "y", "tolerant")).toThrow(Failed);
  });
});

describe("only one place is replaced", () => {
  it.each([
    ["two places by different rules", "a  \nb\n  a\n  b\n", "a\nb \n", NOT_FOUND],
    ["two places at different depths", "  a\n  b\n    a\n    b\n", "a\nb\n", NOT_FOUND],
    ["an exact place and one that is not", "  a\n  b\na\nb\n", "a\nb\n", "  a\n  b\ny"],
    ["an exact place twice", "a\na\n", "a\n", "text/ambiguous"],
    ["places that overlap", " a \n b\n a\n b\n a\n", "a\nb\na\n", NOT_FOUND],
  ])("%s", (_, text, oldText, expected) => {
    expect(tolerant(text, oldText, "y")).toBe(expected);
  });

  it("none is, if the new text cannot be shifted", () => {
    expect(tolerant("a\nb\n", "    a\n    b\n", "    a\n  c\n")).toBe(NOT_FOUND);
  });
});

describe("a range", () => {
  it.each([
    ["both ends except for formatting", "  {\n    a\n    b\n  }\n", "{  \n  a", "  b\n}\n", "{\n  x\n}\n", "  {\n    x\n  }\n"],
    ["one end exactly, as a part of a line", "  {\n    a\n    b\n  }\n", "{", "  b \n}\n", "{\n  x\n}\n", "  {\n    x\n  }\n"],
    ["typographic quotes", `a("1")\nb\nc("2")\n`, "a(“1”)", "c(“2”)", "a(“3”)", `a("3")\n`],
    ["ends with different shifts", "  a\n  b\nc\nd\n", "a\nb\n", "c \nd\n", "x\n", NOT_FOUND],
    ["an end that occurs twice except for formatting", "a\n b\n  b\n", "a", "b  \n", "x", "text/end-not-found"],
  ])("%s", (_, text, from, to, newText, expected) => {
    expect(range(text, from, to, newText)).toBe(expected);
  });
});

interface Line {
  readonly indent: string;
  readonly body: string;
  readonly trail: string;
  readonly ending: string;
}

describe("in any file", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "é", "\"", "'", "-", " ", "(", "\t"), maxLength: 8 });
  const line = fc.record({ depth: fc.nat(3), body: word, trail: fc.constantFrom("", "", "  ", "\t"), ending: fc.constantFrom("\n", "\n", "\r\n") });
  const file = fc.record({ lines: fc.array(line, { minLength: 3, maxLength: 12 }), first: fc.nat(8), count: fc.integer({ min: 1, max: 4 }), tail: fc.uint8Array({ maxLength: 5 }) });
  const change = fc.record({ shift: fc.nat(2), trail: fc.constantFrom("", " ", "\t "), round: fc.boolean(), changed: fc.nat(3) });

  /** A file that is not UTF-8 accepts only ASCII. */
  const ascii = (body: string, tail: Uint8Array) => (tail.length > 0 ? body.replaceAll("é", "e") : body);

  it("a quotation with other formatting matches its own bytes, one with another letter nothing", () => {
    let landed = 0;
    fc.assert(fc.property(file, change, ({ lines, first, count, tail }, { shift, trail, round, changed }) => {
      // A unique word in each line ensures that there is only one place.
      const written: Line[] = lines.map(({ depth, body, trail, ending }, index) => ({ indent: " ".repeat(4 + depth), body: `w${index}(${ascii(body, tail).trim()})`, trail, ending }));
      const start = Math.min(first, written.length - 1);
      const quoted = written.slice(start, start + count);
      const at = Math.min(changed, quoted.length - 1);
      const bytesOf = (all: readonly Line[]) => Buffer.from(all.map(({ indent, body, trail, ending }) => indent + body + trail + ending).join(""));
      const quote = (bodyAt: (body: string, index: number) => string) => quoted.map(({ indent, body }, index) => `${indent.slice(shift)}${bodyAt(round ? body.replaceAll('"', "“").replaceAll(" ", "\u00a0") : body, index)}${trail}\n`).join("");
      const before = Buffer.concat([bytesOf(written), Buffer.from(tail.map((byte) => byte | 0x80))]);
      const replaced = (body: string, index: number) => (index === at ? "new()" : body);
      const { splices } = replaceOnce(before, quote((body) => body), quote(replaced), "tolerant");
      const target = written[start + at];
      const after = written.map((one) => (one === target ? { ...one, body: "new()", trail } : one));
      expect(spliceBytes(before, splices, "/f")).toEqual(Buffer.concat([bytesOf(after), before.subarray(bytesOf(written).length)]));
      expect(() => replaceOnce(before, quote((body, index) => (index === at ? body.replace("w", "v") : body)), "x", "tolerant")).toThrow(Failed);
      landed += 1;
    }), { numRuns: 500 });
    expect(landed).toBe(500);
  });
});

describe("hostile texts", () => {
  const find = (text: string, oldText: string) => findTolerant(Buffer.from(text), readQuotation(oldText));

  it("with too many candidates are given up", () => {
    expect(find("  ab\n c\n".repeat(200_000), "ab\nc\n")).toEqual({ places: [], gaveUp: true });
  });

  it("are refused when given up, even if one place was found", () => {
    expect(tolerant(`ab\nc\n${"  ab\n c\n".repeat(200_000)}`, "ab  \nc\n", "y")).toBe(NOT_FOUND);
  });

  it("with only common words, in another order, hide no place", () => {
    expect(tolerant(`ab\nc\n${"ab c\n".repeat(200_000)}`, "ab  \nc\n", "y").slice(0, 10)).toBe("yab c\nab c");
    const words = ["the", "of", "to", "in", "is"];
    const lines = Array.from({ length: 200_000 }, (_, index) => [0, 1, 2, 3, 4, 5, 6, 7].map((digit) => words[Math.floor(index / 5 ** digit) % 5]).join(" "));
    const text = lines.map((line) => `  ${line}\r\n`).join("");
    const quoted = lines.slice(150_000, 150_002);
    const at = text.indexOf(quoted[0] as string);
    expect(find(text, `${quoted[0]?.replaceAll(" ", "\u00a0")}  \n${quoted[1]}\n`)).toMatchObject({ places: [{ start: at - 2 }], gaveUp: false });
  });

  it("with millions of blanks after a common beginning are searched to the end", () => {
    const text = `${"a\nb\nc\n".repeat(2_000)}a${" ".repeat(9_000_000)}\nb\n`;
    expect(find(text, "a \nb\nd")).toEqual({ places: [], gaveUp: false });
    expect(find(text, "a\u00a0\nb\na")).toEqual({ places: [], gaveUp: false });
  });

  it("with many places yield some", () => {
    const { places, gaveUp } = find("  a\n".repeat(200_000), "a \n");
    expect(gaveUp).toBe(false);
    expect(places.length).toBeLessThan(10);
  });

  it("with many different lines are described in linear time", () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `l${index}\n`);
    const { tolerated } = replaceOnce(Buffer.from(lines.map((line) => `  ${line}`).join("")), lines.join(""), "x", "tolerant");
    expect(tolerated).toEqual([{ rule: "indentation", lines: "1-60000" }]);
  });

  it("with long white space are read once", () => {
    expect(readQuotation(`a${" ".repeat(2_000_000)}b`)).toHaveLength(1);
    expect(find(`a${" ".repeat(2_000_000)}b`, "a\nb").places).toEqual([]);
  });
});

it("finds no place before the start offset", () => {
  const word = fc.constantFrom("a", "bb", " ", "  ", "\n", "}", "“q”");
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), fc.array(word, { minLength: 1, maxLength: 4 }), fc.nat(14), (text, wanted, from) => {
      const { places } = findTolerant(Buffer.from(text.join("")), readQuotation(wanted.join("")), from);
      for (const place of places) expect(place.start).toBeGreaterThanOrEqual(from);
    }),
    { numRuns: 2_000 },
  );
});

describe("a range", () => {
  it("ends after its beginning: an end that overlaps it does not count", () => {
    expect(range("start x  \nanchored end\nrest\n", "start x", "x\nanchored end", "new")).toBe("text/end-not-found");
    expect(range("x  \nanchored end\nrest x  \nanchored end\n", "x  \nanchored end\nrest", "x\nanchored end", "new")).toBe("new\n");
  });

  it("needs ends shifted in the same direction, not only by the same amount", () => {
    const text = "  begin {\n    x\n  middle\n  end {\n    y\n  }\n";
    expect(range(text, "begin {\n  x", "end {\n  y\n}", "new")).toBe("  new\n");
    expect(range(text, "begin {\n  x", "    end {\n      y\n    }", "new")).toBe(NOT_FOUND);
  });
});
