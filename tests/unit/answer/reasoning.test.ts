/** Reasoning above an answer is left out, whatever stands in it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { isBlock } from "../../../src/core/block.ts";
import { readAnswer } from "../../../src/answer/read-answer.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { withoutReasoning } from "../../../src/answer/reasoning.ts";

const block = printBlock("k7m", { action: "file_write", path: "/p/a.ts", content: "one\ntwo\n" });
const draft = fc.array(
  fc.constantFrom(
    block,
    "a.ts\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE",
    "*** Begin Patch\n*** Delete File: a.ts\n*** End Patch",
    '<tool_call>\n{"name": "Write", "arguments": {"file_path": "a.ts", "content": "x"}}\n</tool_call>',
    '<---WRITE file="a.ts"--->\nx\n<---END--->',
    "<<<FILE>>>\na.ts\n<<<OVERWRITE>>>\nx\n<<<END>>>",
    "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-one\n+two",
    "src/a.ts\n```ts\nlet a;\n```",
    "#!nesl [@three-char-SHA-256: q2b]",
    "```",
    "<think>",
    "prose, and `</think>` in it\r",
  ),
  { maxLength: 6 },
).map((parts) => parts.join("\n"));

test("nothing in it runs, and the blocks below it keep their places", () => {
  fc.assert(
    fc.property(draft, fc.constantFrom("", "\uFEFF", " \r\n"), (reasoning, above) => {
      const written = `${above}<think>${reasoning}\n</think>\n${block}\n`;
      const { items, text } = readAnswer(written);
      expect(items).toMatchObject([{ id: "k7m", startLine: written.split("\n").length - block.split("\n").length, diagnostics: [] }]);
      const [item] = items;
      expect(item !== undefined && "span" in item && written.slice(item.span.start, item.span.end)).toBe(block);
      expect(text.length).toBe(written.length);
    }),
  );
});

test("nothing runs if it is never closed", () => {
  fc.assert(
    fc.property(draft, (reasoning) => {
      expect(readAnswer(`<thinking>\n${reasoning}`)).toMatchObject({ totalBlocks: 0, items: [], findings: [{ code: "answer/cut-off", line: 1 }] });
    }),
  );
});

test.each([
  ["without its closing tag", `Hm.\n<think>\n${block}\n`],
  ["in a sentence", `Hm.\nThe tag <think> opens it.\n${block}\n</think>\n`],
  ["above a closing one in a sentence", `Hm.\n<think>\n${block}\nIt ends with </think>, then.\n`],
  ["in a code fence", `\`\`\`\n<think>\n${block}\n</think>\n\`\`\`\n`],
  ["with another name", `<thinker>\n${block}\n</thinker>\n`],
  ["in a list", `- <think>\n${block}\n</think>\n`],
])("a tag %s is text", (_, text) => {
  expect(withoutReasoning(text)).toEqual({ text });
  expect(readAnswer(text).totalBlocks).toBe(1);
});

test("in an answer, nothing between tags alone on their lines runs", () => {
  fc.assert(
    fc.property(draft, fc.constantFrom("Hm.\n\n", `${block}\n`, "```ts\nlet a;\n```\n"), fc.constantFrom("think", "reasoning"), (reasoning, above, tag) => {
      const drafted = reasoning.replaceAll(/<\/?think>/g, "");
      const written = `${above}<${tag}>\n${drafted}\n</${tag}>\n${block}\n`;
      const first = above.split("\n").length;
      const { items, findings, text } = readAnswer(written);
      expect(items.map((item) => isBlock(item) && item.startLine)).toEqual([...(above.startsWith("#") ? [1] : []), first + drafted.split("\n").length + 2]);
      expect(findings.filter(({ code }) => code === "answer/reasoning")).toMatchObject([{ line: first, message: `not read: the model's reasoning (lines ${first}-${first + drafted.split("\n").length + 1})` }]);
      expect(text.length).toBe(written.length);
    }),
  );
});

test("a closing tag in a block's text ends nothing", () => {
  const written = printBlock("q2b", { action: "file_write", path: "/p/a.md", content: "one\n</think>\ntwo\n" });
  expect(readAnswer(written)).toMatchObject({ totalBlocks: 1, items: [{ id: "q2b", diagnostics: [] }] });
  expect(readAnswer(written).reasoning).toBeUndefined();
});

test.each(["\n", "\r\n"])("a lone closing tag leaves what is below it in its place (%j)", (end) => {
  const written = ["Hm, first:", block, "</think>", "", block, ""].join("\n").replaceAll("\n", end);
  const { items, reasoning, text } = readAnswer(written);
  const lines = block.split("\n").length;
  expect(reasoning).toMatchObject({ firstLine: 1, lastLine: lines + 2 });
  expect(items).toMatchObject([{ id: "k7m", startLine: lines + 4, diagnostics: [] }]);
  expect(text.length).toBe(written.length);
});
