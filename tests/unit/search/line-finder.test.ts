import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineFinder } from "../../../src/search/line-finder.ts";
import { soughtText } from "../../../src/search/line-finder.ts";
import { measureWork } from "../../support/work.ts";

function find(pieces: readonly Buffer[], pattern: string, most = 1000): { found: string[]; count: number } {
  const finder = new LineFinder(soughtText(pattern).needle(), most);
  // Reuses one buffer for all pieces, like the reader does.
  const reused = Buffer.alloc(1_000_000);
  for (const piece of pieces) {
    piece.copy(reused);
    if (!finder.take(reused.subarray(0, piece.length))) break;
  }
  finder.end();
  return { found: finder.found.map(({ line_number, line }) => `${line_number}:${line}`), count: finder.count };
}

const inOnePiece = (text: string, pattern: string, most?: number) => find([Buffer.from(text)], pattern, most);

describe("the lines that hold a text", () => {
  it.each([
    ["each once", "a x x\nb\nx", ["1:a x x", "3:x"]],
    ["without their ending", "x\r\nb\r\nx\r", ["1:x", "3:x"]],
    ["without a byte order mark", "\ufeffx", ["1:x"]],
    ["none", "a\nb", []],
    ["none of a binary file", "x\nx\0", []],
    ["with empty lines counted", "\n\n\nx\n\n", ["4:x"]],
  ])("are told, %s", (_, text, expected) => {
    expect(inOnePiece(text, "x").found).toEqual(expected);
  });

  it("are only counted beyond the limit", () => {
    expect(inOnePiece("x\n".repeat(5), "x", 2)).toEqual({ found: ["1:x", "2:x"], count: 5 });
    expect(inOnePiece("x\n".repeat(5), "x", 0)).toEqual({ found: [], count: 5 });
  });

  it("are cut around the text if they are long, never inside a character", () => {
    const [line = ""] = inOnePiece(`${"é".repeat(1000)}x${"é".repeat(1000)}\nb`, "x").found;
    expect(line).toBe(`1:…${"é".repeat(250)}x${"é".repeat(250)}…`);
    expect(inOnePiece(`${"a".repeat(500)}x${"b".repeat(500)}`, "x").found).toEqual([`1:${"a".repeat(500)}x${"b".repeat(500)}`]);
  });

  it("do not depend on how the file is split into pieces", () => {
    const part = fc.constantFrom("x", "xx", "axa", "\n", "\r\n", "😀", "\ufeff", "a".repeat(600), "\n".repeat(3), "é");
    const text = fc.array(part, { maxLength: 12 }).map((parts) => Buffer.from(parts.join("")));
    const pattern = fc.constantFrom("x", "xx", "xax", "a", "😀", "aa", "é", `${"a".repeat(300)}`);
    fc.assert(fc.property(text, pattern, fc.array(fc.nat(), { maxLength: 6 }), (bytes, wanted, cuts) => {
      const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
      const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end)).filter((piece) => piece.length > 0);
      expect(find(pieces, wanted)).toEqual(find([bytes], wanted));
    }), { numRuns: 2000 });
  });

  it("match their definition", () => {
    const text = fc.array(fc.constantFrom("x", "xx", "a", "\n", "é"), { maxLength: 30 }).map((parts) => parts.join(""));
    fc.assert(fc.property(text, fc.constantFrom("x", "xx", "xa"), (whole, wanted) => {
      const expected = whole.split("\n").flatMap((line, index) => (line.includes(wanted) ? [`${index + 1}:${line}`] : []));
      expect(inOnePiece(whole, wanted)).toEqual({ found: expected, count: expected.length });
    }));
  });

  it("take linear time for a long text in a uniform file", () => {
    const work = measureWork();
    expect(inOnePiece("a".repeat(500_000), `${"a".repeat(25_000)}b${"a".repeat(25_000)}`).count).toBe(0);
    expect(work()).toBeLessThan(1000);
  });

  it("need little memory for a long line", () => {
    const finder = new LineFinder(soughtText("needle").needle(), 10);
    const piece = Buffer.alloc(65_536, "no line ends here ");
    for (let count = 0; count < 200; count++) finder.take(piece);
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 2_000; count++) finder.take(piece);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 26);
  });
});
