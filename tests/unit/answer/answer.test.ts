import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Block, isBlock } from "../../../src/core/block.ts";
import { readAnswer } from "../../../src/answer/read-answer.ts";
import { parseNesl } from "../../support/parse-nesl.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { nearNesl, runs } from "../syntaxes/near-nesl.ts";

function blocksOf(text: string): Block[] {
  return readAnswer(text).items.filter(isBlock).map(({ id, properties, startLine, endLine }) => ({ id, properties, startLine, endLine }));
}

function warningsOf(text: string): unknown[] {
  return readAnswer(text).items.map((item) => ("properties" in item ? item.warnings : item.code));
}

const block = printBlock("k7m", { action: "file_write", path: "/p/a.py", content: "def f():\n\n    return 1\n" });

function indent(text: string, by: string, blank = ""): string {
  return text.split("\n").map((line) => (line === "" ? blank : by + line)).join("\n");
}

describe("a block that is indented as a whole", () => {
  test.each([["4 spaces", "    "], ["1 space", " "], ["1 tab", "\t"], ["3 characters", " \t "]])("by %s is read as if unindented", (name, by) => {
    const text = `1. Create the file:\n\n${indent(block, by)}\n\nThat is all.\n`;
    expect(blocksOf(text).map(({ properties }) => properties)).toEqual(parseNesl(block).blocks.map(({ properties }) => properties));
    expect(warningsOf(text)).toEqual([[`the whole block is indented by ${name}: it was read without that indentation`]]);
  });

  test("keeps its line numbers; its errors quote it without the indentation", () => {
    const text = `\uFEFFone\r\n${indent("#!nesl [@x: abc]\nk := \"v\"\n#!end_abc", "  ").replaceAll("\n", "\r\n")}\r\n`;
    const { text: read, items } = readAnswer(text);
    const [item] = items;
    if (item === undefined || !("properties" in item)) throw new Error("no block");
    expect([item.startLine, item.endLine]).toEqual([2, 4]);
    expect(read.slice(item.span.start, item.span.end)).toBe('#!nesl [@x: abc]\r\nk := "v"\r\n#!end_abc');
  });

  test("may follow a byte order mark on the first line", () => {
    expect(blocksOf(`\uFEFF${indent(block, "  ")}`)).toHaveLength(1);
  });

  test("may be mixed with unindented ones", () => {
    const text = `${block}\n${indent(block, "  ")}\n${block}\n\t${"x"}\n${indent(block, "\t")}`;
    expect(blocksOf(text)).toHaveLength(4);
    expect(warningsOf(text).map((warnings) => warnings !== undefined)).toEqual([false, true, false, true]);
  });

  test("ends as unclosed at the next one", () => {
    const text = indent(`#!nesl [@x: abc]\na = "1"\n${block}`, "  ");
    expect(blocksOf(text).map(({ id, endLine }) => [id, endLine === null])).toEqual([["abc", true], ["k7m", false]]);
  });

  test("is reported as cut off at the text's end", () => {
    const { findings } = readAnswer(indent(block.slice(0, -30), "  "));
    expect(findings).toMatchObject([{ code: "answer/cut-off", request: "continue from block k7m" }]);
  });
});

test.each(["```diff\n+one\n", "@@ -1,3 +1,4 @@ function f() {\n-two\n\n"])("leaves a block in the context of a diff alone: %j", (head) => {
  const context = indent(block, " ", " ");
  expect(readAnswer(`${head}${context}\n\`\`\`\n`).totalBlocks).toBe(0);
  expect(readAnswer(`${head}${indent(block, "     ", " ")}\n`).totalBlocks).toBe(0);
  expect(readAnswer(`${head}\`\`\`\nThen:\n${context}\n`).totalBlocks).toBe(1);
});

test("reports a block with a less indented line instead of reading it", () => {
  const text = indent(block, "    ").replace("    def f", "  def f");
  expect(readAnswer(text)).toMatchObject({ totalBlocks: 0, findings: [{ code: "answer/uneven-indentation", blockId: "k7m", line: 1 }] });
});

