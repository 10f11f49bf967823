import { describe, expect, test } from "vitest";
import { decodeContent, encodeContent } from "../../support/case-content.ts";
import { parseCaseDocument, rewriteCaseDocument } from "../../support/case-file.ts";
import { printJson } from "../../support/print-json.ts";
import { reduceTo } from "../../support/reduce-to.ts";

const page = `# Greeting

Prose, and a block for the reader only:

~~~sh
echo hello
~~~

## Says hello

\`\`\`file a.txt no-newline
# not a heading
\`\`\`

~~~~answer
\`\`\`
hello
~~~
~~~~

\`\`\`report
old
\`\`\`
`;

describe("reading a document", () => {
  test("finds title, cases and blocks", () => {
    const { title, cases } = parseCaseDocument(page, "p.md");
    expect(title).toBe("Greeting");
    expect(cases).toMatchObject([
      {
        name: "Says hello",
        line: 9,
        answer: "```\nhello\n~~~",
        blocks: [
          { role: "file", path: "a.txt", flags: ["no-newline"], lines: ["# not a heading"], line: 11 },
          { role: "answer", path: "", line: 15 },
          { role: "report", lines: ["old"], line: 21 },
        ],
      },
    ]);
  });

  const answer = "```answer\n```\n";
  const summary = "```summary\n```\n";
  test.each([
    ["no title", "## A\n", "p.md:1: no title"],
    ["no cases", "# T\n", "p.md:1: no cases"],
    ["a fence without an end", "# T\n## A\n```answer\n", "p.md:3: this fence is never closed"],
    ["an unknown role", "# T\n## A\n```anwser\n```\n", "p.md:3: unknown role 'anwser'"],
    ["a role without its path", "# T\n## A\n```file\n```\n", "p.md:3: 'file' needs a path"],
    ["an unknown flag", `# T\n## A\n${answer}\`\`\`after a crfl\n\`\`\`\n`, "p.md:5: unknown flag 'crfl'"],
    ["broken JSON", `# T\n## A\n${answer}\`\`\`result\n{\n\`\`\`\n`, "p.md:5: "],
    ["a case without an answer", `# T\n## A\n${summary}`, "p.md:2: the case 'A' has no answer"],
    ["a case with two answers", `# T\n## A\n${answer}${answer}${summary}`, "p.md:5: the case 'A' has a second answer"],
    ["a case that expects nothing", `# T\n## A\n${answer}`, "p.md:2: the case 'A' expects nothing"],
    ["two cases of one name", `# T\n## A\n${answer}${summary}## A\n${answer}${summary}`, "p.md:7: a second case named 'A'"],
    ["a block before the first case", `# T\n${answer}`, "p.md:2: a block before the first case"],
  ])("refuses %s, and says where", (_, text, problem) => {
    expect(() => parseCaseDocument(text, "p.md")).toThrow(problem);
  });
});

describe("rewriting a document", () => {
  const [first] = parseCaseDocument(page, "p.md").cases;
  const report = first?.blocks.find(({ role }) => role === "report");

  test("changes only the block", () => {
    expect(report && rewriteCaseDocument(page, [{ block: report, content: "new\nlines" }])).toBe(page.replace("\nold\n", "\nnew\nlines\n"));
  });

  test("lengthens a fence that the content would close", () => {
    expect(report && rewriteCaseDocument(page, [{ block: report, content: "```" }])).toContain("````report\n```\n````");
  });

  test("leaves out nothing that reading finds again", () => {
    const text = report === undefined ? "" : rewriteCaseDocument(page, [{ block: report, content: "```\n````" }]);
    expect(parseCaseDocument(text, "p.md").cases[0]?.blocks.at(-1)?.lines).toEqual(["```", "````"]);
  });
});

describe("file content", () => {
  test.each([
    ["text", ["one", "two"], [], "one\ntwo\n"],
    ["no lines", [], [], ""],
    ["an empty line", [""], [], "\n"],
    ["no final newline", ["one"], ["no-newline"], "one"],
    ["CRLF and a byte order mark", ["one"], ["crlf", "bom"], "\uFEFFone\r\n"],
  ])("%s", (_, lines, flags, text) => {
    const bytes = Buffer.from(text);
    expect(decodeContent({ lines, flags }).bytes).toEqual(bytes);
    expect(encodeContent({ bytes, mode: 0o644 }, { lines: [], flags: [] })).toEqual({ lines, flags });
  });

  test.each([
    ["mixed line endings", "61 0d 0a 62 0a"],
    ["invalid UTF-8", "ff"],
    ["a lone CR", "61 0d 62"],
  ])("%s are hex", (_, hex) => {
    const bytes = Buffer.from(hex.replaceAll(" ", ""), "hex");
    expect(encodeContent({ bytes, mode: 0o644 }, { lines: [], flags: [] })).toEqual({ lines: [hex], flags: ["hex"] });
    expect(decodeContent({ lines: [hex], flags: ["hex"] }).bytes).toEqual(bytes);
  });

  test("the mode is written where it was asked for", () => {
    expect(encodeContent({ bytes: Buffer.from(""), mode: 0o600 }, { lines: [], flags: ["mode=755"] }).flags).toEqual(["mode=600"]);
  });
});

describe("comparing with a pattern", () => {
  test("keys that the pattern does not name do not count", () => {
    expect(reduceTo({ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 })).toEqual({ a: { b: 1 } });
  });

  test("items that the pattern does not have do count", () => {
    expect(reduceTo([{ a: 1 }], [{ a: 1, b: 2 }, { a: 3 }])).toEqual([{ a: 1 }, { a: 3 }]);
  });

  test("a key that is missing stays missing", () => {
    expect(reduceTo({ a: 1 }, {})).toEqual({});
  });
});

test("JSON that fits stands on one line, longer is broken", () => {
  expect(printJson({ a: [1, "x"], b: {} })).toBe('{"a": [1, "x"], "b": {}}');
  const long = "x".repeat(110);
  expect(printJson([long, { a: 1 }])).toBe(`[\n  "${long}",\n  {"a": 1}\n]`);
});
