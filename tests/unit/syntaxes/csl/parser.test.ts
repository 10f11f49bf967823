import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCsl, readCsl } from "../../../../src/syntaxes/csl/read.ts";
import { DELIMITERS } from "../../../../src/syntaxes/csl/marker.ts";
import { isBlock } from "../../../../src/core/block.ts";
import { parse } from "../../../../src/answer/read-answer.ts";
import { nearCsl } from "../near-csl.ts";
import { runs } from "../near-nesl.ts";

const contentOf = (text: string): string | undefined => {
  const [item] = readCsl(text, DELIMITERS).items;
  return item !== undefined && isBlock(item) ? item.properties["content"] : undefined;
};

test("a block's span covers its text from the first line to the last", () => {
  fc.assert(
    fc.property(nearCsl, (text) => {
      const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
      for (const { startLine, endLine, span } of readCsl(text, DELIMITERS).items.filter(isBlock)) {
        const own = text.slice(span.start, span.end).split(/\r\n|\r|\n/);
        expect(own).toEqual(lines.slice(startLine - 1, endLine ?? undefined));
      }
    }),
    runs,
  );
});

describe("lines", () => {
  test.each([
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["a lone CR", "\r"],
  ])("end with %s", (_, newline) => {
    expect(contentOf(["prose", '<---WRITE file="a"--->', "x", "", "y", "<---END--->"].join(newline))).toBe("x\n\ny");
  });

  test("a CR may be the last character", () => {
    expect(parseCsl("<---RUN--->\rx\r<---END--->\r", DELIMITERS)).toMatchObject({ operations: [{ place: { line: 1 }, endLine: 3 }] });
  });
});

test("an error has its line, column and context", () => {
  const text = ["1", "2", '<---WRITE file="a" mode=7--->', "4", "5", "6", "7"].join("\n");
  expect(parse(text)).toEqual({
    blocks: [],
    errors: [
      {
        code: "INVALID_ATTRIBUTE",
        line: 3,
        column: 25,
        length: 5,
        blockId: "task-1",
        content: '<---WRITE file="a" mode=7--->',
        context: '1\n2\n<---WRITE file="a" mode=7--->\n4\n5',
        message: "Unquoted attribute value",
      },
    ],
  });
});

test("an unterminated operation is reported with the context of its first line", () => {
  const text = ["1", "2", "3", "<---RUN--->", "5", "6", "7", "8", "9"].join("\n");
  expect(parse(text).errors).toMatchObject([{ line: 4, content: "<---RUN--->", context: "2\n3\n<---RUN--->\n5\n6", message: "Unterminated RUN operation" }]);
});

test("reads attributes as written", () => {
  const attributes = (marker: string) => {
    const result = parseCsl(`${marker}\n<---END--->`, DELIMITERS);
    return "operations" in result ? [...(result.operations[0]?.attributes ?? [])] : result.fatal.diagnostic.message;
  };
  expect(attributes(`<---WRITE file="a--->b" x='"'--->`)).toEqual([["file", "a--->b"], ["x", '"']]);
  expect(attributes(String.raw`<---WRITE  file="a\"b\\c\d"	--->`)).toEqual([["file", String.raw`a"b\c\d`]]);
  expect(attributes('<---WRITE toString="1" __proto__="2"--->')).toEqual([["toString", "1"], ["__proto__", "2"]]);
  expect(attributes('<---WRITE file="a"append="true"--->')).toEqual([["file", "a"], ["append", "true"]]);
});

test("takes delimiters with special characters of patterns literally", () => {
  const delimiters = { start: "$(*", end: "^)." };
  expect(parseCsl('$(*WRITE file="a"^).\n<---END--->\n$(*END^).', delimiters)).toMatchObject({ operations: [{ name: "WRITE", content: "<---END--->" }] });
});

test.each(['file="a" file="b"', 'file="a" file="a"', "append='true' file=\"a\" append=\"false\"", 'file="a" x="1" x="2"'])("an attribute may occur only once: %s", (attributes) => {
  expect(parseCsl(`<---WRITE ${attributes}--->\nx\n<---END--->\n`, DELIMITERS)).toMatchObject({ fatal: { diagnostic: { code: "DUPLICATE_ATTRIBUTE", message: expect.stringMatching(/^Duplicate attribute: (file|append|x)$/) } } });
});
