/**
 * Tests what case documents cannot show: spans, prototypes, sizes and hostile text. `tests/cases/syntax` describes the
 * language itself.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ReadBlock } from "../../../../src/core/block.ts";
import { NeslParser } from "../../../../src/syntaxes/nesl/read.ts";
import { parseNesl } from "../../../support/parse-nesl.ts";
import { nearNesl, runs } from "../near-nesl.ts";

const header = "#!nesl [@three-char-SHA-256: abc]\n";
const codes = (text: string): string[] => parseNesl(text).errors.map(({ code }) => code);

describe("a block", () => {
  const spans = (text: string): string[] => read(text).map(({ span }) => text.slice(span.start, span.end));

  test("spans its own text, from the header to the end marker", () => {
    const block = `${header}k = "v"\n#!end_abc`;
    expect(spans(`prose\n${block}\nmore ${block}`)).toEqual([block]);
    expect(spans(`prose\r\n${block.replaceAll("\n", "\r\n")}\r\nmore`)).toEqual([block.replaceAll("\n", "\r\n")]);
    expect(spans(`\uFEFF${block}`)).toEqual([block]);
  });

  test("spans up to its last value where it has no end, or to the end of the text", () => {
    expect(spans(`${header}k = "v"\r\n${header}`)).toEqual([`${header}k = "v"`, header.trimEnd()]);
    expect(spans(`${header}k = "v"\n\nThen:\n\nx = "y"\n${header}`)).toEqual([`${header}k = "v"`, header.trimEnd()]);
    expect(spans(`${header}k = <<'EOT_abc'\nx\nEOT_abc\nThen`)).toEqual([`${header}k = <<'EOT_abc'\nx\nEOT_abc`]);
    // What follows may be the text of a value that is broken.
    for (const broken of ["k = <<'EOF'", "k = v", 'k = "v'])
      expect(spans(`${header}${broken}\nThen\n${header}`)).toEqual([`${header}${broken}\nThen`, header.trimEnd()]);
    expect(spans(`${header}k = <<'EOT_abc'\nx`)).toEqual([`${header}k = <<'EOT_abc'\nx`]);
  });

  test("has its own diagnostics, never those of another with the same ID", () => {
    const [first, second, third] = read(`${header}k = "v"\n#!end_abc\n${header}oops\n#!end_abc\n${header}#!end_abc`);
    expect([first, second, third].map((block) => block?.diagnostics.length)).toEqual([0, 1, 0]);
  });

  test("has properties that inherit nothing", () => {
    const [block] = parseNesl(`${header}__proto__ = "1"\ntoString = "2"\nconstructor = <<'EOT_abc'\n3\nEOT_abc\n#!end_abc`).blocks;
    expect("valueOf" in (block?.properties ?? {})).toBe(false);
    expect(Object.entries(block?.properties ?? {})).toEqual([["__proto__", "1"], ["toString", "2"], ["constructor", "3"]]);
    expect(codes(`${header}__proto__ = "1"\ntoString = "2"\n#!end_abc`)).toEqual([]);
    expect(codes(`${header}__proto__ = "1"\n__proto__ = "2"\n#!end_abc`)).toEqual(["DUPLICATE_KEY"]);
  });

  test("keeps its keys in the order written", () => {
    expect(Object.keys(parseNesl(`${header}z = "1"\na = "2"\nz = "3"\n#!end_abc`).blocks[0]?.properties ?? {})).toEqual(["z", "a"]);
  });
});

describe("SHAM", () => {
  /** The usual label has no letter that respelling changes, so line numbers and values stay the same. */
  const respell = (text: string): string => text.replaceAll("#!nesl ", "#!SHAM ").replaceAll("EOT_", "EOT_SHAM_").replaceAll("#!end_", "#!END_SHAM_");
  const outline = (text: string): unknown => {
    const { blocks, errors } = parseNesl(text);
    return { blocks: blocks.map((block) => ({ ...block })), errors: errors.map(({ code, line, blockId }) => ({ code, line, blockId })) };
  };

  test("is NESL with other words", () => {
    fc.assert(
      fc.property(nearNesl, (text) => {
        expect(outline(respell(text))).toEqual(JSON.parse(respell(JSON.stringify(outline(text)))));
      }),
      runs,
    );
  });

  test("may be mixed with NESL, each with its own markers", () => {
    const { blocks, errors } = parseNesl("#!SHAM [@x: abc]\nk = <<'EOT_SHAM_abc'\nEOT_abc x\nEOT_SHAM_abc\n#!END_SHAM_abc\n#!nesl [@x: abc]\n#!end_abc");
    expect(errors).toEqual([]);
    expect(blocks.map(({ properties, endLine }) => ({ ...properties, endLine }))).toEqual([{ k: "EOT_abc x", endLine: 5 }, { endLine: 7 }]);
  });
});

