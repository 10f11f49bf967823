/** Reasoning above an answer is left out, whatever stands in it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { readAnswer } from "../../../src/answer/read-answer.ts";
import { printBlock } from "../../../src/syntaxes/nesl/print.ts";
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
  ["below a sentence", `Hm.\n<think>\n${block}\n</think>\n`],
  ["in a code fence", `\`\`\`\n<think>\n${block}\n</think>\n\`\`\`\n`],
  ["with another name", `<thinker>\n${block}\n</thinker>\n`],
  ["in a list", `- <think>\n${block}\n</think>\n`],
])("a tag %s is text", (_, text) => {
  expect(withoutReasoning(text)).toEqual({ text });
  expect(readAnswer(text).totalBlocks).toBe(1);
});
