/** Checks that printed blocks are read back unchanged, and that inexpressible ones are not printed. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printCsl } from "../../../src/syntaxes/csl/teach.ts";
import { printReplacer } from "../../../src/syntaxes/replacer/teach.ts";
import { parse } from "../../../src/answer/read-answer.ts";

const line = fc.oneof(fc.constantFrom("", " ", "x", "<---END--->", "<---TO--->", "<<<END>>>", "\r", '"\\', "é😀"), fc.string({ maxLength: 5 }));
const text = fc.array(line, { maxLength: 4 }).map((lines) => lines.join("\n"));
const properties = fc.oneof(
  fc.record({ action: fc.constantFrom("file_write", "file_append"), path: line, content: text }),
  fc.record({ action: fc.constant("file_replace_text"), path: line, old_text: text, new_text: text }),
  fc.record({ action: fc.constant("file_replace_all_text"), path: line, old_text: text, new_text: text, count: fc.constantFrom("2", "1", "0") }, { requiredKeys: ["action", "path", "old_text", "new_text"] }),
  fc.record({ action: fc.constant("file_replace_text_range"), path: line, old_text_beginning: text, old_text_end: text, new_text: text }),
  fc.record({ action: fc.constant("run_commands"), commands: text, dir: line }, { requiredKeys: ["action", "commands"] }),
  fc.constant({ action: "ls", path: "a" }),
);

test.each([
  ["csl", printCsl],
  ["replacer", printReplacer],
] as const)("%s", (format, print) => {
  fc.assert(
    fc.property(properties, (given) => {
      const printed = print(given);
      if (printed === undefined) return;
      const { blocks, errors } = parse(`prose\n${printed}\nprose`, { format });
      expect(errors).toEqual([]);
      expect(blocks.map((block) => ({ ...block.properties }))).toEqual([given]);
    }),
    { numRuns: 2_000 },
  );
});

describe("prints expressible blocks", () => {
  const edit = { action: "file_replace_text", path: "src/a.js", old_text: "a\n\nb", new_text: "" };
  test.each([
    { action: "file_write", path: 'a "b".txt', content: "\nx\n\n" },
    { action: "file_append", path: "a", content: "<---TO--->" },
    { action: "file_replace_all_text", path: "a", old_text: "x", new_text: "y" },
    { action: "file_replace_all_text", path: "a", old_text: "x", new_text: "y", count: "3" },
    { action: "file_replace_text_range", path: "a", old_text_beginning: "x", old_text_end: "z", new_text: "y" },
    { action: "run_commands", commands: "a\nb", dir: "src" },
    edit,
  ])("in CSL: %j", (given) => {
    expect(printCsl(given)).toBeDefined();
    expect(printCsl(given, { start: "[[", end: "]]" })).toContain("[[END]]");
  });

  test.each([{ action: "file_write", path: "a", content: "x\n\ny" }, { action: "file_write", path: "a", content: "" }, edit])("in the replacer's syntax: %j", (given) => {
    expect(printReplacer(given)).toBeDefined();
  });
});

test.each([
  { action: "ls", path: "a" },
  { action: "file_write", path: "a", content: "x\n<---END--->" },
  { action: "file_write", path: "a", content: "x\r\ny" },
  { action: "file_write", path: "", content: "x" },
  { action: "file_replace_all_text", path: "a", old_text: "x", new_text: "y", count: "1" },
])("CSL cannot express %j", (given) => {
  expect(printCsl(given)).toBeUndefined();
});

test.each([
  { action: "ls", path: "a" },
  { action: "file_append", path: "a", content: "x" },
  { action: "file_write", path: "a", content: "x\n" },
  { action: "file_write", path: "a", content: "x\n<<<FILE>>>" },
  { action: "file_write", path: "a<b", content: "x" },
])("the replacer's syntax cannot express %j", (given) => {
  expect(printReplacer(given)).toBeUndefined();
});