describe("hostile text", () => {
  test("never makes the parser throw", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (text) => void parseNesl(text)));
    fc.assert(fc.property(nearNesl, (text) => void parseNesl(text)), runs);
  });

  test("100,000 unclosed blocks yield as many blocks and errors", () => {
    const { blocks, errors } = parseNesl(header.repeat(100_000));
    expect([blocks.length, errors.length]).toEqual([100_000, 100_000]);
    expect(errors.at(-1)).toMatchObject({ code: "UNCLOSED_BLOCK", line: 100_002, message: "Block 'abc' not closed before EOF" });
  });

  test("200,000 errors in one block are all reported", () => {
    const { blocks, errors } = parseNesl(`${header}${"oops\n".repeat(200_000)}#!end_abc`);
    expect([blocks.length, errors.length]).toEqual([1, 200_000]);
    expect(errors.at(-1)).toMatchObject({ line: 200_001, context: "oops\noops\noops\noops\n#!end_abc" });
  });

  test("a heredoc of 50 MB is one value", () => {
    const value = `${"x".repeat(79)}\n`.repeat(625_000);
    expect(parseNesl(`${header}k = <<'EOT_abc'\n${value}\nEOT_abc\n#!end_abc`).blocks[0]?.properties["k"]).toBe(value);
  });

  test("a long line in small pieces is not read again for each piece", () => {
    const lengths: number[] = [];
    const parser = new NeslParser(({ diagnostics }) => void lengths.push(...diagnostics.map(({ content }) => content.length)), () => {});
    parser.write(`${header}${"x".repeat(2e7)}`);
    for (let piece = 0; piece < 50_000; piece++) parser.write("y");
    parser.end();
    expect(lengths).toContain(20_050_000);
  });

  test.each<[string, string, string, string, string[]]>([
    ["header's label", "#!nesl [@", "a", "", ["MALFORMED_HEADER"]],
    ["header's ID", "#!nesl [@x: ", "a", "]", ["INVALID_BLOCK_ID"]],
    ["indentation", "", " ", "#!nesl oops", ["MALFORMED_HEADER"]],
    ["key", header, "k", ' = "v"', ["INVALID_KEY", "UNCLOSED_BLOCK"]],
    ["white space around an operator", `${header}k`, " ", "=", ["INVALID_VALUE", "UNCLOSED_BLOCK"]],
    ["quoted value", `${header}k = "`, "x", '"', ["UNCLOSED_BLOCK"]],
    ["unclosed quoted value", `${header}k = "`, "x", "", ["UNCLOSED_QUOTE", "UNCLOSED_BLOCK"]],
    ["run of escapes", `${header}k = "`, "\\n", '"', ["UNCLOSED_BLOCK"]],
    ["heredoc's delimiter", `${header}k = <<'`, "x", "'", ["INVALID_HEREDOC_DELIMITER", "UNCLOSED_BLOCK"]],
    ["end marker", `${header}#!end_`, "x", "", ["MALFORMED_ASSIGNMENT", "UNCLOSED_BLOCK"]],
    ["line of terminators", `${header}k = <<'EOT_abc'\n`, "EOT_abc ", "", ["UNCLOSED_HEREDOC"]],
  ])("a %s of 10 MB is read, with its errors", (_, start, unit, end, codes) => {
    expect(parseNesl(start + unit.repeat(1e7 / unit.length) + end).errors.map(({ code }) => code)).toEqual(codes);
  });
});

describe("security.md", () => {
  const inHeredoc = (line: string): string => `${header}k = <<'EOT_abc'\nx\n${line}\nEOT_abc\n#!end_abc`;

  test("45: the first terminator ends the heredoc, and the rest is an error", () => {
    const { blocks, errors } = parseNesl(`${header}k = <<'EOT_abc'\nx\nEOT_abc\nleft over\nEOT_abc\n#!end_abc`);
    expect(blocks[0]?.properties).toEqual({ k: "x" });
    expect(errors.map(({ code, line }) => [code, line])).toEqual([["MALFORMED_ASSIGNMENT", 5], ["MALFORMED_ASSIGNMENT", 6]]);
  });

  test.each(["EOT_abc ", "EOT_abc\uFEFF", "EOT_abc\u200b", "ЕOT_abc", "EOT_аbc", "EOT_ABC"])("46: %j is no terminator", (line) => {
    expect(parseNesl(inHeredoc(line)).blocks[0]?.properties).toEqual({ k: `x\n${line}` });
  });

  test("49: an opener in a heredoc is data", () => {
    expect(parseNesl(inHeredoc("#!nesl [@x: abd]\n#!end_abd\n#!SHAM [@x: abd]"))).toMatchObject({ blocks: [{ id: "abc" }], errors: [] });
  });

  test("50: a million openers are read", () => {
    expect(parseNesl("#!nesl [@x: abc]\n".repeat(1e6)).blocks).toHaveLength(1e6);
  });
});

function read(text: string): ReadBlock[] {
  const blocks: ReadBlock[] = [];
  const parser = new NeslParser((block) => blocks.push(block), () => {});
  parser.write(text);
  parser.end();
  return blocks;
}