test("does not equate different kinds of white space", () => {
  expect(readAnswer(indent(block, "    ").replace("    def f", "\tdef f")).totalBlocks).toBe(0);
});

test("an indented header inside a heredoc is data, whether the enclosing block is indented or not", () => {
  const outer = printBlock("out", { action: "file_write", path: "/p/a.md", content: indent(block, "    ") });
  for (const text of [outer, indent(outer, "  ")]) {
    expect(blocksOf(text).map(({ id, properties }) => [id, properties["content"]])).toEqual([["out", parseNesl(outer).blocks[0]?.properties["content"]]]);
  }
});

test("reads unindented text like parse", () => {
  fc.assert(
    fc.property(nearNesl, (written) => {
      const text = written.split("\n").map((line) => line.trimStart()).join("\n");
      const answer = readAnswer(text);
      expect(answer.text).toBe(text);
      expect(blocksOf(text)).toEqual(parseNesl(text).blocks);
    }),
    runs,
  );
});

test("indenting a whole text changes nothing in its blocks", () => {
  const value = fc.string({ unit: fc.constantFrom("a", " ", "\t", "\n", "\n", "EOT_", "#!nesl [@x: abc]", '"') });
  const texts = fc.array(fc.record({ a: value, b: value }), { minLength: 1, maxLength: 4 }).map((all) => all.map((properties) => printBlock("k7m", properties)).join("\nprose\n"));
  fc.assert(
    fc.property(texts, fc.stringMatching(/^[ \t]{1,6}$/), fc.boolean(), (text, by, blanksToo) => {
      const plain = parseNesl(text).blocks;
      const indented = blocksOf(indent(text, by, blanksToo ? by : ""));
      expect(indented).toEqual(plain);
    }),
    runs,
  );
});

test("fails for no text, and every finding names a line of it", () => {
  fc.assert(
    fc.property(nearNesl, (text) => {
      const { findings, items, totalBlocks } = readAnswer(text);
      const lines = text.split("\n").length;
      for (const { line, message, request } of findings) {
        expect(line >= 1 && line <= lines).toBe(true);
        expect(message !== "" && request !== "").toBe(true);
      }
      expect(items.filter((item) => "properties" in item)).toHaveLength(totalBlocks);
    }),
    runs,
  );
});

test("checks a text in no syntax for intended blocks, and reads one in another syntax as that", () => {
  const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-old\n+new\n*** End Patch\n";
  expect(readAnswer(patch)).toMatchObject({ totalBlocks: 1, readAs: "Codex's patch format", findings: [] });
  expect(readAnswer("cat > a.txt <<'EOF'\nnew\nEOF\n")).toMatchObject({ totalBlocks: 0, items: [], findings: [{ code: "answer/foreign-edit" }] });
  const csl = '<---WRITE file="a.txt"--->\n#!nesl\n<---END--->\n';
  expect(readAnswer(csl)).toMatchObject({ text: csl, totalBlocks: 1, items: [{ id: "task-1" }], findings: [] });
  expect(readAnswer(csl.replaceAll("<---", "[["), { csl: { start: "[[", end: "--->" } }).totalBlocks).toBe(1);
  expect(readAnswer(csl, { format: "nesl" }).totalBlocks).toBe(0);
  expect(readAnswer("<---WRITE--->")).toMatchObject({ totalBlocks: 0, fatal: { operation: "WRITE" } });
});

test("an indented block in a diff is text of the diff, and one with tabs below it is none", () => {
  const text = (indent: string): string => `@@ -1 +1 @@\n-a\n+b\n${["#!nesl [@three-char-SHA-256: aa1]", 'action = "ls"', 'path = "/p"', "#!end_aa1"].map((line) => `${indent}${line}\n`).join("")}`;
  expect([" ", "\t"].map((indent) => readAnswer(text(indent)).totalBlocks)).toEqual([0, 1]);
});
