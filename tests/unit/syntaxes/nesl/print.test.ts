import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseNesl } from "../../../support/parse-nesl.ts";
import { printBlock } from "../../../../src/syntaxes/nesl/teach.ts";

describe("printBlock", () => {
  test("quotes values without escapes, and puts the rest into heredocs", () => {
    expect(printBlock("k7m", { action: "file_write", path: "/p/a.txt", content: 'say "hi"\n', empty: "" })).toBe(
      [
        "#!nesl [@three-char-SHA-256: k7m]",
        'action = "file_write"',
        'path = "/p/a.txt"',
        "content = <<'EOT_k7m'",
        'say "hi"',
        "",
        "EOT_k7m",
        'empty = ""',
        "#!end_k7m",
      ].join("\n"),
    );
  });

  test("chooses another ID if a line of the content would end the heredoc", () => {
    const text = printBlock("abc", { content: "x\nEOT_abc\nEOT_000" });
    expect(text).toContain("[@three-char-SHA-256: 001]");
    expect(parseNesl(text)).toMatchObject({ blocks: [{ id: "001", properties: { content: "x\nEOT_abc\nEOT_000" } }], errors: [] });
  });

  test("quotes and escapes values that a heredoc would alter", () => {
    expect(printBlock("abc", { crlf: "a\r\nb", half: "\ud83d" })).toContain('crlf = "a\\r\\nb"\nhalf = "\\ud83d"');
  });

  test("is read back unchanged", () => {
    const key = fc.stringMatching(/^[a-z_é][a-z0-9_]{0,8}$/).filter((name) => name !== "__proto__");
    const value = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fc.constantFrom("EOT_abc", "EOT_abc'", "<<", "#!end_abc", "#!nesl [@x: abc]", "\n", "\n", "\r\n", "\r", '"', "\\", "\t", "\ud83d", "x")).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(fc.dictionary(key, value), (properties) => {
        const { blocks, errors } = parseNesl(printBlock("abc", properties));
        expect(errors).toEqual([]);
        expect(blocks.map((block) => block.properties)).toEqual([properties]);
      }),
      { numRuns: 2_000 },
    );
  });
});
